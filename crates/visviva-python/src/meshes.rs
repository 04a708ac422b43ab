//! Meshes that Python gives as arrays: vertices, and triangles or tets.

use crate::arrays;
use crate::error::refused;
use nalgebra::Vector3;
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use visviva::mesh::{Mesh, TetMesh, TriMesh};

/// Vertices [m] and cells of three or four corners each.
#[derive(FromPyObject)]
pub struct MeshArrays<'py>(PyReadonlyArray2<'py, f64>, PyReadonlyArray2<'py, i64>);

impl MeshArrays<'_> {
    pub fn mesh(&self, what: &str) -> PyResult<Mesh> {
        let Self(vertices, cells) = self;
        let count = vertices.shape()[0];
        let flat = arrays::vectors(vertices, count, &format!("{what}: vertices"))?;
        let positions: Vec<_> = flat.chunks_exact(3).map(Vector3::from_column_slice).collect();
        match cells.shape()[1] {
            3 => Ok(TriMesh { positions, triangles: self.corners(count, what)? }.into()),
            4 => Ok(TetMesh { positions, tets: self.corners(count, what)? }.into()),
            corners => Err(refused(format!("{what}: cells of {corners} corners; triangles have 3 and tets 4"))),
        }
    }

    fn corners<const N: usize>(&self, count: usize, what: &str) -> PyResult<Vec<[u32; N]>> {
        let corner = |(cell, &vertex): (usize, &i64)| match u32::try_from(vertex) {
            Ok(known) if (known as usize) < count => Ok(known),
            _ => Err(refused(format!("{what}: cell {} names vertex {vertex}, and there are {count}", cell / N))),
        };
        let flat = self.1.as_array().iter().enumerate().map(corner).collect::<PyResult<Vec<u32>>>()?;
        Ok(flat.as_chunks::<N>().0.to_vec())
    }
}
