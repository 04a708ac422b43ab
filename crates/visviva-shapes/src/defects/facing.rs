//! Which way faces look: neighbours agree where they run along their common edge in opposite directions.

use super::edges::{Side, by_edge};
use crate::{PolygonMesh, Triangulation};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// Faces that hang together by edges of two faces.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Patch {
    /// Ascending
    pub polygons: Vec<u32>,
    /// Those of them that look the other way than the larger rest
    pub flipped: Vec<u32>,
    /// Whether the larger rest looks inward, and is no cavity of another patch
    pub is_inside_out: bool,
    /// Whether no choice of ways makes all neighbours agree, as on a Möbius strip
    pub is_one_sided: bool,
}

/// Less volume than this × area × diameter is rounding: the patch encloses nothing.
const THIN: f64 = 1e-13;

/// A patch as a body.
struct Body {
    is_closed: bool,
    /// As the larger rest looks `[m³]`
    volume: f64,
    area: f64,
    low: Vector3<f64>,
    high: Vector3<f64>,
}

/// The patches in the order of their first faces.
pub(crate) fn patches(mesh: &PolygonMesh, sides: &[Side]) -> Vec<Patch> {
    let mut ways = Ways::new(mesh.polygons.len());
    by_edge(sides).filter(|run| run.len() == 2).for_each(|run| ways.join(run[0], run[1]));
    let mut patch_of = vec![0; mesh.polygons.len()];
    let mut patches: Vec<Patch> = Vec::new();
    for polygon in 0..mesh.polygons.len() {
        let (root, _) = ways.root(polygon as u32);
        if root as usize == polygon {
            let is_one_sided = ways.is_one_sided[polygon];
            patches.push(Patch { polygons: vec![], flipped: vec![], is_inside_out: false, is_one_sided });
            patch_of[polygon] = patches.len() - 1;
        }
        patch_of[polygon] = patch_of[root as usize];
        patches[patch_of[polygon]].polygons.push(polygon as u32);
    }
    let mut bodies = bodies(mesh, sides, &patch_of, patches.len());
    let area = |polygon: u32| vector_area(mesh, polygon).norm();
    for (patch, body) in patches.iter_mut().zip(&mut bodies) {
        let (with, against): (Vec<u32>, Vec<u32>) = patch.polygons.iter().partition(|&&polygon| !ways.root(polygon).1);
        let areas = [&with, &against].map(|some| some.iter().map(|&polygon| area(polygon)).sum::<f64>());
        let is_with_larger = areas[0] >= areas[1];
        patch.flipped = if is_with_larger { against } else { with };
        body.area = areas[0] + areas[1];
        body.volume -= 2.0 * patch.flipped.iter().map(|&polygon| cone_volume(mesh, polygon)).sum::<f64>();
    }
    let extents = bodies.iter().map(|body| (body.high - body.low).norm());
    let diameter = extents.filter(|extent| extent.is_finite()).fold(0.0, f64::max);
    let looks_in = |body: &Body| body.is_closed && body.volume < -THIN * body.area * diameter;
    if bodies.iter().any(looks_in) {
        let cut = mesh.triangulate();
        for k in (0..patches.len()).filter(|&k| looks_in(&bodies[k])) {
            patches[k].is_inside_out = !is_cavity(k, &patches[k], &bodies, mesh, &cut, &patch_of);
        }
    }
    patches
}

/// Whether patch k lies in another body, judged by winding numbers at one of its points.
fn is_cavity(
    k: usize,
    patch: &Patch,
    bodies: &[Body],
    mesh: &PolygonMesh,
    cut: &Triangulation,
    patch_of: &[usize],
) -> bool {
    let corners = &mesh.polygons.corners[mesh.polygons.range(patch.polygons[0] as usize)];
    let Some(point) = corners.first().map(|&vertex| mesh.positions[vertex as usize]) else { return false };
    let has_it = |outer: &usize| *outer != k && bodies[*outer].is_closed && bodies[*outer].has_within(&bodies[k]);
    (0..bodies.len()).filter(has_it).any(|outer| {
        let all = cut.triangles.iter().zip(&cut.polygon_of);
        let own = all.filter(|(_, polygon)| patch_of[**polygon as usize] == outer).map(|(triangle, _)| triangle);
        let angle = |triangle: &[u32; 3]| solid_angle(&triangle.map(|vertex| mesh.positions[vertex as usize]), &point);
        own.map(angle).sum::<f64>().abs() > TAU
    })
}

