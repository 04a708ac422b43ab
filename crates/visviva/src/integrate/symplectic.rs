//! Symplectic explicit methods: symplectic Euler and Störmer–Verlet.

use super::step::{
    Advance, Integrator, LinearForm, Memory, Step, StepEnd, StepError, StepReport, dissipative_acceleration,
    evaluate_acceleration, finish,
};
use crate::math::vector;
use crate::model::State;
use crate::solve::{Backend, DissipativeForces, Frozen, Motion, SolveReport, StrainChange};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// v₁ = v₀ − h m⁻¹∇P(x₀), x₁ = x₀ + h v₁
    Euler,
    /// half a kick, a drift, half a kick
    Verlet,
}

#[derive(Debug)]
pub struct Symplectic {
    scheme: Scheme,
    memory: Memory,
    advance: Advance,
    kick: Kick,
}

impl Symplectic {
    pub fn new(scheme: Scheme) -> Self {
        Self { scheme, memory: Memory::default(), advance: Advance::default(), kick: Kick::default() }
    }
}

#[derive(Debug, Default)]
struct Kick {
    g: Vec<f64>,
    acceleration: Vec<f64>,
    forces: DissipativeForces,
    strain_rates: Vec<f64>,
}

impl Kick {
    /// v ← v + duration (a(x) − m⁻¹∇R(v)); the mean dissipative force grows by the kick's share of the step.
    fn apply(
        &mut self,
        backend: &mut dyn Backend,
        frozen: &Frozen,
        [duration, share]: [f64; 2],
        x: &[f64],
        v: &mut [f64],
        mean: &mut DissipativeForces,
    ) {
        if backend.has_dissipation() {
            backend.strain_rates(x, StrainChange::With { velocity: v }, &mut self.strain_rates);
            let motion = Motion { x, v, length: duration, strain_rates: &self.strain_rates };
            dissipative_acceleration(backend, frozen, motion, &mut self.forces, &mut self.g);
            mean.add(share, &self.forces);
            vector::add_scaled(v, -duration, &self.g);
        }
        vector::add_scaled(v, duration, &self.acceleration);
    }
}

impl Integrator for Symplectic {
    fn order(&self) -> u32 {
        match self.scheme {
            Scheme::Euler => 1,
            Scheme::Verlet => 2,
        }
    }

    fn step(
        &mut self,
        backend: &mut dyn Backend,
        state: &mut State,
        step: &Step<'_>,
        end: &mut StepEnd,
    ) -> Result<StepReport, StepError> {
        let n = state.x.len();
        let Self { kick, advance, memory, scheme } = self;
        kick.g.resize(n, 0.0);
        kick.acceleration.resize(n, 0.0);
        advance.reset(n);
        match &memory.acceleration {
            Some(known) => kick.acceleration.copy_from_slice(known),
            None => evaluate_acceleration(backend, step.start, &mut kick.g, &mut kick.acceleration),
        }
        advance.v1.copy_from_slice(&state.v);
        let first = match scheme {
            Scheme::Euler => 1.0,
            Scheme::Verlet => 0.5,
        };
        kick.apply(backend, step.frozen, [first * step.h, first], &state.x, &mut advance.v1, &mut advance.forces);
        vector::set_sum(&mut advance.end.x, &state.x, step.h, &advance.v1);
        backend.prescribe(step.goal.t1, &mut advance.end.x);
        backend.evaluate(&mut advance.end);
        evaluate_acceleration(backend, &advance.end, &mut kick.g, &mut kick.acceleration);
        if *scheme == Scheme::Verlet {
            let Advance { end, v1, forces } = &mut *advance;
            kick.apply(backend, step.frozen, [0.5 * step.h, 0.5], &end.x, v1, forces);
        }
        let exchange = advance.exchange(backend, step, &state.v);
        let solve = SolveReport::explicit(advance.end.energies);
        let report = finish(backend, state, step, advance, solve, exchange, None, end)?;
        memory.acceleration.get_or_insert_with(Vec::new).clone_from(&kick.acceleration);
        Ok(report)
    }

    fn linear_form(&self) -> LinearForm {
        LinearForm::ExplicitSymplectic
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }
}
