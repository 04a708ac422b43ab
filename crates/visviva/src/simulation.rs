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
    before: Option<Before>,
}

/// What a step that fails goes back to.
#[derive(Debug)]
struct Before {
    state: State,
    memory: Memory,
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
            before: None,
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
        Self { backend, state, here, next, frozen, integrator, target, clock, energy, before: None }
    }

    /// Goes to a checkpoint of this model and integrator, with the target given.
    pub fn restore(&mut self, checkpoint: Checkpoint, target: Target) {
        let Checkpoint { state, clock, energy, memory } = checkpoint;
        *self.integrator.memory_mut() = memory;
        self.here = self.backend.evaluation(&state.x);
        self.frozen = Frozen::default();
        (self.state, self.clock, self.energy, self.target, self.before) = (state, clock, energy, target, None);
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

    /// Where the last step began [m]; nothing before the first one.
    pub fn step_start(&self) -> Option<&[f64]> {
        self.before.as_ref().map(|before| before.state.x.as_slice())
    }

    /// Another energy is wanted from the next step on; it starts from the present level.
    pub fn set_target(&mut self, target: Target) {
        self.target = target;
    }

    /// Another method from the next step on. It takes over the memory where it has the same use for it, and starts anew where not.
    pub fn set_integrator(&mut self, mut integrator: Box<dyn Integrator>, keeps_memory: bool) {
        if keeps_memory {
            *integrator.memory_mut() = std::mem::take(self.integrator.memory_mut());
        }
        self.integrator = integrator;
    }

    /// Gravity changed by `difference` along each axis [m/s²], and with it the potential energy at the present position by
    /// `energy` [J]. The total and the wanted energy move with it, and so does what free nodes remember of their acceleration.
    pub fn follow_gravity(&mut self, difference: &[f64], energy: f64) {
        self.backend.evaluate(&mut self.here);
        self.energy.total += energy;
        self.energy.level += energy;
        let mass = self.backend.mass();
        let d = mass.dimension();
        if let Some(remembered) = &mut self.integrator.memory_mut().acceleration {
            let free = remembered.iter_mut().enumerate().filter(|(i, _)| !mass.is_pinned(i / d));
            free.for_each(|(i, a)| *a += difference[i % d]);
        }
    }

    /// On an error all is as it was before.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let Clock { start_time, steps, h } = self.clock;
        let t1 = start_time + (steps + 1) as f64 * h;
        let Energy { start: start_energy, total, level } = self.energy;
        if !total.is_finite() {
            return Err(inadmissible_term(&self.here.energies, self.backend.terms())
                .map_or(StepError::BlownUp, |term| StepError::Inadmissible { term }));
        }
        self.backend.check_motion(self.state.t, t1)?;
        self.remember();
        self.backend.freeze(&self.here, &mut self.frozen);
        let goal = Goal { target: &self.target, level, start_energy, t1, h };
        let step = Step { h, total_before: total, goal, start: &self.here, frozen: &self.frozen };
        match self.integrator.step(&mut self.backend, &mut self.state, &step, &mut self.next) {
            Ok(report) => {
                std::mem::swap(&mut self.here, &mut self.next);
                self.energy.level = report.target;
                self.energy.total = report.ledger.total;
                self.clock.steps += 1;
                Ok(report)
            }
            Err(error) => {
                self.go_back();
                Err(error)
            }
        }
    }

    /// Into the same buffers each time: small worlds take a million steps a second.
    fn remember(&mut self) {
        let (state, memory) = (&self.state, self.integrator.memory());
        let Some(before) = &mut self.before else {
            self.before = Some(Before { state: state.clone(), memory: memory.clone() });
            return;
        };
        before.state.x.clone_from(&state.x);
        before.state.v.clone_from(&state.v);
        before.state.t = state.t;
        before.memory.acceleration.clone_from(&memory.acceleration);
        before.memory.previous.clone_from(&memory.previous);
        before.memory.side_count = memory.side_count;
    }

    fn go_back(&mut self) {
        if let Some(Before { state, memory }) = self.before.take() {
            self.state = state;
            *self.integrator.memory_mut() = memory;
        }
    }
}
