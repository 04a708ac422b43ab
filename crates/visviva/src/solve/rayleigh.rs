//! Rayleigh damping of the bodies, semi-implicit: R(v) = ½ vᵀ(a m + b ∇²P_e(x_n)) v with the Hessian projected and frozen.

use super::elastic::{self, BLOCKS};
use crate::laws::tetrahedron;
use crate::system::bodies::{Bodies, node_of};
use nalgebra::{Matrix3, Vector3};
use rayon::prelude::*;

#[derive(Debug, Default)]
pub struct RayleighDamping {
    active: bool,
    /// b ∇²P_e(x_n) by tet
    stiffness: Vec<[f64; 9]>,
    /// a m by node [kg/s]
    mass: Vec<f64>,
    gradients: Vec<[f64; 3]>,
}

impl RayleighDamping {
    pub fn new(bodies: &Bodies) -> Self {
        let active = bodies.bodies.iter().any(|body| !body.damping.is_none());
        if !active {
            return Self::default();
        }
        let mut mass = bodies.node_mass.clone();
        for body in &bodies.bodies {
            mass[body.nodes.clone()].iter_mut().for_each(|m| *m *= body.damping.mass);
        }
        let tets = bodies.tets.len();
        Self { active, stiffness: vec![[0.0; 9]; BLOCKS * tets], mass, gradients: vec![[0.0; 3]; 4 * tets] }
    }

    pub fn is_active(&self) -> bool {
        self.active
    }

    pub fn freeze(&mut self, bodies: &Bodies, x0: &[f64]) {
        if bodies.bodies.iter().all(|body| body.damping.stiffness == 0.0) {
            return;
        }
        elastic::gradients_and_hessians(bodies, x0, &mut self.gradients, &mut self.stiffness);
        self.stiffness.par_chunks_mut(BLOCKS).enumerate().with_min_len(256).for_each(|(tet, blocks)| {
            let b = bodies.bodies[bodies.body_of_tet[tet] as usize].damping.stiffness;
            blocks.iter_mut().flatten().for_each(|k| *k *= b);
        });
    }

    /// K v of one tet.
    fn tet_force(&self, bodies: &Bodies, tet: usize, v: &[f64]) -> [Vector3<f64>; 4] {
        let corner = bodies.tets[tet].map(|node| node_of(v, node as usize));
        let mut force = [Vector3::zeros(); 4];
        for (block, &(a, b)) in self.stiffness[BLOCKS * tet..].iter().zip(&tetrahedron::BLOCKS) {
            let k = Matrix3::from_column_slice(block);
            force[a] += k * corner[b];
            if a != b {
                force[b] += k.transpose() * corner[a];
            }
        }
        force
    }

    /// R(v) [W]
    pub fn value(&self, bodies: &Bodies, v: &[f64]) -> f64 {
        let by_mass: f64 = self.mass.iter().enumerate().map(|(i, m)| 0.5 * m * node_of(v, i).norm_squared()).sum();
        let tet = |tet: usize| {
            let force = self.tet_force(bodies, tet, v);
            (0..4).map(|a| 0.5 * force[a].dot(&node_of(v, bodies.tets[tet][a] as usize))).sum::<f64>()
        };
        by_mass + elastic::sum_over_tets(bodies.tets.len(), tet)
    }

    /// g ← g + weight ∇R(v), on all nodes.
    pub fn add_gradient(&self, bodies: &Bodies, v: &[f64], weight: f64, g: &mut [f64]) {
        for (i, m) in self.mass.iter().enumerate() {
            (3 * i..3 * i + 3).for_each(|c| g[c] += weight * m * v[c]);
        }
        for (tet, nodes) in bodies.tets.iter().enumerate() {
            let force = self.tet_force(bodies, tet, v);
            for (force, &node) in force.iter().zip(nodes) {
                (0..3).for_each(|c| g[3 * node as usize + c] += weight * force[c]);
            }
        }
    }

    /// Adds scale ∇²R to the tets' Hessians and to the nodes' diagonal.
    pub fn add_hessian(&self, scale: f64, hessians: &mut [[f64; 9]], diagonal: &mut [f64]) {
        for (h, k) in hessians.iter_mut().flatten().zip(self.stiffness.iter().flatten()) {
            *h += scale * k;
        }
        diagonal.iter_mut().zip(&self.mass).for_each(|(d, m)| *d += scale * m);
    }
}
