//! What is seen of each body: the polygons that its file had, or else its own triangles.

use super::run_mesh::{RunBody, RunMesh};
use crate::mesh::{Ride, Skin};
use visviva_shapes::{PolygonMesh, Polygons, Uvs};

/// One body as a user knows it, in a numbering of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownBody {
    pub name: String,
    /// `solid`, `shell`, `affine` or `obstacle`
    pub kind: String,
    pub material: String,
    pub polygons: Polygons,
    pub uvs: Option<Uvs>,
    /// Names that `material_of` counts
    pub materials: Vec<String>,
    /// Of each polygon; empty where the file had no materials
    pub material_of: Vec<u32>,
    /// Edges that belong to no polygon
    pub wires: Vec<[u32; 2]>,
    /// Where its points are, in the run's numbering of vertices
    pub rides: Vec<Ride>,
}

impl ShownBody {
    /// Its points, or their velocities, where those of all vertices are given.
    pub fn at(&self, vertices: &[[f64; 3]]) -> Vec<[f64; 3]> {
        self.rides.iter().map(|ride| ride.of(vertices)).collect()
    }

    /// Its polygons cut into triangles, by their shape at rest.
    pub fn triangles(&self, rest: &[[f64; 3]]) -> Vec<[u32; 3]> {
        let positions = self.rides.iter().map(|ride| ride.of(rest).into()).collect();
        let polygons = self.polygons.clone();
        PolygonMesh { positions, polygons, ..PolygonMesh::default() }.triangulate().triangles
    }

    /// What each of its points has of a number that all vertices have.
    pub fn numbers(&self, of_vertices: &[f64]) -> Vec<f64> {
        self.rides.iter().map(|ride| ride.sum(|vertex| of_vertices[vertex])).collect()
    }
}

impl RunMesh {
    /// All bodies and obstacles, in their order.
    pub fn shown(&self) -> Vec<ShownBody> {
        let shown = |(index, body)| self.shown_body(body, self.skin_of(index));
        self.bodies.iter().enumerate().map(shown).collect()
    }

    /// The same, of what is simulated: surfaces that only ride on it are left out.
    pub fn simulated(&self) -> Vec<ShownBody> {
        self.bodies.iter().map(|body| self.shown_body(body, None)).collect()
    }

    fn shown_body(&self, body: &RunBody, skin: Option<&Skin>) -> ShownBody {
        let shown = |polygons, rides| ShownBody {
            name: body.name.clone(),
            kind: body.kind.clone(),
            material: body.material.clone(),
            polygons,
            uvs: None,
            materials: Vec::new(),
            material_of: Vec::new(),
            wires: Vec::new(),
            rides,
        };
        let first = body.vertices[0] as u32;
        match skin {
            Some(Skin { polygons, uvs, materials, material_of, rides }) => ShownBody {
                uvs: uvs.clone(),
                materials: materials.clone(),
                material_of: material_of.clone(),
                ..shown(polygons.clone(), rides.iter().map(|ride| ride.shifted(first)).collect())
            },
            None => {
                let (triangles, wires) = (&self.triangles[body.triangle_range()], &self.wires[body.wire_range()]);
                // Vertices inside a solid belong to no face and are left out.
                let mut used: Vec<u32> = triangles.as_flattened().iter().chain(wires.as_flattened()).copied().collect();
                used.sort_unstable();
                used.dedup();
                let own = |vertex: u32| used.partition_point(|&other| other < vertex) as u32;
                let polygons = triangles.iter().map(|triangle| triangle.map(own)).collect();
                let wires = wires.iter().map(|wire| wire.map(own)).collect();
                ShownBody { wires, ..shown(polygons, used.iter().map(|&vertex| Ride::on(vertex)).collect()) }
            }
        }
    }

    /// What is shown of a body in place of its triangles.
    pub fn skin_of(&self, body: usize) -> Option<&Skin> {
        self.skins.get(body).and_then(Option::as_ref)
    }
}
