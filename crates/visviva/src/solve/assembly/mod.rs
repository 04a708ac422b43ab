//! From laws to one linear system on the unknowns: A d = f, both divided by s².
//!
//! ```text
//! A = m/s² + ∇²P + ∇²P_n,    f = −∇/s²,    ∇ = m (x − x̂) + s² (∇P + ∇P_n)
//! ```

mod contact_blocks;
pub mod contact_stencil;
pub mod damping;
mod elements;
mod products;
mod unknowns;
mod viscosity;

pub use damping::RayleighDamping;
pub use unknowns::Unknowns;
pub use viscosity::Viscosity;

use super::contact::Surfaces;
use super::evaluation::Evaluation;
use super::grip::Grip;
use super::joints;
use super::linear::{BlockMatrix, BlockPattern, GrowingPattern, LinearError, PINNED, Scatter, scalar_blocks};
use super::stage::{SolveError, Stage};
use super::times::PhaseTimes;
use crate::contact::distance::Hessian;
use crate::contact::{ContactLosses, Point, VertexMotion};
use crate::laws::joint;
use crate::laws::tetrahedron;
use crate::math::vector;
use crate::model::bodies::Model;
use contact_blocks::{add_barriers, add_losses};
use contact_stencil::ContactStencil;
use elements::ElementBuffers;
use nalgebra::{Matrix2, Matrix3};
use std::sync::Arc;
use std::time::Instant;

/// Dissipation as it is frozen for a step.
#[derive(Debug, Default)]
pub struct FrozenBodies {
    pub contact: ContactLosses,
    /// b ∇²P_e(x_n) by element
    pub damping: Vec<[f64; 9]>,
    /// G of each motor of limited strength
    pub drives: Vec<joint::Points>,
}

/// Everything a stage's system is made of; references to what does not change while it is solved.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    pub model: &'a Model,
    pub stage: &'a Stage<'a>,
    pub surfaces: Option<&'a Surfaces>,
    /// Where anything dissipates in this stage
    pub frozen: Option<&'a FrozenBodies>,
    pub dampers: Dampers<'a>,
    /// What pushes from outside on each node, flat `[N]`; empty where nothing does
    pub pushes: &'a [f64],
    /// Where a hand holds a vertex
    pub grip: Option<&'a Grip>,
}

/// What resists the bodies' own motion.
#[derive(Debug, Clone, Copy)]
pub struct Dampers<'a> {
    pub damping: &'a RayleighDamping,
    pub viscosity: &'a Viscosity,
}

impl<'a> Terms<'a> {
    /// s²
    pub fn squared_length(&self) -> f64 {
        self.stage.length * self.stage.length
    }

    /// Work of the pushes on the way from the stage's start `[J]`
    pub fn pushed(&self, x: &[f64]) -> f64 {
        let start = &self.stage.start.x;
        let pushed: f64 =
            self.pushes.iter().zip(x.iter().zip(start)).map(|(push, (x, start))| push * (x - start)).sum();
        pushed - self.grip.map_or(0.0, |grip| grip.slackened(start, x))
    }

    /// The frozen Rayleigh stiffness, where there is damping
    fn frozen_damping(&self) -> Option<&'a FrozenBodies> {
        self.frozen.filter(|_| self.dampers.damping.is_active())
    }
}

/// How the system is assembled.
#[derive(Debug, Clone, Copy)]
pub struct Assemble<'a> {
    /// Which bodies stand still: they are neither evaluated nor pushed, and their mass alone keeps their part definite
    pub standing: &'a [bool],
    /// Whether barriers are part of the matrix, or a model keeps them as they are
    pub barriers: Barriers,
    /// What is taken for b″ of each active pair
    pub bends: &'a [f64],
    /// … and for ∇²f₀ of the friction of each frozen one
    pub friction_bends: &'a [Matrix2<f64>],
    /// Stencils that get blocks beside those of active and frozen pairs
    pub foreseen: &'a [&'a [u32]],
    /// Whether Hessians of bodies that hardly deformed may stay
    pub keep_hessians: bool,
    /// K w, where pins move by w along with the direction
    pub pin_pull: Option<&'a [f64]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Barriers {
    InMatrix,
    LeftToModel,
}

