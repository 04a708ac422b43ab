//! Forces and products on all nodes, for those who have no system to solve.

use super::{Assembly, FrozenBodies, RayleighDamping, Scratch};
use crate::contact::{Friction, Point};
use crate::model::bodies::Model;
use crate::solve::backend::DissipativeForces;
use crate::solve::contact::Surfaces;
use crate::solve::elastic;
use crate::solve::evaluation::Evaluation;

impl Assembly {
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
}
