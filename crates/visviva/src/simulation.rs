//! The loop: who computes, the state, an integrator and the energy wanted, one step after the other.

use crate::energy::by_body::{Holding, shared_levels};
use crate::energy::{BodyGoals, BodyLevel, BodyPlan, EnergyPlan, Goal};
use crate::integrate::{BodyEnd, Integrator, Memory, Step, StepEnd, StepError, StepReport};
use crate::math::vector;
use crate::model::{Exchange, Part, State};
use crate::solve::{Backend, BodiesSolver, Evaluation, Frozen, Grip, Taken, inadmissible_term};
use serde::{Deserialize, Serialize};

/// Over any backend: a particle, a bar, bodies in space.
pub struct Simulation<B> {
    pub backend: B,
    pub state: State,
    /// The state's position, evaluated
    here: StepEnd,
    /// Of the nodes where the step begins `[m/s]`
    velocity_before: Vec<f64>,
    /// Where the last step began: room for the end of the next one
    before: StepEnd,
    /// Dissipation of the last step
    frozen: Frozen,
    /// Whether the two ends and the dissipation belong to one step
    has_stepped: bool,
    integrator: Box<dyn Integrator>,
    plan: EnergyPlan,
    clock: Clock,
    energy: Energy,
    /// Of each body, where the energy is directed body by body
    levels: Vec<BodyLevel>,
}

