//! A cylinder about the origin with flat ends, its axis along z.

use crate::field::Field;
use nalgebra::{Vector2, Vector3};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    /// `[m]`
    pub radius: f64,
    /// From the middle to each end `[m]`
    pub half_length: f64,
}

impl Field for Cylinder {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let beyond = Vector2::new(point.x.hypot(point.y) - self.radius, point.z.abs() - self.half_length);
        beyond.sup(&Vector2::zeros()).norm() + beyond.max().min(0.0)
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        let corner = Vector3::new(self.radius, self.radius, self.half_length);
        [-corner, corner]
    }
}
