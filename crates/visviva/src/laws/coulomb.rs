//! Mollified Coulomb friction as a dissipation potential of the sliding speed (Li et al. 2020).
//!
//! f₀(s) = s² (1 − s/(3ε))/ε + ε/3 for s < ε, else s: the friction force μN f₀′ grows smoothly from 0 to μN within ε.

use nalgebra::{Matrix2, Vector2};

/// f₀(s), s ≥ 0 `[m/s]`
pub fn value(speed: f64, epsilon: f64) -> f64 {
    if speed >= epsilon { speed } else { speed * speed * (1.0 - speed / (3.0 * epsilon)) / epsilon + epsilon / 3.0 }
}

/// f₀′(s): the mobilised fraction of the Coulomb force.
pub fn slope(speed: f64, epsilon: f64) -> f64 {
    if speed >= epsilon { 1.0 } else { speed * (2.0 - speed / epsilon) / epsilon }
}

/// f₀″(s) ≥ 0
pub fn curvature(speed: f64, epsilon: f64) -> f64 {
    if speed >= epsilon { 0.0 } else { 2.0 * (1.0 - speed / epsilon) / epsilon }
}

/// f₀′ û: what of the Coulomb force is mobilised, and where to.
pub fn force(u: Vector2<f64>, epsilon: f64) -> Vector2<f64> {
    slope_over_speed(u.norm(), epsilon) * u
}

/// ∇²f₀ = ψ I − c û ûᵀ,    ψ = f₀′/|u|,    c = ψ − f₀″
pub fn tangent(u: Vector2<f64>, epsilon: f64) -> Matrix2<f64> {
    let speed = u.norm();
    let along = if speed > 0.0 { u / speed } else { u };
    let psi = slope_over_speed(speed, epsilon);
    Matrix2::from_diagonal_element(psi) - (psi - curvature(speed, epsilon)) * along * along.transpose()
}

/// The derivative of the force where w, |w| ≤ 1, is expected of it: ψ I − (c/f₀′) (w ûᵀ + û wᵀ)/2 ≥ 0. It is the tangent where w is the
/// force there, and the stiffer the less of it w is.
pub fn chord(u: Vector2<f64>, expected: Vector2<f64>, epsilon: f64) -> Matrix2<f64> {
    let speed = u.norm();
    if speed == 0.0 {
        return tangent(u, epsilon);
    }
    let (along, psi) = (u / speed, slope_over_speed(speed, epsilon));
    let cross = expected * along.transpose();
    // c/f₀′ without the difference, which is all rounding near rest.
    let share = if speed >= epsilon { 1.0 / speed } else { 1.0 / (2.0 * epsilon - speed) };
    Matrix2::from_diagonal_element(psi) - 0.5 * share * (cross + cross.transpose())
}

/// f₀′(s)/s, finite at rest
fn slope_over_speed(speed: f64, epsilon: f64) -> f64 {
    if speed > 0.0 { slope(speed, epsilon) / speed } else { curvature(0.0, epsilon) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::finite_difference;

    #[test]
    fn derivatives_match_finite_differences_on_both_sides_of_the_threshold() {
        for speed in [1e-5, 3e-4, 9e-4, 2e-3, 1.0] {
            finite_difference::check(|s| value(s, 1e-3), |s| slope(s, 1e-3), speed, 1e-3 * speed);
            finite_difference::check(|s| slope(s, 1e-3), |s| curvature(s, 1e-3), speed, 1e-3 * speed);
        }
    }

    #[test]
    fn it_joins_smoothly_at_the_threshold() {
        let e = 1e-3;
        assert!((value(e * (1.0 - 1e-12), e) - e).abs() < 1e-14);
        assert!((slope(e * (1.0 - 1e-12), e) - 1.0).abs() < 1e-11);
        assert!(curvature(e * (1.0 - 1e-12), e).abs() < 1e-8);
    }

    #[test]
    fn the_force_has_the_tangent_for_derivative() {
        for speed in [3e-4, 9e-4, 2e-3, 1.0] {
            let (u, v) = (speed * Vector2::new(0.6, -0.8), Vector2::new(0.3, 0.9));
            let step = 1e-5 * speed;
            let measured = (force(u + step * v, 1e-3) - force(u - step * v, 1e-3)) / (2.0 * step);
            let expected = tangent(u, 1e-3) * v;
            assert!((measured - expected).norm() < 1e-4 * expected.norm(), "{speed}: {measured} {expected}");
        }
        assert_eq!(force(Vector2::zeros(), 1e-3), Vector2::zeros());
    }

    #[test]
    fn the_chord_is_the_tangent_where_the_force_is_expected_and_positive_whatever_is() {
        for speed in [0.0, 1e-30, 1e-20, 1e-18, 1e-16, 1e-5, 3e-4, 9e-4, 1e-3, 2e-3, 1.0] {
            let u = speed * Vector2::new(0.6, -0.8);
            let (same, tangent) = (chord(u, force(u, 1e-3), 1e-3), tangent(u, 1e-3));
            assert!((same - tangent).norm() <= 1e-12 * tangent.norm(), "{speed}");
            for (size, angle) in [(0.0, 0.0), (0.5, 1.0), (1.0, 2.0), (1.0, 4.0), (0.9, 5.5)] {
                let expected = size * Vector2::new(f64::cos(angle), f64::sin(angle));
                let chord = chord(u, expected, 1e-3);
                let least = chord.symmetric_eigenvalues().min();
                assert!(chord == chord.transpose() && least >= -1e-12 * chord.norm(), "{speed} {expected} {least}");
            }
        }
    }

    #[test]
    fn a_slide_that_half_the_force_would_hold_ends_with_one_chord() {
        // Newton's own step has no end: nothing resists along the slide.
        let (u, held) = (Vector2::new(0.2, 0.0), Vector2::new(0.5, 0.0));
        let step = chord(u, held, 1e-3).try_inverse().unwrap() * (held - force(u, 1e-3));
        assert!((u + step).norm() < 1e-12, "{}", u + step);
    }
}