/// Equal steps are counted, not summed: time does not drift.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    pub start_time: f64,
    pub steps: u64,
    /// Of the last step, and of the next where nobody chooses another `[s]`
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
    /// Of each body, where the energy is directed body by body
    pub levels: Vec<BodyLevel>,
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
        let parts = if plan.bodies.is_empty() { Vec::new() } else { backend.parts(&here, &state.v) };
        let level_of = |(part, plan): (&Part, &BodyPlan)| {
            let start = part.total();
            BodyLevel { start, level: plan.start_scale * start }
        };
        let levels: Vec<BodyLevel> = parts.iter().zip(&plan.bodies).map(level_of).collect();
        let level =
            if levels.is_empty() { plan.start_scale * total } else { levels.iter().map(|body| body.level).sum() };
        Ok(Self {
            clock: Clock { start_time: state.t, steps: 0, h },
            energy: Energy { start: total, total, level },
            plan: plan.clone(),
            levels,
            backend,
            state,
            here: StepEnd { at: here, ..StepEnd::default() },
            velocity_before: Vec::new(),
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
        let Checkpoint { state, clock, energy, levels, memory } = checkpoint;
        *integrator.memory_mut() = memory;
        let here = StepEnd { at: backend.evaluation(&state.x), ..StepEnd::default() };
        let (before, frozen, plan, velocity_before) = (StepEnd::default(), Frozen::default(), plan.clone(), Vec::new());
        Self {
            backend,
            state,
            here,
            velocity_before,
            before,
            frozen,
            has_stepped: false,
            integrator,
            plan,
            clock,
            energy,
            levels,
        }
    }

    /// Goes to a checkpoint of this model and integrator, with the plan given.
    pub fn restore(&mut self, checkpoint: Checkpoint, plan: EnergyPlan) {
        let Checkpoint { state, clock, energy, levels, memory } = checkpoint;
        *self.integrator.memory_mut() = memory;
        self.here.at = self.backend.evaluation(&state.x);
        self.has_stepped = false;
        (self.state, self.clock, self.energy, self.levels) = (state, clock, energy, levels);
        self.plan = plan;
    }

    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            state: self.state.clone(),
            clock: self.clock,
            energy: self.energy,
            levels: self.levels.clone(),
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

    /// What is wanted of the energy, and of each body's where they are directed one by one. A target that is put in its place
    /// holds from the next step on and starts from the present level.
    pub fn plan_mut(&mut self) -> &mut EnergyPlan {
        &mut self.plan
    }

    /// What each body's energy came to in the last step; none where the energy is directed as a whole.
    pub fn body_ends(&self) -> &[BodyEnd] {
        &self.here.bodies
    }

    /// Another method from the next step on. It takes over the memory where it has the same use for it, and starts anew where not.
    pub fn set_integrator(&mut self, mut integrator: Box<dyn Integrator>, keeps_memory: bool) {
        if keeps_memory {
            *integrator.memory_mut() = std::mem::take(self.integrator.memory_mut());
        }
        self.integrator = integrator;
    }

    /// Gravity changed by `difference` along each axis `[m/s²]`, and with it the potential energy at the present position by
    /// `energy` `[J]`, that of each body by its part. The total and the wanted energy move with it, and so does what free nodes
    /// remember of their acceleration.
    pub fn follow_gravity(&mut self, difference: &[f64], energy: f64, by_body: &[f64]) {
        self.backend.evaluate(&mut self.here.at);
        self.energy.total += energy;
        self.energy.level += energy;
        self.levels.iter_mut().zip(by_body).for_each(|(body, energy)| body.level += energy);
        let mass = self.backend.mass();
        let d = mass.dimension();
        if let Some(remembered) = &mut self.integrator.memory_mut().acceleration {
            let free = remembered.iter_mut().enumerate().filter(|(i, _)| !mass.is_pinned(i / d));
            free.for_each(|(i, a)| *a += difference[i % d]);
        }
    }

    /// Each body's level is what the step left it; after a method that knows nothing of bodies they share the whole's.
    fn pass_on_levels(&mut self) {
        if !self.levels.is_empty() && self.here.bodies.is_empty() {
            let parts = self.backend.parts(&self.here.at, &self.state.v);
            let holding = |(part, plan): (&Part, &BodyPlan)| Holding {
                total: part.total(),
                kinetic: part.kinetic,
                mass: plan.share,
            };
            let holdings: Vec<Holding> = parts.iter().zip(&self.plan.bodies).map(holding).collect();
            let levels = shared_levels(self.energy.level, &holdings);
            self.levels.iter_mut().zip(levels).for_each(|(body, level)| body.level = level);
        }
        self.levels.iter_mut().zip(&self.here.bodies).for_each(|(body, end)| body.level = end.level);
    }

    /// A step of the clock's length. On an error all is as it was before.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let Clock { start_time, steps, h } = self.clock;
        self.step_to(start_time + (steps + 1) as f64 * h, h)
    }

    /// A step of the length h that ends at the time t1 `[s]`. On an error all is as it was before.
    pub fn step_to(&mut self, t1: f64, h: f64) -> Result<StepReport, StepError> {
        let Energy { start: start_energy, total, level } = self.energy;
        if !total.is_finite() {
            return Err(inadmissible_term(&self.here.at.energies, self.backend.terms())
                .map_or(StepError::BlownUp, |term| StepError::Inadmissible { term }));
        }
        self.backend.check_motion(self.state.t, t1)?;
        self.has_stepped = false;
        self.backend.freeze(&self.here.at, &self.state.v, &mut self.frozen);
        let goals = BodyGoals { plans: &self.plan.bodies, levels: &self.levels };
        let bodies = Some(goals).filter(|_| !self.levels.is_empty() && self.integrator.directs_bodies());
        let goal = Goal { target: &self.plan.target, level, start_energy, t1, h, bodies };
        let step = Step { h, total_before: total, goal, start: &self.here.at, frozen: &self.frozen };
        self.velocity_before.clone_from(&self.state.v);
        self.before.bodies.clear();
        let mut report = self.integrator.step(&mut self.backend, &mut self.state, &step, &mut self.before)?;
        self.end_step(&mut report, h);
        std::mem::swap(&mut self.here, &mut self.before);
        self.has_stepped = true;
        self.energy.level = report.target;
        self.energy.total = report.ledger.total;
        self.pass_on_levels();
        self.clock.steps += 1;
        self.clock.h = h;
        Ok(report)
    }
}

impl<B: Backend> Simulation<B> {
    /// What happens to the velocity at once when a step is over: bodies part no faster than a bounce allows, and vibration is calmed
    /// where that is wanted. The target hears of it as of any loss.
    fn end_step(&mut self, report: &mut StepReport, h: f64) {
        let t1 = self.state.t;
        let StepEnd { at, forces, bodies } = &mut self.before;
        let memory = self.integrator.memory_mut();
        let (ends, v) = ([&self.here.at, &*at], &mut self.state.v);
        let by_body = &mut forces.at_end;
        let mut end = self.backend.end_bounces(ends, h, &self.velocity_before, &mut memory.bounces, v, by_body);
        if end.contact_loss > 0.0 {
            // A method that looks back over a bounce would see a force in it.
            memory.previous = None;
        }
        let plan = &self.plan;
        let kept = |body: usize| plan.target_of(body).vibration_kept(t1, h);
        if (0..plan.bodies.len().max(1)).any(|body| kept(body).is_some()) {
            end += self.backend.calm(at, &mut |body, _| kept(body).unwrap_or(1.0), v, by_body);
        }
        if end != Exchange::default() {
            report.ledger.add(end);
            if bodies.is_empty() && !plan.target.is_drawn() {
                report.target += end.work - end.loss();
            }
            for (body, (own, end)) in bodies.iter_mut().zip(by_body.iter()).enumerate() {
                if !plan.target_of(body).is_drawn() {
                    own.level += end.work - end.loss();
                    report.target += end.work - end.loss();
                }
            }
        }
        if self.integrator.follows_target() {
            self.take_what_is_too_much(report);
        }
    }

