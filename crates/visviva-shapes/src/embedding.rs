//! A surface that rides on a solid: each of its points as a weighted mean of the four nodes of a tet.

use crate::bvh::{Bvh, Extent};
use crate::field::nearest_point;
use crate::solid::{FACES, Solid};
use nalgebra::{Matrix3, Vector3};
use rayon::prelude::*;

/// A point as the nodes of a tet, weights summing to one; outside the solid, beyond its nearest tet, some are negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Embedded {
    pub nodes: [u32; 4],
    pub weights: [f64; 4],
}

impl Embedded {
    /// Where the point goes with the nodes `[m]`.
    pub fn position(&self, positions: &[Vector3<f64>]) -> Vector3<f64> {
        (0..4).map(|k| positions[self.nodes[k] as usize] * self.weights[k]).sum()
    }
}

/// Distances that differ less than by this factor are the same: a point beyond an edge has several nearest tets.
const SAME: f64 = 1.0 + 1e-9;

/// Embeds points `[m]` in the tets that hold them or come nearest; none in a solid without tets.
pub fn embed(solid: &Solid, points: &[Vector3<f64>]) -> Vec<Embedded> {
    let extents: Vec<Extent> = solid.tets.iter().map(|&tet| Extent::around(&solid.corners(tet))).collect();
    let tree = Bvh::new(&extents);
    points.par_iter().filter_map(|point| embed_one(solid, &tree, point)).collect()
}

fn embed_one(solid: &Solid, tree: &Bvh, point: &Vector3<f64>) -> Option<Embedded> {
    let mut best: Option<(f64, f64, Embedded)> = None;
    tree.approach(point, f64::INFINITY, |tet| {
        let nodes = solid.tets[tet as usize];
        let corners = solid.corners(nodes);
        if let Some(weights) = weights(&corners, point) {
            let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
            let distance = if least >= 0.0 { 0.0 } else { distance_squared(&corners, point) };
            // Of tets equally near, the one that the point sticks out of least.
            let better = |&(other, weight, _): &(f64, f64, Embedded)| {
                distance * SAME < other || (distance <= other * SAME && least > weight)
            };
            if best.as_ref().is_none_or(better) {
                best = Some((distance, least, Embedded { nodes, weights }));
            }
        }
        best.as_ref().map_or(f64::INFINITY, |(distance, ..)| distance * SAME)
    });
    best.map(|(_, _, embedded)| embedded)
}

/// Barycentric weights of a point, `None` in a flat tet.
fn weights([a, b, c, d]: &[Vector3<f64>; 4], point: &Vector3<f64>) -> Option<[f64; 4]> {
    let inverse = Matrix3::from_columns(&[b - a, c - a, d - a]).try_inverse()?;
    let rest = inverse * (point - a);
    Some([1.0 - rest.sum(), rest.x, rest.y, rest.z])
}

fn distance_squared(corners: &[Vector3<f64>; 4], point: &Vector3<f64>) -> f64 {
    let faces = FACES.map(|face| face.map(|k| corners[k]));
    faces.iter().map(|face| (nearest_point(face, point) - point).norm_squared()).fold(f64::INFINITY, f64::min)
}
