//! Two shapes made one, with a crease where their surfaces meet or a blend of some radius.

use super::{smooth_max, smooth_min, tight_bounds};
use crate::field::Field;
use nalgebra::Vector3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Combined<A, B> {
    first: A,
    second: B,
    kind: Kind,
    /// `[m]`
    blend: f64,
    bounds: [Vector3<f64>; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Union,
    Intersection,
    Difference,
}

impl<A: Field, B: Field> Combined<A, B> {
    /// What is in either. A `blend` `[m]` fills the crease where the distances to both differ by less than it; 0 leaves it sharp.
    pub fn union(first: A, second: B, blend: f64) -> Self {
        Self::new(first, second, Kind::Union, blend)
    }

    /// What is in both; a `blend` `[m]` rounds the edge.
    pub fn intersection(first: A, second: B, blend: f64) -> Self {
        Self::new(first, second, Kind::Intersection, blend)
    }

    /// What is in the first and not in the second; a `blend` `[m]` rounds the edge.
    pub fn difference(first: A, second: B, blend: f64) -> Self {
        Self::new(first, second, Kind::Difference, blend)
    }

    fn new(first: A, second: B, kind: Kind, blend: f64) -> Self {
        let ([low, high], [other_low, other_high]) = (first.bounds(), second.bounds());
        let outer = match kind {
            // A blend fills a sixth of its radius at most.
            Kind::Union => {
                [low.inf(&other_low).add_scalar(-blend / 6.0), high.sup(&other_high).add_scalar(blend / 6.0)]
            }
            Kind::Intersection => [low.sup(&other_low), high.inf(&other_high)],
            Kind::Difference => [low, high],
        };
        let combined = Self { first, second, kind, blend, bounds: outer };
        Self { bounds: tight_bounds(&combined, outer), ..combined }
    }
}

impl<A: Field, B: Field> Field for Combined<A, B> {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let (first, second) = (self.first.distance(point), self.second.distance(point));
        match self.kind {
            Kind::Union => smooth_min(first, second, self.blend),
            Kind::Intersection => smooth_max(first, second, self.blend),
            Kind::Difference => smooth_max(first, -second, self.blend),
        }
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        self.bounds
    }
}
