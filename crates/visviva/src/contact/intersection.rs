//! Whether surfaces cross: an edge through a triangle, decided exactly by the signs of orient3d and orient2d (Shewchuk 1997).
//!
//! Closed: touching counts. Independent of distances and CCD, so that it can judge them.

use super::broad_phase::BroadPhase;
use super::distance::Point;
use super::surface::Surface;
use rayon::prelude::*;

pub use visviva_shapes::exact::{orient3d, segment_meets_triangle};

/// All [edge, triangle] that intersect at x, in ascending order; edges that share a vertex with the triangle are left out.
pub fn intersections(surface: &Surface, broad_phase: &mut BroadPhase, x: &[Point]) -> Vec<[u32; 2]> {
    let mut candidates = vec![];
    broad_phase.edges_at_triangles(surface, x, &mut candidates);
    let crosses = |&[edge, triangle]: &[u32; 2]| {
        let segment = surface.edges()[edge as usize].map(|v| x[v as usize]);
        let corners = surface.triangles()[triangle as usize].map(|v| x[v as usize]);
        segment_meets_triangle(&segment, &corners)
    };
    candidates.into_par_iter().filter(crosses).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::{Random, resting_bodies};

    fn triangle() -> [Point; 3] {
        [Point::zeros(), Point::x(), Point::y()]
    }

    #[test]
    fn crossing_touching_and_missing_are_told_apart_to_the_last_bit() {
        let at = Point::new;
        let tiny = f64::MIN_POSITIVE;
        for (a, b, expected) in [
            (at(0.2, 0.2, -1.0), at(0.2, 0.2, 1.0), true),
            (at(0.8, 0.8, -1.0), at(0.8, 0.8, 1.0), false),
            (at(0.2, 0.2, 0.0), at(0.2, 0.2, 1.0), true),
            (at(0.2, 0.2, tiny), at(0.2, 0.2, 1.0), false),
            (at(0.5, 0.5, -1.0), at(0.5, 0.5, 1.0), true),
            (at(0.5, 0.5 + f64::EPSILON, -1.0), at(0.5, 0.5 + f64::EPSILON, 1.0), false),
            (at(0.0, 0.0, -1.0), at(0.0, 0.0, 1.0), true),
            // In the plane: through, inside, beside, along an edge, and on its line but beyond.
            (at(-1.0, 0.2, 0.0), at(2.0, 0.2, 0.0), true),
            (at(0.1, 0.1, 0.0), at(0.2, 0.2, 0.0), true),
            (at(1.0, 1.0, 0.0), at(2.0, 0.5, 0.0), false),
            (at(0.2, 0.0, 0.0), at(3.0, 0.0, 0.0), true),
            (at(1.5, 0.0, 0.0), at(3.0, 0.0, 0.0), false),
            // A point
            (at(0.3, 0.3, 0.0), at(0.3, 0.3, 0.0), true),
            (at(0.3, 0.3, 0.1), at(0.3, 0.3, 0.1), false),
        ] {
            assert_eq!(segment_meets_triangle(&[a, b], &triangle()), expected, "{a} {b}");
            assert_eq!(segment_meets_triangle(&[b, a], &triangle()), expected, "{b} {a}");
        }
    }

    #[test]
    fn a_triangle_without_area_is_met_only_where_it_is() {
        let line = [Point::zeros(), Point::new(1.0, 1.0, 1.0), Point::new(3.0, 3.0, 3.0)];
        let through = |p: Point, d: Point| segment_meets_triangle(&[p - d, p + d], &line);
        assert!(through(Point::repeat(2.0), Point::x()));
        assert!(!through(Point::repeat(4.0), Point::x()));
        // Skew, although all three shadows cross.
        assert!(!through(Point::new(1.5, 1.5, 1.625), Point::new(1.0, -1.0, 0.5)));
        assert!(segment_meets_triangle(&[Point::repeat(2.5), Point::repeat(9.0)], &line));
        assert!(!segment_meets_triangle(&[Point::repeat(3.5), Point::repeat(9.0)], &line));
    }

    #[test]
    fn random_segments_agree_with_solving_for_the_point() {
        let mut random = Random(51);
        let mut met = 0;
        for _ in 0..20_000 {
            let [a, b, p, q] = random.points();
            let r = random.point();
            let matrix = nalgebra::Matrix3::from_columns(&[q - p, r - p, a - b]);
            let Some(solution) = matrix.lu().solve(&(a - p)) else { continue };
            let (u, v, t) = (solution.x, solution.y, solution.z);
            let margin = u.min(v).min(1.0 - u - v).min(t).min(1.0 - t);
            if margin.abs() > 1e-9 {
                assert_eq!(segment_meets_triangle(&[a, b], &[p, q, r]), margin > 0.0);
                met += (margin > 0.0) as usize;
            }
        }
        assert!(met > 500);
    }

    #[test]
    fn a_cube_pushed_through_a_plate_is_found_with_its_edges_and_triangles() {
        let mut bodies = resting_bodies(0.3);
        let mut broad_phase = BroadPhase::default();
        assert!(intersections(&bodies.surface, &mut broad_phase, &bodies.x).is_empty());
        bodies.x[25..].iter_mut().for_each(|x| x.z -= 0.02);
        let found = intersections(&bodies.surface, &mut broad_phase, &bodies.x);
        assert!(found.len() > 8 && found.is_sorted());
        for [edge, triangle] in found {
            let bodies_of = (
                bodies.surface.body_of(bodies.surface.edges()[edge as usize][0]),
                bodies.surface.body_of(bodies.surface.triangles()[triangle as usize][0]),
            );
            assert!(matches!(bodies_of, (0, 1) | (1, 0)));
        }
    }
}
