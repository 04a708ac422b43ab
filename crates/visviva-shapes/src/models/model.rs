//! A table of parts as one distance field.

use super::Blueprint;
use crate::field::{Field, smooth_max, smooth_min, tight_bounds};
use nalgebra::Vector3;
use std::fmt;

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
        let mut outer = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
        for piece in pieces.iter().filter(|piece| !piece.carves) {
            let [low, high] = piece.field.bounds();
            // A blend fills a sixth of its radius at most.
            outer =
                [outer[0].inf(&low.add_scalar(-piece.blend / 6.0)), outer[1].sup(&high.add_scalar(piece.blend / 6.0))];
        }
        let mut model = Self { blueprint, pieces, bounds: outer };
        model.bounds = tight_bounds(&model, outer);
        model
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
