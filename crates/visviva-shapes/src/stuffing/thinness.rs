//! What to say of a shape that no cell fits into: how thick it is at its deepest.

use super::error::{StuffingError, two_digits_below};
use super::spot::{Frame, Spot};
use crate::Field;
use nalgebra::Vector3;

/// A wall needs this many cells across to keep vertices inside it, whichever way it runs.
pub const CELLS_ACROSS: f64 = 1.25;

/// Cells that are searched for the deepest point, evenly taken from all near the surface.
const MOST_SEARCHED: usize = 2048;

pub fn too_thin(field: &dyn Field, frame: &Frame, near: &[Spot]) -> StuffingError {
    let cell = frame.cell();
    let cells = near.iter().step_by(near.len() / MOST_SEARCHED + 1).map(|&spot| frame.position(spot));
    let thirds = (0..27).map(|n| Vector3::new(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1).map(|k| f64::from(k) * cell / 3.0));
    let points = cells.flat_map(|middle| thirds.clone().map(move |third| middle + third));
    let deepest = points.map(|point| (field.distance(&point), point)).min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((mut depth, mut deepest)) = deepest else { return StuffingError::Empty };
    let mut step = cell / 6.0;
    while step > 1e-3 * cell {
        let moves = (0..6).map(|n| deepest + Vector3::ith(n / 2, if n % 2 == 0 { step } else { -step }));
        match moves.map(|point| (field.distance(&point), point)).find(|deeper| deeper.0 < depth) {
            Some(deeper) => (depth, deepest) = deeper,
            None => step /= 2.0,
        }
    }
    let [low, high] = field.bounds();
    let thickness = if depth < 0.0 { -2.0 * depth } else { (high - low).min() };
    if !(thickness > 0.0 && thickness < cell) {
        return StuffingError::Empty;
    }
    StuffingError::TooThin { cell, thickness, suggested: two_digits_below(thickness / CELLS_ACROSS) }
}
