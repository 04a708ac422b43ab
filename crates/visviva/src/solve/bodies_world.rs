//! Bodies in space behind the one verb: P(x) = elastic + gravity + barrier, parallel evaluation, block-sparse Newton.

use super::contact::{Contact, ContactForce};
use super::elastic;
use super::held_surfaces::HeldSurfaces;
use super::linear::{BlockMatrix, BlockPattern, Choice, LinearError, LinearMemory, LinearSolver, PINNED, Scatter};
use super::newton::{Newton, NewtonSettings};
use super::rayleigh::RayleighDamping;
use super::stage::{ContactState, DissipativeForces, SolveError, SolveReport, Stage, World, inadmissible_term};
use crate::contact::surface::SurfaceError;
use crate::model::bodies::{Model, ModelBody, node_of};
use crate::model::{Energies, Mass};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SolverSettings {
    pub newton: NewtonSettings,
    pub linear: Choice,
    /// Relative residual at which conjugate gradients stop
    pub linear_tolerance: f64,
}

/// Where the time goes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PhaseTimes {
    /// Element gradients and Hessians
    pub evaluate: Duration,
    /// Gathering them into the matrix and the right-hand side
    pub assemble: Duration,
    /// Factoring or iterating
    pub linear: Duration,
    /// Step bounds and energies of trial steps
    pub line_search: Duration,
    /// Of the line search: seeking candidates for contact
    pub broad_phase: Duration,
    /// Of the line search: how far surfaces may go
    pub ccd: Duration,
}

