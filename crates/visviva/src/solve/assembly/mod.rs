//! From laws to one linear system on the unknowns: A d = f, both divided by s².
//!
//! ```text
//! A = m/s² + ∇²P + ∇²P_n,    f = −∇/s²,    ∇ = m (x − x̂) + s² (∇P + ∇P_n)
//! ```

pub mod contact_stencil;
pub mod damping;
mod elements;
mod unknowns;

pub use damping::RayleighDamping;
pub use unknowns::Unknowns;

use super::backend::DissipativeForces;
use super::contact::{Surfaces, Touch};
use super::elastic;
use super::evaluation::Evaluation;
use super::linear::{BlockMatrix, BlockPattern, GrowingPattern, LinearError, Scatter, scalar_blocks};
use super::stage::{SolveError, Stage};
use super::times::PhaseTimes;
use crate::contact::distance::Hessian;
use crate::contact::{Friction, Point};
use crate::laws::tetrahedron;
use crate::math::vector;
use crate::model::bodies::Model;
use contact_stencil::ContactStencil;
use elements::ElementBuffers;
use nalgebra::Matrix3;
use std::sync::Arc;
use std::time::Instant;

/// Dissipation as it is frozen for a step.
#[derive(Debug, Default)]
pub struct FrozenBodies {
    pub friction: Friction,
    /// b ∇²P_e(x_n) by element
    pub damping: Vec<[f64; 9]>,
}

/// Everything a stage's system is made of; references to what does not change while it is solved.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    pub model: &'a Model,
    pub stage: &'a Stage<'a>,
    pub surfaces: Option<&'a Surfaces>,
    /// Where anything dissipates in this stage
    pub frozen: Option<&'a FrozenBodies>,
    pub damping: &'a RayleighDamping,
}

impl<'a> Terms<'a> {
    /// s²
    pub fn squared_length(&self) -> f64 {
        self.stage.length * self.stage.length
    }

    /// The frozen Rayleigh stiffness, where there is damping
    fn frozen_damping(&self) -> Option<&'a FrozenBodies> {
        self.frozen.filter(|_| self.damping.is_active())
    }
}

