//! The loop: a world, its state, an integrator and the energy wanted, one step after the other.

use crate::energy::{EnergyPlan, Goal, Target};
use crate::integrate::{Integrator, Step, StepError, StepReport};
use crate::solve::World;
use crate::solve::stage::inadmissible_term;
use crate::system::State;

pub struct Simulation<'a> {
    pub world: &'a mut dyn World,
    pub state: State,
    integrator: Box<dyn Integrator>,
    target: Target,
    /// The wanted energy now [J]
    level: f64,
    start_energy: f64,
    total: f64,
    steps: u64,
    start_time: f64,
    h: f64,
}

impl std::fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation").field("t", &self.state.t).field("integrator", &self.integrator).finish()
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    #[error("time step h = {0} s: it must be positive and finite")]
    TimeStep(f64),
    #[error("the {term} energy is infinite at the start: the position is inadmissible (inverted or penetrating)")]
    Inadmissible { term: &'static str },
    #[error("the start state is not finite")]
    NotFinite,
}

impl<'a> Simulation<'a> {
    pub fn new(
        world: &'a mut dyn World,
        state: State,
        integrator: Box<dyn Integrator>,
        plan: &EnergyPlan,
        h: f64,
    ) -> Result<Self, StartError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(StartError::TimeStep(h));
        }
        let energies = world.energies(&state.x);
        if let Some(term) = inadmissible_term(&energies, world.terms()) {
            return Err(StartError::Inadmissible { term });
        }
        let total = energies.total() + world.mass().kinetic_energy(&state.v);
        if !total.is_finite() {
            return Err(StartError::NotFinite);
        }
        Ok(Self {
            start_time: state.t,
            world,
            state,
            integrator,
            target: plan.target.clone(),
            level: plan.start_scale * total,
            start_energy: total,
            total,
            steps: 0,
            h,
        })
    }

    /// H now [J]
    pub fn total_energy(&self) -> f64 {
        self.total
    }

    pub fn step(&mut self) -> Result<StepReport, StepError> {
        // Counted, not summed: the clock does not drift.
        let t1 = self.start_time + (self.steps + 1) as f64 * self.h;
        let goal = Goal { target: &self.target, level: self.level, start_energy: self.start_energy, t1, h: self.h };
        if !self.total.is_finite() {
            let energies = self.world.energies(&self.state.x);
            return Err(inadmissible_term(&energies, self.world.terms())
                .map_or(StepError::BlownUp, |term| StepError::Inadmissible { term }));
        }
        let step = Step { h: self.h, total_before: self.total, goal };
        let report = self.integrator.step(self.world, &mut self.state, &step)?;
        self.level = report.target;
        self.total = report.ledger.total;
        self.steps += 1;
        Ok(report)
    }
}
