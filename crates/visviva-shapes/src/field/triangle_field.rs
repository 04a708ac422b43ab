//! Signed distance of a closed surface of triangles, which forgives holes and flipped triangles that are small.

use super::Field;
use super::triangle::nearest_point;
use super::winding::Dipoles;
use crate::bvh::{Bvh, Extent};
use nalgebra::Vector3;

/// The distance is exact; inside is where the surface winds around more than half.
#[derive(Debug, Clone)]
pub struct TriangleField {
    positions: Vec<Vector3<f64>>,
    triangles: Vec<[u32; 3]>,
    /// Of each triangle, together in memory `[m]`
    corners: Vec<[Vector3<f64>; 3]>,
    extent: Extent,
    tree: Bvh,
    dipoles: Dipoles,
}

/// Where a surface comes nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// `[m]`
    pub point: Vector3<f64>,
    pub triangle: u32,
    /// `[m]`
    pub distance: f64,
}

impl TriangleField {
    /// Takes positions `[m]` and triangles that count them; all triangles may face inwards as well.
    pub fn new(positions: &[Vector3<f64>], triangles: &[[u32; 3]]) -> Self {
        let corners: Vec<_> = triangles.iter().map(|triangle| triangle.map(|v| positions[v as usize])).collect();
        let extents: Vec<Extent> = corners.iter().map(Extent::around).collect();
        let tree = Bvh::new(&extents);
        let dipoles = Dipoles::new(&tree, |t| corners[t as usize]);
        let extent = Extent::around(corners.iter().flatten());
        Self { positions: positions.to_vec(), triangles: triangles.to_vec(), corners, extent, tree, dipoles }
    }

    pub fn positions(&self) -> &[Vector3<f64>] {
        &self.positions
    }

    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle `[m]`.
    pub fn corners(&self, triangle: u32) -> [Vector3<f64>; 3] {
        self.corners[triangle as usize]
    }

    /// Volume that the surface encloses `[m³]`, negative where it faces inwards.
    pub fn volume(&self) -> f64 {
        // About a point near the surface, so that far from the origin little is lost to cancellation.
        let about = self.positions.first().copied().unwrap_or_default();
        let six_fold = (0..self.triangles.len() as u32).map(|t| {
            let [a, b, c] = self.corners(t).map(|corner| corner - about);
            a.dot(&b.cross(&c))
        });
        six_fold.sum::<f64>() / 6.0
    }

    /// `None` of a surface without triangles.
    pub fn nearest(&self, point: &Vector3<f64>) -> Option<Nearest> {
        let mut best: Option<(f64, Vector3<f64>, u32)> = None;
        self.tree.approach(point, f64::INFINITY, |triangle| {
            let there = nearest_point(&self.corners[triangle as usize], point);
            let square = (there - point).norm_squared();
            if best.is_none_or(|(least, ..)| square < least) {
                best = Some((square, there, triangle));
            }
            best.map_or(f64::INFINITY, |(least, ..)| least)
        });
        best.map(|(square, point, triangle)| Nearest { point, triangle, distance: square.sqrt() })
    }

    /// How often the surface winds around a point: 1 inside, 0 outside, −1 inside a surface that faces inwards.
    pub fn winding(&self, point: &Vector3<f64>) -> f64 {
        self.dipoles.winding(&self.tree, |triangle| self.corners(triangle), point)
    }
}

impl Field for TriangleField {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let distance = self.nearest(point).map_or(f64::INFINITY, |nearest| nearest.distance);
        let inside = self.extent.distance_squared(point) == 0.0 && self.winding(point).abs() > 0.5;
        if inside { -distance } else { distance }
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        [self.extent.low, self.extent.high]
    }
}
