//! How often a surface winds around a point, by a tree of dipoles (Barill et al. 2018, "Fast winding numbers for soups and clouds").

use super::triangle::solid_angle;
use crate::bvh::Bvh;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// A node farther away than this many of its radii counts as its moments. Sums are then right within 0.06, and what is
/// decided is whether they are above one half.
const FAR: f64 = 2.5;

/// Moments of the triangles of a node about their middle.
#[derive(Debug, Clone)]
struct Moments {
    middle: Vector3<f64>,
    radius: f64,
    area: f64,
    /// Σ area × normal `[m²]`
    normal: Vector3<f64>,
    /// Σ (centre − middle) ⊗ area × normal `[m³]`
    tilt: Matrix3<f64>,
}

/// One set of moments a node of the tree.
#[derive(Debug, Clone)]
pub struct Dipoles(Vec<Moments>);

impl Dipoles {
    pub fn new(tree: &Bvh, corners: impl Fn(u32) -> [Vector3<f64>; 3]) -> Self {
        let of_triangle = |triangle: u32| {
            let [a, b, c] = corners(triangle);
            let normal = (b - a).cross(&(c - a)) / 2.0;
            let middle = (a + b + c) / 3.0;
            Moments { middle, radius: 0.0, area: normal.norm(), normal, tilt: Matrix3::zeros() }
        };
        let mut all: Vec<Option<Moments>> = vec![None; tree.nodes.len()];
        // Children follow their parents.
        for (at, node) in tree.nodes.iter().enumerate().rev() {
            let parts: Vec<Moments> = match node.right {
                None => tree.things(node).iter().map(|&triangle| of_triangle(triangle)).collect(),
                Some(right) => [at + 1, right as usize].iter().filter_map(|&child| all[child].clone()).collect(),
            };
            let mut sum = together(&parts);
            let from_middle =
                |t: &u32| corners(*t).map(|corner| (corner - sum.middle).norm()).into_iter().fold(0.0, f64::max);
            sum.radius = tree.things(node).iter().map(from_middle).fold(0.0, f64::max);
            all[at] = Some(sum);
        }
        Self(all.into_iter().flatten().collect())
    }

    /// 1 inside a closed surface, 0 outside, between them near holes.
    pub fn winding(&self, tree: &Bvh, corners: impl Fn(u32) -> [Vector3<f64>; 3], point: &Vector3<f64>) -> f64 {
        let mut sum = 0.0;
        let mut open: Vec<u32> = Vec::with_capacity(64);
        open.extend((!tree.nodes.is_empty()).then_some(0));
        while let Some(at) = open.pop() {
            let (node, moments) = (&tree.nodes[at as usize], &self.0[at as usize]);
            let to = moments.middle - point;
            if to.norm_squared() > (FAR * moments.radius).powi(2) {
                sum += moments.seen_along(&to);
                continue;
            }
            match node.right {
                None => sum += tree.things(node).iter().map(|&t| solid_angle(&corners(t), point)).sum::<f64>(),
                Some(right) => open.extend([right, at + 1]),
            }
        }
        sum / (4.0 * PI)
    }
}

fn together(parts: &[Moments]) -> Moments {
    let area: f64 = parts.iter().map(|part| part.area).sum();
    let weighted: Vector3<f64> = parts.iter().map(|part| part.middle * part.area).sum();
    let plain: Vector3<f64> = parts.iter().map(|part| part.middle).sum();
    let middle = if area > 0.0 { weighted / area } else { plain / parts.len() as f64 };
    let tilts = parts.iter().map(|part| part.tilt + (part.middle - middle) * part.normal.transpose());
    Moments { middle, radius: 0.0, area, normal: parts.iter().map(|part| part.normal).sum(), tilt: tilts.sum() }
}

impl Moments {
    /// ∫ n · (x − q) / |x − q|³ to first order about the middle, with `to` = middle − q.
    fn seen_along(&self, to: &Vector3<f64>) -> f64 {
        let square = to.norm_squared();
        let cube = square * square.sqrt();
        (self.normal.dot(to) + self.tilt.trace() - 3.0 * to.dot(&(self.tilt * to)) / square) / cube
    }
}
