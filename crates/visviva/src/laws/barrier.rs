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

/// Where −b′ is `push`
pub fn distance_at(push: f64, reach: f64) -> f64 {
    if push <= 0.0 {
        return reach;
    }
    // −b′ falls all the way: Newton between bounds, which are halved where it leaves them.
    let (mut low, mut high) = (0.0, reach);
    let mut d = reach * reach / (reach + push);
    for _ in 0..MOST_TRIALS {
        let missing = -slope(d, reach) - push;
        *(if missing > 0.0 { &mut low } else { &mut high }) = d;
        let next = d + missing / curvature(d, reach);
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        if (next - d).abs() <= 1e-12 * d {
            return next;
        }
        d = next;
    }
    d
}

/// Halvings from the reach to the last bit
const MOST_TRIALS: usize = 100;

/// The slope of b′'s chord from d to where −b′ is `push`; b″ where that is d itself.
pub fn chord(d: f64, push: f64, reach: f64) -> f64 {
    if d >= reach {
        return 0.0;
    }
    let way = distance_at(push, reach) - d;
    if way.abs() <= 1e-6 * d { curvature(d, reach) } else { (-push.max(0.0) - slope(d, reach)) / way }
}

/// b′(d + Δ) − b′(d) − k Δ: what is wrong of the slope after a step that took k for b″; −∞ where that ends in contact.
pub fn misjudged_slope(d: f64, change: f64, k: f64, reach: f64) -> f64 {
    if d + change <= 0.0 {
        return f64::NEG_INFINITY;
    }
    slope(d + change, reach) - slope(d, reach) - k * change
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
    fn a_push_has_its_distance_and_the_chord_to_it_is_what_one_step_there_needs() {
        for reach in [1e-3, 1.0] {
            for there in [1e-9, 1e-3, 0.1, 0.6, 0.99, 0.999999].map(|part| part * reach) {
                let push = -slope(there, reach);
                assert!(
                    (distance_at(push, reach) - there).abs() < 1e-9 * there,
                    "{there} {}",
                    distance_at(push, reach)
                );
                for d in [1e-6, 0.05, 0.5, 0.9].map(|part| part * reach) {
                    let k = chord(d, push, reach);
                    assert!(k > 0.0);
                    // −b′ − k Δ is the push once Δ leads there.
                    let left = -slope(d, reach) - k * (there - d) - push;
                    assert!(left.abs() < 1e-5 * push.max(-slope(d, reach)), "{d} {there}: {left}");
                }
                assert!((chord(there, push, reach) / curvature(there, reach) - 1.0).abs() < 1e-9);
            }
            assert_eq!(distance_at(0.0, reach), reach);
            assert_eq!(chord(reach, 0.0, reach), 0.0);
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
