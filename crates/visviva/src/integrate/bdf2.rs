//! BDF2: v = (3x − 4x_n + x_{n−1})/(2h), one implicit stage of length 2h/3. The first step is implicit Euler's.

use super::runge_kutta::RungeKutta;
use super::step::{Advance, Integrator, LinearForm, Memory, Previous, Step, StepEnd, StepError, StepReport, finish};
use super::tableau::Tableau;
use crate::math::vector;
use crate::model::State;
use crate::solve::{Backend, Motion, Stage, StrainChange};

#[derive(Debug)]
pub struct Bdf2 {
    first: RungeKutta,
    memory: Memory,
    advance: Advance,
    origin: Vec<f64>,
    predictor: Vec<f64>,
    /// Of the origin
    strains: Vec<f64>,
    strain_rates: Vec<f64>,
}

impl Bdf2 {
    pub fn new() -> Self {
        Self {
            first: RungeKutta::new(Tableau::theta_inner(1.0)),
            memory: Memory::default(),
            advance: Advance::default(),
            origin: Vec::new(),
            predictor: Vec::new(),
            strains: Vec::new(),
            strain_rates: Vec::new(),
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

    fn step(
        &mut self,
        backend: &mut dyn Backend,
        state: &mut State,
        step: &Step<'_>,
        end: &mut StepEnd,
    ) -> Result<StepReport, StepError> {
        let Self { first, memory, advance, origin, predictor, strains, strain_rates } = self;
        let here = Previous { x: state.x.clone(), v: state.v.clone(), h: step.h };
        // A step of another length starts anew: the coefficients are those of equal steps.
        let report = match memory.previous.as_ref().filter(|previous| previous.h == step.h) {
            None => first.step(backend, state, step, end)?,
            Some(previous) => {
                let n = state.x.len();
                origin.resize(n, 0.0);
                predictor.resize(n, 0.0);
                advance.reset(n);
                let s = 2.0 * step.h / 3.0;
                for i in 0..n {
                    origin[i] = (4.0 * state.x[i] - previous.x[i]) / 3.0;
                    predictor[i] = origin[i] + s * (4.0 * state.v[i] - previous.v[i]) / 3.0;
                }
                let frozen = backend.has_dissipation().then_some(step.frozen);
                // (4 e_n − e_{n−1})/3, as of positions: strains of the origin itself would know nothing of rotation.
                backend.strains(&previous.x, strains);
                backend.strain_rates(&state.x, StrainChange::Since { strains, length: 1.0 }, strain_rates);
                backend.strains(&state.x, strains);
                vector::add_scaled(strains, 1.0 / 3.0, strain_rates);
                let stage = Stage {
                    start: step.start,
                    predictor,
                    length: s,
                    velocity_origin: origin,
                    velocity_length: s,
                    strain_origin: strains,
                    t: step.goal.t1,
                    frozen,
                };
                let solve = backend.minimise(&stage, &mut advance.end)?;
                vector::set_quotient(&mut advance.v1, &advance.end.x, origin, s);
                if let Some(frozen) = frozen {
                    backend.strain_rates(&advance.end.x, stage.strain_change(), strain_rates);
                    let motion = Motion { x: &advance.end.x, v: &advance.v1, length: s, strain_rates };
                    backend.add_dissipation(frozen, motion, 1.0, &mut advance.forces);
                }
                let exchange = advance.exchange(backend, step, &state.v);
                finish(backend, state, step, advance, solve, exchange, None, end)?
            }
        };
        memory.previous = Some(here);
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
