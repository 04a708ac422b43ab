//! Linear stability of what turns: a mass on a spring that goes round, one step of `a-spin` at a fixed α.
//!
//! In polar coordinates with h = m = 1, φ = L/r² the turn of the step, κ = h²k/m and l the rest length, the step is
//!
//! ```text
//! (1 + κ) r₁ = r(1 + φ²) + u cos φ + κl          angle₁ = angle + φ
//! u₁ = u cos φ + (L/r) sin φ + a₁ − α(a₁ − a₀ cos φ),    a = −κ(r − l)
//! ```
//!
//! Steady rotation at u = 0 would need sin φ = φ cos φ: the step leaves a ringing u* of φ³/3 times the speed of the rim. About it, at
//! α = 1, the determinant of the step is cos²φ in the stiff limit: turning damps ringing, and lets nothing grow.

use nalgebra::{Complex, Matrix2, Vector2};
use serde::Serialize;

/// What goes round: the turn a step φ, the stiffness κ = h²k/m, and the part α of the correction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rotor {
    pub turn: f64,
    pub stiffness: f64,
    pub alpha: f64,
}

/// Its steady rotation, and what becomes of a small ringing about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steadiness {
    #[serde(flatten)]
    pub rotor: Rotor,
    /// u*, as a part of the speed of the rim
    pub ringing: f64,
    pub determinant: f64,
    pub spectral_radius: f64,
    /// The turn of a step over what it should be
    pub turn_ratio: f64,
}

impl Rotor {
    /// The rest length with which it goes round steadily at the radius 1.
    pub fn rest_length(&self) -> f64 {
        1.0 - self.turn * self.turn / self.stiffness
    }

    /// (r, u) after a step, and by how much it turned. The angular momentum is that of the radius 1.
    pub fn step(&self, at: Vector2<f64>) -> (Vector2<f64>, f64) {
        let (r, u) = (at.x, at.y);
        let (length, turn) = (self.rest_length(), self.turn / (r * r));
        let pull = |r: f64| -self.stiffness * (r - length);
        let (sin, cos) = turn.sin_cos();
        let r1 = (r * (1.0 + turn * turn) + u * cos + self.stiffness * length) / (1.0 + self.stiffness);
        let uncorrected = u * cos + self.turn / r * sin + pull(r1);
        (Vector2::new(r1, uncorrected - self.alpha * (pull(r1) - pull(r) * cos)), turn)
    }

    /// ∂step at a point, by central differences.
    fn slope(&self, at: Vector2<f64>) -> Matrix2<f64> {
        const STEP: f64 = 1e-6;
        let along = |e: Vector2<f64>| (self.step(at + STEP * e).0 - self.step(at - STEP * e).0) / (2.0 * STEP);
        Matrix2::from_columns(&[along(Vector2::x()), along(Vector2::y())])
    }

    /// None where it does not go round steadily at all: the spring is too weak.
    pub fn steadiness(&self) -> Option<Steadiness> {
        let mut at = Vector2::new(1.0, 0.0);
        for _ in 0..50 {
            let miss = self.step(at).0 - at;
            at -= (self.slope(at) - Matrix2::identity()).try_inverse()? * miss;
        }
        let slope = self.slope(at);
        let (determinant, half_trace) = (slope.determinant(), 0.5 * slope.trace());
        let root = Complex::from(half_trace * half_trace - determinant).sqrt();
        let radius = (Complex::from(half_trace) + root).norm().max((Complex::from(half_trace) - root).norm());
        (self.rest_length() > 0.0 && at.x.is_finite()).then(|| Steadiness {
            rotor: *self,
            ringing: at.y / self.turn,
            determinant,
            spectral_radius: radius,
            turn_ratio: self.step(at).1 / self.turn,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_damps_ringing_by_the_cosine_of_the_turn() {
        for turn in [0.1, 0.3, 0.6, 1.0f64] {
            let stiff = Rotor { turn, stiffness: 1e4, alpha: 1.0 }.steadiness().unwrap();
            assert!((stiff.determinant - turn.cos().powi(2)).abs() < 2e-3, "{stiff:?}");
            assert!((stiff.turn_ratio - 1.0).abs() < 2e-4, "a stiff body turns as it should: {stiff:?}");
            for stiffness in [4.0 * turn * turn, 4.0, 30.0, 1e4] {
                let found = Rotor { turn, stiffness, alpha: 1.0 }.steadiness().unwrap();
                assert!(found.spectral_radius < 1.0, "{found:?}");
            }
        }
    }

    #[test]
    fn the_ringing_left_is_a_third_of_the_turns_cube() {
        for turn in [0.2, 0.1, 0.05f64] {
            let found = Rotor { turn, stiffness: 4.0, alpha: 1.0 }.steadiness().unwrap();
            let expected = turn.powi(3) / 3.0;
            assert!((found.ringing / expected - 1.0).abs() < turn * turn, "{found:?}");
            assert!((found.turn_ratio - 1.0).abs() < turn.powi(4), "{found:?}");
        }
    }
}
