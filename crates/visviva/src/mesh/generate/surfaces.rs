//! Closed outward surfaces of a few triangles, for bodies that have no inside to deform: box, open box and torus.

use super::{check_at_least, check_positive, check_triangle_count};
use crate::mesh::{MeshError, TriMesh};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// A box of `size` `[m]`: 8 nodes, 12 triangles.
pub fn box_surface(size: Vector3<f64>) -> Result<TriMesh, MeshError> {
    check_positive(&[
        ("the box's size in x", size.x),
        ("the box's size in y", size.y),
        ("the box's size in z", size.z),
    ])?;
    // Bit k of a corner says which end of axis k.
    let corner = |c: usize| Vector3::from_fn(|k, _| if c >> k & 1 == 1 { 0.5 } else { -0.5 } * size[k]);
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Ok(TriMesh {
        positions: (0..8).map(corner).collect(),
        triangles: sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    })
}

/// A container without a lid, walls and bottom `thickness` thick `[m]`; `size` is its inside `[m]`, centred on x = y = 0 with its
/// bottom at z = 0. 16 nodes, 28 triangles.
pub fn open_box(size: Vector3<f64>, thickness: f64) -> Result<TriMesh, MeshError> {
    check_positive(&[
        ("the open box's size in x", size.x),
        ("the open box's size in y", size.y),
        ("the open box's size in z", size.z),
        ("the open box's thickness", thickness),
    ])?;
    // Four corners each, counter-clockwise seen from above: outside below and above, inside below and above.
    let square = |wall: f64, z: f64| {
        let (x, y) = (0.5 * size.x + wall, 0.5 * size.y + wall);
        [[-x, -y], [x, -y], [x, y], [-x, y]].map(|[x, y]| Vector3::new(x, y, z))
    };
    let squares = [square(thickness, -thickness), square(thickness, size.z), square(0.0, 0.0), square(0.0, size.z)];
    let sides = (0..4u32).flat_map(|k| {
        let next = (k + 1) % 4;
        let [outer, rim, inner] = [[0, 4], [4, 12], [12, 8]].map(|[a, b]| [a + k, a + next, b + next, b + k]);
        [outer, rim, inner]
    });
    let quads = sides.chain([[0, 3, 2, 1], [8, 9, 10, 11]]);
    Ok(TriMesh {
        positions: squares.concat(),
        triangles: quads.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    })
}

/// A torus about z: the tube's centre at `major` and its radius `minor` `[m]`, `segments` around the hole and `sides` around
/// the tube: segments·sides nodes, all on the torus, and twice as many triangles.
pub fn torus_surface(major: f64, minor: f64, segments: usize, sides: usize) -> Result<TriMesh, MeshError> {
    check_positive(&[("the torus's minor radius", minor), ("the torus's hole", major - minor)])?;
    check_at_least(&[("the torus's segments", segments, 3), ("the torus's sides", sides, 3)])?;
    check_triangle_count(&[2, segments, sides])?;
    let mut mesh = TriMesh::default();
    for i in 0..segments {
        let (sin, cos) = (TAU * i as f64 / segments as f64).sin_cos();
        for j in 0..sides {
            let (up, out) = (TAU * j as f64 / sides as f64).sin_cos();
            let reach = major + minor * out;
            mesh.positions.push(Vector3::new(reach * cos, reach * sin, minor * up));
        }
    }
    for i in 0..segments {
        for j in 0..sides {
            let node = |i: usize, j: usize| (i % segments * sides + j % sides) as u32;
            let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Ok(mesh)
}
