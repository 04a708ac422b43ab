//! Rayleigh damping of the bodies, semi-implicit: R(v) = ½ vᵀ(a m + b ∇²P_e(x_n)) v with the Hessian projected and frozen.

use super::elastic::{self, block_product};
use crate::model::Mass;
use crate::model::bodies::{Model, node_of};
use nalgebra::Vector3;

#[derive(Debug, Default)]
pub struct RayleighDamping {
    active: bool,
    /// b ∇²P_e(x_n) by element
    stiffness: Vec<[f64; 9]>,
    /// a by node [1/s]
    rate: Vec<f64>,
    gradients: Vec<[f64; 3]>,
    /// m v of all nodes
    momentum: Vec<f64>,
}

impl RayleighDamping {
    pub fn new(bodies: &Model) -> Self {
        let active = bodies.bodies.iter().any(|body| !body.damping.is_none());
        if !active {
            return Self::default();
        }
        let mut rate = vec![0.0; bodies.node_count()];
        for body in &bodies.bodies {
            rate[body.nodes.clone()].fill(body.damping.mass);
        }
        let (entries, blocks) = bodies.stencil_sizes();
        Self {
            active,
            stiffness: vec![[0.0; 9]; blocks],
            rate,
            gradients: vec![[0.0; 3]; entries],
            momentum: vec![0.0; 3 * bodies.node_count()],
        }
    }

    pub fn is_active(&self) -> bool {
        self.active
    }

    pub fn freeze(&mut self, bodies: &Model, x0: &[f64]) {
        if bodies.bodies.iter().all(|body| body.damping.stiffness == 0.0) {
            return;
        }
        elastic::gradients_and_hessians(bodies, x0, &mut self.gradients, &mut self.stiffness);
        let mut blocks = self.stiffness.iter_mut();
        for (nodes, body) in bodies.stencils() {
            let b = bodies.bodies[body as usize].damping.stiffness;
            let count = nodes.len() * (nodes.len() + 1) / 2;
            blocks.by_ref().take(count).flatten().for_each(|k| *k *= b);
        }
    }

    /// K v of each element.
    fn element_forces<'a>(
        &'a self,
        bodies: &'a Model,
        v: &'a [f64],
    ) -> impl Iterator<Item = (&'a [u32], [Vector3<f64>; 4])> {
        let mut first = 0;
        bodies.stencils().map(move |(nodes, _)| {
            let count = nodes.len() * (nodes.len() + 1) / 2;
            first += count;
            (nodes, block_product(nodes, &self.stiffness[first - count..first], v))
        })
    }

    /// R(v) [W]
    pub fn value(&mut self, bodies: &Model, v: &[f64]) -> f64 {
        self.set_momentum(&bodies.mass, v);
        let by_mass = self.momentum.iter().zip(v).enumerate().map(|(i, (p, v))| 0.5 * self.rate[i / 3] * p * v);
        let by_stiffness = self.element_forces(bodies, v).map(|(nodes, force)| {
            let power = nodes.iter().zip(&force).map(|(&node, force)| force.dot(&node_of(v, node as usize)));
            0.5 * power.sum::<f64>()
        });
        by_mass.sum::<f64>() + by_stiffness.sum::<f64>()
    }

    /// g ← g + weight ∇R(v), on all nodes.
    pub fn add_gradient(&mut self, bodies: &Model, v: &[f64], weight: f64, g: &mut [f64]) {
        self.set_momentum(&bodies.mass, v);
        for (i, p) in self.momentum.iter().enumerate() {
            g[i] += weight * self.rate[i / 3] * p;
        }
        for (nodes, force) in self.element_forces(bodies, v) {
            for (force, &node) in force.iter().zip(nodes) {
                (0..3).for_each(|c| g[3 * node as usize + c] += weight * force[c]);
            }
        }
    }

    /// A body's nodes share one rate, so that a m v is what the coupled mass of an affine body asks for too.
    fn set_momentum(&mut self, mass: &Mass, v: &[f64]) {
        mass.apply(v, &mut self.momentum);
    }

    /// Adds scale ∇²R to the elements' Hessians and to the factor 1/s² of each node's mass.
    pub fn add_hessian(&self, scale: f64, hessians: &mut [[f64; 9]], mass_factor: &mut [f64]) {
        for (h, k) in hessians.iter_mut().flatten().zip(self.stiffness.iter().flatten()) {
            *h += scale * k;
        }
        mass_factor.iter_mut().zip(&self.rate).for_each(|(factor, a)| *factor += scale * a);
    }
}
