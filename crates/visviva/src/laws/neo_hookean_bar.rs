//! A compressible neo-Hookean bar in one dimension.
//!
//! W(F) = (E/2) [(F² − 1)/2 − ln F] per unit length, +∞ for F ≤ 0; E in N is the stiffness of the cross section.

/// W(F) `[J/m]`
pub fn value(stretch: f64, stiffness: f64) -> f64 {
    if stretch <= 0.0 {
        return f64::INFINITY;
    }
    // In the strain, so that a line search near rest is not lost in the rounding of numbers near 1.
    let e = stretch - 1.0;
    0.5 * stiffness * (e - e.ln_1p() + 0.5 * e * e)
}

/// dW/dF `[N]`
pub fn slope(stretch: f64, stiffness: f64) -> f64 {
    0.5 * stiffness * (stretch - 1.0 / stretch)
}

/// d²W/dF² `[N]`
pub fn curvature(stretch: f64, stiffness: f64) -> f64 {
    0.5 * stiffness * (1.0 + 1.0 / (stretch * stretch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::finite_difference;

    #[test]
    fn derivatives_match_finite_differences() {
        for stretch in [0.05, 0.5, 0.9, 1.0, 1.1, 2.0, 10.0] {
            finite_difference::check(|f| value(f, 7.0), |f| slope(f, 7.0), stretch, 1e-4 * stretch);
            finite_difference::check(|f| slope(f, 7.0), |f| curvature(f, 7.0), stretch, 1e-4 * stretch);
        }
    }

    #[test]
    fn rest_is_stress_free_with_the_given_stiffness_and_inversion_is_forbidden() {
        assert_eq!((value(1.0, 3.0), slope(1.0, 3.0), curvature(1.0, 3.0)), (0.0, 0.0, 3.0));
        assert_eq!(value(0.0, 3.0), f64::INFINITY);
        assert_eq!(value(-0.1, 3.0), f64::INFINITY);
    }
}
