//! The backend of bodies in space on the processor: P = elastic + gravity + barrier, parallel evaluation, block-sparse Newton.

use super::assembly::{Assembly, Dampers, FrozenBodies, RayleighDamping, Terms, Viscosity};
use super::backend::{Backend, inadmissible_term};
use super::contact::held_surfaces::{Collision, HeldSurfaces};
use super::contact::{ContactForce, Nearby, Surfaces, pair_forces};
use super::contact_losses::{ContactAccount, can_bounce};
use super::dissipation::{Bounce, Corrected, DissipativeForces, LastingContact, Motion, StrainChange, Way};
use super::driven_pins::{DrivenPins, PinMotion};
use super::elastic;
use super::evaluation::Evaluation;
use super::grip::Grip;
use super::island::Island;
use super::joints;
use super::linear::{LinearError, LinearMemory, LinearSolver};
use super::newton::{Newton, StageObjective, solve_stage};
use super::settings::SolverSettings;
use super::stage::{Frozen, SolveError, SolveReport, Stage, Taken};
use super::times::PhaseTimes;
use crate::contact::VertexMotion;
use crate::contact::surface::SurfaceError;
use crate::model::bodies::{Model, node_of};
use crate::model::path::PathError;
use crate::model::{Exchange, Hold, Mass, Part};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The model, what was made of it once and for all, and scratch.
#[derive(Debug)]
pub struct BodiesSolver {
    model: Arc<Model>,
    settings: SolverSettings,
    surfaces: Option<Surfaces>,
    damping: RayleighDamping,
    viscosity: Viscosity,
    held: Option<HeldSurfaces>,
    nearby: Nearby,
    assembly: Assembly,
    linear: LinearSolver,
    newton: Newton,
    account: ContactAccount,
    /// How pins hold each body
    holds: Vec<Hold>,
    /// Which bodies part from others with what restitution leaves them
    can_bounce: Vec<bool>,
    times: PhaseTimes,
    /// What pushes from outside on each node, flat `[N]`; empty where nothing does
    pushes: Vec<f64>,
    /// What a hand does beside its push at the step's start
    grip: Option<Grip>,
    driven: DrivenPins,
}

