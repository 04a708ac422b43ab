//! What is wrong with a surface, face by face. [`crate::mending`] mends what can be mended safely.

mod crossings;
pub(crate) mod edges;
pub(crate) mod facing;
mod holes;
mod report;

pub use crossings::Crossing;
pub use holes::Hole;
pub use report::NoSolid;
pub(crate) use report::count;

use crate::formats::welding::key;
use crate::{PolygonMesh, Triangulation, lowest_of_parts};
use edges::{by_edge, sides};
use nalgebra::Vector3;

/// Every kind of fault. Faces are polygons of the mesh, counted from 0 like vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Defects {
    /// In the whole surface
    pub face_count: usize,
    /// That share no vertex with each other
    pub part_count: usize,
    pub holes: Vec<Hole>,
    pub crowded_edges: Vec<CrowdedEdge>,
    /// Where a surface touches itself in a vertex alone, and where it is `[m]`
    pub pinched_vertices: Vec<(u32, Vector3<f64>)>,
    /// Faces that look the other way than the rest of their part
    pub flipped: Vec<u32>,
    /// The first faces of closed parts that look inward without being cavities
    pub inside_out: Vec<u32>,
    /// The first faces of parts that have no outside, as a Möbius strip
    pub one_sided: Vec<u32>,
    /// Faces with the corners of another, which comes first
    pub duplicates: Vec<[u32; 2]>,
    /// Faces whose corners lie on one line
    pub without_area: Vec<u32>,
    /// Vertices at one point, as neighbouring pairs
    pub doubled_vertices: Vec<[u32; 2]>,
    pub crossings: Vec<Crossing>,
    /// Whether the search for crossings came to its end
    pub are_crossings_all: bool,
}

/// An edge at which more than two faces meet.
#[derive(Debug, Clone, PartialEq)]
pub struct CrowdedEdge {
    /// Lower vertex first
    pub edge: [u32; 2],
    pub faces: Vec<u32>,
    /// Its middle `[m]`
    pub at: Vector3<f64>,
}

impl Defects {
    /// Looks for all of them, in n log n where not most of the surface crosses itself.
    pub fn of(mesh: &PolygonMesh) -> Self {
        let point = |vertex: u32| mesh.positions[vertex as usize];
        let (sides, cut) = (sides(&mesh.polygons), mesh.triangulate());
        let crowded = |run: &&[edges::Side]| run.len() > 2;
        let crowded_edge = |run: &[edges::Side]| CrowdedEdge {
            edge: run[0].edge,
            faces: run.iter().map(|side| side.polygon).collect(),
            at: run[0].edge.map(point).iter().sum::<Vector3<f64>>() / 2.0,
        };
        let patches = facing::patches(mesh, &sides);
        let first_of = |wanted: fn(&facing::Patch) -> bool| {
            patches.iter().filter(|patch| wanted(patch)).map(|patch| patch.polygons[0]).collect()
        };
        let mut flipped: Vec<u32> =
            patches.iter().filter(|patch| !patch.is_one_sided).flat_map(|patch| &patch.flipped).copied().collect();
        flipped.sort_unstable();
        let (crossings, are_crossings_all) = crossings::crossings(mesh, &cut);
        Self {
            face_count: mesh.polygons.len(),
            part_count: part_count(mesh, &cut),
            holes: holes::holes(&sides, &mesh.positions),
            crowded_edges: by_edge(&sides).filter(crowded).map(crowded_edge).collect(),
            pinched_vertices: pinched(mesh, &sides).into_iter().map(|vertex| (vertex, point(vertex))).collect(),
            flipped,
            inside_out: first_of(|patch| patch.is_inside_out && !patch.is_one_sided),
            one_sided: first_of(|patch| patch.is_one_sided),
            duplicates: duplicates(mesh),
            without_area: without_area(mesh),
            doubled_vertices: doubled(&mesh.positions),
            crossings,
            are_crossings_all,
        }
    }
}

fn part_count(mesh: &PolygonMesh, cut: &Triangulation) -> usize {
    let lowest = lowest_of_parts(mesh.positions.len(), &cut.triangles);
    let mut roots: Vec<usize> = cut.triangles.iter().map(|triangle| lowest[triangle[0] as usize]).collect();
    roots.sort_unstable();
    roots.dedup();
    roots.len()
}

/// Vertices whose faces do not hang together by edges.
fn pinched(mesh: &PolygonMesh, sides: &[edges::Side]) -> Vec<u32> {
    let corners = &mesh.polygons.corners;
    let mut next: Vec<u32> = (1..=corners.len() as u32).collect();
    (0..mesh.polygons.len())
        .map(|polygon| mesh.polygons.range(polygon))
        .filter(|range| !range.is_empty())
        .for_each(|range| next[range.end - 1] = range.start as u32);
    // The corners of a side at the lower and the higher end of its edge.
    let ends = |side: &edges::Side| {
        let (from, to) = (side.corner, next[side.corner as usize]);
        if side.rises { [from, to] } else { [to, from] }
    };
    let joined: Vec<[u32; 2]> = by_edge(sides)
        .flat_map(|run| run.windows(2))
        .map(|pair| [ends(&pair[0]), ends(&pair[1])])
        .flat_map(|[a, b]| [[a[0], b[0]], [a[1], b[1]]])
        .collect();
    let lowest = lowest_of_parts(corners.len(), &joined);
    let mut fans = vec![0u32; mesh.positions.len()];
    (0..corners.len())
        .filter(|&corner| lowest[corner] == corner)
        .for_each(|corner| fans[corners[corner] as usize] += 1);
    (0..mesh.positions.len() as u32).filter(|&vertex| fans[vertex as usize] > 1).collect()
}

/// Faces of the same vertices, whichever way round and wherever they begin: the later with the first.
pub(crate) fn duplicates(mesh: &PolygonMesh) -> Vec<[u32; 2]> {
    let sorted = |corners: &[u32]| {
        let mut sorted = corners.to_vec();
        sorted.sort_unstable();
        sorted
    };
    let mut faces: Vec<(Vec<u32>, u32)> = mesh.polygons.iter().map(sorted).zip(0..).collect();
    faces.sort_unstable();
    let runs = faces.chunk_by(|a, b| a.0 == b.0);
    let mut pairs: Vec<[u32; 2]> = runs.flat_map(|run| run[1..].iter().map(|later| [later.1, run[0].1])).collect();
    pairs.sort_unstable();
    pairs
}

fn without_area(mesh: &PolygonMesh) -> Vec<u32> {
    let polygons = mesh.polygons.iter().zip(0..);
    polygons.filter(|(corners, _)| has_no_area(corners, &mesh.positions)).map(|(_, polygon)| polygon).collect()
}

/// Whether all corners lie on one line, exactly.
pub(crate) fn has_no_area(corners: &[u32], positions: &[Vector3<f64>]) -> bool {
    let point = |vertex: u32| positions[vertex as usize];
    let Some(&first) = corners.first() else { return true };
    let Some(&other) = corners.iter().find(|&&vertex| point(vertex) != point(first)) else { return true };
    // Exact zeros take long to be found: corners that define the line are on it.
    let mut others = corners.iter().filter(|&&vertex| vertex != first && vertex != other);
    others.all(|&vertex| crate::exact::is_flat(&point(first), &point(other), &point(vertex)))
}

fn doubled(positions: &[Vector3<f64>]) -> Vec<[u32; 2]> {
    let mut order: Vec<([u64; 3], u32)> = positions.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    let same = order.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let mut pairs: Vec<[u32; 2]> = same.map(|pair| [pair[0].1, pair[1].1]).collect();
    pairs.sort_unstable();
    pairs
}