#[derive(Debug)]
pub struct Assembly {
    pub unknowns: Unknowns,
    scatter: Scatter,
    pub matrix: BlockMatrix,
    pub pattern: GrowingPattern,
    pub elements: ElementBuffers,
    /// ∇ on the unknowns
    gradient: Vec<f64>,
    /// f = −∇/s², zero on what stands
    pub force: Vec<f64>,
    /// d on the unknowns
    pub solution: Vec<f64>,
    /// Unknowns whose blocks contact changes, ascending
    pub touching: Vec<u32>,
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    /// Of the unknowns
    diagonal: Vec<f64>,
    /// Of all nodes
    mass_factor: Vec<f64>,
    forces: Vec<f64>,
    velocity: Vec<f64>,
    offset: Vec<f64>,
    momentum: Vec<f64>,
    /// Of the surfaces' vertices
    vertex_position: Vec<Point>,
    vertex_velocity: Vec<Point>,
    vertex_forces: Vec<Point>,
    barriers: Vec<Hessian>,
    losses: Vec<Matrix3<f64>>,
    /// Of viscous elements and of bodies
    strain_rates: Vec<f64>,
    viscous_powers: Vec<f64>,
}

impl Assembly {
    pub fn new(model: &Model) -> Result<Self, LinearError> {
        let unknowns = Unknowns::new(model);
        let rows: Vec<u32> =
            model.stencils().flat_map(|(nodes, _)| nodes.iter().map(|&node| unknowns.row(node as usize))).collect();
        let sizes: Vec<usize> = model.stencils().map(|(nodes, _)| nodes.len()).collect();
        let slices = || {
            let mut rest = rows.as_slice();
            sizes.iter().map(move |&size| rest.split_off(..size).unwrap_or_default())
        };
        let joints = joints::stencils(model, |node| unknowns.row(node));
        let stencils = slices().chain(joints.iter().map(|rows| rows.as_slice()));
        let pattern = Arc::new(BlockPattern::from_stencils(unknowns.count(), stencils)?);
        let (count, nodes) = (unknowns.count(), model.node_count());
        let of_nodes = || vec![0.0; 3 * nodes];
        Ok(Self {
            scatter: Scatter::new(&pattern, slices())?,
            matrix: BlockMatrix::zeros(Arc::clone(&pattern)),
            pattern: GrowingPattern::new(pattern),
            elements: ElementBuffers::new(model),
            gradient: vec![0.0; 3 * count],
            force: vec![0.0; 3 * count],
            solution: vec![0.0; 3 * count],
            touching: Vec::new(),
            scratch: Scratch {
                diagonal: vec![0.0; count],
                mass_factor: vec![0.0; nodes],
                forces: of_nodes(),
                velocity: of_nodes(),
                offset: of_nodes(),
                momentum: of_nodes(),
                ..Scratch::default()
            },
            unknowns,
        })
    }

    /// What later systems depend on: blocks of pairs that were near.
    pub fn contact_blocks(&self) -> &[[u32; 2]] {
        self.pattern.extra()
    }

    pub fn restore(&mut self, contact_blocks: Vec<[u32; 2]>) -> Result<(), LinearError> {
        self.pattern = GrowingPattern::restored(Arc::clone(self.pattern.base()), contact_blocks)?;
        Ok(())
    }

    /// Freezes Rayleigh damping at x.
    pub fn freeze_damping(&mut self, model: &Model, damping: &RayleighDamping, x: &[f64], frozen: &mut FrozenBodies) {
        damping.freeze(model, x, self.elements.gradients_to_overwrite(), &mut frozen.damping);
    }

