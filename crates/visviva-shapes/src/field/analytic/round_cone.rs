//! A limb: all balls whose centres run along a line and whose radii change evenly on the way. With equal radii it is a capsule.
//!
//! The nearest ball is found in closed form: with axial coordinate z, radial coordinate ρ and sin θ = (r₀ − r₁)/l it is the one
//! at z − ρ tan θ, and distances to balls are convex along the line, so what lies beyond an end takes the ball there.

use crate::field::Field;
use nalgebra::Vector3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundCone {
    /// Centres of the first and the last ball `[m]`
    pub ends: [Vector3<f64>; 2],
    /// Their radii `[m]`
    pub radii: [f64; 2],
}

impl RoundCone {
    /// A limb of one `radius` `[m]`.
    pub fn capsule(ends: [Vector3<f64>; 2], radius: f64) -> Self {
        Self { ends, radii: [radius; 2] }
    }
}

impl Field for RoundCone {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let [from, to] = self.ends;
        let [first, last] = self.radii;
        let (axis, offset) = (to - from, point - from);
        let length = axis.norm();
        if length <= (first - last).abs() {
            // One ball holds the other.
            let (centre, radius) = if first >= last { (from, first) } else { (to, last) };
            return (point - centre).norm() - radius;
        }
        let along = offset.dot(&axis) / length;
        let aside = (offset - axis * (along / length)).norm();
        let sine = (first - last) / length;
        let nearest = (along - aside * sine / (1.0 - sine * sine).sqrt()).clamp(0.0, length);
        aside.hypot(along - nearest) - (first - sine * nearest)
    }

    fn bounds(&self) -> [Vector3<f64>; 2] {
        let balls = [0, 1].map(|end| (self.ends[end], self.radii[end]));
        let [low, high] = [-1.0, 1.0].map(|side| balls.map(|(centre, radius)| centre.add_scalar(side * radius)));
        [low[0].inf(&low[1]), high[0].sup(&high[1])]
    }
}
