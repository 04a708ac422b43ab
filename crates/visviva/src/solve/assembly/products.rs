//! Forces and products on all nodes, for those who have no system to solve.

use super::{Assembly, Dampers, FrozenBodies, Scratch};
use crate::contact::{ContactLosses, Point, VertexMotion};
use crate::math::vector;
use crate::model::bodies::Model;
use crate::solve::contact::Surfaces;
use crate::solve::dissipation::{DissipativeForces, Motion, PairLoss};
use crate::solve::elastic;
use crate::solve::evaluation::Evaluation;
use crate::solve::joints;

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
        self.elements.evaluate(model, &at.x, &vec![false; model.bodies.len()], None);
        let mut blocks = self.elements.hessians();
        for (nodes, _) in model.stencils() {
            let (mine, rest) = blocks.split_at(nodes.len() * (nodes.len() + 1) / 2);
            blocks = rest;
            for (force, &node) in elastic::block_product(nodes, mine, d).iter().zip(nodes) {
                (0..3).for_each(|c| out[3 * node as usize + c] += force[c]);
            }
        }
        joints::add_product(model, &at.x, d, out);
        let Some(surfaces) = surfaces else { return };
        let hessians = &mut self.scratch.barriers;
        let bends = at.touch.set.bends(&surfaces.barrier);
        at.touch.set.hessians(&at.touch.vertices, &surfaces.barrier, &bends, hessians);
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

    /// The same as blocks by columns for pairs of nodes; some come several times.
    pub fn stiffness_blocks(
        &mut self,
        model: &Model,
        surfaces: Option<&Surfaces>,
        at: &Evaluation,
    ) -> Vec<([u32; 2], [f64; 9])> {
        self.elements.forget();
        self.elements.evaluate(model, &at.x, &vec![false; model.bodies.len()], None);
        let mut found = Vec::new();
        let mut blocks = self.elements.hessians().iter();
        for (nodes, _) in model.stencils() {
            for (i, &a) in nodes.iter().enumerate() {
                for (&b, block) in nodes[i..].iter().zip(&mut blocks) {
                    found.push(([a, b], *block));
                    if a != b {
                        found.push(([b, a], transposed(block)));
                    }
                }
            }
        }
        let Some(surfaces) = surfaces else { return found };
        let hessians = &mut self.scratch.barriers;
        let bends = at.touch.set.bends(&surfaces.barrier);
        at.touch.set.hessians(&at.touch.vertices, &surfaces.barrier, &bends, hessians);
        for (pair, hessian) in at.touch.set.pairs().iter().zip(hessians) {
            let corners = || pair.stencil().iter().map(|&vertex| &surfaces.vertices[vertex as usize]).enumerate();
            for ((i, first), (j, second)) in corners().flat_map(|first| corners().map(move |second| (first, second))) {
                let block = hessian.fixed_view::<3, 3>(3 * i, 3 * j);
                for ((a, wa), (b, wb)) in first.parts().flat_map(|a| second.parts().map(move |b| (a, b))) {
                    found.push(([a, b], std::array::from_fn(|k| wa * wb * block[(k % 3, k / 3)])));
                }
            }
        }
        found
    }

    /// forces ← forces + weight times what dissipates in a motion, by cause
    pub fn add_dissipation(
        &mut self,
        model: &Model,
        surfaces: Option<&Surfaces>,
        Dampers { damping, viscosity }: Dampers<'_>,
        frozen: &FrozenBodies,
        motion: Motion<'_>,
        weight: f64,
        forces: &mut DissipativeForces,
    ) {
        let Scratch { momentum, vertex_position, vertex_velocity, vertex_forces, viscous_powers, .. } =
            &mut self.scratch;
        if damping.is_active() {
            damping.add_gradient(model, &frozen.damping, motion.v, weight, momentum, &mut forces.damping);
        }
        if viscosity.is_active() {
            viscosity.add_gradient(model, motion.x, motion.strain_rates, weight, &mut forces.viscosity);
            viscosity.powers(model, motion.strain_rates, viscous_powers);
            forces.viscous_powers.resize(viscous_powers.len(), 0.0);
            // ė·C ė is twice R.
            vector::add_scaled(&mut forces.viscous_powers, 2.0 * weight, viscous_powers);
        }
        joints::add_drives(model, &frozen.drives, motion.v, weight, &mut forces.drive);
        let Some(surfaces) = surfaces else { return };
        surfaces.gather(motion.x, vertex_position);
        surfaces.gather(motion.v, vertex_velocity);
        let motion = VertexMotion { x: vertex_position, v: vertex_velocity, length: motion.length };
        let ContactLosses { pairs, epsilon } = &frozen.contact;
        forces.pairs.resize(pairs.len(), PairLoss::default());
        for (pair, sum) in pairs.iter().zip(&mut forces.pairs) {
            sum.friction += weight * pair.friction(motion.v, *epsilon);
            sum.contact += weight * pair.push(motion, *epsilon);
        }
        let rubbing = pairs.iter().map(|pair| (pair, pair.friction(motion.v, *epsilon)));
        surfaces.add_pairs(rubbing, weight, vertex_forces, &mut forces.friction);
        let parting = pairs.iter().map(|pair| (pair, pair.push(motion, *epsilon)));
        surfaces.add_pairs(parting, weight, vertex_forces, &mut forces.contact);
    }
}

fn transposed(block: &[f64; 9]) -> [f64; 9] {
    std::array::from_fn(|k| block[3 * (k % 3) + k / 3])
}
