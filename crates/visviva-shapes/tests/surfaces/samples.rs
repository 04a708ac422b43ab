//! Small surfaces that the tests begin from.

use nalgebra::Vector3;
use visviva_shapes::{PolygonMesh, Polygons};

/// Six vertices and eight triangles around the origin, with coordinates that single precision holds.
pub fn octahedron() -> PolygonMesh {
    let tips = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let positions = tips.map(|tip: [i8; 3]| Vector3::from(tip.map(f64::from)));
    PolygonMesh { positions: positions.to_vec(), polygons: faces.into_iter().collect(), ..PolygonMesh::default() }
}

/// Six squares around the unit cube.
pub fn cube() -> PolygonMesh {
    let corner = |k: usize| Vector3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
    let mut polygons = Polygons::default();
    for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        polygons.push(&face);
    }
    PolygonMesh { positions: (0..8).map(corner).collect(), polygons, ..PolygonMesh::default() }
}

pub fn moved(mut mesh: PolygonMesh, by: [f64; 3]) -> PolygonMesh {
    mesh.positions.iter_mut().for_each(|x| *x += Vector3::from(by));
    mesh
}

/// Without some faces.
pub fn without(mut mesh: PolygonMesh, faces: &[usize]) -> PolygonMesh {
    let mut left = Polygons::default();
    (0..)
        .zip(mesh.polygons.iter())
        .filter(|(face, _)| !faces.contains(face))
        .for_each(|(_, corners)| left.push(corners));
    mesh.polygons = left;
    mesh
}

/// Both in one surface.
pub fn joined(first: &PolygonMesh, second: &PolygonMesh) -> PolygonMesh {
    let mut both = first.clone();
    both.positions.extend(&second.positions);
    for corners in second.polygons.iter() {
        both.polygons.push(&corners.iter().map(|vertex| vertex + first.positions.len() as u32).collect::<Vec<_>>());
    }
    both
}
