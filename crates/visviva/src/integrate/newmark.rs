//! Newmark's family (β, γ): x₁ = x₀ + h v₀ + h²((½ − β) a₀ + β a₁), v₁ = v₀ + h((1 − γ) a₀ + γ a₁).
//!
//! One implicit stage of length h√β; a₁ follows from its momentum balance. (¼, ½) is the trapezoidal rule in another dress.

use super::step::{
    Advance, Integrator, LinearForm, Memory, Step, StepError, StepReport, admissible_energies, evaluate_acceleration,
    finish,
};
use crate::math::vector;
use crate::model::State;
use crate::solve::{DissipativeForces, Stage, World};

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
            forces: DissipativeForces::default(),
        }
    }

    /// self.g ← m⁻¹∇R(v)
    fn set_dissipative_acceleration(&mut self, world: &mut dyn World, v: &[f64]) {
        self.forces.reset(v.len());
        world.add_dissipation(v, 1.0, &mut self.forces);
        vector::add_scaled(&mut self.forces.friction, 1.0, &self.forces.damping);
        world.mass().solve(&self.forces.friction, &mut self.g);
    }
}

impl Integrator for Newmark {
    fn order(&self) -> u32 {
        if self.gamma == 0.5 { 2 } else { 1 }
    }

    fn step(&mut self, world: &mut dyn World, state: &mut State, step: &Step<'_>) -> Result<StepReport, StepError> {
        let n = state.x.len();
        let (h, beta, gamma) = (step.h, self.beta, self.gamma);
        let buffers = [&mut self.predictor, &mut self.velocity, &mut self.origin, &mut self.acceleration, &mut self.g];
        buffers.into_iter().for_each(|buffer| buffer.resize(n, 0.0));
        self.advance.reset(n);
        world.begin_step(&state.x);
        match &self.memory.acceleration {
            Some(known) => self.acceleration.copy_from_slice(known),
            None => {
                admissible_energies(world, &state.x)?;
                evaluate_acceleration(world, &state.x, &mut self.g, &mut self.acceleration);
            }
        }
        let dissipative = world.has_dissipation();
        if dissipative {
            self.set_dissipative_acceleration(world, &state.v);
            vector::add_scaled(&mut self.acceleration, -1.0, &self.g);
        }
        let velocity_length = beta * h / gamma;
        for i in 0..n {
            self.predictor[i] = state.x[i] + h * state.v[i] + h * h * (0.5 - beta) * self.acceleration[i];
            self.velocity[i] = state.v[i] + h * (1.0 - gamma) * self.acceleration[i];
            self.origin[i] = self.predictor[i] - velocity_length * self.velocity[i];
        }
        let stage = Stage {
            start: &state.x,
            predictor: &self.predictor,
            length: h * beta.sqrt(),
            velocity_origin: &self.origin,
            velocity_length,
            t: step.goal.t1,
            dissipative,
        };
        let solve = world.minimise(&stage, &mut self.advance.x1)?;
        vector::set_quotient(&mut self.acceleration, &self.advance.x1, &self.predictor, beta * h * h);
        vector::set_sum(&mut self.advance.v1, &self.velocity, h * gamma, &self.acceleration);
        if dissipative {
            world.add_dissipation(&self.advance.v1, 1.0, &mut self.advance.forces);
            // What is kept is conservative: dissipation is evaluated with the coefficients of its own step.
            let v1 = std::mem::take(&mut self.advance.v1);
            self.set_dissipative_acceleration(world, &v1);
            self.advance.v1 = v1;
            vector::add_scaled(&mut self.acceleration, 1.0, &self.g);
        }
        let exchange = self.advance.exchange(world, &state.x);
        let report = finish(world, state, step, &mut self.advance, solve, exchange, None)?;
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
