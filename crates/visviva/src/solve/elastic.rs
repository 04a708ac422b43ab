//! The elastic energy of all tetrahedra: value, gradients and Hessians element by element, in parallel.
//!
//! Sums run over chunks of fixed size and then over the chunks in order: the bits do not depend on the number of threads.

use crate::laws::inversion;
use crate::laws::tetrahedron::Curvature;
use crate::system::bodies::{Bodies, node_of};
use nalgebra::Vector3;
use rayon::prelude::*;

/// Tets a task: small enough to share 6000 among cores, large enough to pay for the task.
const CHUNK: usize = 256;
/// Blocks of a tet's Hessian: the upper triangle of 4×4.
pub const BLOCKS: usize = 10;

/// Σ V Ψ(F) [J], +∞ where a tet is inadmissible.
pub fn energy(bodies: &Bodies, x: &[f64]) -> f64 {
    sum_over_tets(bodies.tets.len(), |tet| bodies.shapes[tet].energy(bodies.solid_of(tet), &bodies.corners(tet, x)))
}

/// Ψ of each tet [J/m³].
pub fn energy_density(bodies: &Bodies, x: &[f64]) -> Vec<f64> {
    let density = |tet: usize| {
        let shape = &bodies.shapes[tet];
        shape.energy(bodies.solid_of(tet), &bodies.corners(tet, x)) / shape.volume()
    };
    (0..bodies.tets.len()).into_par_iter().map(density).collect()
}

/// Sums in fixed chunks.
pub fn sum_over_tets(count: usize, value: impl Fn(usize) -> f64 + Sync) -> f64 {
    let chunk_sum = |chunk: usize| (chunk * CHUNK..((chunk + 1) * CHUNK).min(count)).map(&value).sum::<f64>();
    let sums: Vec<f64> = (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk_sum).collect();
    sums.iter().sum()
}

/// Gradients of all tets, four 3-vectors each.
pub fn gradients(bodies: &Bodies, x: &[f64], out: &mut [[f64; 3]]) {
    out.par_chunks_mut(4 * CHUNK).enumerate().for_each(|(chunk, out)| {
        for (i, out) in out.chunks_exact_mut(4).enumerate() {
            let tet = chunk * CHUNK + i;
            let (_, gradient) = bodies.shapes[tet].energy_and_gradient(bodies.solid_of(tet), &bodies.corners(tet, x));
            out.iter_mut().zip(gradient).for_each(|(out, g)| *out = g.into());
        }
    });
}

/// Gradients and projected Hessians of all tets, four 3-vectors and ten blocks each.
pub fn gradients_and_hessians(bodies: &Bodies, x: &[f64], gradients: &mut [[f64; 3]], hessians: &mut [[f64; 9]]) {
    let chunks = gradients.par_chunks_mut(4 * CHUNK).zip(hessians.par_chunks_mut(BLOCKS * CHUNK));
    chunks.enumerate().for_each(|(chunk, (gradients, hessians))| {
        let tets = gradients.chunks_exact_mut(4).zip(hessians.chunks_exact_mut(BLOCKS));
        for (i, (gradient, hessian)) in tets.enumerate() {
            let tet = chunk * CHUNK + i;
            let corners = bodies.corners(tet, x);
            let response = bodies.shapes[tet].evaluate(bodies.solid_of(tet), &corners, Curvature::Projected);
            gradient.iter_mut().zip(response.gradient).for_each(|(out, g)| *out = g.into());
            for (out, block) in hessian.iter_mut().zip(response.hessian) {
                out.copy_from_slice(block.as_slice());
            }
        }
    });
}

/// The largest part of the step dx, at most 1, in which no tet that may not invert does.
pub fn largest_step(bodies: &Bodies, x: &[f64], dx: &[f64]) -> f64 {
    let bound = |tet: usize| {
        if !bodies.solid_of(tet).forbids_inversion() {
            return 1.0;
        }
        let step: [Vector3<f64>; 4] = bodies.tets[tet].map(|node| node_of(dx, node as usize));
        inversion::largest_step(&bodies.corners(tet, x), &step)
    };
    (0..bodies.tets.len()).into_par_iter().with_min_len(CHUNK).map(bound).reduce(|| 1.0, f64::min)
}
