//! BDF2: v = (3x − 4x_n + x_{n−1})/(2h), one implicit stage of length 2h/3. The first step is implicit Euler's.

use super::runge_kutta::RungeKutta;
use super::step::{Advance, Integrator, LinearForm, Memory, Previous, Step, StepError, StepReport, finish};
use super::tableau::Tableau;
use crate::math::vector;
use crate::model::State;
use crate::solve::{Stage, World};

#[derive(Debug)]
pub struct Bdf2 {
    first: RungeKutta,
    memory: Memory,
    advance: Advance,
    origin: Vec<f64>,
    predictor: Vec<f64>,
}

impl Bdf2 {
    pub fn new() -> Self {
        Self {
            first: RungeKutta::new(Tableau::theta_inner(1.0)),
            memory: Memory::default(),
            advance: Advance::default(),
            origin: Vec::new(),
            predictor: Vec::new(),
        }
    }
}

impl Default for Bdf2 {
    fn default() -> Self {
        Self::new()
    }
}

impl Integrator for Bdf2 {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, world: &mut dyn World, state: &mut State, step: &Step<'_>) -> Result<StepReport, StepError> {
        let here = Previous { x: state.x.clone(), v: state.v.clone(), h: step.h };
        // A step of another length starts anew: the coefficients are those of equal steps.
        let report = match self.memory.previous.take().filter(|previous| previous.h == step.h) {
            None => self.first.step(world, state, step)?,
            Some(previous) => {
                let n = state.x.len();
                self.origin.resize(n, 0.0);
                self.predictor.resize(n, 0.0);
                self.advance.reset(n);
                world.begin_step(&state.x);
                let s = 2.0 * step.h / 3.0;
                for i in 0..n {
                    self.origin[i] = (4.0 * state.x[i] - previous.x[i]) / 3.0;
                    self.predictor[i] = self.origin[i] + s * (4.0 * state.v[i] - previous.v[i]) / 3.0;
                }
                let stage = Stage {
                    start: &state.x,
                    predictor: &self.predictor,
                    length: s,
                    velocity_origin: &self.origin,
                    velocity_length: s,
                    t: step.goal.t1,
                    dissipative: world.has_dissipation(),
                };
                let solve = world.minimise(&stage, &mut self.advance.x1)?;
                vector::set_quotient(&mut self.advance.v1, &self.advance.x1, &self.origin, s);
                if world.has_dissipation() {
                    world.add_dissipation(&self.advance.v1, 1.0, &mut self.advance.forces);
                }
                let exchange = self.advance.exchange(world, &state.x);
                finish(world, state, step, &mut self.advance, solve, exchange, None)?
            }
        };
        self.memory.previous = Some(here);
        Ok(report)
    }

    fn linear_form(&self) -> LinearForm {
        LinearForm::Bdf2
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }
}
