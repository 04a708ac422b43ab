//! Blending (Dinev et al. 2018): implicit midpoint, mixed with implicit Euler where midpoint ends above the target energy and with
//! explicit Euler where it ends below, by bisection on the mix of the two full states.
//!
//! The mixed position is not solved for: it may be inadmissible, and the report says so.

use super::runge_kutta::{Stages, Start};
use super::step::{Advance, Integrator, LinearForm, Memory, Step, StepEnd, StepError, StepReport, finish};
use super::tableau::Tableau;
use crate::model::{Exchange, State};
use crate::solve::{Backend, SolveReport};

#[derive(Debug)]
pub struct Blending {
    memory: Memory,
    stages: Stages,
    midpoint: Advance,
    other: Advance,
    mixed: Advance,
}

impl Blending {
    pub fn new() -> Self {
        Self {
            memory: Memory::default(),
            stages: Stages::default(),
            midpoint: Advance::default(),
            other: Advance::default(),
            mixed: Advance::default(),
        }
    }

    /// The state a part `share` of the way from midpoint to the other method: how far H lies above its target, and the books.
    fn mix(&mut self, share: f64, backend: &mut dyn Backend, step: &Step<'_>, v0: &[f64]) -> (f64, Exchange) {
        let blend = |out: &mut [f64], a: &[f64], b: &[f64]| {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = a + share * (b - a);
            }
        };
        blend(&mut self.mixed.end.x, &self.midpoint.end.x, &self.other.end.x);
        blend(&mut self.mixed.v1, &self.midpoint.v1, &self.other.v1);
        self.mixed.forces.set_mix(&self.midpoint.forces, &self.other.forces, share);
        backend.evaluate(&mut self.mixed.end);
        let exchange = self.mixed.exchange(backend, step, v0);
        let total = self.mixed.end.energies.total() + backend.mass().kinetic_energy(&self.mixed.v1);
        (total - step.goal.next_level(exchange.loss(), exchange.work), exchange)
    }
}

impl Default for Blending {
    fn default() -> Self {
        Self::new()
    }
}

impl Integrator for Blending {
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
        /// Bisections: beyond double precision.
        const BISECTIONS: usize = 60;
        let start = Start::new(state, step, backend, None);
        let mut solve = self.stages.advance(&Tableau::theta_inner(0.5), backend, start, &mut self.midpoint)?;
        self.other.clone_from(&self.midpoint);
        self.mixed.reset(state.x.len());
        let (excess, mut exchange) = self.mix(0.0, backend, step, &state.v);
        if excess != 0.0 {
            let partner = if excess > 0.0 { 1.0 } else { 0.0 };
            let more = self.stages.advance(&Tableau::theta_inner(partner), backend, start, &mut self.other)?;
            solve = solve.then(more);
            // Above the target at one end and not at the other, or the nearer end where the target lies beyond it.
            let (mut near, mut far) = (0.0, 1.0);
            let (at_end, _) = self.mix(1.0, backend, step, &state.v);
            let crosses = (at_end > 0.0) != (excess > 0.0) && at_end.is_finite();
            for _ in 0..if crosses { BISECTIONS } else { 0 } {
                let middle = 0.5 * (near + far);
                let (there, _) = self.mix(middle, backend, step, &state.v);
                if (there > 0.0) == (excess > 0.0) { near = middle } else { far = middle }
            }
            let share = if !crosses && excess < 0.0 && !at_end.is_finite() { 0.0 } else { far };
            (_, exchange) = self.mix(share, backend, step, &state.v);
        }
        let solve = SolveReport { energies: self.mixed.end.energies, ..solve };
        finish(backend, state, step, &mut self.mixed, solve, exchange, None, end)
    }

    fn follows_target(&self) -> bool {
        true
    }

    fn linear_form(&self) -> LinearForm {
        LinearForm::Adaptive
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }
}
