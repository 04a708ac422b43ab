//! Damping by mass and by frozen stiffness (Rayleigh), semi-implicit: R(v) = ½ vᵀ(a m + b ∇²P_e(x_n)) v, the Hessian projected.

use crate::model::Damping;
use crate::model::bodies::{Model, node_of};
use crate::solve::elastic::{self, block_product};
use nalgebra::Vector3;

#[derive(Debug, Default)]
pub struct RayleighDamping {
    active: bool,
    /// a by node `[1/s]`
    rate: Vec<f64>,
}

impl RayleighDamping {
    pub fn new(model: &Model) -> Self {
        let acts = |damping: &Damping| damping.mass > 0.0 || damping.rayleigh_time() > 0.0;
        let active = model.bodies.iter().any(|body| acts(&body.damping));
        if !active {
            return Self::default();
        }
        let mut rate = vec![0.0; model.node_count()];
        for body in &model.bodies {
            rate[body.nodes.clone()].fill(body.damping.mass);
        }
        Self { active, rate }
    }

    pub fn is_active(&self) -> bool {
        self.active
    }

    /// stiffness ← b ∇²P_e(x_n) by element; `gradients` is scratch of all elements
    pub fn freeze(&self, model: &Model, x0: &[f64], gradients: &mut [[f64; 3]], stiffness: &mut Vec<[f64; 9]>) {
        let (_, blocks) = model.stencil_sizes();
        stiffness.resize(blocks, [0.0; 9]);
        if model.bodies.iter().all(|body| body.damping.rayleigh_time() == 0.0) {
            return;
        }
        elastic::gradients_and_hessians(model, x0, gradients, stiffness);
        let mut blocks = stiffness.iter_mut();
        for (nodes, body) in model.stencils() {
            let b = model.bodies[body as usize].damping.rayleigh_time();
            let count = nodes.len() * (nodes.len() + 1) / 2;
            blocks.by_ref().take(count).flatten().for_each(|k| *k *= b);
        }
    }

    /// R(v) `[W]`; `momentum` is scratch of all nodes
    pub fn value(&self, model: &Model, stiffness: &[[f64; 9]], v: &[f64], momentum: &mut [f64]) -> f64 {
        // A body's nodes share one rate, so that a m v is what the coupled mass of an affine body asks for too.
        model.mass.apply(v, momentum);
        let by_mass = momentum.iter().zip(v).enumerate().map(|(i, (p, v))| 0.5 * self.rate[i / 3] * p * v);
        let by_stiffness = element_forces(model, stiffness, v).map(|(nodes, force)| {
            let power = nodes.iter().zip(&force).map(|(&node, force)| force.dot(&node_of(v, node as usize)));
            0.5 * power.sum::<f64>()
        });
        by_mass.sum::<f64>() + by_stiffness.sum::<f64>()
    }

    /// g ← g + weight ∇R(v), on all nodes
    pub fn add_gradient(
        &self,
        model: &Model,
        stiffness: &[[f64; 9]],
        v: &[f64],
        weight: f64,
        momentum: &mut [f64],
        g: &mut [f64],
    ) {
        model.mass.apply(v, momentum);
        for (i, p) in momentum.iter().enumerate() {
            g[i] += weight * self.rate[i / 3] * p;
        }
        for (nodes, force) in element_forces(model, stiffness, v) {
            for (force, &node) in force.iter().zip(nodes) {
                (0..3).for_each(|c| g[3 * node as usize + c] += weight * force[c]);
            }
        }
    }

    /// Adds scale ∇²R to the elements' Hessians and to the factor 1/s² of each node's mass.
    pub fn add_hessian(&self, stiffness: &[[f64; 9]], scale: f64, hessians: &mut [[f64; 9]], mass_factor: &mut [f64]) {
        for (h, k) in hessians.iter_mut().flatten().zip(stiffness.iter().flatten()) {
            *h += scale * k;
        }
        mass_factor.iter_mut().zip(&self.rate).for_each(|(factor, a)| *factor += scale * a);
    }
}

/// K v of each element
fn element_forces<'a>(
    model: &'a Model,
    stiffness: &'a [[f64; 9]],
    v: &'a [f64],
) -> impl Iterator<Item = (&'a [u32], [Vector3<f64>; 4])> {
    let mut first = 0;
    model.stencils().map(move |(nodes, _)| {
        let count = nodes.len() * (nodes.len() + 1) / 2;
        first += count;
        (nodes, block_product(nodes, &stiffness[first - count..first], v))
    })
}
