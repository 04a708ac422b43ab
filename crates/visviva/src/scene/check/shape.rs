//! What is doubtful about a body's mesh, though a run can begin from it: slivers, pinches, cuts, and a place far away.

use crate::mesh::{Mesh, Pinches, TriMesh, coincident};
use crate::readable::length;
use nalgebra::Vector3;

/// Dihedral angles below this and above 180° less it are slivers' `[degrees]`
const SHARP: f64 = 1.0;
/// … and triangles lower than this part of their longest side
const LOW: f64 = 5e-3;
/// As many sizes away from the origin, coordinates keep ten of their sixteen digits for the body
const FAR: f64 = 1e5;

/// Of a body in its place.
pub fn shape(mesh: &Mesh) -> Vec<String> {
    let mut doubts = Vec::new();
    doubts.extend(far(mesh));
    match mesh {
        Mesh::Tets(tets) => {
            let quality = tets.quality();
            let (least, most) = (quality.min_dihedral, quality.max_dihedral);
            let worst = if least.0 < 180.0 - most.0 { least } else { most };
            if worst.0 < SHARP || worst.0 > 180.0 - SHARP {
                let place = show(&(tets.corners(worst.1).iter().sum::<Vector3<f64>>() / 4.0));
                doubts.push(format!(
                    "tet {} at {place} is a sliver: two of its faces meet at {:.2}°; solves will be slow and inexact there: remesh",
                    worst.1, worst.0
                ));
            }
            doubts.extend(pinches(&tets.boundary().triangles, &tets.positions));
        }
        Mesh::Surface(surface) => {
            doubts.extend(sliver(surface));
            doubts.extend(pinches(&surface.triangles, &surface.positions));
        }
    }
    doubts
}

/// Nodes of a solid at one point, of which there must be none where it watches itself.
pub fn cut(mesh: &Mesh) -> Option<String> {
    let pairs = coincident(mesh.positions());
    let [a, b] = *pairs.first()?;
    let place = show(&mesh.positions()[a]);
    Some(format!(
        "nodes {a} and {b} lie at the same point {place} ({} such pairs in all), so it is cut there: merge them (in Gmsh: Coherence \
         Mesh)",
        pairs.len()
    ))
}

fn far(mesh: &Mesh) -> Option<String> {
    let [low, high] = mesh.bounds();
    let (away, size) = (low.amax().max(high.amax()), (high - low).norm());
    (away > FAR * size).then(|| {
        format!(
            "it is {} large and {} away from the origin: its shape and energies lose digits to the distance; move the scene to the \
             origin",
            length(size),
            length(away)
        )
    })
}

fn sliver(surface: &TriMesh) -> Option<String> {
    let (triangle, [height, side]) = surface.flattest()?;
    (height < LOW * side).then(|| {
        let place = show(&(surface.corners(triangle).iter().sum::<Vector3<f64>>() / 3.0));
        let (height, side) = (length(height), length(side));
        format!("triangle {triangle} at {place} is a sliver: {height} high over a side of {side}; solves will be slow there: remesh")
    })
}

fn pinches(triangles: &[[u32; 3]], positions: &[Vector3<f64>]) -> Vec<String> {
    let found = Pinches::of(triangles, positions.len());
    let mut doubts = Vec::new();
    if let Some([a, b]) = found.edges.first() {
        let (place, count) = (show(&positions[*a as usize]), found.edges.len());
        doubts.push(format!(
            "more than two triangles of its surface meet at the edge from node {a} to {b} at {place} ({count} such edges in all): \
             parts hang together by a line there, as by a hinge"
        ));
    }
    if let Some(node) = found.vertices.first() {
        let (place, count) = (show(&positions[*node as usize]), found.vertices.len());
        doubts.push(format!(
            "its surface is pinched at node {node} at {place} ({count} such nodes in all): parts hang together by a point there"
        ));
    }
    doubts
}

fn show(p: &Vector3<f64>) -> String {
    format!("({:.4}, {:.4}, {:.4})", p.x, p.y, p.z)
}