    /// A new stage begins elsewhere.
    pub fn forget_elements(&mut self) {
        self.elements.forget();
    }

    /// Hears of a step: elements of bodies that moved are to be evaluated again.
    pub fn moved(&mut self, model: &Model, from: &[f64], to: &[f64]) {
        self.elements.moved(model, from, to);
    }

    /// P_n of the motion that a position implies `[J]`
    pub fn dissipation(&mut self, terms: Terms<'_>, at: &Evaluation) -> f64 {
        let Some(frozen) = terms.frozen else { return 0.0 };
        self.set_velocity(terms, &at.x);
        let Scratch { velocity, momentum, vertex_velocity, strain_rates, viscous_powers, .. } = &mut self.scratch;
        let length = terms.stage.velocity_length;
        let mut energy = 0.0;
        let Dampers { damping, viscosity } = terms.dampers;
        if damping.is_active() {
            energy += length * damping.value(terms.model, &frozen.damping, velocity, momentum);
        }
        if viscosity.is_active() {
            viscosity.strain_rates(terms.model, &at.x, terms.stage.strain_change(), strain_rates);
            viscosity.powers(terms.model, strain_rates, viscous_powers);
            energy += length * viscous_powers.iter().sum::<f64>();
        }
        energy += length * joints::drive_power(terms.model, &frozen.drives, velocity);
        if terms.surfaces.is_some() {
            energy += frozen.contact.value(VertexMotion { x: &at.touch.vertices, v: vertex_velocity, length });
        }
        energy
    }

    /// ½‖x − x̂‖²_m
    pub fn inertia(&mut self, terms: Terms<'_>, x: &[f64]) -> f64 {
        vector::set_sum(&mut self.scratch.offset, x, -1.0, terms.stage.predictor);
        terms.model.mass.kinetic_energy(&self.scratch.offset)
    }

    /// The stage's velocity at x, on nodes and on vertices.
    pub fn set_velocity(&mut self, terms: Terms<'_>, x: &[f64]) {
        let Scratch { velocity, vertex_velocity, .. } = &mut self.scratch;
        vector::set_quotient(velocity, x, terms.stage.velocity_origin, terms.stage.velocity_length);
        if let Some(surfaces) = terms.surfaces {
            surfaces.gather(velocity, vertex_velocity);
        }
    }

    /// As `set_velocity` left it.
    pub fn vertex_velocity(&self) -> &[Point] {
        &self.scratch.vertex_velocity
    }

    /// ∇·d at a position
    pub fn slope_at(&mut self, terms: Terms<'_>, at: &Evaluation, d: &[f64]) -> Result<f64, SolveError> {
        self.elements.evaluate_gradients(terms.model, &at.x);
        self.gather_gradient(terms, at, None)?;
        Ok(self.unknowns.dot(&self.gradient, d))
    }

    /// ∇·d as the assembled force has it: what stands is left out.
    pub fn slope(&self, terms: Terms<'_>, d: &[f64]) -> f64 {
        let s2 = terms.squared_length();
        self.unknowns.sum(&self.force, d, |force, d| force * -s2 * d)
    }

