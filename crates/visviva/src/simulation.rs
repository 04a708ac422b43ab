//! The loop: who computes, the state, an integrator and the energy wanted, one step after the other.

use crate::energy::{EnergyPlan, Goal, Target};
use crate::integrate::{Integrator, Memory, Step, StepError, StepReport};
use crate::model::State;
use crate::solve::{Backend, Evaluation, Frozen, inadmissible_term};
use serde::{Deserialize, Serialize};

/// Over any backend: a particle, a bar, bodies in space.
pub struct Simulation<B> {
    pub backend: B,
    pub state: State,
    /// The state's position, evaluated
    here: Evaluation,
    /// Where the step ends, until it is known to have succeeded
    next: Evaluation,
    /// Dissipation of the last step
    frozen: Frozen,
    integrator: Box<dyn Integrator>,
    target: Target,
    clock: Clock,
    energy: Energy,
}

/// Counted, not summed: time does not drift.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    pub start_time: f64,
    pub steps: u64,
    pub h: f64,
}

/// Where the energy stands [J].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// H₀
    pub start: f64,
    /// H now
    pub total: f64,
    /// The wanted energy now
    pub level: f64,
}

/// All that a run carries from step to step: with the world and the plan it goes on bit for bit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub state: State,
    pub clock: Clock,
    pub energy: Energy,
    pub memory: Memory,
}

impl<B> std::fmt::Debug for Simulation<B> {
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

impl<B: Backend> Simulation<B> {
    pub fn new(
        mut backend: B,
        state: State,
        integrator: Box<dyn Integrator>,
        plan: &EnergyPlan,
        h: f64,
    ) -> Result<Self, StartError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(StartError::TimeStep(h));
        }
        let here = backend.evaluation(&state.x);
        if let Some(term) = inadmissible_term(&here.energies, backend.terms()) {
            return Err(StartError::Inadmissible { term });
        }
        let total = here.energies.total() + backend.mass().kinetic_energy(&state.v);
        if !total.is_finite() {
            return Err(StartError::NotFinite);
        }
        Ok(Self {
            clock: Clock { start_time: state.t, steps: 0, h },
            energy: Energy { start: total, total, level: plan.start_scale * total },
            target: plan.target.clone(),
            backend,
            state,
            here,
            next: Evaluation::default(),
            frozen: Frozen::default(),
            integrator,
        })
    }

    /// Goes on from a checkpoint of the same model, integrator and plan.
    pub fn resume(
        mut backend: B,
        checkpoint: Checkpoint,
        mut integrator: Box<dyn Integrator>,
        plan: &EnergyPlan,
    ) -> Self {
        let Checkpoint { state, clock, energy, memory } = checkpoint;
        *integrator.memory_mut() = memory;
        let here = backend.evaluation(&state.x);
        let target = plan.target.clone();
        let (next, frozen) = (Evaluation::default(), Frozen::default());
        Self { backend, state, here, next, frozen, integrator, target, clock, energy }
    }

    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            state: self.state.clone(),
            clock: self.clock,
            energy: self.energy,
            memory: self.integrator.memory().clone(),
        }
    }

    pub fn clock(&self) -> Clock {
        self.clock
    }

    pub fn energy(&self) -> Energy {
        self.energy
    }

    /// The state's position, evaluated: energies by term, contact.
    pub fn evaluation(&self) -> &Evaluation {
        &self.here
    }

    /// Dissipation as it was frozen for the last step.
    pub fn frozen(&self) -> &Frozen {
        &self.frozen
    }

    /// H now [J]
    pub fn total_energy(&self) -> f64 {
        self.energy.total
    }

    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let Clock { start_time, steps, h } = self.clock;
        let t1 = start_time + (steps + 1) as f64 * h;
        let Energy { start: start_energy, total, level } = self.energy;
        if !total.is_finite() {
            return Err(inadmissible_term(&self.here.energies, self.backend.terms())
                .map_or(StepError::BlownUp, |term| StepError::Inadmissible { term }));
        }
        self.backend.check_motion(self.state.t, t1)?;
        self.backend.freeze(&self.here, &mut self.frozen);
        let goal = Goal { target: &self.target, level, start_energy, t1, h };
        let step = Step { h, total_before: total, goal, start: &self.here, frozen: &self.frozen };
        let report = self.integrator.step(&mut self.backend, &mut self.state, &step, &mut self.next)?;
        std::mem::swap(&mut self.here, &mut self.next);
        self.energy.level = report.target;
        self.energy.total = report.ledger.total;
        self.clock.steps += 1;
        Ok(report)
    }
}
