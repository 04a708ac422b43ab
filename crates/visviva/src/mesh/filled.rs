//! A closed surface filled with tets, which it rides on. What was filled before is kept by its content.

use super::{Ride, Skin, TetMesh, TriMesh, solid_cache};
use nalgebra::Vector3;
use visviva_shapes::field::TriangleField;
use visviva_shapes::models::Model;
use visviva_shapes::stuffing::{self, Grading, StuffingError};
use visviva_shapes::{Field, Losses, PolygonMesh, Solid, embed};

/// A solid, and where the vertices of the surface are in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    pub mesh: TetMesh,
    pub rides: Vec<Ride>,
    /// What of the surface is too thin for the cells
    pub losses: Option<Losses>,
    /// Of what the surface encloses
    pub volume_part: f64,
}

/// Cells double in size so many times towards the inside of a graded solid.
const DOUBLINGS: u32 = 3;

/// Fills a closed surface with tets over cells of this edge `[m]`.
pub fn fill(surface: &TriMesh, cell: f64, graded: bool) -> Result<Filled, StuffingError> {
    let field = TriangleField::new(&surface.positions, &surface.triangles);
    let key = solid_cache::key(surface, cell, graded);
    let solid = match solid_cache::read(key) {
        Some(solid) => solid,
        None => {
            let solid = stuff(&field, cell, graded)?;
            solid_cache::keep(key, &solid);
            solid
        }
    };
    let rides = rides(&solid, &surface.positions);
    let losses = Losses::of(&solid, &field, cell);
    let volume_part = solid.volume() / field.volume().abs();
    Ok(Filled { mesh: solid.into(), rides, losses, volume_part })
}

/// A model that comes with the program, and its finer skin, to be shown on it.
pub fn fill_model(
    model: &Model,
    skin: PolygonMesh,
    cell: f64,
    graded: bool,
) -> Result<(TetMesh, Skin, Option<Losses>), StuffingError> {
    let solid = stuff(model, cell, graded)?;
    let losses = Losses::of(&solid, &TriangleField::new(&skin.positions, &skin.triangulate().triangles), cell);
    let rides = rides(&solid, &skin.positions);
    Ok((solid.into(), Skin::new(skin, rides), losses))
}

fn rides(solid: &Solid, points: &[Vector3<f64>]) -> Vec<Ride> {
    embed(solid, points).into_iter().map(|point| Ride { vertices: point.nodes, weights: point.weights }).collect()
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