/// How the system is assembled.
#[derive(Debug, Clone, Copy)]
pub struct Assemble<'a> {
    /// Which bodies stand still: they are neither evaluated nor pushed, and their mass alone keeps their part definite
    pub standing: &'a [bool],
    /// Whether barriers are part of the matrix, or a model keeps them as they are
    pub barriers: Barriers,
    /// Stencils that get blocks beside those of active and frozen pairs
    pub foreseen: &'a [&'a [u32]],
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
    pattern: GrowingPattern,
    elements: ElementBuffers,
    /// ∇ on the unknowns
    gradient: Vec<f64>,
    /// f = −∇/s², zero on what stands
    pub force: Vec<f64>,
    /// d on the unknowns
    pub solution: Vec<f64>,
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
    vertex_velocity: Vec<Point>,
    vertex_forces: Vec<Point>,
    barriers: Vec<Hessian>,
    slips: Vec<Matrix3<f64>>,
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
        let pattern = Arc::new(BlockPattern::from_stencils(unknowns.count(), slices())?);
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

    /// g ← g + ∇ of all elements' energy, on all nodes
    pub fn add_elastic_gradient(&mut self, model: &Model, x: &[f64], g: &mut [f64]) {
        self.elements.evaluate_gradients(model, x);
        let nodes = model.stencils().flat_map(|(nodes, _)| nodes);
        for (entry, node) in self.elements.gradients().iter().zip(nodes) {
            (0..3).for_each(|c| g[3 * *node as usize + c] += entry[c]);
        }
    }

    /// out ← out + ∇²P d of elements and barriers, on all nodes
    pub fn add_stiffness_product(
        &mut self,
        model: &Model,
        surfaces: Option<&Surfaces>,
        at: &Evaluation,
        d: &[f64],
        out: &mut [f64],
    ) {
        self.elements.forget();
        self.elements.evaluate(model, &at.x, &vec![false; model.bodies.len()]);
        let mut blocks = self.elements.hessians();
        for (nodes, _) in model.stencils() {
            let (mine, rest) = blocks.split_at(nodes.len() * (nodes.len() + 1) / 2);
            blocks = rest;
            for (force, &node) in elastic::block_product(nodes, mine, d).iter().zip(nodes) {
                (0..3).for_each(|c| out[3 * node as usize + c] += force[c]);
            }
        }
        let Some(surfaces) = surfaces else { return };
        let hessians = &mut self.scratch.barriers;
        at.touch.set.hessians(&at.touch.vertices, &surfaces.barrier, hessians);
        let vertices = &surfaces.vertices;
        for (pair, hessian) in at.touch.set.pairs().iter().zip(hessians) {
            for (a, &va) in pair.stencil().iter().enumerate() {
                let mut force = Point::zeros();
                for (b, &vb) in pair.stencil().iter().enumerate() {
                    force += hessian.fixed_view::<3, 3>(3 * a, 3 * b) * vertices[vb as usize].of(d);
                }
                vertices[va as usize].add_force(&force, out);
            }
        }
    }

    /// forces ← forces + weight ∇R(v), by cause
    pub fn add_dissipation(
        &mut self,
        model: &Model,
        surfaces: Option<&Surfaces>,
        damping: &RayleighDamping,
        frozen: &FrozenBodies,
        v: &[f64],
        weight: f64,
        forces: &mut DissipativeForces,
    ) {
        let Scratch { momentum, vertex_velocity, vertex_forces, .. } = &mut self.scratch;
        if damping.is_active() {
            damping.add_gradient(model, &frozen.damping, v, weight, momentum, &mut forces.damping);
        }
        if let Some(surfaces) = surfaces {
            surfaces.gather(v, vertex_velocity);
            surfaces.add_friction(&frozen.friction, vertex_velocity, weight, vertex_forces, &mut forces.friction);
            let Friction { pairs, epsilon } = &frozen.friction;
            forces.pairs.resize(pairs.len(), Point::zeros());
            for (pair, force) in pairs.iter().zip(&mut forces.pairs) {
                *force += weight * pair.gradient(vertex_velocity, *epsilon);
            }
        }
    }

    /// A new stage begins elsewhere.
    pub fn forget_elements(&mut self) {
        self.elements.forget();
    }

    /// Hears of a step: elements of bodies that moved are to be evaluated again.
    pub fn moved(&mut self, model: &Model, from: &[f64], to: &[f64]) {
        self.elements.moved(model, from, to);
    }

    /// R(v)·L of the velocity that x implies [J]
    pub fn dissipation(&mut self, terms: Terms<'_>, x: &[f64]) -> f64 {
        let Some(frozen) = terms.frozen else { return 0.0 };
        self.set_velocity(terms, x);
        let Scratch { velocity, momentum, vertex_velocity, .. } = &mut self.scratch;
        let mut power = 0.0;
        if terms.damping.is_active() {
            power += terms.damping.value(terms.model, &frozen.damping, velocity, momentum);
        }
        if terms.surfaces.is_some() {
            power += frozen.friction.value(vertex_velocity);
        }
        power * terms.stage.velocity_length
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
        self.elements.evaluate(terms.model, &at.x, how.standing);
        self.scratch.mass_factor.fill(1.0 / s2);
        if let Some(frozen) = terms.frozen_damping() {
            let scale = 1.0 / terms.stage.velocity_length;
            let mass_factor = &mut self.scratch.mass_factor;
            terms.damping.add_hessian(&frozen.damping, scale, self.elements.hessians_to_change(), mass_factor);
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
        let Terms { model, stage, surfaces, frozen, damping } = terms;
        let s2 = terms.squared_length();
        if frozen.is_some() {
            self.set_velocity(terms, &at.x);
        }
        let gradient = &mut self.gradient;
        let Scratch { forces, velocity, offset, momentum, vertex_velocity, vertex_forces, .. } = &mut self.scratch;
        gradient.fill(0.0);
        self.scatter.add_gradient(self.elements.gradients(), gradient).map_err(self.unknowns.named())?;
        gradient.iter_mut().for_each(|g| *g *= s2);
        vector::set_sum(offset, &at.x, -1.0, stage.predictor);
        let gravity = s2 * model.gravity;
        model.mass.apply(offset, forces);
        for (gradient, node) in gradient.chunks_exact_mut(3).zip(self.unknowns.nodes()) {
            let mass = model.node_mass[node];
            (0..3).for_each(|c| gradient[c] += forces[3 * node + c] - mass * gravity[c]);
        }
        match pin_pull {
            Some(pull) => forces.copy_from_slice(pull),
            None => forces.fill(0.0),
        }
        if let Some(surfaces) = surfaces {
            at.touch.add_gradient(surfaces, vertex_forces, forces);
            if let Some(frozen) = frozen {
                surfaces.add_friction(&frozen.friction, vertex_velocity, 1.0, vertex_forces, forces);
            }
        }
        if let Some(frozen) = frozen.filter(|_| damping.is_active()) {
            damping.add_gradient(model, &frozen.damping, velocity, 1.0, momentum, forces);
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
        let friction = terms.frozen.map(|frozen| &frozen.friction);
        if let Some(surfaces) = terms.surfaces {
            let active = at.touch.set.pairs().iter().map(|pair| pair.stencil());
            let frozen = friction.into_iter().flat_map(|friction| friction.pairs.iter().map(|pair| pair.stencil()));
            let pairs = active.chain(frozen).chain(how.foreseen.iter().copied());
            let stencils: Vec<_> =
                pairs.map(|vertices| ContactStencil::new(vertices, &surfaces.vertices, rows)).collect();
            self.pattern.update(stencils.iter().map(|stencil| stencil.rows()))?;
        }
        let matrix = &mut self.matrix;
        matrix.reset(self.pattern.pattern());
        self.scatter.add_blocks_but(self.elements.hessians(), standing, matrix)?;
        if let Some(surfaces) = terms.surfaces {
            let Scratch { barriers, slips, vertex_velocity, .. } = &mut self.scratch;
            if how.barriers == Barriers::InMatrix {
                add_barriers(surfaces, &at.touch, rows, barriers, matrix)?;
            }
            if let Some(friction) = friction {
                let scale = 1.0 / terms.stage.velocity_length;
                add_friction(surfaces, friction, vertex_velocity, scale, rows, slips, matrix)?;
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

/// matrix ← matrix + ∇²B, projected
fn add_barriers(
    surfaces: &Surfaces,
    touch: &Touch,
    rows: &[u32],
    hessians: &mut Vec<Hessian>,
    matrix: &mut BlockMatrix,
) -> Result<(), LinearError> {
    touch.set.hessians(&touch.vertices, &surfaces.barrier, hessians);
    let mut blocks = Vec::new();
    for (pair, hessian) in touch.set.pairs().iter().zip(hessians) {
        let stencil = ContactStencil::new(pair.stencil(), &surfaces.vertices, rows);
        stencil.blocks(|a, b| hessian.fixed_view::<3, 3>(3 * a, 3 * b).into_owned(), &mut blocks);
        matrix.add_stencil(stencil.rows(), &blocks)?;
    }
    Ok(())
}

/// matrix ← matrix + scale ∇²R(v)
fn add_friction(
    surfaces: &Surfaces,
    friction: &Friction,
    v: &[Point],
    scale: f64,
    rows: &[u32],
    slips: &mut Vec<Matrix3<f64>>,
    matrix: &mut BlockMatrix,
) -> Result<(), LinearError> {
    friction.hessians(v, slips);
    let mut blocks = Vec::new();
    for (pair, slip) in friction.pairs.iter().zip(slips.iter()) {
        let stencil = ContactStencil::new(pair.stencil(), &surfaces.vertices, rows);
        stencil.blocks(|a, b| scale * pair.weights[a] * pair.weights[b] * slip, &mut blocks);
        matrix.add_stencil(stencil.rows(), &blocks)?;
    }
    Ok(())
}