    /// Evaluates forces and stiffness into `matrix` and `force`.
    pub fn assemble(
        &mut self,
        terms: Terms<'_>,
        at: &Evaluation,
        how: Assemble<'_>,
        times: &mut PhaseTimes,
    ) -> Result<(), SolveError> {
        let clock = Instant::now();
        let s2 = terms.squared_length();
        self.elements.evaluate(terms.model, &at.x, how.standing, how.keep_hessians.then_some(s2));
        self.scratch.mass_factor.fill(1.0 / s2);
        if let Some(frozen) = terms.frozen_damping() {
            let scale = 1.0 / terms.stage.velocity_length;
            let mass_factor = &mut self.scratch.mass_factor;
            terms.dampers.damping.add_hessian(&frozen.damping, scale, self.elements.hessians_to_change(), mass_factor);
        }
        if terms.frozen.is_some() && terms.dampers.viscosity.is_active() {
            let scale = 1.0 / terms.stage.velocity_length;
            terms.dampers.viscosity.add_hessian(terms.model, &at.x, scale, self.elements.hessians_to_change());
        }
        times.evaluate += clock.elapsed();
        let clock = Instant::now();
        self.gather_gradient(terms, at, how.pin_pull)?;
        let standing = self.unknowns.rows_of(terms.model, how.standing);
        self.gather_matrix(terms, at, how, &standing).map_err(self.unknowns.named())?;
        for (force, gradient) in self.force.iter_mut().zip(&self.gradient) {
            *force = -gradient / s2;
        }
        for (force, _) in self.force.chunks_exact_mut(3).zip(&standing).filter(|&(_, &stands)| stands) {
            force.fill(0.0);
        }
        times.assemble += clock.elapsed();
        Ok(())
    }

    /// Adds a part of each node's own stiffness to the matrix.
    pub fn stiffen(&mut self, share: f64) -> Result<(), LinearError> {
        for (node, diagonal) in self.scratch.diagonal.iter_mut().enumerate() {
            let block = self.matrix.block(node as u32, node as u32).map_or(0.0, |b| b[0].max(b[4]).max(b[8]));
            *diagonal = share * block;
        }
        self.matrix.add_diagonal(&self.scratch.diagonal)
    }

    /// `gradient` ← ∇ on the unknowns, from the elements' gradients in their buffer and the active pairs.
    fn gather_gradient(
        &mut self,
        terms: Terms<'_>,
        at: &Evaluation,
        pin_pull: Option<&[f64]>,
    ) -> Result<(), SolveError> {
        let Terms { model, stage, surfaces, frozen, dampers: Dampers { damping, viscosity }, pushes, grip } = terms;
        let s2 = terms.squared_length();
        if frozen.is_some() {
            self.set_velocity(terms, &at.x);
        }
        let gradient = &mut self.gradient;
        let Scratch { forces, velocity, offset, momentum, vertex_velocity, vertex_forces, strain_rates, .. } =
            &mut self.scratch;
        gradient.fill(0.0);
        self.scatter.add_gradient(self.elements.gradients(), gradient).map_err(self.unknowns.named())?;
        gradient.iter_mut().for_each(|g| *g *= s2);
        vector::set_sum(offset, &at.x, -1.0, stage.predictor);
        let gravity = s2 * model.gravity;
        model.mass.apply(offset, forces);
        for (gradient, node) in gradient.chunks_exact_mut(3).zip(self.unknowns.nodes()) {
            let mass = model.node_mass[node];
            (0..3).for_each(|c| gradient[c] += forces[3 * node + c] - mass * gravity[c]);
            if let Some(push) = pushes.get(3 * node..3 * node + 3) {
                (0..3).for_each(|c| gradient[c] -= s2 * push[c]);
            }
        }
        match pin_pull {
            Some(pull) => forces.copy_from_slice(pull),
            None => forces.fill(0.0),
        }
        joints::add_gradient(model, &at.x, forces);
        if let Some(grip) = grip {
            grip.add_gradient(&at.x, forces);
        }
        if let Some(frozen) = frozen {
            joints::add_drives(model, &frozen.drives, velocity, 1.0, forces);
        }
        if let Some(surfaces) = surfaces {
            at.touch.add_gradient(surfaces, vertex_forces, forces);
            if let Some(frozen) = frozen {
                let motion = VertexMotion { x: &at.touch.vertices, v: vertex_velocity, length: stage.velocity_length };
                surfaces.add_pairs(frozen.contact.gradients(motion), 1.0, vertex_forces, forces);
            }
        }
        if let Some(frozen) = frozen.filter(|_| damping.is_active()) {
            damping.add_gradient(model, &frozen.damping, velocity, 1.0, momentum, forces);
        }
        if frozen.is_some() && viscosity.is_active() {
            viscosity.strain_rates(model, &at.x, stage.strain_change(), strain_rates);
            viscosity.add_gradient(model, &at.x, strain_rates, 1.0, forces);
        }
        for (gradient, node) in gradient.chunks_exact_mut(3).zip(self.unknowns.nodes()) {
            (0..3).for_each(|c| gradient[c] += s2 * forces[3 * node + c]);
        }
        Ok(())
    }

