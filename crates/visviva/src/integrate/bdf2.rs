//! BDF2: v = (3x − 4x_n + x_{n−1})/(2h), one implicit stage of length 2h/3. The first step is implicit Euler's.
//!
//! After a step of another length h/ω: v = ((1 + 2ω)x − (1 + ω)²x_n + ω²x_{n−1})/((1 + ω)h), a stage of length (1 + ω)h/(1 + 2ω).
//! Second order for any ω, and zero-stable below 1 + √2 (Hairer, Nørsett, Wanner: Solving ODEs I, III.5).

use super::runge_kutta::RungeKutta;
use super::step::{Advance, Integrator, LinearForm, Memory, Previous, Step, StepEnd, StepError, StepReport, finish};
use super::tableau::Tableau;
use crate::math::vector;
use crate::model::State;
use crate::solve::{Backend, Motion, Stage, StrainChange};

/// Zero-stability ends at 1 + √2.
const LARGEST_RATIO: f64 = 2.4;

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
        // A step that is longer by far starts anew.
        let report = match memory.previous.as_ref().filter(|previous| step.h / previous.h < LARGEST_RATIO) {
            None => first.step(backend, state, step, end)?,
            Some(previous) => {
                let n = state.x.len();
                origin.resize(n, 0.0);
                predictor.resize(n, 0.0);
                advance.reset(n);
                let ratio = step.h / previous.h;
                let (now, before, sum) = ((1.0 + ratio) * (1.0 + ratio), ratio * ratio, 1.0 + 2.0 * ratio);
                let s = (1.0 + ratio) * step.h / sum;
                for i in 0..n {
                    origin[i] = (now * state.x[i] - before * previous.x[i]) / sum;
                    predictor[i] = origin[i] + s * (now * state.v[i] - before * previous.v[i]) / sum;
                }
                let frozen = backend.has_dissipation().then_some(step.frozen);
                // Weighed as positions are: strains of the origin itself would know nothing of rotation.
                backend.strains(&previous.x, strains);
                backend.strain_rates(&state.x, StrainChange::Since { strains, length: 1.0 }, strain_rates);
                backend.strains(&state.x, strains);
                vector::add_scaled(strains, before / sum, strain_rates);
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
