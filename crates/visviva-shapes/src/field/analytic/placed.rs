//! A shape that is scaled, turned and moved.

use super::tight_bounds;
use crate::field::Field;
use nalgebra::{Point3, Similarity3, Vector3};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed<F> {
    field: F,
    /// From places to the shape's own coordinates
    inverse: Similarity3<f64>,
    bounds: [Vector3<f64>; 2],
}

impl<F: Field> Placed<F> {
    /// `place` takes the shape's own coordinates to where they are to be.
    pub fn new(field: F, place: Similarity3<f64>) -> Self {
        let [low, high] = field.bounds();
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let reach = place.isometry.rotation.to_rotation_matrix().matrix().abs() * half * place.scaling();
        let middle = place.transform_point(&Point3::from(middle)).coords;
        let placed = Self { field, inverse: place.inverse(), bounds: [middle - reach, middle + reach] };
        // Where corners of a turned box are empty, the box about it is too large.
        let turned = place.isometry.rotation.angle() > 0.0;
        Self { bounds: if turned { tight_bounds(&placed, placed.bounds) } else { placed.bounds }, ..placed }
    }

    /// Moved alone, by `[m]`.
    pub fn at(field: F, shift: Vector3<f64>) -> Self {
        Self::new(field, Similarity3::new(shift, Vector3::zeros(), 1.0))
    }
}

impl<F: Field> Field for Placed<F> {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let own = self.inverse.transform_point(&Point3::from(*point)).coords;
        self.field.distance(&own) / self.inverse.scaling()
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        self.bounds
    }
}