    /// Where a target falls faster than α can follow, the rest is taken from vibration: no momentum goes with it.
    fn take_what_is_too_much(&mut self, report: &mut StepReport) {
        /// Of the target: what rounding leaves
        const NOTHING: f64 = 1e-12;
        let StepEnd { at, bodies, .. } = &self.before;
        let (plan, v, backend) = (&self.plan, &mut self.state.v, &mut self.backend);
        let too_much = |total: f64, level: f64| if total - level > NOTHING * level.abs() { total - level } else { 0.0 };
        let mut excess: Vec<f64> = Vec::new();
        if bodies.is_empty() {
            excess.extend(plan.target.falls().then(|| too_much(report.ledger.total, report.target)));
        } else if (0..bodies.len()).any(|body| plan.target_of(body).falls()) {
            let parts = backend.parts(at, v);
            let of_body = |body: usize| too_much(parts[body].total(), bodies[body].level);
            excess.extend((0..bodies.len()).map(|body| if plan.target_of(body).falls() { of_body(body) } else { 0.0 }));
        }
        if excess.iter().all(|&energy| energy == 0.0) {
            return;
        }
        let (mut whole, mut unheard) = (0.0, Vec::new());
        if bodies.is_empty() {
            let mut add = |_, vibration: f64| {
                whole += vibration;
                1.0
            };
            backend.calm(at, &mut add, v, &mut unheard);
        }
        // No faster than it moves: what is stopped again and again creeps, and keeps its strain.
        let change: Vec<f64> = v.iter().zip(&self.velocity_before).map(|(after, before)| after - before).collect();
        let changes: Vec<f64> = match bodies.is_empty() {
            true => vec![backend.mass().kinetic_energy(&change)],
            false => backend.parts(at, &change).iter().map(|part| part.kinetic).collect(),
        };
        let mut keep = |body: usize, vibration: f64| {
            let (body, vibration) = if bodies.is_empty() { (0, whole) } else { (body, vibration) };
            if !(excess[body] > 0.0 && vibration > 0.0) {
                return 1.0;
            }
            let slowest = (-(changes[body] / vibration).sqrt()).exp();
            (1.0 - excess[body] / vibration).max(0.0).sqrt().max(slowest)
        };
        let taken = backend.calm(at, &mut keep, v, &mut unheard);
        report.ledger.correct(taken.work - taken.loss());
    }
}

impl Simulation<BodiesSolver> {
    /// Other forces from outside, flat on all nodes `[N]`, empty for none; and the hand that some of them are of. What the method
    /// remembers of accelerations follows.
    pub fn set_pushes(&mut self, pushes: Vec<f64>, grip: Option<Grip>) {
        if pushes.is_empty() && self.backend.pushes().is_empty() {
            return;
        }
        let mut difference = pushes.clone();
        difference.resize(self.state.x.len(), 0.0);
        let before = self.backend.pushes_at(&self.state.x);
        difference.iter_mut().zip(before).for_each(|(new, old)| *new -= old);
        let mut change = vec![0.0; difference.len()];
        self.backend.mass().solve(&difference, &mut change);
        if let Some(remembered) = &mut self.integrator.memory_mut().acceleration {
            vector::add_scaled(remembered, 1.0, &change);
        }
        self.backend.set_pushes(pushes, grip);
    }

    /// Energies, momenta and the last step's exchange of each body.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = self.backend.parts(&self.here.at, &self.state.v);
        let exchanges = self.taken().map_or(Vec::new(), |taken| self.backend.exchanges(taken));
        parts.iter_mut().zip(exchanges).for_each(|(part, exchange)| part.exchange = exchange);
        parts
    }
}
