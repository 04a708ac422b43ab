//! A box about the origin, its edges and corners rounded if wished.

use crate::field::Field;
use nalgebra::Vector3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuboid {
    /// From the middle to each face `[m]`
    pub half_sides: Vector3<f64>,
    /// Radius of edges and corners `[m]`, at most the least half side; 0 leaves them sharp
    pub rounding: f64,
}

impl Field for Cuboid {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let beyond = point.abs() - self.half_sides.add_scalar(-self.rounding);
        beyond.sup(&Vector3::zeros()).norm() + beyond.max().min(0.0) - self.rounding
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        [-self.half_sides, self.half_sides]
    }
}
