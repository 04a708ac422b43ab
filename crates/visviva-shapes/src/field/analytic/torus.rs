//! A ring about the z axis.

use crate::field::Field;
use nalgebra::Vector3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Torus {
    /// From the axis to the middle of the tube `[m]`
    pub radius: f64,
    /// Of the tube `[m]`
    pub tube: f64,
}

impl Field for Torus {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        (point.x.hypot(point.y) - self.radius).hypot(point.z) - self.tube
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        let corner = Vector3::new(self.radius + self.tube, self.radius + self.tube, self.tube);
        [-corner, corner]
    }
}
