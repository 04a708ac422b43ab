//! The prescribed motion of a pinned set of nodes: a shift and a turn about a fixed axis, keyframed in time.

use super::bodies::Model;
use super::path::{Path, PathError};
use nalgebra::{Rotation3, Unit, Vector3};

/// x(t) = c + R(θ(t)) (X − c) + d(t), with keyframed d and θ; standing still by default.
#[derive(Debug, Clone)]
pub struct Motion {
    shift: Option<[Path; 3]>,
    turn: Option<Turn>,
}

#[derive(Debug, Clone)]
struct Turn {
    axis: Unit<Vector3<f64>>,
    centre: Vector3<f64>,
    /// `[rad]`
    angle: Path,
}

impl Motion {
    pub const FIXED: Self = Self { shift: None, turn: None };

    /// Keyframes (time `[s]`, shift `[m]`).
    pub fn with_shift(mut self, keys: &[(f64, Vector3<f64>)]) -> Result<Self, PathError> {
        let axis = |i: usize| Path::new(keys.iter().map(|(t, d)| (*t, d[i])).collect());
        self.shift = Some([axis(0)?, axis(1)?, axis(2)?]);
        Ok(self)
    }

    /// Keyframes (time `[s]`, angle `[rad]`) about an axis through a centre `[m]`.
    pub fn with_turn(
        mut self,
        axis: Unit<Vector3<f64>>,
        centre: Vector3<f64>,
        keys: Vec<(f64, f64)>,
    ) -> Result<Self, PathError> {
        self.turn = Some(Turn { axis, centre, angle: Path::new(keys)? });
        Ok(self)
    }

    /// `[rad/s]`
    pub fn fastest_turn(&self) -> f64 {
        self.turn.as_ref().map_or(0.0, |turn| turn.angle.steepest())
    }

    pub fn is_fixed(&self) -> bool {
        self.shift.is_none() && self.turn.is_none()
    }

    /// Where the point that starts at `start` is at time t.
    pub fn at(&self, start: Vector3<f64>, t: f64) -> Vector3<f64> {
        let mut x = start;
        if let Some(turn) = &self.turn {
            x = turn.centre + Rotation3::from_axis_angle(&turn.axis, turn.angle.at(t)) * (x - turn.centre);
        }
        if let Some(shift) = &self.shift {
            x += Vector3::from_fn(|i, _| shift[i].at(t));
        }
        x
    }
}

impl Model {
    /// Puts the nodes that move by themselves where they are at time t `[s]`.
    pub fn prescribe(&self, t: f64, x: &mut [f64]) {
        for pin in &self.pins {
            let place = self.motions[pin.motion].at(pin.start, t);
            x[3 * pin.node..3 * pin.node + 3].copy_from_slice(place.as_slice());
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_turns_about_its_centre_and_then_shifts() {
        let motion = Motion::FIXED
            .with_turn(Vector3::z_axis(), Vector3::new(1.0, 0.0, 0.0), vec![(0.0, 0.0), (1.0, std::f64::consts::PI)])
            .unwrap()
            .with_shift(&[(0.0, Vector3::zeros()), (2.0, Vector3::new(0.0, 0.0, 4.0))])
            .unwrap();
        let start = Vector3::new(2.0, 0.0, 0.0);
        assert_eq!(motion.at(start, 0.0), start);
        assert!((motion.at(start, 0.5) - Vector3::new(1.0, 1.0, 1.0)).norm() < 1e-15);
        assert!((motion.at(start, 1.0) - Vector3::new(0.0, 0.0, 2.0)).norm() < 1e-15);
        assert!(Motion::FIXED.is_fixed() && !motion.is_fixed());
    }
}