/// What later solves depend on beside the state: a run that continues from a checkpoint needs it to repeat the bits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WorldMemory {
    pub linear: LinearMemory,
    /// Rows of the matrix coupled by contact
    pub contact_blocks: Vec<[u32; 2]>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WorldError {
    #[error(transparent)]
    Linear(#[from] LinearError),
    #[error("the surfaces for contact: {0}")]
    Surface(#[from] SurfaceError),
}

#[derive(Debug)]
pub struct BodiesWorld {
    pub(super) bodies: Arc<Model>,
    pub(super) settings: SolverSettings,
    /// Nodes that are unknowns, in their order
    pub(super) free_nodes: Vec<u32>,
    /// Row of each node in the matrix, or `PINNED`
    pub(super) rows: Vec<u32>,
    pub(super) contact: Option<Contact>,
    held: Option<HeldSurfaces>,
    pub(super) scatter: Scatter,
    pub(super) matrix: BlockMatrix,
    pub(super) linear: LinearSolver,
    newton: Newton,
    pub(super) damping: RayleighDamping,
    pub(super) buffers: Buffers,
    pub(super) evaluated: Evaluated,
    energies: Energies,
    /// Where these energies are
    evaluated_at: Vec<f64>,
    pub(super) linear_iterations: usize,
    pub(super) times: PhaseTimes,
}

#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub gradients: Vec<[f64; 3]>,
    pub hessians: Vec<[f64; 9]>,
    /// Of the unknowns
    pub rhs: Vec<f64>,
    pub solution: Vec<f64>,
    pub diagonal: Vec<f64>,
    /// Of all nodes
    pub mass_factor: Vec<f64>,
    pub full: Vec<f64>,
    pub velocity: Vec<f64>,
    pub offset: Vec<f64>,
}

/// Where the gradients and Hessians in the buffers belong to: bodies that have not moved since keep theirs.
#[derive(Debug, Default)]
pub(super) struct Evaluated {
    /// Empty where the buffers hold something else
    x: Vec<f64>,
}

impl Evaluated {
    /// Moves on to x; says which bodies need no evaluation there: those that have not moved, and those that stand and are not
    /// asked for.
    pub fn renew(&mut self, bodies: &Model, x: &[f64], stands: &[bool]) -> Vec<bool> {
        let known = self.x.len() == x.len();
        self.x.resize(x.len(), f64::NAN);
        let renew = |(body, &stands): (&ModelBody, &bool)| {
            let range = 3 * body.nodes.start..3 * body.nodes.end;
            if known && self.x[range.clone()] == x[range.clone()] {
                return true;
            }
            // What is left in the buffers of a standing body belongs nowhere.
            self.x[range.clone()]
                .iter_mut()
                .zip(&x[range])
                .for_each(|(to, &x)| *to = if stands { f64::NAN } else { x });
            stands
        };
        bodies.bodies.iter().zip(stands).map(renew).collect()
    }

    pub fn forget(&mut self) {
        self.x.clear();
    }
}

/// The last only where there is contact.
const TERMS: [&str; 3] = ["elastic", "gravity", "barrier"];

impl BodiesWorld {
    pub fn new(bodies: Arc<Model>, settings: SolverSettings) -> Result<Self, WorldError> {
        let n = bodies.node_count();
        let mut unknown = vec![PINNED; n];
        let free_nodes: Vec<u32> = (0..n as u32).filter(|&node| !bodies.mass.is_pinned(node as usize)).collect();
        for (index, &node) in free_nodes.iter().enumerate() {
            unknown[node as usize] = index as u32;
        }
        let stencil_rows: Vec<u32> =
            bodies.stencils().flat_map(|(nodes, _)| nodes.iter().map(|&node| unknown[node as usize])).collect();
        let sizes: Vec<usize> = bodies.stencils().map(|(nodes, _)| nodes.len()).collect();
        let slices = || {
            let mut rest = stencil_rows.as_slice();
            sizes.iter().map(move |&size| rest.split_off(..size).unwrap_or_default())
        };
        let pattern = Arc::new(BlockPattern::from_stencils(free_nodes.len(), slices())?);
        let contact = match &bodies.contact {
            Some(settings) => Some(Contact::new(&bodies, settings, &unknown, Arc::clone(&pattern))?),
            None => None,
        };
        let (entries, blocks) = bodies.stencil_sizes();
        let buffers = Buffers {
            gradients: vec![[0.0; 3]; entries],
            hessians: vec![[0.0; 9]; blocks],
            rhs: vec![0.0; 3 * free_nodes.len()],
            solution: vec![0.0; 3 * free_nodes.len()],
            diagonal: vec![0.0; free_nodes.len()],
            mass_factor: vec![0.0; n],
            full: vec![0.0; 3 * n],
            velocity: vec![0.0; 3 * n],
            offset: vec![0.0; 3 * n],
        };
        Ok(Self {
            scatter: Scatter::new(&pattern, slices())?,
            matrix: BlockMatrix::zeros(pattern),
            linear: LinearSolver::new(settings.linear),
            newton: Newton::default(),
            damping: RayleighDamping::new(&bodies),
            held: HeldSurfaces::new(&bodies)?,
            contact,
            buffers,
            evaluated: Evaluated::default(),
            energies: Energies::default(),
            evaluated_at: Vec::new(),
            linear_iterations: 0,
            times: PhaseTimes::default(),
            bodies,
            settings,
            free_nodes,
            rows: unknown,
        })
    }

    pub fn model(&self) -> &Arc<Model> {
        &self.bodies
    }

    /// From the next evaluation on [m/s²].
    pub fn set_gravity(&mut self, gravity: Vector3<f64>) {
        Arc::make_mut(&mut self.bodies).gravity = gravity;
        self.evaluated_at.clear();
    }

    /// Of the last position evaluated.
    pub fn last_energies(&self) -> Energies {
        self.energies
    }

    /// What surfaces do to each other at x; friction as frozen for the last step, at a velocity given.
    pub fn contact_forces(&mut self, x: &[f64], velocity: Option<&[f64]>) -> Vec<ContactForce> {
        self.contact.as_mut().map_or(Vec::new(), |contact| contact.pair_forces(x, velocity))
    }

    pub fn times(&self) -> PhaseTimes {
        let [broad_phase, ccd] = self.contact.as_ref().map_or([Duration::ZERO; 2], Contact::times);
        PhaseTimes { broad_phase, ccd, ..self.times }
    }

    /// What later solves depend on beside the state.
    pub fn memory(&self) -> WorldMemory {
        let contact_blocks = self.contact.as_ref().map_or(Vec::new(), |contact| contact.memory().to_vec());
        WorldMemory { linear: self.linear.memory(), contact_blocks }
    }

    pub fn restore(&mut self, memory: WorldMemory) -> Result<(), LinearError> {
        self.linear = LinearSolver::restored(self.settings.linear, memory.linear);
        self.contact.as_mut().map_or(Ok(()), |contact| contact.restore(memory.contact_blocks))
    }

    /// P(x) by term, where x is known to be free of intersections.
    pub(super) fn evaluate(&mut self, x: &[f64]) -> Energies {
        if let Some(contact) = &mut self.contact {
            contact.update(x);
        }
        if self.evaluated_at == x {
            return self.energies;
        }
        let mut energies: Energies = [elastic::energy(&self.bodies, x), self.gravity_energy(x)].into_iter().collect();
        self.evaluated_at.clear();
        self.evaluated_at.extend_from_slice(x);
        if let Some(contact) = &self.contact {
            energies.push(contact.energy());
        }
        self.energies = energies;
        energies
    }

    fn gravity_energy(&self, x: &[f64]) -> f64 {
        let g = self.bodies.gravity;
        let masses = self.bodies.node_mass.iter().enumerate();
        -masses.map(|(node, m)| m * g.dot(&node_of(x, node))).sum::<f64>()
    }

    /// d ← the last solution on all nodes, zero on those that are pinned.
    pub(super) fn spread_solution(&self, d: &mut [f64]) {
        d.fill(0.0);
        for (solution, &node) in self.buffers.solution.chunks_exact(3).zip(&self.free_nodes) {
            d[3 * node as usize..3 * node as usize + 3].copy_from_slice(solution);
        }
    }

    /// Adds the unknowns' part of a gradient on all nodes.
    pub(super) fn gather_unknowns(&mut self, scale: f64) {
        let Buffers { rhs, full, .. } = &mut self.buffers;
        for (rhs, &node) in rhs.chunks_exact_mut(3).zip(&self.free_nodes) {
            (0..3).for_each(|c| rhs[c] += scale * full[3 * node as usize + c]);
        }
    }
}

impl World for BodiesWorld {
    fn mass(&self) -> &Mass {
        &self.bodies.mass
    }

    fn terms(&self) -> &[&'static str] {
        if self.contact.is_some() { &TERMS } else { &TERMS[..2] }
    }

    fn begin_step(&mut self, x0: &[f64]) {
        if self.damping.is_active() {
            self.damping.freeze(&self.bodies, x0);
        }
        if let Some(contact) = self.contact.as_mut().filter(|contact| contact.has_friction()) {
            contact.freeze(x0);
        }
    }

    fn has_dissipation(&self) -> bool {
        self.damping.is_active() || self.contact.as_ref().is_some_and(Contact::has_friction)
    }

    fn prescribe(&self, t: f64, x: &mut [f64]) {
        for pin in &self.bodies.pins {
            let place = self.bodies.motions[pin.motion].at(pin.start, t);
            x[3 * pin.node..3 * pin.node + 3].copy_from_slice(place.as_slice());
        }
    }

    fn check_motion(&mut self, t0: f64, t1: f64) -> Result<(), SolveError> {
        self.held.as_mut().map_or(Ok(()), |held| held.check(&self.bodies, t0, t1))
    }

    fn energies(&mut self, x: &[f64]) -> Energies {
        let energies = self.evaluate(x);
        // Distances have no sign: whoever comes here without a collision check may have gone through a surface.
        if self.contact.as_mut().is_some_and(|contact| contact.intersects(x)) {
            self.evaluated_at.clear();
            self.energies = energies.as_slice().iter().take(2).copied().chain([f64::INFINITY]).collect();
        }
        self.energies
    }

    fn gradient(&mut self, x: &[f64], g: &mut [f64]) {
        self.evaluated.forget();
        elastic::gradients(&self.bodies, x, &mut self.buffers.gradients);
        g.fill(0.0);
        let nodes = self.bodies.stencils().flat_map(|(nodes, _)| nodes);
        for (entry, node) in self.buffers.gradients.iter().zip(nodes) {
            (0..3).for_each(|c| g[3 * *node as usize + c] += entry[c]);
        }
        for (node, mass) in self.bodies.node_mass.iter().enumerate() {
            (0..3).for_each(|c| g[3 * node + c] -= mass * self.bodies.gravity[c]);
        }
        if let Some(contact) = &mut self.contact {
            contact.update(x);
            contact.add_gradient(g);
        }
    }

    fn add_dissipation(&mut self, v: &[f64], weight: f64, forces: &mut DissipativeForces) {
        if self.damping.is_active() {
            self.damping.add_gradient(&self.bodies, v, weight, &mut forces.damping);
        }
        if let Some(contact) = &mut self.contact {
            contact.add_friction(v, weight, &mut forces.friction);
        }
    }

    fn boundary_work(&mut self, x0: &[f64], x1: &[f64]) -> f64 {
        let way = |pin: usize| node_of(x1, pin) - node_of(x0, pin);
        if self.bodies.pins.iter().all(|pin| way(pin.node) == Vector3::zeros()) {
            return 0.0;
        }
        // Trapezoidal: the mean of the reactions at both ends over the way between them.
        let mut work = 0.0;
        let mut g = std::mem::take(&mut self.buffers.full);
        for x in [x0, x1] {
            self.gradient(x, &mut g);
            work += self.bodies.pins.iter().map(|pin| 0.5 * node_of(&g, pin.node).dot(&way(pin.node))).sum::<f64>();
        }
        self.buffers.full = g;
        work
    }

    fn stiffness_product(&mut self, x: &[f64], d: &[f64], out: &mut [f64]) {
        self.evaluated.forget();
        let Buffers { gradients, hessians, .. } = &mut self.buffers;
        elastic::gradients_and_hessians(&self.bodies, x, gradients, hessians);
        out.fill(0.0);
        let mut blocks = hessians.as_slice();
        for (nodes, _) in self.bodies.stencils() {
            let (mine, rest) = blocks.split_at(nodes.len() * (nodes.len() + 1) / 2);
            blocks = rest;
            for (force, &node) in elastic::block_product(nodes, mine, d).iter().zip(nodes) {
                (0..3).for_each(|c| out[3 * node as usize + c] += force[c]);
            }
        }
        if let Some(contact) = &mut self.contact {
            contact.update(x);
            contact.add_stiffness_product(d, out);
        }
    }

    fn largest_step(&mut self, x: &[f64], dx: &[f64]) -> f64 {
        let most = elastic::largest_step(&self.bodies, x, dx);
        let Some(contact) = &mut self.contact else { return most };
        if most == 1.0 {
            return contact.largest_step(x, dx);
        }
        // Elements first: the shorter the step, the fewer surfaces meet.
        let shortened: Vec<f64> = dx.iter().map(|d| most * d).collect();
        most * contact.largest_step(x, &shortened)
    }

    fn contact_state(&self) -> ContactState {
        self.contact.as_ref().map_or(ContactState::default(), |contact| ContactState {
            active_pairs: contact.active_pairs(),
            min_distance: contact.min_distance(),
        })
    }

    fn minimise(&mut self, stage: &Stage<'_>, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        x.copy_from_slice(stage.start);
        self.linear_iterations = 0;
        let start = self.evaluate(x);
        if let Some(term) = inadmissible_term(&start, self.terms()) {
            return Err(SolveError::InadmissibleStart { term });
        }
        if let Some(contact) = &mut self.contact {
            contact.forget_candidates();
        }
        let mut newton = std::mem::take(&mut self.newton);
        let solved = self.solve_with_pins(&mut newton, stage, x);
        self.newton = newton;
        let iterations = solved?;
        Ok(SolveReport {
            newton_iterations: iterations.count,
            linear_iterations: self.linear_iterations,
            halvings: iterations.halvings,
            converged: iterations.converged,
            energies: self.energies,
        })
    }
}
