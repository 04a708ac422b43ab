//! A closed surface filled with tets, which it rides on. What was filled before is kept by its content.

use super::{Ride, TetMesh, TriMesh, solid_cache};
use visviva_shapes::field::TriangleField;
use visviva_shapes::stuffing::{self, Grading, StuffingError};
use visviva_shapes::{Field, Solid, embed};

/// A solid, and where the vertices of the surface are in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    pub mesh: TetMesh,
    pub rides: Vec<Ride>,
}

/// Cells double in size so many times towards the inside of a graded solid.
const DOUBLINGS: u32 = 3;

/// Fills a closed surface with tets over cells of this edge `[m]`.
pub fn fill(surface: &TriMesh, cell: f64, graded: bool) -> Result<Filled, StuffingError> {
    let key = solid_cache::key(surface, cell, graded);
    let solid = match solid_cache::read(key) {
        Some(solid) => solid,
        None => {
            let solid = stuff(&TriangleField::new(&surface.positions, &surface.triangles), cell, graded)?;
            solid_cache::keep(key, &solid);
            solid
        }
    };
    let ride = |embedded: visviva_shapes::Embedded| Ride { vertices: embedded.nodes, weights: embedded.weights };
    let rides = embed(&solid, &surface.positions).into_iter().map(ride).collect();
    Ok(Filled { mesh: solid.into(), rides })
}

/// The same for a shape that is given by its distance.
pub fn fill_field(field: &dyn Field, cell: f64, graded: bool) -> Result<TetMesh, StuffingError> {
    stuff(field, cell, graded).map(TetMesh::from)
}

fn stuff(field: &dyn Field, cell: f64, graded: bool) -> Result<Solid, StuffingError> {
    let grading = if graded { Grading::Graded { doublings: DOUBLINGS } } else { Grading::Uniform };
    stuffing::stuff(field, cell, grading)
}

impl From<Solid> for TetMesh {
    fn from(solid: Solid) -> Self {
        Self { positions: solid.positions, tets: solid.tets }
    }
}
