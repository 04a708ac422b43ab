//! Mollified Coulomb friction as a dissipation potential of the sliding speed (Li et al. 2020).
//!
//! f₀(s) = s² (1 − s/(3ε))/ε + ε/3 for s < ε, else s: the friction force μN f₀′ grows smoothly from 0 to μN within ε.

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
}
