//! A table of parts as one distance field.

use super::Blueprint;
use crate::PolygonMesh;
use crate::field::{Field, smooth_max, smooth_min, tight_bounds};
use crate::stuffing::{Grading, StuffingError, stuff};
use nalgebra::Vector3;
use std::collections::HashMap;
use std::fmt;

/// Only the boundary of what is filled for a skin is wanted: inside, cells are large.
const SKIN_DOUBLINGS: u32 = 3;

pub struct Model {
    pub blueprint: &'static Blueprint,
    pieces: Vec<Piece>,
    bounds: [Vector3<f64>; 2],
}

/// A part on one side.
struct Piece {
    field: Box<dyn Field + Send>,
    blend: f64,
    carves: bool,
    /// Of a ball about it
    centre: Vector3<f64>,
    radius: f64,
}

impl Model {
    pub(super) fn new(blueprint: &'static Blueprint) -> Self {
        let sides = blueprint.parts.iter().flat_map(|part| {
            let sides: &[bool] = if part.paired { &[false, true] } else { &[false] };
            sides.iter().map(move |&other_side| (part, part.field(other_side)))
        });
        let pieces: Vec<Piece> = sides
            .map(|(part, field)| {
                let [low, high] = field.bounds();
                let (centre, radius) = ((low + high) / 2.0, (high - low).norm() / 2.0);
                Piece { field, blend: part.blend, carves: part.carves, centre, radius }
            })
            .collect();
        // Each blend fills a sixth of its radius at most, on top of those before it.
        let filled = pieces.iter().map(|piece| piece.blend / 6.0).sum::<f64>();
        let boxes = pieces.iter().filter(|piece| !piece.carves).map(|piece| piece.field.bounds());
        let [low, high] = boxes.fold([f64::INFINITY, f64::NEG_INFINITY].map(Vector3::repeat), |all, own| {
            [all[0].inf(&own[0]), all[1].sup(&own[1])]
        });
        let outer = [low.add_scalar(-filled), high.add_scalar(filled)];
        let mut model = Self { blueprint, pieces, bounds: outer };
        model.bounds = tight_bounds(&model, outer);
        model
    }

    /// The surface in finer triangles than a solid of the default cells has, to be shown on one: eyes are smaller than cells.
    pub fn skin(&self) -> Result<PolygonMesh, StuffingError> {
        let fine = stuff(self, self.blueprint.skin_cell, Grading::Graded { doublings: SKIN_DOUBLINGS })?;
        let (mut positions, mut vertex_of) = (Vec::new(), HashMap::new());
        let triangles = fine.boundary().into_iter().map(|face| {
            face.map(|node| {
                *vertex_of.entry(node).or_insert_with(|| {
                    positions.push(fine.positions[node as usize]);
                    positions.len() as u32 - 1
                })
            })
        });
        let polygons = triangles.collect();
        Ok(PolygonMesh { name: self.blueprint.name.to_owned(), positions, polygons, ..PolygonMesh::default() })
    }
}

impl Field for Model {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let mut distance = f64::INFINITY;
        for piece in &self.pieces {
            let at_least = (point - piece.centre).norm() - piece.radius;
            // What is farther than its blend reaches changes nothing.
            let level = if piece.carves { -distance } else { distance };
            if at_least >= level + piece.blend {
                continue;
            }
            let other = piece.field.distance(point);
            distance = match piece.carves {
                false => smooth_min(distance, other, piece.blend),
                true => smooth_max(distance, -other, piece.blend),
            };
        }
        distance
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        self.bounds
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("name", &self.blueprint.name)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}
