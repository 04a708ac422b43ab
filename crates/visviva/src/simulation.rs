//! The loop: a world, its state, an integrator and the energy wanted, one step after the other.

use crate::energy::{EnergyPlan, Goal, Target};
use crate::integrate::{Integrator, Memory, Step, StepError, StepReport};
use crate::model::State;
use crate::solve::World;
use crate::solve::stage::inadmissible_term;
use serde::{Deserialize, Serialize};

/// Over any world, owned or lent: a particle, a bar, bodies in space.
pub struct Simulation<W> {
    pub world: W,
    pub state: State,
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

impl<W> std::fmt::Debug for Simulation<W> {
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

impl<W: World> Simulation<W> {
    pub fn new(
        mut world: W,
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
            clock: Clock { start_time: state.t, steps: 0, h },
            energy: Energy { start: total, total, level: plan.start_scale * total },
            target: plan.target.clone(),
            world,
            state,
            integrator,
            before: None,
        })
    }

    /// Goes on from a checkpoint of the same world, integrator and plan.
    pub fn resume(world: W, checkpoint: Checkpoint, mut integrator: Box<dyn Integrator>, plan: &EnergyPlan) -> Self {
        let Checkpoint { state, clock, energy, memory } = checkpoint;
        *integrator.memory_mut() = memory;
        Self { world, state, integrator, target: plan.target.clone(), clock, energy, before: None }
    }

    /// Goes to a checkpoint of this world and integrator, with the target given.
    pub fn restore(&mut self, checkpoint: Checkpoint, target: Target) {
        let Checkpoint { state, clock, energy, memory } = checkpoint;
        *self.integrator.memory_mut() = memory;
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
        self.energy.total += energy;
        self.energy.level += energy;
        let mass = self.world.mass();
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
            let energies = self.world.energies(&self.state.x);
            return Err(inadmissible_term(&energies, self.world.terms())
                .map_or(StepError::BlownUp, |term| StepError::Inadmissible { term }));
        }
        self.world.check_motion(self.state.t, t1)?;
        self.remember();
        let goal = Goal { target: &self.target, level, start_energy, t1, h };
        let step = Step { h, total_before: total, goal };
        match self.integrator.step(&mut self.world, &mut self.state, &step) {
            Ok(report) => {
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
