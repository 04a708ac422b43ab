//! Two edges: r = (1 − s) a₀ + s a₁ − (1 − t) b₀ − t b₁; nine classes: end or inside of either.
//!
//! With w = a₀ − b₀ and n = e_a×e_b: s = −(w×e_b)·n/n², t = −(w×e_a)·n/n²; where these leave (0, 1) or the edges are
//! parallel, the minimum of a convex function over a square lies on its border: an end against the other edge.

use super::{Closest, Corners, PARALLEL, Point, point_edge};

/// Stencil (a₀, a₁, b₀, b₁)
pub const INTERIOR: Corners = Corners(0b1111);

/// All nine classes
pub const CLASSES: [Corners; 9] = [
    Corners(0b0101),
    Corners(0b0110),
    Corners(0b1001),
    Corners(0b1010),
    Corners(0b1101),
    Corners(0b1110),
    Corners(0b0111),
    Corners(0b1011),
    INTERIOR,
];

pub fn closest(points: &[Point; 4]) -> Closest {
    let [a0, a1, b0, b1] = points;
    let (ea, eb, w) = (a1 - a0, b1 - b0, a0 - b0);
    let n = ea.cross(&eb);
    let nn = n.norm_squared();
    if nn > PARALLEL * ea.norm_squared() * eb.norm_squared() {
        let s = -w.cross(&eb).dot(&n);
        let t = -w.cross(&ea).dot(&n);
        if s > 0.0 && s < nn && t > 0.0 && t < nn {
            return Closest { corners: INTERIOR, between: n * (n.dot(&w) / nn) };
        }
    }
    let end = |p: usize, i: usize, j: usize, sign: f64| {
        let closest = point_edge::closest(&points[p], &points[i], &points[j]);
        let bit = |present: u8, k: usize| if closest.corners.0 & present != 0 { 1 << k } else { 0 };
        let corners = Corners(1 << p | bit(0b010, i) | bit(0b100, j));
        Closest { corners, between: sign * closest.between }
    };
    let a_ends = end(0, 2, 3, 1.0).or_nearer(end(1, 2, 3, 1.0));
    a_ends.or_nearer(end(2, 0, 1, -1.0)).or_nearer(end(3, 0, 1, -1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::distance::{Gap, checks};
    use crate::contact::sampling::Random;

    #[test]
    fn the_class_is_the_nearest_of_many_points_of_the_edges() {
        let mut random = Random(6);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..3000 {
            let points = random.points();
            let closest = closest(&points);
            let distance = closest.between.norm();
            let mut sampled = f64::INFINITY;
            for i in 0..=40 {
                for j in 0..=40 {
                    let p = points[0].lerp(&points[1], i as f64 / 40.0);
                    sampled = sampled.min((p - points[2].lerp(&points[3], j as f64 / 40.0)).norm());
                }
            }
            assert!(distance <= sampled + 1e-13 && distance > sampled - 0.06, "{distance} {sampled}");
            let gap = Gap::new(&points, 0b0011, closest.corners);
            assert!((gap.normal * gap.distance - closest.between).norm() < 1e-11);
            seen.insert(closest.corners);
        }
        assert!(CLASSES.iter().all(|class| seen.contains(class)) && seen.len() == 9);
    }

    #[test]
    fn parallel_collinear_and_pointlike_edges_have_their_distance() {
        let at = |x: f64, y: f64| Point::new(x, y, 0.0);
        for (points, expected) in [
            ([at(0.0, 0.0), at(1.0, 0.0), at(0.3, 2.0), at(4.0, 2.0)], 2.0),
            ([at(0.0, 0.0), at(1.0, 0.0), at(4.0, 4.0), at(8.0, 4.0)], 5.0),
            ([at(0.0, 0.0), at(1.0, 0.0), at(3.0, 0.0), at(5.0, 0.0)], 2.0),
            ([at(0.5, 3.0), at(0.5, 3.0), at(0.0, 0.0), at(1.0, 0.0)], 3.0),
            ([at(0.0, 3.0), at(0.0, 3.0), at(4.0, 0.0), at(4.0, 0.0)], 5.0),
        ] {
            let closest = closest(&points);
            assert!((closest.between.norm() - expected).abs() < 1e-15, "{points:?}: {}", closest.between);
            assert_ne!(closest.corners, INTERIOR);
        }
    }

    #[test]
    fn nearly_parallel_edges_keep_their_distance_whatever_rounding_makes_of_their_class() {
        let mut random = Random(7);
        for _ in 0..20_000 {
            let tilt = 10f64.powf(random.between(-18.0, -2.0));
            let points = [
                Point::new(0.0, 0.0, 0.0),
                Point::new(1.0, 0.0, 0.0),
                Point::new(0.2, 1e-3, -0.3 * tilt),
                Point::new(0.9, 1e-3, 0.4 * tilt),
            ];
            let distance = closest(&points).between.norm();
            let ends = points[2].yz().norm().min(points[3].yz().norm());
            assert!(distance <= ends && distance >= 1e-3 * (1.0 - 1e-6), "tilt {tilt}: {distance}");
        }
    }

    #[test]
    fn squared_distance_derivatives_match_finite_differences_in_every_class() {
        let mut random = Random(8);
        for _ in 0..20 {
            let mut points = random.points().map(|p| 0.2 * p);
            points[1].x += 1.0;
            points[3].y += 1.0;
            for class in CLASSES {
                checks::squared_derivatives_hold(&points, 0b0011, class);
            }
        }
    }
}
