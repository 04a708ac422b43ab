//! The surface of a tetrahedral mesh: the faces that one tet alone owns, pointing outward.

use super::{TetMesh, TriMesh};

/// The faces of a positive tet (0, 1, 2, 3), each counter-clockwise from outside; face f lies opposite node f.
pub(super) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The surface in terms of the solid's node indices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boundary {
    /// Outward triangles, in the order of their tets and of the faces in each.
    pub triangles: Vec<[u32; 3]>,
    /// Each edge of the triangles once, lower node first, ascending.
    pub edges: Vec<[u32; 2]>,
    /// Each node of the triangles once, ascending.
    pub nodes: Vec<u32>,
}

/// A face of a tet: its nodes ascending, then the tet, then the face in it.
pub(super) type FaceRecord = ([u32; 3], u32, u8);

/// All faces, equal ones side by side. Sorting instead of hashing keeps the order the same on every machine.
pub(super) fn sorted_faces(tets: &[[u32; 4]]) -> Vec<FaceRecord> {
    let mut faces: Vec<FaceRecord> = Vec::with_capacity(4 * tets.len());
    for (t, tet) in tets.iter().enumerate() {
        for (f, face) in FACES.iter().enumerate() {
            let mut key = face.map(|k| tet[k]);
            key.sort_unstable();
            faces.push((key, t as u32, f as u8));
        }
    }
    faces.sort_unstable();
    faces
}

/// Each edge of the triangles once, lower node first, ascending.
pub fn unique_edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].map(|[a, b]| [a.min(b), a.max(b)]);
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(sides).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

impl TetMesh {
    /// The outward surface; its triangles point outward where the tets are positive.
    pub fn boundary(&self) -> Boundary {
        let faces = sorted_faces(&self.tets);
        let mut alone: Vec<(u32, u8)> =
            faces.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() == 1).map(|run| (run[0].1, run[0].2)).collect();
        alone.sort_unstable();
        let outward = |&(t, f): &(u32, u8)| FACES[f as usize].map(|k| self.tets[t as usize][k]);
        let triangles: Vec<[u32; 3]> = alone.iter().map(outward).collect();
        let mut nodes = triangles.as_flattened().to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        Boundary { edges: unique_edges(&triangles), triangles, nodes }
    }

    /// The surface as a mesh of its own, its nodes in the solid's order.
    pub fn surface(&self) -> TriMesh {
        let mut mesh = TriMesh { positions: self.positions.clone(), triangles: self.boundary().triangles };
        mesh.remove_isolated();
        mesh
    }
}
