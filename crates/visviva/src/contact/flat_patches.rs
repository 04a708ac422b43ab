//! Coplanar triangles of bodies that cannot bend, joined to convex polygons: how a flat face is cut into triangles must not be felt.
//!
//! A vertex over two coplanar triangles is near both of them where it is near their common edge, and an edge that lies across that
//! common edge is near it: a sum over triangles and edges makes the face stiffer there. A vertex and a polygon have one distance,
//! smooth where the polygon is convex; and what is nearest to a straight edge is never the inside of a flat face alone.

use super::distance::Point;
use std::collections::HashMap;

/// Of a patch's size: how far corners may lie off its plane.
const FLAT: f64 = 1e-9;
/// sin of the turn by which a corner may turn the wrong way.
const STRAIGHT: f64 = 1e-9;

/// A convex polygon: its corners counter-clockwise, those on straight sides too.
struct Patch {
    corners: Vec<u32>,
    normal: Point,
    size: f64,
}

/// The patch of each triangle, named after one of them; `may_bend` is asked of a vertex.
pub fn flat_patches(triangles: &[[u32; 3]], x: &[Point], may_bend: impl Fn(u32) -> bool) -> Vec<u32> {
    let patch = |corners: &[u32; 3]| Patch::new(corners.to_vec(), x).filter(|_| !may_bend(corners[0]));
    let mut patches: Vec<Option<Patch>> = triangles.iter().map(patch).collect();
    let mut patch_of: Vec<u32> = (0..triangles.len() as u32).collect();
    let mut members: Vec<Vec<u32>> = (0..triangles.len() as u32).map(|triangle| vec![triangle]).collect();
    let neighbours = neighbours(triangles, |triangle| patches[triangle as usize].is_some());
    // A row joins a row only once both are whole.
    let mut grows = true;
    while grows {
        grows = false;
        for &[s, t] in &neighbours {
            let [a, b] = [s, t].map(|triangle| patch_of[triangle as usize] as usize);
            let (Some(first), Some(second)) = (&patches[a], &patches[b]) else { continue };
            if a == b {
                continue;
            }
            let Some(joined) = first.joined(second, x) else { continue };
            patches[a] = Some(joined);
            patches[b] = None;
            let moved = std::mem::take(&mut members[b]);
            moved.iter().for_each(|&triangle| patch_of[triangle as usize] = a as u32);
            members[a].extend(moved);
            grows = true;
        }
    }
    patch_of
}

/// Pairs of triangles with an edge between them, in the order of the triangles; edges of three or more join nothing.
fn neighbours(triangles: &[[u32; 3]], is_rigid: impl Fn(u32) -> bool) -> Vec<[u32; 2]> {
    let mut at_edge: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
    for (triangle, &[a, b, c]) in (0..).zip(triangles).filter(|&(triangle, _)| is_rigid(triangle)) {
        for [a, b] in [[a, b], [b, c], [c, a]] {
            at_edge.entry([a.min(b), a.max(b)]).or_default().push(triangle);
        }
    }
    let two = |at: Vec<u32>| <[u32; 2]>::try_from(at).ok();
    let mut pairs: Vec<[u32; 2]> = at_edge.into_values().filter_map(two).collect();
    pairs.sort_unstable();
    pairs
}

impl Patch {
    /// None where it has no area.
    fn new(corners: Vec<u32>, x: &[Point]) -> Option<Self> {
        let at = |i: usize| x[corners[i % corners.len()] as usize];
        let normal: Point = (1..corners.len() - 1).map(|i| (at(i) - at(0)).cross(&(at(i + 1) - at(0)))).sum();
        let size = (1..corners.len()).map(|i| (at(i) - at(0)).norm()).fold(0.0, f64::max);
        let normal = normal.try_normalize(FLAT * size * size)?;
        Some(Self { normal, size, corners })
    }

