//! A box of equal cells, each cut into six tets around its main diagonal (Kuhn 1960), so that neighbours' faces match.

use super::{check_at_least, check_positive, check_tet_count};
use crate::mesh::{MeshError, TetMesh};
use nalgebra::Vector3;

/// The orders in which a path from a cell's low corner to its high one takes the axes, the even permutations first.
const PATHS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

/// A box of `size` `[m]` with `cells` along x, y, z: (nx+1)(ny+1)(nz+1) nodes, x running fastest, and 6 nx ny nz tets.
pub fn cuboid(size: Vector3<f64>, cells: [usize; 3]) -> Result<TetMesh, MeshError> {
    check_positive(&[
        ("the box's size in x", size.x),
        ("the box's size in y", size.y),
        ("the box's size in z", size.z),
    ])?;
    check_at_least(&[("cells along x", cells[0], 1), ("cells along y", cells[1], 1), ("cells along z", cells[2], 1)])?;
    check_tet_count(&[6, cells[0], cells[1], cells[2]])?;
    let stride = [1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)];
    let mut mesh = TetMesh::default();
    for k in 0..=cells[2] {
        for j in 0..=cells[1] {
            for i in 0..=cells[0] {
                // Fractions that are exactly ±½ at the ends and mirror each other bit for bit.
                let fraction = |index: usize, n: usize| (2.0 * index as f64 - n as f64) / (2.0 * n as f64);
                let at = Vector3::new(fraction(i, cells[0]), fraction(j, cells[1]), fraction(k, cells[2]));
                mesh.positions.push(at.component_mul(&size));
            }
        }
    }
    for k in 0..cells[2] {
        for j in 0..cells[1] {
            for i in 0..cells[0] {
                let a = i * stride[0] + j * stride[1] + k * stride[2];
                for (p, path) in PATHS.iter().enumerate() {
                    let b = a + stride[path[0]];
                    let c = b + stride[path[1]];
                    let d = c + stride[path[2]];
                    // An odd path turns the other way.
                    let tet = if p < 3 { [a, b, c, d] } else { [a, c, b, d] };
                    mesh.tets.push(tet.map(|node| node as u32));
                }
            }
        }
    }
    Ok(mesh)
}
