//! Which octants lie inside the surface, which near it, by the distance at their centres: work grows with the surface.

use super::error::{StuffingError, two_digits_below};
use super::spot::{Frame, Spot};
use super::{Grading, MOST_TETS};
use crate::Field;
use nalgebra::Vector3;
use rayon::prelude::*;

/// A distance may be too long by this factor and no octant is misplaced.
const DISTANCE_SLACK: f64 = 1.15;

/// A surface that crosses this many octants crosses four times as many of half the size.
const SETTLED: usize = 4096;

/// Octants of the whole lattice that are not outside.
#[derive(Debug)]
pub struct Octants {
    /// Cells that the surface may cross
    pub near: Vec<Spot>,
    /// Octants of any level that it cannot cross
    pub inside: Vec<Spot>,
}

impl Octants {
    pub fn sort(field: &dyn Field, frame: &Frame, grading: Grading) -> Result<Self, StuffingError> {
        let mut inside = Vec::new();
        let mut cells_inside = 0.0;
        let mut open = vec![frame.root()];
        for level in (0..=frame.root_level).rev() {
            let distances = distances(field, frame, &open)?;
            let mut crossed = Vec::new();
            for (&octant, &distance) in open.iter().zip(&distances) {
                let reach = DISTANCE_SLACK * frame.reach(octant);
                if distance < -reach {
                    inside.push(octant);
                    cells_inside += 8f64.powi(level as i32);
                } else if distance <= reach {
                    crossed.push(octant);
                }
            }
            let crossings = crossed.len() as f64;
            let tets = match grading {
                Grading::Uniform => 12.0 * (cells_inside + crossings * 8f64.powi(level as i32) / 2.0),
                Grading::Graded { .. } => 18.0 * crossings * 4f64.powi(level as i32),
            };
            let settled = level == 0 || crossed.len() > SETTLED;
            if settled && tets > MOST_TETS as f64 {
                return Err(too_many(frame, grading, tets));
            }
            open = if level == 0 { crossed } else { crossed.into_iter().flat_map(Spot::children).collect() };
        }
        Ok(Self { near: open, inside })
    }
}

fn too_many(frame: &Frame, grading: Grading, tets: f64) -> StuffingError {
    let (cell, excess) = (frame.cell(), 1.2 * tets / MOST_TETS as f64);
    let coarser = match grading {
        Grading::Uniform => excess.cbrt(),
        Grading::Graded { .. } => excess.sqrt(),
    };
    let suggested = two_digits_below(1.1 * coarser * cell);
    StuffingError::TooMany { cell, tets, limit: MOST_TETS, suggested }
}

/// Distances at some spots `[m]`, all finite.
pub fn distances(field: &dyn Field, frame: &Frame, spots: &[Spot]) -> Result<Vec<f64>, StuffingError> {
    spots.par_iter().map(|&spot| finite_distance(field, &frame.position(spot))).collect()
}

pub fn finite_distance(field: &dyn Field, at: &Vector3<f64>) -> Result<f64, StuffingError> {
    let distance = field.distance(at);
    if distance.is_finite() { Ok(distance) } else { Err(StuffingError::NotFinite { at: *at, distance }) }
}