fn bodies(mesh: &PolygonMesh, sides: &[Side], patch_of: &[usize], count: usize) -> Vec<Body> {
    let (low, high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    let mut bodies: Vec<Body> =
        (0..count).map(|_| Body { is_closed: true, volume: 0.0, area: 0.0, low, high }).collect();
    for (polygon, corners) in mesh.polygons.iter().enumerate() {
        let body = &mut bodies[patch_of[polygon]];
        for vertex in corners {
            let position = &mesh.positions[*vertex as usize];
            (body.low, body.high) = (body.low.inf(position), body.high.sup(position));
        }
        body.volume += cone_volume(mesh, polygon as u32);
    }
    for run in by_edge(sides) {
        for side in run {
            let patch = patch_of[side.polygon as usize];
            let own = || run.iter().filter(|other| patch_of[other.polygon as usize] == patch).count();
            // Whoever shares an edge with many is no body; looking at all pairs of them would take long.
            bodies[patch].is_closed &= run.len() <= 8 && own() == 2;
        }
    }
    bodies
}

impl Body {
    /// Whether the box around another lies in the box around this one.
    fn has_within(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] < other.low[k] && other.high[k] < self.high[k])
    }
}

/// Van Oosterom and Strackee (1983) `[sr]`.
fn solid_angle(triangle: &[Vector3<f64>; 3], point: &Vector3<f64>) -> f64 {
    let [a, b, c] = triangle.map(|corner| corner - point);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * a.dot(&b.cross(&c)).atan2(below)
}

/// About the mesh's first vertex, for the sake of rounding `[m²]`.
fn vector_area(mesh: &PolygonMesh, polygon: u32) -> Vector3<f64> {
    let corner = |vertex: u32| mesh.positions[vertex as usize] - mesh.positions[0];
    let corners = &mesh.polygons.corners[mesh.polygons.range(polygon as usize)];
    let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
    0.5 * pairs.map(|(&a, &b)| corner(a).cross(&corner(b))).sum::<Vector3<f64>>()
}

/// Between a face and the mesh's first vertex `[m³]`.
fn cone_volume(mesh: &PolygonMesh, polygon: u32) -> f64 {
    let corner = |vertex: u32| mesh.positions[vertex as usize] - mesh.positions[0];
    let corners = &mesh.polygons.corners[mesh.polygons.range(polygon as usize)];
    let fan = corners.windows(2).skip(1);
    fan.map(|pair| corner(corners[0]).dot(&corner(pair[0]).cross(&corner(pair[1]))) / 6.0).sum()
}

/// A forest of faces, each with whether it looks the other way than the one above it.
struct Ways {
    above: Vec<(u32, bool)>,
    is_one_sided: Vec<bool>,
}

impl Ways {
    fn new(count: usize) -> Self {
        Self { above: (0..count as u32).map(|polygon| (polygon, false)).collect(), is_one_sided: vec![false; count] }
    }

    /// The lowest face of the patch, and whether this one looks the other way than it.
    fn root(&mut self, polygon: u32) -> (u32, bool) {
        let (mut root, mut turned) = (polygon, false);
        while self.above[root as usize].0 != root {
            turned ^= self.above[root as usize].1;
            root = self.above[root as usize].0;
        }
        // The way up becomes short for all that were passed.
        let (mut here, mut left) = (polygon, turned);
        while here != root {
            let (next, step) = self.above[here as usize];
            self.above[here as usize] = (root, left);
            left ^= step;
            here = next;
        }
        (root, turned)
    }

    fn join(&mut self, a: Side, b: Side) {
        let disagree = a.rises == b.rises;
        let ((root_a, turned_a), (root_b, turned_b)) = (self.root(a.polygon), self.root(b.polygon));
        let (low, high) = (root_a.min(root_b), root_a.max(root_b));
        let turned = turned_a ^ turned_b ^ disagree;
        if low == high {
            self.is_one_sided[low as usize] |= turned;
        } else {
            self.above[high as usize] = (low, turned);
            self.is_one_sided[low as usize] |= self.is_one_sided[high as usize];
        }
    }
}
