//! Whether anything may come near a body on its way: boxes round whole surfaces, then each triangle's own directions
//! (Gottschalk, Lin, Manocha 1996).

use crate::contact::bvh::{Aabb, Bvh};
use crate::model::bodies::Model;
use nalgebra::Vector3;
use std::ops::Range;

/// Boxes round the ways of all surfaces.
pub struct Ways {
    from: Vec<Vector3<f64>>,
    to: Vec<Vector3<f64>>,
    /// Bodies, then obstacles
    surfaces: Vec<[Vector3<f64>; 2]>,
    reach: f64,
}

impl Ways {
    /// From x to `end`; what comes within `reach` `[m]` is near.
    pub fn new(model: &Model, x: &[f64], end: &[f64], reach: f64) -> Self {
        let (from, to) = (model.at_vertices(x), model.at_vertices(end));
        let ranges = model.bodies.iter().map(|body| &body.vertices);
        let ranges = ranges.chain(model.obstacles.iter().map(|obstacle| &obstacle.vertices));
        let around = |range: &Range<usize>| bounds(from[range.clone()].iter().chain(&to[range.clone()]));
        let surfaces = ranges.map(around);
        Self { surfaces: surfaces.collect(), from, to, reach }
    }

    /// Which of the bodies that move have a triangle or wire of another surface, on its way, within reach of the box round theirs.
    pub fn near_others(&self, model: &Model, moved: &[bool]) -> Vec<bool> {
        let mut tree = Bvh::default();
        let boxes: Vec<Aabb> =
            self.surfaces.iter().map(|whole| Aabb::around(whole.iter().copied(), self.reach)).collect();
        tree.refresh(&boxes);
        let surfaces: Vec<_> = model.surfaces().map(|(_, triangles)| triangles).collect();
        let mut near = vec![false; moved.len()];
        for leaf in 0..tree.leaf_count() {
            tree.query_self(leaf, |a, b| {
                for (body, other) in [(a as usize, b as usize), (b as usize, a as usize)] {
                    if moved.get(body) == Some(&true) && !near[body] {
                        near[body] = self.comes_near(body, surfaces[other], model.wires(other));
                    }
                }
            });
        }
        near
    }

    fn comes_near(&self, body: usize, triangles: &[[u32; 3]], wires: &[[u32; 2]]) -> bool {
        let [low, high] = self.surfaces[body];
        let room = Room { centre: 0.5 * (low + high), half: 0.5 * (high - low).add_scalar(2.0 * self.reach) };
        triangles.iter().any(|t| self.way_meets(t, &room)) || wires.iter().any(|w| self.way_meets(w, &room))
    }

    /// Whether a primitive may enter the room on its way: false only where one of these directions tells the two apart. The box of
    /// a long tilted triangle holds much that the triangle is far from.
    fn way_meets<const N: usize>(&self, vertices: &[u32; N], room: &Room) -> bool {
        let from = vertices.map(|vertex| self.from[vertex as usize]);
        let to = vertices.map(|vertex| self.to[vertex as usize]);
        let units = [Vector3::x(), Vector3::y(), Vector3::z()];
        if units.iter().any(|axis| room.is_apart(axis, &from, &to)) {
            return false;
        }
        let normal = |x: &[Vector3<f64>; N]| (x[1] - x[0]).cross(&(x[N - 1] - x[0]));
        let edges = (0..N).map(|i| from[(i + 1) % N] - from[i]);
        let across = edges.flat_map(|edge| units.map(|axis| edge.cross(&axis)));
        let mut axes = [normal(&from), normal(&to)].into_iter().chain(across);
        !axes.any(|axis| room.is_apart(&axis, &from, &to))
    }
}

/// A box, by its middle and half its sides `[m]`.
struct Room {
    centre: Vector3<f64>,
    half: Vector3<f64>,
}

impl Room {
    /// Whether all points lie beyond the box along a direction; never along one that is zero or not finite.
    fn is_apart(&self, axis: &Vector3<f64>, from: &[Vector3<f64>], to: &[Vector3<f64>]) -> bool {
        // A hair more than the box, so that rounding does not decide.
        let extent = self.half.dot(&axis.abs()) * (1.0 + 1e-9);
        let along = |p: &Vector3<f64>| axis.dot(&(p - self.centre));
        let points = || from.iter().chain(to).map(along);
        points().all(|along| along > extent) || points().all(|along| along < -extent)
    }
}

fn bounds<'a>(points: impl Iterator<Item = &'a Vector3<f64>>) -> [Vector3<f64>; 2] {
    let (least, most) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    points.fold([least, most], |[low, high], p| [low.inf(p), high.sup(p)])
}
