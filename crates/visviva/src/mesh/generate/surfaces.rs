//! Closed outward surfaces of a few triangles, for bodies that have no inside to deform: box, torus, chain link.

use super::{check_at_least, check_positive, check_triangle_count};
use crate::mesh::{MeshError, TriMesh};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// A box of `size` [m]: 8 nodes, 12 triangles.
pub fn box_surface(size: Vector3<f64>) -> Result<TriMesh, MeshError> {
    check_positive(&[
        ("the box's size in x", size.x),
        ("the box's size in y", size.y),
        ("the box's size in z", size.z),
    ])?;
    // Bit k of a corner says which end of axis k.
    let end = |corner: u32, axis: u32| if corner >> axis & 1 == 1 { 0.5 } else { -0.5 };
    let corner = |c: u32| Vector3::new(end(c, 0), end(c, 1), end(c, 2)).component_mul(&size);
    let faces = [[1, 3, 7, 5], [0, 4, 6, 2], [2, 6, 7, 3], [0, 1, 5, 4], [4, 5, 7, 6], [0, 2, 3, 1]];
    Ok(TriMesh {
        positions: (0..8).map(corner).collect(),
        triangles: faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    })
}

/// A torus about z: the tube's centre at `major` and its radius `minor` [m], `segments` around the hole and `sides` around
/// the tube: segments·sides nodes, all on the torus, and twice as many triangles.
pub fn torus_surface(major: f64, minor: f64, segments: usize, sides: usize) -> Result<TriMesh, MeshError> {
    check_ring(major, minor, segments, sides)?;
    let stations = (0..segments).map(|i| (TAU * i as f64 / segments as f64, 0.0));
    Ok(ring(stations, major, minor, sides))
}

/// A chain link: a torus cut in two and drawn apart by `straight` [m] along x. `segments` count both bends together and
/// are rounded up to an even number; the straight parts are one segment each.
pub fn link_surface(
    straight: f64,
    major: f64,
    minor: f64,
    segments: usize,
    sides: usize,
) -> Result<TriMesh, MeshError> {
    check_positive(&[("the link's straight part", straight)])?;
    check_ring(major, minor, segments, sides)?;
    let half = segments.div_ceil(2);
    // From −90° to 90° at the far end, then on to 270° at the near one.
    let bend = |end: f64| (0..=half).map(move |i| (TAU * (0.5 * i as f64 / half as f64 - 0.25 * end), end));
    let stations = bend(1.0).chain(bend(-1.0)).map(|(angle, end)| (angle, 0.5 * straight * end));
    Ok(ring(stations, major, minor, sides))
}

fn check_ring(major: f64, minor: f64, segments: usize, sides: usize) -> Result<(), MeshError> {
    check_positive(&[("the torus's minor radius", minor), ("the torus's hole", major - minor)])?;
    check_at_least(&[("the torus's segments", segments, 3), ("the torus's sides", sides, 3)])?;
    check_triangle_count(&[2, segments, sides])
}

/// A tube through stations (angle about z, shift along x), in order around the hole.
fn ring(stations: impl Iterator<Item = (f64, f64)>, major: f64, minor: f64, sides: usize) -> TriMesh {
    let mut mesh = TriMesh::default();
    for (angle, shift) in stations {
        let (sin, cos) = angle.sin_cos();
        for j in 0..sides {
            let (up, out) = (TAU * j as f64 / sides as f64).sin_cos();
            let reach = major + minor * out;
            mesh.positions.push(Vector3::new(reach * cos + shift, reach * sin, minor * up));
        }
    }
    let count = mesh.positions.len() / sides;
    for i in 0..count {
        for j in 0..sides {
            let node = |i: usize, j: usize| (i % count * sides + j % sides) as u32;
            let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}
