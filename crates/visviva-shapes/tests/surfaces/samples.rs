//! Small surfaces that the tests begin from.

use nalgebra::Vector3;
use visviva_shapes::PolygonMesh;

/// Six vertices and eight triangles around the origin, with coordinates that single precision holds.
pub fn octahedron() -> PolygonMesh {
    let tips = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let positions = tips.map(|tip: [i8; 3]| Vector3::from(tip.map(f64::from)));
    PolygonMesh { positions: positions.to_vec(), polygons: faces.into_iter().collect(), ..PolygonMesh::default() }
}
