//! Which triangles of a soup meet, decided exactly (Shewchuk 1997): every pair is judged, whatever it belongs to.
//!
//! Two triangles meet if an edge of one meets the other, in one plane too. What they share is no meeting: of two that share a
//! vertex the edges opposite decide, two that share an edge overlap if one lies folded flat onto the other.

use super::bvh::Bvh;
use super::distance::Point;
use rayon::prelude::*;
use visviva_shapes::exact::triangles_meet;

/// All pairs that meet at x, the smaller index first, in ascending order. Triangles with a vertex that is not finite are left out.
pub fn crossing_triangles(triangles: &[[u32; 3]], x: &[Point]) -> Vec<[u32; 2]> {
    let (judged, tree) = Bvh::over_finite(triangles, x);
    let at_leaf = |leaf: usize| {
        let mut found = Vec::new();
        tree.query_self(leaf, |a, b| {
            let (a, b) = (judged[a as usize], judged[b as usize]);
            if triangles_meet(triangles[a as usize], triangles[b as usize], x) {
                found.push([a.min(b), a.max(b)]);
            }
        });
        found
    };
    let mut found: Vec<[u32; 2]> = (0..tree.leaf_count()).into_par_iter().flat_map_iter(at_leaf).collect();
    found.par_sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::{Random, random_surface};

    #[test]
    fn coplanar_triangles_meet_where_they_overlap_or_touch_and_nowhere_else() {
        let at = |x: f64, y: f64| Point::new(x, y, 0.0);
        let below = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)];
        for (above, expected) in [
            ([at(0.5, 0.2), at(1.5, 0.2), at(0.5, 1.2)], true),
            ([at(0.1, 0.1), at(0.2, 0.1), at(0.1, 0.2)], true),
            ([at(-1.0, -1.0), at(4.0, -1.0), at(-1.0, 4.0)], true),
            ([at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)], true),
            ([at(1.0, 0.0), at(2.0, 0.0), at(1.0, 1.0)], true),
            ([at(1.0, 1.0), at(2.0, 1.0), at(1.0, 2.0)], false),
        ] {
            let x = [below, above].concat();
            assert_eq!(crossing_triangles(&[[0, 1, 2], [3, 4, 5]], &x), vec![[0, 1]; expected as usize], "{above:?}");
            // A hair above the plane they are apart, however little.
            let lifted: Vec<Point> = x.iter().enumerate().map(|(i, p)| p + Point::z() * [0.0, 1e-300][i / 3]).collect();
            assert!(crossing_triangles(&[[0, 1, 2], [3, 4, 5]], &lifted).is_empty());
        }
    }

    #[test]
    fn neighbours_meet_only_when_folded_flat_or_pushed_through() {
        let (u, v, a) = (Point::zeros(), Point::x(), Point::new(0.3, 1.0, 0.0));
        let fold = |b: Point| !crossing_triangles(&[[0, 1, 2], [1, 0, 3]], &[u, v, a, b]).is_empty();
        assert!(fold(Point::new(0.8, 0.5, 0.0)));
        assert!(!fold(Point::new(0.8, 0.5, 1e-300)));
        assert!(!fold(Point::new(0.8, -0.5, 0.0)));
        // One shared vertex: the second triangle's far edge goes through the first, or beside it.
        let hinge = |lift: f64| {
            let (c, d) = (Point::new(0.4, 0.3, 0.5 + lift), Point::new(0.4, 0.3, -0.5 + lift));
            !crossing_triangles(&[[0, 1, 2], [0, 3, 4]], &[u, v, a, c, d]).is_empty()
        };
        assert!(hinge(0.0) && !hinge(0.6));
        assert!(!crossing_triangles(&[[0, 1, 2], [2, 0, 1]], &[u, v, a]).is_empty(), "one triangle twice");
    }

    #[test]
    fn a_soup_gives_what_comparing_all_pairs_gives_and_leaves_out_what_is_no_number() {
        let mut random = Random(77);
        let (surface, mut x) = random_surface(&mut random, &[80; 4]);
        let triangles = surface.triangles();
        let mut all = Vec::new();
        for a in 0..triangles.len() {
            for b in a + 1..triangles.len() {
                if triangles_meet(triangles[a], triangles[b], &x) {
                    all.push([a as u32, b as u32]);
                }
            }
        }
        assert!(all.len() > 50, "{}", all.len());
        assert_eq!(crossing_triangles(triangles, &x), all);
        let lost = triangles[all[0][0] as usize][1];
        x[lost as usize].y = f64::NAN;
        all.retain(|pair| pair.iter().all(|&t| !triangles[t as usize].contains(&lost)));
        assert_eq!(crossing_triangles(triangles, &x), all);
    }
}