    /// Both in one, where that is flat and convex.
    fn joined(&self, other: &Self, x: &[Point]) -> Option<Self> {
        let size = self.size.max(other.size);
        let origin = x[self.corners[0] as usize];
        let is_flat = |&corner: &u32| self.normal.dot(&(x[corner as usize] - origin)).abs() <= FLAT * size;
        if self.normal.dot(&other.normal) <= 0.0 || !other.corners.iter().all(is_flat) {
            return None;
        }
        let joined = Self::new(around_both(&self.corners, &other.corners)?, x)?;
        joined.is_convex(x).then_some(joined)
    }

    fn is_convex(&self, x: &[Point]) -> bool {
        let count = self.corners.len();
        let at = |i: usize| x[self.corners[i % count] as usize];
        (0..count).all(|i| {
            let (into, out) = (at(i + 1) - at(i), at(i + 2) - at(i + 1));
            self.normal.dot(&into.cross(&out)) >= -STRAIGHT * into.norm() * out.norm()
        })
    }
}

/// The rim of two polygons that share one run of edges, which they walk in opposite ways.
fn around_both(a: &[u32], b: &[u32]) -> Option<Vec<u32>> {
    let (n, m) = (a.len(), b.len());
    let place = |corner: u32| b.iter().position(|&other| other == corner);
    let is_shared = |i: usize| {
        let (from, to) = (place(a[i % n]), place(a[(i + 1) % n]));
        from.zip(to).is_some_and(|(from, to)| (to + 1) % m == from)
    };
    let first = (0..n).find(|&i| is_shared(i) && !is_shared(i + n - 1))?;
    let run = (0..n).take_while(|&i| is_shared(first + i)).count();
    let shared = (0..n).filter(|&i| is_shared(i)).count();
    // Both walk the run's ends in their own order; of the corners between them nothing is left.
    let (start, end) = (place(a[first])?, place(a[(first + run) % n])?);
    let of_b = (m + end - start) % m;
    if run != shared || of_b == 0 {
        return None;
    }
    let mine = (run..=n).map(|i| a[(first + i) % n]);
    let others = (1..of_b).map(|i| b[(start + i) % m]);
    let rim: Vec<u32> = mine.chain(others).collect();
    // A corner twice is a hole that closes or a pinch: no polygon.
    let mut sorted = rim.clone();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == rim.len()).then_some(rim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    fn counts(triangles: &[[u32; 3]], x: &[Point]) -> usize {
        let mut patches = flat_patches(triangles, x, |_| false);
        patches.sort_unstable();
        patches.dedup();
        patches.len()
    }

    #[test]
    fn the_faces_of_a_box_are_six_however_they_are_cut() {
        for cells in [[1, 1, 1], [2, 3, 1], [4, 4, 4]] {
            let surface = generate::cuboid(Point::new(0.1, 0.2, 0.3), cells).unwrap().surface();
            let turn = nalgebra::Rotation3::from_euler_angles(0.3, -0.7, 1.1);
            let x: Vec<Point> = surface.positions.iter().map(|p| turn * p + Point::repeat(0.4)).collect();
            assert_eq!(counts(&surface.triangles, &x), 6, "{cells:?}");
            let own = flat_patches(&surface.triangles, &x, |_| true);
            assert!(own.iter().zip(0..).all(|(&patch, triangle)| patch == triangle), "what may bend stays apart");
        }
    }

    #[test]
    fn an_l_becomes_two_convex_parts_and_a_fold_is_none() {
        let at = |x: f64, y: f64| Point::new(x, y, 0.0);
        let mut x = vec![
            at(0.0, 0.0),
            at(1.0, 0.0),
            at(2.0, 0.0),
            at(2.0, 1.0),
            at(1.0, 1.0),
            at(0.0, 1.0),
            at(1.0, 2.0),
            at(0.0, 2.0),
        ];
        let triangles = [[0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4], [5, 4, 6], [5, 6, 7]];
        assert_eq!(counts(&triangles, &x), 2);
        x[3].z = 1e-3;
        assert_eq!(counts(&triangles, &x), 3, "one corner of the right arm is up: its two triangles are apart");
    }
}
