//! The loop: who computes, the state, an integrator and the energy wanted, one step after the other.

use crate::energy::{EnergyPlan, Goal, Target};
use crate::integrate::{Integrator, Memory, Step, StepEnd, StepError, StepReport};
use crate::math::vector;
use crate::model::{Part, State};
use crate::solve::{Backend, BodiesSolver, Evaluation, Frozen, Taken, inadmissible_term};
use serde::{Deserialize, Serialize};

/// Over any backend: a particle, a bar, bodies in space.
pub struct Simulation<B> {
    pub backend: B,
    pub state: State,
    /// The state's position, evaluated
    here: StepEnd,
    /// Where the last step began: room for the end of the next one
    before: StepEnd,
    /// Dissipation of the last step
    frozen: Frozen,
    /// Whether the two ends and the dissipation belong to one step
    has_stepped: bool,
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

/// Where the energy stands `[J]`.
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
            here: StepEnd { at: here, ..StepEnd::default() },
            before: StepEnd::default(),
            frozen: Frozen::default(),
            has_stepped: false,
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
        let here = StepEnd { at: here, ..StepEnd::default() };
        let (before, frozen) = (StepEnd::default(), Frozen::default());
        Self { backend, state, here, before, frozen, has_stepped: false, integrator, target, clock, energy }
    }

    /// Goes to a checkpoint of this model and integrator, with the target given.
    pub fn restore(&mut self, checkpoint: Checkpoint, target: Target) {
        let Checkpoint { state, clock, energy, memory } = checkpoint;
        *self.integrator.memory_mut() = memory;
        self.here.at = self.backend.evaluation(&state.x);
        self.has_stepped = false;
        (self.state, self.clock, self.energy, self.target) = (state, clock, energy, target);
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

    /// Whether the method steers towards the energy wanted.
    pub fn follows_target(&self) -> bool {
        self.integrator.follows_target()
    }

    /// The state's position, evaluated: energies by term, contact.
    pub fn evaluation(&self) -> &Evaluation {
        &self.here.at
    }

    /// The last step with all that belongs to it; none before the first and after a failed one.
    pub fn taken(&self) -> Option<Taken<'_>> {
        let (from, to) = (&self.before.at, &self.here.at);
        self.has_stepped.then_some(Taken { from, to, h: self.clock.h, frozen: &self.frozen, forces: &self.here.forces })
    }

    /// H now `[J]`
    pub fn total_energy(&self) -> f64 {
        self.energy.total
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

    /// Gravity changed by `difference` along each axis `[m/s²]`, and with it the potential energy at the present position by
    /// `energy` `[J]`. The total and the wanted energy move with it, and so does what free nodes remember of their acceleration.
    pub fn follow_gravity(&mut self, difference: &[f64], energy: f64) {
        self.backend.evaluate(&mut self.here.at);
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
            return Err(inadmissible_term(&self.here.at.energies, self.backend.terms())
                .map_or(StepError::BlownUp, |term| StepError::Inadmissible { term }));
        }
        self.backend.check_motion(self.state.t, t1)?;
        self.has_stepped = false;
        self.backend.freeze(&self.here.at, &self.state.v, &mut self.frozen);
        let goal = Goal { target: &self.target, level, start_energy, t1, h };
        let step = Step { h, total_before: total, goal, start: &self.here.at, frozen: &self.frozen };
        let report = self.integrator.step(&mut self.backend, &mut self.state, &step, &mut self.before)?;
        std::mem::swap(&mut self.here, &mut self.before);
        self.has_stepped = true;
        self.energy.level = report.target;
        self.energy.total = report.ledger.total;
        self.clock.steps += 1;
        Ok(report)
    }
}

impl Simulation<BodiesSolver> {
    /// Other forces from outside, flat on all nodes `[N]`, empty for none. What the method remembers of accelerations follows.
    pub fn set_pushes(&mut self, pushes: Vec<f64>) {
        if pushes.is_empty() && self.backend.pushes().is_empty() {
            return;
        }
        let mut difference = pushes.clone();
        difference.resize(self.state.x.len(), 0.0);
        difference.iter_mut().zip(self.backend.pushes()).for_each(|(new, old)| *new -= old);
        let mut change = vec![0.0; difference.len()];
        self.backend.mass().solve(&difference, &mut change);
        if let Some(remembered) = &mut self.integrator.memory_mut().acceleration {
            vector::add_scaled(remembered, 1.0, &change);
        }
        self.backend.set_pushes(pushes);
    }

    /// Energies, momenta and the last step's exchange of each body.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = self.backend.parts(&self.here.at, &self.state.v);
        let exchanges = self.taken().map_or(Vec::new(), |taken| self.backend.exchanges(taken));
        parts.iter_mut().zip(exchanges).for_each(|(part, exchange)| part.exchange = exchange);
        parts
    }
}
