//! The box about a shape, found by its distances alone: they say how much of the space around a point is empty.

use crate::field::Field;
use nalgebra::Vector3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How far a face may stand off, as a part of the longest side.
const SLACK: f64 = 1.0 / 256.0;
/// Where the shape has no inside to be found, cells smaller than this part of the slack are taken for it.
const SMALLEST: f64 = 1.0 / 16.0;

/// Shrinks a box that holds the shape until each face is near some point inside. Needs distances with slope 1 at most.
/// The box of a shape without points stays as it is.
pub(crate) fn tight_bounds<F: Field>(field: &F, outer: [Vector3<f64>; 2]) -> [Vector3<f64>; 2] {
    let mut bounds = outer;
    let slack = (outer[1] - outer[0]).max() * SLACK;
    for axis in 0..3 {
        for (end, sign) in [(0, -1.0), (1, 1.0)] {
            if let Some(face) = farthest(field, bounds, axis, sign, slack) {
                bounds[end][axis] = face;
            }
        }
    }
    bounds
}

/// A part of space; the one that reaches farthest along the direction comes first.
struct Cell {
    reach: f64,
    corners: [Vector3<f64>; 2],
}

/// How far the shape reaches along ±`axis`: the farthest cell is halved or found empty until one is near a point inside.
fn farthest<F: Field>(field: &F, bounds: [Vector3<f64>; 2], axis: usize, sign: f64, slack: f64) -> Option<f64> {
    let cell = |corners: [Vector3<f64>; 2]| {
        let [low, high] = corners;
        Cell { reach: (sign * low[axis]).max(sign * high[axis]), corners }
    };
    let mut cells = BinaryHeap::from([cell(bounds)]);
    let mut inside = f64::NEG_INFINITY;
    while let Some(Cell { reach, corners: [low, high] }) = cells.pop() {
        let (middle, size) = ((low + high) / 2.0, high - low);
        if reach - inside <= slack || size.max() <= SMALLEST * slack {
            return Some(sign * reach);
        }
        let distance = field.distance(&middle);
        if distance > size.norm() / 2.0 {
            continue;
        }
        if distance <= 0.0 {
            // So is the ball that the distance spans.
            inside = inside.max(sign * middle[axis] - distance);
        }
        let widest = size.imax();
        for half in 0..2 {
            let mut corners = [low, high];
            corners[1 - half][widest] = middle[widest];
            cells.push(cell(corners));
        }
    }
    None
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.reach.total_cmp(&other.reach)
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}
