//! An ellipsoid about the origin, with its exact distance.
//!
//! The nearest point x of the surface to p has xᵢ = eᵢ²pᵢ/(eᵢ² + t), where t is the largest root of Σ(eᵢpᵢ/(eᵢ² + t))² = 1
//! (Eberly 2013, Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid). One over the root of the sum is nearly
//! straight, concave and grows, so Newton's method on it comes from the left without fail and in few steps.

use crate::field::Field;
use nalgebra::Vector3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    /// Along x, y and z `[m]`
    pub semi_axes: Vector3<f64>,
}

/// Coordinates below this part of the least semi-axis are taken for it: on a plane of symmetry the root may be a pole.
const OFF_SYMMETRY: f64 = 1e-12;
/// Newton doubles the digits in every iteration once it is near; this many are never needed.
const MOST_ITERATIONS: usize = 60;

impl Field for Ellipsoid {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let axes = &self.semi_axes;
        let least = axes.min();
        let place = point.map(|x| x.abs().max(OFF_SYMMETRY * least));
        // The unknown is s = t + least², which loses no digits near the pole.
        let excess = axes.map(|e| (e - least) * (e + least));
        let weight = axes.component_mul(&place);
        let mut s = (weight - excess).max();
        for _ in 0..MOST_ITERATIONS {
            let pull = weight.component_div(&excess.add_scalar(s));
            let sum = pull.norm_squared();
            let fall = pull.component_mul(&pull).component_div(&excess.add_scalar(s)).sum();
            let next = s + sum * (sum.sqrt() - 1.0) / fall;
            if next <= s * (1.0 + 4.0 * f64::EPSILON) {
                break;
            }
            s = next;
        }
        let nearest = axes.component_mul(&weight).component_div(&excess.add_scalar(s));
        let inside = place.component_div(axes).norm_squared() < 1.0;
        (place - nearest).norm() * if inside { -1.0 } else { 1.0 }
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        [-self.semi_axes, self.semi_axes]
    }
}
