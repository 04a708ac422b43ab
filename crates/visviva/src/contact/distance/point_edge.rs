//! A point and an edge: r = p − (1 − t) a − t b, with t = (p − a)·(b − a)/|b − a|² clamped to [0, 1].

use super::{Closest, Corners, Point, point_point};

/// Nearest to the edge's start, its end, or its inside; stencil (p, a, b)
pub const START: Corners = Corners(0b011);
pub const END: Corners = Corners(0b101);
pub const INTERIOR: Corners = Corners(0b111);

pub fn closest(p: &Point, a: &Point, b: &Point) -> Closest {
    let edge = b - a;
    let length_squared = edge.norm_squared();
    let along = (p - a).dot(&edge);
    // A zero-length edge fails the first test's strictness and is its start.
    if along <= 0.0 || length_squared == 0.0 {
        Closest { corners: START, ..point_point::closest(p, a) }
    } else if along >= length_squared {
        Closest { corners: END, ..point_point::closest(p, b) }
    } else {
        // From the nearer end: a long edge then costs no digits.
        let t = along / length_squared;
        let between = if t < 0.5 { (p - a) - t * edge } else { (p - b) + (1.0 - t) * edge };
        Closest { corners: INTERIOR, between }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::distance::{Gap, checks};
    use crate::contact::sampling::Random;

    #[test]
    fn the_class_is_the_nearest_of_many_points_of_the_edge() {
        let mut random = Random(2);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..2000 {
            let [p, a, b, _] = random.points();
            let closest = closest(&p, &a, &b);
            let sampled = (0..=200).map(|i| (p - a.lerp(&b, i as f64 / 200.0)).norm()).fold(f64::INFINITY, f64::min);
            assert!(closest.between.norm() <= sampled + 1e-14 && closest.between.norm() > sampled - 0.01);
            let gap = Gap::new(&[p, a, b, p], 0b001, closest.corners);
            assert!((gap.distance - closest.between.norm()).abs() < 1e-13);
            seen.insert(closest.corners);
        }
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [START, END, INTERIOR]);
    }

    #[test]
    fn an_edge_of_no_length_is_a_point() {
        let (p, a) = (Point::new(1.0, 2.0, 3.0), Point::new(0.0, 2.0, 3.0));
        let closest = closest(&p, &a, &a);
        assert_eq!((closest.corners, closest.squared()), (START, 1.0));
    }

    #[test]
    fn squared_distance_derivatives_match_finite_differences() {
        let mut random = Random(3);
        for _ in 0..50 {
            checks::squared_derivatives_hold(&random.points(), 0b001, INTERIOR);
        }
    }
}
