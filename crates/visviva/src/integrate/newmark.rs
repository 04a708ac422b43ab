//! Newmark's family (β, γ): x₁ = x₀ + h v₀ + h²((½ − β) a₀ + β a₁), v₁ = v₀ + h((1 − γ) a₀ + γ a₁).
//!
//! One implicit stage of length h√β; a₁ follows from its momentum balance. (¼, ½) is the trapezoidal rule in another dress.

use super::step::{
    Advance, Integrator, LinearForm, Memory, Step, StepEnd, StepError, StepReport, dissipative_acceleration,
    evaluate_acceleration, finish,
};
use crate::math::vector;
use crate::model::State;
use crate::solve::{Backend, DissipativeForces, Motion, Stage, StrainChange};

#[derive(Debug)]
pub struct Newmark {
    beta: f64,
    gamma: f64,
    memory: Memory,
    advance: Advance,
    predictor: Vec<f64>,
    /// v₀ + h (1 − γ) a₀
    velocity: Vec<f64>,
    origin: Vec<f64>,
    acceleration: Vec<f64>,
    g: Vec<f64>,
    /// Of the origin
    strains: Vec<f64>,
    strain_rates: Vec<f64>,
    forces: DissipativeForces,
}

impl Newmark {
    /// β > 0, γ > 0
    pub fn new(beta: f64, gamma: f64) -> Self {
        Self {
            beta,
            gamma,
            memory: Memory::default(),
            advance: Advance::default(),
            predictor: Vec::new(),
            velocity: Vec::new(),
            origin: Vec::new(),
            acceleration: Vec::new(),
            g: Vec::new(),
            strains: Vec::new(),
            strain_rates: Vec::new(),
            forces: DissipativeForces::default(),
        }
    }
}

impl Integrator for Newmark {
    fn order(&self) -> u32 {
        if self.gamma == 0.5 { 2 } else { 1 }
    }

    fn step(
        &mut self,
        backend: &mut dyn Backend,
        state: &mut State,
        step: &Step<'_>,
        end: &mut StepEnd,
    ) -> Result<StepReport, StepError> {
        let n = state.x.len();
        let (h, beta, gamma) = (step.h, self.beta, self.gamma);
        let buffers = [&mut self.predictor, &mut self.velocity, &mut self.origin, &mut self.acceleration, &mut self.g];
        buffers.into_iter().for_each(|buffer| buffer.resize(n, 0.0));
        self.advance.reset(n);
        match &self.memory.acceleration {
            Some(known) => self.acceleration.copy_from_slice(known),
            None => evaluate_acceleration(backend, step.start, &mut self.g, &mut self.acceleration),
        }
        let frozen = backend.has_dissipation().then_some(step.frozen);
        if let Some(frozen) = frozen {
            let Self { strains, strain_rates, .. } = self;
            backend.strain_rates(&state.x, StrainChange::With { velocity: &state.v }, strain_rates);
            // Where strains come from, as positions do; the part with accelerations vanishes for γ = 2β.
            backend.strains(&state.x, strains);
            vector::add_scaled(strains, h * (1.0 - beta / gamma), strain_rates);
            let motion = Motion { x: &state.x, v: &state.v, length: h, strain_rates };
            dissipative_acceleration(backend, frozen, motion, &mut self.forces, &mut self.g);
            vector::add_scaled(&mut self.acceleration, -1.0, &self.g);
        }
        let velocity_length = beta * h / gamma;
        for i in 0..n {
            self.predictor[i] = state.x[i] + h * state.v[i] + h * h * (0.5 - beta) * self.acceleration[i];
            self.velocity[i] = state.v[i] + h * (1.0 - gamma) * self.acceleration[i];
            self.origin[i] = self.predictor[i] - velocity_length * self.velocity[i];
        }
        let stage = Stage {
            start: step.start,
            predictor: &self.predictor,
            length: h * beta.sqrt(),
            velocity_origin: &self.origin,
            velocity_length,
            strain_origin: &self.strains,
            t: step.goal.t1,
            frozen,
        };
        let solve = backend.minimise(&stage, &mut self.advance.end)?;
        vector::set_quotient(&mut self.acceleration, &self.advance.end.x, &self.predictor, beta * h * h);
        vector::set_sum(&mut self.advance.v1, &self.velocity, h * gamma, &self.acceleration);
        if let Some(frozen) = frozen {
            let Advance { end, v1, forces } = &mut self.advance;
            backend.strain_rates(&end.x, stage.strain_change(), &mut self.strain_rates);
            let motion = Motion { x: &end.x, v: v1, length: velocity_length, strain_rates: &self.strain_rates };
            // What is kept is conservative: dissipation is evaluated with the coefficients of its own step.
            dissipative_acceleration(backend, frozen, motion, forces, &mut self.g);
            vector::add_scaled(&mut self.acceleration, 1.0, &self.g);
        }
        let exchange = self.advance.exchange(backend, step, &state.v);
        let report = finish(backend, state, step, &mut self.advance, solve, exchange, None, end)?;
        self.memory.acceleration.get_or_insert_with(Vec::new).clone_from(&self.acceleration);
        Ok(report)
    }

    fn linear_form(&self) -> LinearForm {
        LinearForm::Newmark { beta: self.beta, gamma: self.gamma }
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }
}
