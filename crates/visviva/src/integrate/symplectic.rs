//! Symplectic explicit methods: symplectic Euler and Störmer–Verlet.

use super::step::{
    Advance, Integrator, LinearForm, Memory, Step, StepError, StepReport, admissible_energies, evaluate_acceleration,
    finish,
};
use crate::math::vector;
use crate::model::State;
use crate::solve::{DissipativeForces, SolveReport, World};

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
}

impl Kick {
    /// v ← v + duration (a(x) − m⁻¹∇R(v)); the mean dissipative force grows by the kick's share of the step.
    fn apply(&mut self, world: &mut dyn World, duration: f64, share: f64, v: &mut [f64], mean: &mut DissipativeForces) {
        if world.has_dissipation() {
            self.forces.reset(v.len());
            world.add_dissipation(v, 1.0, &mut self.forces);
            vector::add_scaled(&mut mean.friction, share, &self.forces.friction);
            vector::add_scaled(&mut mean.damping, share, &self.forces.damping);
            vector::add_scaled(&mut self.forces.friction, 1.0, &self.forces.damping);
            world.mass().solve(&self.forces.friction, &mut self.g);
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

    fn step(&mut self, world: &mut dyn World, state: &mut State, step: &Step<'_>) -> Result<StepReport, StepError> {
        let n = state.x.len();
        let Self { kick, advance, memory, scheme } = self;
        kick.g.resize(n, 0.0);
        kick.acceleration.resize(n, 0.0);
        advance.reset(n);
        world.begin_step(&state.x);
        match &memory.acceleration {
            Some(known) => kick.acceleration.copy_from_slice(known),
            None => {
                admissible_energies(world, &state.x)?;
                evaluate_acceleration(world, &state.x, &mut kick.g, &mut kick.acceleration);
            }
        }
        advance.v1.copy_from_slice(&state.v);
        let first = match scheme {
            Scheme::Euler => 1.0,
            Scheme::Verlet => 0.5,
        };
        kick.apply(world, first * step.h, first, &mut advance.v1, &mut advance.forces);
        vector::set_sum(&mut advance.x1, &state.x, step.h, &advance.v1);
        world.prescribe(step.goal.t1, &mut advance.x1);
        let energies = world.energies(&advance.x1);
        evaluate_acceleration(world, &advance.x1, &mut kick.g, &mut kick.acceleration);
        if *scheme == Scheme::Verlet {
            kick.apply(world, 0.5 * step.h, 0.5, &mut advance.v1, &mut advance.forces);
        }
        let exchange = advance.exchange(world, &state.x);
        let report = finish(world, state, step, advance, SolveReport::explicit(energies), exchange, None)?;
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
