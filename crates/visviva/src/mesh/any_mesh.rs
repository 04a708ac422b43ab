//! A mesh of either kind: the tets of a solid, or a surface of triangles.

use super::quality::bounds;
use super::{MeshError, TetMesh, TriMesh};
use nalgebra::Vector3;

/// What a shape or a file gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Mesh {
    Tets(TetMesh),
    Surface(TriMesh),
}

impl Mesh {
    /// Of the nodes `[m]`
    pub fn positions(&self) -> &[Vector3<f64>] {
        match self {
            Mesh::Tets(mesh) => &mesh.positions,
            Mesh::Surface(mesh) => &mesh.positions,
        }
    }

    /// Of the nodes `[m]`
    pub fn positions_mut(&mut self) -> &mut [Vector3<f64>] {
        match self {
            Mesh::Tets(mesh) => &mut mesh.positions,
            Mesh::Surface(mesh) => &mut mesh.positions,
        }
    }

    /// Tets, or triangles of a surface
    pub fn element_count(&self) -> usize {
        match self {
            Mesh::Tets(mesh) => mesh.tets.len(),
            Mesh::Surface(mesh) => mesh.triangles.len(),
        }
    }

    /// On the surface
    pub fn triangle_count(&self) -> usize {
        match self {
            Mesh::Tets(mesh) => mesh.boundary().triangles.len(),
            Mesh::Surface(mesh) => mesh.triangles.len(),
        }
    }

    /// Lowest and highest coordinates `[m]`
    pub fn bounds(&self) -> [Vector3<f64>; 2] {
        bounds(self.positions())
    }

    /// Scales each axis; a mirroring scale keeps what is outside outside.
    pub fn scale(&mut self, factors: Vector3<f64>) -> Result<(), MeshError> {
        match self {
            Mesh::Tets(mesh) => mesh.scale(factors),
            Mesh::Surface(mesh) => mesh.scale(factors),
        }
    }

    /// Rotates by `angle` `[rad]` about `axis` through the origin.
    pub fn rotate(&mut self, axis: Vector3<f64>, angle: f64) -> Result<(), MeshError> {
        match self {
            Mesh::Tets(mesh) => mesh.rotate(axis, angle),
            Mesh::Surface(mesh) => mesh.rotate(axis, angle),
        }
    }

    /// Shifts by `shift` `[m]`.
    pub fn translate(&mut self, shift: Vector3<f64>) -> Result<(), MeshError> {
        match self {
            Mesh::Tets(mesh) => mesh.translate(shift),
            Mesh::Surface(mesh) => mesh.translate(shift),
        }
    }
}

impl From<TetMesh> for Mesh {
    fn from(mesh: TetMesh) -> Self {
        Self::Tets(mesh)
    }
}

impl From<TriMesh> for Mesh {
    fn from(mesh: TriMesh) -> Self {
        Self::Surface(mesh)
    }
}
