//! A ball: |p − c| − r.

use crate::field::Field;
use nalgebra::Vector3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// `[m]`
    pub centre: Vector3<f64>,
    /// `[m]`
    pub radius: f64,
}

impl Field for Sphere {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        (point - self.centre).norm() - self.radius
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        [self.centre.add_scalar(-self.radius), self.centre.add_scalar(self.radius)]
    }
}
