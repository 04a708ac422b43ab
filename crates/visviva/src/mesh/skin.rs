//! The surface that a user gave, riding on the mesh that is simulated: it is what pictures and exports show.

use super::TriMesh;
use serde::{Deserialize, Serialize};
use visviva_shapes::{PolygonMesh, Polygons, Uvs};

/// Polygons with everything that came with them; their vertices hang on those of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Skin {
    pub polygons: Polygons,
    pub uvs: Option<Uvs>,
    /// Names that `material_of` counts
    pub materials: Vec<String>,
    /// Of each polygon; empty where the surface has no materials
    pub material_of: Vec<u32>,
    /// Where each vertex is
    pub rides: Vec<Ride>,
}

/// A point Σ w x of four vertices; the weights add up to one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Ride {
    pub vertices: [u32; 4],
    pub weights: [f64; 4],
}

impl From<TriMesh> for PolygonMesh {
    fn from(mesh: TriMesh) -> Self {
        let polygons = mesh.triangles.into_iter().collect();
        Self { positions: mesh.positions, polygons, ..Self::default() }
    }
}

impl Ride {
    /// On one vertex alone.
    pub fn on(vertex: u32) -> Self {
        Self { vertices: [vertex; 4], weights: [1.0, 0.0, 0.0, 0.0] }
    }

    /// The point, or whatever else is known of the vertices.
    pub fn of(&self, values: &[[f64; 3]]) -> [f64; 3] {
        if self.weights[0] == 1.0 {
            return values[self.vertices[0] as usize];
        }
        std::array::from_fn(|axis| self.sum(|vertex| values[vertex][axis]))
    }

    /// Σ w f of a number that each vertex has.
    pub fn sum(&self, value: impl Fn(usize) -> f64) -> f64 {
        self.vertices.iter().zip(self.weights).map(|(&vertex, weight)| weight * value(vertex as usize)).sum()
    }

    /// On vertices whose numbers begin later.
    pub fn shifted(&self, first: u32) -> Self {
        Self { vertices: self.vertices.map(|vertex| vertex + first), ..*self }
    }
}

impl Skin {
    /// Shows a surface in place of the one its vertices hang on.
    pub fn new(shown: PolygonMesh, rides: Vec<Ride>) -> Self {
        let PolygonMesh { polygons, uvs, materials, material_of, .. } = shown;
        Self { polygons, uvs, materials, material_of, rides }
    }

    /// Whether it is no more than the surface it rides on.
    pub fn shows_only(&self, surface: &TriMesh) -> bool {
        let has_own = |(vertex, ride): (u32, &Ride)| *ride == Ride::on(vertex);
        self.uvs.is_none()
            && self.materials.is_empty()
            && self.rides.len() == surface.positions.len()
            && (0..).zip(&self.rides).all(has_own)
            && self.polygons.iter().eq(surface.triangles.iter().map(|triangle| triangle.as_slice()))
    }

    /// Whether another shows the same in the same place, up to what another machine's rounding does to weights.
    pub fn is_like(&self, other: &Self) -> bool {
        let near = |a: &Ride, b: &Ride| {
            a.vertices == b.vertices && a.weights.iter().zip(b.weights).all(|(a, b)| (a - b).abs() <= 1e-9)
        };
        self.polygons == other.polygons
            && self.uvs == other.uvs
            && (&self.materials, &self.material_of) == (&other.materials, &other.material_of)
            && self.rides.len() == other.rides.len()
            && self.rides.iter().zip(&other.rides).all(|(a, b)| near(a, b))
    }

    /// Turns every polygon round: what a mirror does to a surface whose outside shall stay outside.
    pub fn mirror(&mut self) {
        for polygon in 0..self.polygons.len() {
            let corners = self.polygons.range(polygon);
            if let Some(uvs) = &mut self.uvs {
                uvs.of_corner[corners.clone()].reverse();
            }
            self.polygons.corners[corners].reverse();
        }
    }

    /// What makes its parts contradict each other, on a body of so many vertices.
    pub fn contradiction(&self, vertex_count: usize) -> Option<String> {
        let outside = |indices: &[u32], count: usize| indices.iter().any(|&index| index as usize >= count);
        let corners = self.polygons.corners.len();
        let ends = &self.polygons.ends;
        let ends_fit = ends.is_sorted() && ends.last().map_or(0, |&end| end as usize) == corners;
        let uvs_fit = |uvs: &Uvs| uvs.of_corner.len() == corners && !outside(&uvs.of_corner, uvs.values.len());
        let materials_fit = self.material_of.is_empty() || self.material_of.len() == self.polygons.len();
        let wrong = match () {
            _ if !ends_fit => "polygons do not end where their corners do",
            _ if outside(&self.polygons.corners, self.rides.len()) => "a polygon has a corner that is no vertex",
            _ if self.rides.iter().any(|ride| outside(&ride.vertices, vertex_count)) => {
                "a vertex hangs on none of its body"
            }
            _ if !self.uvs.as_ref().is_none_or(uvs_fit) => "a corner has no texture coordinate",
            _ if !materials_fit || outside(&self.material_of, self.materials.len()) => "a polygon has no material",
            _ => return None,
        };
        Some(wrong.to_owned())
    }
}
