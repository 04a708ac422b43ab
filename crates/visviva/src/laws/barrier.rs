//! The logarithmic contact barrier of incremental potential contact (Li et al. 2020).
//!
//! b(d) = −(d − d̂)² ln(d/d̂) for 0 < d < d̂, zero beyond, +∞ at d ≤ 0; b in m² when d is in m.

/// b(d)
pub fn value(d: f64, reach: f64) -> f64 {
    if d >= reach {
        0.0
    } else if d > 0.0 {
        -(d - reach).powi(2) * (d / reach).ln()
    } else {
        f64::INFINITY
    }
}

/// db/dd ≤ 0
pub fn slope(d: f64, reach: f64) -> f64 {
    if d >= reach {
        return 0.0;
    }
    let g = d - reach;
    -2.0 * g * (d / reach).ln() - g * g / d
}

/// d²b/dd² ≥ 0: the barrier is convex.
pub fn curvature(d: f64, reach: f64) -> f64 {
    if d >= reach {
        return 0.0;
    }
    let g = d - reach;
    -2.0 * (d / reach).ln() - 4.0 * g / d + (g / d).powi(2)
}

/// |b′(d + Δ) − b′(d) − b″(d) Δ|: what is wrong of the slope after a step of Newton's; infinite where that ends in contact.
pub fn misjudged_slope(d: f64, change: f64, reach: f64) -> f64 {
    if d + change <= 0.0 {
        return f64::INFINITY;
    }
    (slope(d + change, reach) - slope(d, reach) - curvature(d, reach) * change).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::finite_difference;

    #[test]
    fn derivatives_match_finite_differences() {
        for reach in [1e-3, 0.01, 1.0] {
            for fraction in [1e-3, 0.03, 0.3, 0.7, 0.95, 0.999] {
                let d = fraction * reach;
                finite_difference::check(|d| value(d, reach), |d| slope(d, reach), d, 1e-4 * d);
                finite_difference::check(|d| slope(d, reach), |d| curvature(d, reach), d, 1e-4 * d);
            }
        }
    }

    #[test]
    fn it_is_smooth_at_its_reach_and_infinite_at_contact() {
        assert_eq!((value(1.0, 1.0), slope(1.0, 1.0), curvature(1.0, 1.0)), (0.0, 0.0, 0.0));
        assert!(curvature(1.0 - 1e-9, 1.0) < 1e-7);
        assert_eq!(value(0.0, 1.0), f64::INFINITY);
        assert_eq!(value(-1.0, 1.0), f64::INFINITY);
    }
}