    fn gather_matrix(
        &mut self,
        terms: Terms<'_>,
        at: &Evaluation,
        how: Assemble<'_>,
        standing: &[bool],
    ) -> Result<(), LinearError> {
        let rows = self.unknowns.rows();
        let losses = terms.frozen.map(|frozen| &frozen.contact);
        if let Some(surfaces) = terms.surfaces {
            let active = at.touch.set.pairs().iter().map(|pair| pair.stencil());
            let frozen = losses.into_iter().flat_map(|losses| losses.pairs.iter().map(|pair| pair.stencil()));
            let pairs = active.chain(frozen).chain(how.foreseen.iter().copied());
            let stencils: Vec<_> =
                pairs.map(|vertices| ContactStencil::new(vertices, &surfaces.vertices, rows)).collect();
            self.pattern.update(stencils.iter().map(|stencil| stencil.rows()))?;
            let mut touches = vec![false; self.unknowns.count()];
            let rows = stencils.iter().flat_map(|stencil| stencil.rows()).filter(|&&row| row != PINNED);
            rows.for_each(|&row| touches[row as usize] = true);
            self.touching.clear();
            self.touching.extend((0..touches.len() as u32).filter(|&row| touches[row as usize]));
        }
        let matrix = &mut self.matrix;
        matrix.reset(self.pattern.pattern());
        self.scatter.add_blocks_but(self.elements.hessians(), standing, matrix)?;
        joints::add_blocks(terms.model, &at.x, rows, matrix)?;
        if let Some(grip) = terms.grip {
            grip.add_blocks(rows, matrix)?;
        }
        if let Some(frozen) = terms.frozen {
            let (v, rate) = (&self.scratch.velocity, 1.0 / terms.stage.velocity_length);
            joints::add_drive_blocks(terms.model, &frozen.drives, v, rate, rows, matrix)?;
        }
        if let Some(surfaces) = terms.surfaces {
            let Scratch { barriers, losses: hessians, vertex_velocity, .. } = &mut self.scratch;
            if how.barriers == Barriers::InMatrix {
                add_barriers(surfaces, &at.touch, how.bends, rows, barriers, matrix)?;
            }
            if let Some(losses) = losses {
                let length = terms.stage.velocity_length;
                let motion = VertexMotion { x: &at.touch.vertices, v: vertex_velocity, length };
                add_losses(surfaces, losses, motion, how.friction_bends, rows, hessians, matrix)?;
            }
        }
        self.add_mass(terms.model)
    }

    fn add_mass(&mut self, model: &Model) -> Result<(), LinearError> {
        let Scratch { diagonal, mass_factor, .. } = &mut self.scratch;
        for (diagonal, node) in diagonal.iter_mut().zip(self.unknowns.nodes()) {
            *diagonal = mass_factor[node] * model.mass.lumped_masses()[node];
        }
        self.matrix.add_diagonal(diagonal)?;
        for block in model.mass.blocks() {
            let rows: [u32; 4] = std::array::from_fn(|i| self.unknowns.row(block.first_node + i));
            let factor = mass_factor[block.first_node];
            let pairs = tetrahedron::BLOCKS.map(|(a, b)| factor * block.matrix[(a, b)]);
            let mut blocks = [[0.0; 9]; 10];
            scalar_blocks(&pairs, &mut blocks);
            self.matrix.add_stencil(&rows, &blocks)?;
        }
        Ok(())
    }
}