/// What later solves depend on beside the state: a run that continues from a checkpoint needs it to repeat the bits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SolverMemory {
    pub linear: LinearMemory,
    /// Rows of the matrix coupled by contact
    pub contact_blocks: Vec<[u32; 2]>,
    /// Of the last step: accelerations that a method remembers hold them
    pub pushes: Vec<f64>,
    pub grip: Option<Grip>,
    /// Pins that a program has moved
    pub driven_pins: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolverError {
    #[error(transparent)]
    Linear(#[from] LinearError),
    #[error("the surfaces for contact: {0}")]
    Surface(#[from] SurfaceError),
}

/// The last only where there is contact.
const TERMS: [&str; 3] = ["elastic", "gravity", "barrier"];

impl BodiesSolver {
    pub fn new(model: Arc<Model>, settings: SolverSettings) -> Result<Self, SolverError> {
        let surfaces = model.contact.as_ref().map(|contact| Surfaces::new(&model, contact)).transpose()?;
        Ok(Self {
            assembly: Assembly::new(&model)?,
            damping: RayleighDamping::new(&model),
            viscosity: Viscosity::new(&model),
            held: HeldSurfaces::new(&model)?,
            linear: LinearSolver::new(settings.linear),
            nearby: Nearby::default(),
            newton: Newton::default(),
            account: ContactAccount::default(),
            times: PhaseTimes::default(),
            holds: model.holds(),
            pushes: Vec::new(),
            grip: None,
            driven: DrivenPins::default(),
            can_bounce: can_bounce(&model),
            surfaces,
            model,
            settings,
        })
    }

    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// None where nothing can touch
    pub(super) fn surfaces(&self) -> Option<&Surfaces> {
        self.surfaces.as_ref()
    }

    pub(super) fn can_bounce(&self) -> &[bool] {
        &self.can_bounce
    }

    pub(super) fn holds(&self) -> &[Hold] {
        &self.holds
    }

    /// Another acceleration of gravity from now on `[m/s²]`. What was evaluated before is to be evaluated again.
    pub fn set_gravity(&mut self, gravity: Vector3<f64>) {
        Arc::make_mut(&mut self.model).gravity = gravity;
    }

    /// Newton is to end at displacements below this `[m]` from now on: it goes with the length of a step.
    pub fn set_displacement_tolerance(&mut self, displacement: f64) {
        self.settings.newton.displacement = displacement;
    }

    /// Other forces from outside in the steps to come, flat on all nodes `[N]`; empty for none. They are no part of P: what they
    /// do is work. Where a hand holds a vertex, they hold its force at the step's start.
    pub fn set_pushes(&mut self, pushes: Vec<f64>, grip: Option<Grip>) {
        (self.pushes, self.grip) = (pushes, grip);
    }

    pub(super) fn grip(&self) -> Option<&Grip> {
        self.grip.as_ref()
    }

    /// What pushes from outside at a position, flat on all nodes `[N]`; empty where nothing does.
    pub fn pushes_at(&self, x: &[f64]) -> Vec<f64> {
        let Some(grip) = &self.grip else { return self.pushes.clone() };
        let mut less = vec![0.0; x.len()];
        grip.add_gradient(x, &mut less);
        self.pushes.iter().zip(&less).map(|(push, less)| push - less).collect()
    }

    pub fn pushes(&self) -> &[f64] {
        &self.pushes
    }

    /// Takes a pin of the scene by the motion from where it is at the time `from` `[s]` until `to`, where it then stays.
    pub fn drive_pin(
        &mut self,
        pin: usize,
        motion: &PinMotion,
        x: &[f64],
        [from, to]: [f64; 2],
    ) -> Result<(), PathError> {
        let model = Arc::make_mut(&mut self.model);
        self.driven.drive(model, pin, motion.between(from, to)?, x);
        if self.held.is_none() {
            self.held = HeldSurfaces::new(model).ok().flatten();
        }
        Ok(())
    }

    /// Pins that a program has moved stay where they are; all others go their own way.
    pub fn hold_driven_pins(&mut self, x: &[f64]) {
        if !self.driven.is_idle() {
            self.driven.hold(Arc::make_mut(&mut self.model), x);
        }
    }

    /// ∇P on all nodes, less what pushes from outside `[N]`
    pub(super) fn whole_gradient(&self, at: &Evaluation) -> Vec<f64> {
        let model = &self.model;
        let mut entries = vec![[0.0; 3]; model.stencil_sizes().0];
        elastic::gradients(model, &at.x, &mut entries);
        let mut g = vec![0.0; at.x.len()];
        let nodes = model.stencils().flat_map(|(nodes, _)| nodes);
        for (entry, node) in entries.iter().zip(nodes) {
            (0..3).for_each(|c| g[3 * *node as usize + c] += entry[c]);
        }
        for (node, mass) in model.node_mass.iter().enumerate() {
            (0..3).for_each(|c| g[3 * node + c] -= mass * model.gravity[c]);
        }
        joints::add_gradient(model, &at.x, &mut g);
        if let Some(surfaces) = &self.surfaces {
            at.touch.add_gradient(surfaces, &mut Vec::new(), &mut g);
        }
        g.iter_mut().zip(&self.pushes).for_each(|(g, push)| *g -= push);
        if let Some(grip) = &self.grip {
            grip.add_gradient(&at.x, &mut g);
        }
        g
    }

    /// The largest part of a way from x, at most 1, that keeps a tenth of every gap
    pub(super) fn largest_step(&mut self, x: &[f64], way: &[f64]) -> f64 {
        let Some(surfaces) = &self.surfaces else { return 1.0 };
        self.nearby.forget();
        self.nearby.largest_step(surfaces, x, way).0
    }

    /// ∇²P as the solver projects it, of elements and barriers on all nodes: blocks by columns `[N/m]` for pairs of nodes, to be
    /// added where a pair comes again.
    pub fn stiffness(&mut self, at: &Evaluation) -> Vec<([u32; 2], [f64; 9])> {
        self.assembly.stiffness_blocks(&self.model, self.surfaces.as_ref(), at)
    }

    /// What surfaces do to each other; losses as they were frozen, in a motion of the nodes.
    pub fn contact_forces(&self, at: &Evaluation, lossy: Option<(&Frozen, Motion<'_>)>) -> Vec<ContactForce> {
        let Some(surfaces) = &self.surfaces else { return Vec::new() };
        let (mut x, mut v) = (Vec::new(), Vec::new());
        let lossy = lossy.and_then(|(frozen, motion)| {
            surfaces.gather(motion.x, &mut x);
            surfaces.gather(motion.v, &mut v);
            frozen.content::<FrozenBodies>().map(|frozen| (&frozen.contact, motion.length))
        });
        let lossy = lossy.map(|(losses, length)| (losses, VertexMotion { x: &x, v: &v, length }));
        pair_forces(surfaces, &at.touch, lossy)
    }

    pub fn times(&self) -> PhaseTimes {
        let [broad_phase, ccd] = self.nearby.times();
        PhaseTimes { broad_phase, ccd, ..self.times }
    }

    /// What later solves depend on beside the state.
    pub fn memory(&self) -> SolverMemory {
        SolverMemory {
            linear: self.linear.memory(),
            contact_blocks: self.assembly.contact_blocks().to_vec(),
            pushes: self.pushes.clone(),
            grip: self.grip,
            driven_pins: self.driven.pins().to_vec(),
        }
    }

    pub fn restore(&mut self, memory: SolverMemory) -> Result<(), LinearError> {
        self.linear = LinearSolver::restored(self.settings.linear, memory.linear);
        (self.pushes, self.grip) = (memory.pushes, memory.grip);
        self.driven.remember(memory.driven_pins);
        self.assembly.restore(memory.contact_blocks)
    }
}

impl BodiesSolver {
    /// A stage as Newton sees it, and Newton.
    fn objective<'a>(&'a mut self, stage: &'a Stage<'a>) -> (StageObjective<'a>, &'a mut Newton) {
        let frozen = stage.frozen.filter(|_| self.has_dissipation()).and_then(Frozen::content);
        let dampers = Dampers { damping: &self.damping, viscosity: &self.viscosity };
        let (surfaces, pushes, grip) = (self.surfaces.as_ref(), self.pushes.as_slice(), self.grip.as_ref());
        let terms = Terms { model: &self.model, stage, surfaces, frozen, dampers, pushes, grip };
        let objective = StageObjective {
            terms,
            settings: &self.settings,
            nearby: &mut self.nearby,
            assembly: &mut self.assembly,
            linear: &mut self.linear,
            times: &mut self.times,
            foresight: Default::default(),
            pushes: Default::default(),
            drags: Default::default(),
            settling: Default::default(),
            counted: Default::default(),
            hindrances: Default::default(),
            linear_iterations: 0,
            cut_short: 0,
            directions: 0,
            taken: Vec::new(),
            cuts: Default::default(),
        };
        (objective, &mut self.newton)
    }
}

impl Backend for BodiesSolver {
    fn mass(&self) -> &Mass {
        &self.model.mass
    }

    fn terms(&self) -> &[&'static str] {
        if self.surfaces.is_some() { &TERMS } else { &TERMS[..2] }
    }

    fn has_dissipation(&self) -> bool {
        self.damping.is_active()
            || self.viscosity.is_active()
            || joints::are_driven(&self.model)
            || self.surfaces.as_ref().is_some_and(Surfaces::are_lossy)
    }

    fn islands(&self, at: &[&Evaluation]) -> Vec<Island> {
        self.find_islands(at)
    }

    fn parts(&self, at: &Evaluation, v: &[f64]) -> Vec<Part> {
        self.parts_of_bodies(at, v)
    }

    fn exchanges(&self, taken: Taken<'_>) -> Vec<Exchange> {
        self.exchanges_of_bodies(taken)
    }

    fn gravity(&self) -> Vector3<f64> {
        self.model.gravity
    }

    fn prescribe(&self, t: f64, x: &mut [f64]) {
        self.model.prescribe(t, x);
    }

    fn check_motion(&mut self, t0: f64, t1: f64) -> Result<(), SolveError> {
        let Some(held) = &mut self.held else { return Ok(()) };
        let blocked = |Collision { mover, other }| SolveError::Blocked { mover, other, t: t1 };
        held.check(&self.model, t0, t1).map_err(blocked)
    }

    fn evaluate(&mut self, at: &mut Evaluation) {
        let contact = self.surfaces.as_ref().map(|surfaces| (surfaces, &mut self.nearby));
        at.renew(&self.model, contact);
        // Distances have no sign: whoever comes here without a collision check may have gone through a surface.
        if self.surfaces.as_ref().is_some_and(|surfaces| self.nearby.intersects(surfaces, &at.touch)) {
            at.energies = at.energies.as_slice().iter().take(2).copied().chain([f64::INFINITY]).collect();
        }
    }

    fn gradient(&mut self, at: &Evaluation, g: &mut [f64]) {
        g.copy_from_slice(&self.whole_gradient(at));
    }

    fn stiffness_product(&mut self, at: &Evaluation, d: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.assembly.add_stiffness_product(&self.model, self.surfaces.as_ref(), at, d, out);
        if let Some(grip) = &self.grip {
            grip.add_product(d, out);
        }
    }

    fn freeze(&mut self, at: &Evaluation, v: &[f64], frozen: &mut Frozen) {
        if !self.has_dissipation() {
            return;
        }
        let frozen = frozen.content_mut::<FrozenBodies>();
        if self.damping.is_active() {
            self.assembly.freeze_damping(&self.model, &self.damping, &at.x, frozen);
        }
        joints::freeze(&self.model, &at.x, &mut frozen.drives);
        if let Some(surfaces) = self.surfaces.as_ref().filter(|surfaces| surfaces.are_lossy()) {
            surfaces.freeze(&at.touch, v, &mut frozen.contact);
        }
    }

    fn add_dissipation(&mut self, frozen: &Frozen, motion: Motion<'_>, weight: f64, forces: &mut DissipativeForces) {
        if let Some(frozen) = frozen.content::<FrozenBodies>() {
            let dampers = Dampers { damping: &self.damping, viscosity: &self.viscosity };
            self.assembly.add_dissipation(&self.model, self.surfaces.as_ref(), dampers, frozen, motion, weight, forces);
        }
    }

    fn contact_losses(&mut self, frozen: &Frozen, way: Way<'_>, forces: &mut DissipativeForces) -> [f64; 2] {
        match (&self.surfaces, frozen.content::<FrozenBodies>()) {
            (Some(surfaces), Some(frozen)) => {
                self.account.losses_by_pair(&self.model, surfaces, &frozen.contact, way, &mut forces.pairs)
            }
            _ => [0.0; 2],
        }
    }

    fn hold_back(
        &mut self,
        frozen: &Frozen,
        corrected: Corrected<'_>,
        lasting: &mut Vec<LastingContact>,
        kept: &mut Vec<f64>,
        forces: &mut DissipativeForces,
    ) -> Option<f64> {
        let surfaces = self.surfaces.as_ref().filter(|surfaces| surfaces.keep_any())?;
        let losses = &frozen.content::<FrozenBodies>()?.contact;
        let DissipativeForces { pairs, held_back, .. } = forces;
        let (model, free) = (&self.model, &self.can_bounce);
        self.account.kept_velocity(model, surfaces, (losses, pairs), corrected, lasting, kept, held_back, free)
    }

    fn end_bounces(
        &mut self,
        ends: [&Evaluation; 2],
        h: f64,
        v0: &[f64],
        bounces: &mut Vec<Bounce>,
        v: &mut [f64],
        by_body: &mut Vec<Exchange>,
    ) -> Exchange {
        by_body.resize(self.model.bodies.len(), Exchange::default());
        self.take_bounces(ends, h, v0, bounces, v, by_body)
    }

    fn calm(
        &mut self,
        at: &Evaluation,
        keep: &mut dyn FnMut(usize, f64) -> f64,
        v: &mut [f64],
        by_body: &mut Vec<Exchange>,
    ) -> Exchange {
        by_body.resize(self.model.bodies.len(), Exchange::default());
        self.take_vibration(&at.x, keep, v, by_body)
    }

    fn strains(&mut self, x: &[f64], out: &mut Vec<f64>) {
        self.viscosity.strains(&self.model, x, out);
    }

    fn strain_rates(&mut self, x: &[f64], change: StrainChange<'_>, out: &mut Vec<f64>) {
        self.viscosity.strain_rates(&self.model, x, change, out);
    }

    fn boundary_work(&mut self, from: &Evaluation, to: &Evaluation) -> f64 {
        let model = &self.model;
        let way = |node: usize| node_of(&to.x, node) - node_of(&from.x, node);
        let mut work = 0.0;
        for (push, (to, from)) in self.pushes.iter().zip(to.x.iter().zip(&from.x)) {
            work += push * (to - from);
        }
        work -= self.grip.map_or(0.0, |grip| grip.slackened(&from.x, &to.x));
        if model.pins.iter().all(|pin| way(pin.node) == Vector3::zeros()) {
            return work;
        }
        // Trapezoidal: the mean of the reactions at both ends over the way between them.
        for at in [from, to] {
            let g = self.whole_gradient(at);
            work += model.pins.iter().map(|pin| 0.5 * node_of(&g, pin.node).dot(&way(pin.node))).sum::<f64>();
        }
        work
    }

    fn minimise(&mut self, stage: &Stage<'_>, end: &mut Evaluation) -> Result<SolveReport, SolveError> {
        if let Some(term) = inadmissible_term(&stage.start.energies, self.terms()) {
            return Err(SolveError::InadmissibleStart { term });
        }
        end.clone_from(stage.start);
        self.nearby.forget();
        let (mut objective, newton) = self.objective(stage);
        let iterations = solve_stage(&mut objective, newton, end)?;
        Ok(SolveReport {
            newton_iterations: iterations.count,
            linear_iterations: objective.linear_iterations,
            halvings: iterations.halvings,
            converged: iterations.converged,
            shortest_step: objective.hindrances.shortest,
            stuck: objective.hindrances.stuck.filter(|_| !iterations.converged),
            energies: end.energies,
        })
    }
}

#[cfg(test)]
mod tests;
