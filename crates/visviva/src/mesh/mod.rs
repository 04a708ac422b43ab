//! Shapes: tetrahedral and triangle meshes, their boundaries, checks, quality, generators and file formats.

mod any_mesh;
mod boundary;
mod clean_surface;
mod coincident;
mod error;
mod filled;
pub mod formats;
pub mod generate;
mod hinges;
mod parts;
mod pinches;
mod quality;
mod skin;
mod solid_cache;
mod solid_moments;
mod solid_surface;
mod transform;
mod validate;
mod wires;

pub use any_mesh::Mesh;
pub use boundary::{Boundary, unique_edges};
pub use clean_surface::CleanSurface;
pub use coincident::coincident;
pub use error::{FirstFew, MeshError, Place, Warning};
pub use filled::{Filled, fill, fill_model};
pub use formats::{
    Content, Loaded, load_content, load_mesh, load_polygons, load_tet_mesh, load_tri_mesh, load_wired_surface,
    write_mesh,
};
pub use hinges::{hinges, rim_edges};
pub use pinches::Pinches;
pub use quality::Quality;
pub use skin::{Ride, Skin};
pub use solid_moments::SolidMoments;
pub(crate) use validate::check_finite;
pub use wires::WiredSurface;

use nalgebra::Vector3;

/// A solid cut into tetrahedra. A tet (a, b, c, d) is positive when (b−a)·((c−a)×(d−a)) > 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TetMesh {
    /// Node positions `[m]`.
    pub positions: Vec<Vector3<f64>>,
    /// Four node indices each.
    pub tets: Vec<[u32; 4]>,
}

/// A surface cut into triangles, counter-clockwise seen from outside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TriMesh {
    /// Node positions `[m]`.
    pub positions: Vec<Vector3<f64>>,
    /// Three node indices each.
    pub triangles: Vec<[u32; 3]>,
}

impl TetMesh {
    /// The corners of tet `t`; panics when the mesh was never validated and an index lies outside.
    pub fn corners(&self, t: usize) -> [Vector3<f64>; 4] {
        self.tets[t].map(|i| self.positions[i as usize])
    }

    /// The signed volume of tet `t` `[m³]`.
    pub fn tet_volume(&self, t: usize) -> f64 {
        signed_volume(&self.corners(t))
    }

    /// The total volume `[m³]`.
    pub fn volume(&self) -> f64 {
        (0..self.tets.len()).map(|t| self.tet_volume(t)).sum()
    }
}

/// V = (b−a)·((c−a)×(d−a)) / 6.
pub fn signed_volume(x: &[Vector3<f64>; 4]) -> f64 {
    (x[1] - x[0]).dot(&(x[2] - x[0]).cross(&(x[3] - x[0]))) / 6.0
}
