//! A point and a triangle: r = p − (1 − u − v) a − u b − v c; seven classes: three corners, three edges, the inside.
//!
//! u = ((p − a)×e₂)·n/n², v = (e₁×(p − a))·n/n², n = e₁×e₂ (Ericson 2005, section 3.4).

use super::{Closest, Corners, PARALLEL, Point, point_edge};

/// Stencil (p, a, b, c): bit 0 is the point
pub const INTERIOR: Corners = Corners(0b1111);

/// All seven classes
pub const CLASSES: [Corners; 7] =
    [Corners(0b0011), Corners(0b0101), Corners(0b1001), Corners(0b0111), Corners(0b1101), Corners(0b1011), INTERIOR];

pub fn closest(points: &[Point; 4]) -> Closest {
    let [p, a, b, c] = points;
    let (e1, e2, w) = (b - a, c - a, p - a);
    let n = e1.cross(&e2);
    let nn = n.norm_squared();
    if nn > PARALLEL * e1.norm_squared() * e2.norm_squared() {
        let u = w.cross(&e2).dot(&n);
        let v = e1.cross(&w).dot(&n);
        if u > 0.0 && v > 0.0 && u + v < nn {
            return Closest { corners: INTERIOR, between: n * (n.dot(&w) / nn) };
        }
    }
    // Outside, or without area: the nearest point lies on an edge.
    let on_edge = |i: usize, j: usize| {
        let closest = point_edge::closest(p, &points[i], &points[j]);
        let bit = |present: u8, k: usize| if closest.corners.0 & present != 0 { 1 << k } else { 0 };
        Closest { corners: Corners(1 | bit(0b010, i) | bit(0b100, j)), ..closest }
    };
    on_edge(1, 2).or_nearer(on_edge(2, 3)).or_nearer(on_edge(3, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::distance::{Gap, checks};
    use crate::contact::sampling::Random;

    #[test]
    fn the_class_is_the_nearest_of_many_points_of_the_triangle() {
        let mut random = Random(4);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..3000 {
            let points = random.points();
            let closest = closest(&points);
            let distance = closest.between.norm();
            let mut sampled = f64::INFINITY;
            for i in 0..=40 {
                for j in 0..=40 - i {
                    let (u, v) = (i as f64 / 40.0, j as f64 / 40.0);
                    let q = points[1] + u * (points[2] - points[1]) + v * (points[3] - points[1]);
                    sampled = sampled.min((points[0] - q).norm());
                }
            }
            assert!(distance <= sampled + 1e-13 && distance > sampled - 0.06, "{distance} {sampled}");
            let gap = Gap::new(&points, 0b0001, closest.corners);
            assert!((gap.distance - distance).abs() < 1e-11, "{} {distance}", gap.distance);
            seen.insert(closest.corners);
        }
        assert!(CLASSES.iter().all(|class| seen.contains(class)) && seen.len() == 7);
    }

    #[test]
    fn triangles_without_area_are_edges_or_points() {
        let p = Point::new(0.5, 1.0, 0.0);
        let line = |x: f64| Point::new(x, 0.0, 0.0);
        let collinear = closest(&[p, line(0.0), line(1.0), line(3.0)]);
        assert!((collinear.squared() - 1.0).abs() < 1e-15);
        assert_ne!(collinear.corners, INTERIOR);
        let point = closest(&[p, line(0.5), line(0.5), line(0.5)]);
        assert_eq!((point.squared(), point.corners.0.count_ones()), (1.0, 2));
    }

    #[test]
    fn squared_distance_derivatives_match_finite_differences_in_every_class() {
        let mut random = Random(5);
        for _ in 0..20 {
            // Far from slivers: their curvature is beyond finite differences.
            let mut points = random.points().map(|p| 0.2 * p);
            points[2].x += 1.0;
            points[3].y += 1.0;
            for class in CLASSES {
                checks::squared_derivatives_hold(&points, 0b0001, class);
            }
        }
    }
}
