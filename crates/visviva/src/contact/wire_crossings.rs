//! Which wires meet which triangles, decided exactly (Shewchuk 1997); touching counts.
//!
//! Wire against wire is not asked: two lines in space meet with probability zero.

use super::bvh::Bvh;
use super::distance::Point;
use super::intersection::segment_meets_triangle;
use rayon::prelude::*;

/// All [wire, triangle] that meet at x, in ascending order, of those that `may_meet` does not set aside. A wire and a triangle that
/// share a vertex are left out, and so is what has a vertex that is not finite.
pub fn wire_crossings(
    wires: &[[u32; 2]],
    triangles: &[[u32; 3]],
    x: &[Point],
    may_meet: impl Fn(u32, u32) -> bool + Sync,
) -> Vec<[u32; 2]> {
    if wires.is_empty() {
        return Vec::new();
    }
    let (judged_wires, asking) = Bvh::over_finite(wires, x);
    let (judged_triangles, tree) = Bvh::over_finite(triangles, x);
    let at_leaf = |leaf: usize| {
        let mut found = Vec::new();
        tree.query(&asking, leaf, |w, t| {
            let (w, t) = (judged_wires[w as usize], judged_triangles[t as usize]);
            let (ends, corners) = (wires[w as usize], triangles[t as usize]);
            let apart = ends.iter().all(|end| !corners.contains(end));
            let at = |v: u32| x[v as usize];
            if apart && may_meet(w, t) && segment_meets_triangle(&ends.map(at), &corners.map(at)) {
                found.push([w, t]);
            }
        });
        found
    };
    let mut found: Vec<[u32; 2]> = (0..asking.leaf_count()).into_par_iter().flat_map_iter(at_leaf).collect();
    found.par_sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::{Random, random_surface};

    #[test]
    fn wires_through_a_soup_give_what_comparing_all_with_all_gives() {
        let mut random = Random(5);
        let (surface, mut x) = random_surface(&mut random, &[80; 4]);
        let first = x.len() as u32;
        x.extend((0..120).map(|_| random.point()));
        let mut wires: Vec<[u32; 2]> = (0..60).map(|k| [first + 2 * k, first + 2 * k + 1]).collect();
        // One that hangs on the surface by a vertex, and one that is no number.
        wires.push([surface.triangles()[0][0], first]);
        let triangles = surface.triangles();
        x[first as usize + 7].z = f64::NAN;
        let odd = |w: u32, t: u32| !(w + t).is_multiple_of(3);
        let mut all = Vec::new();
        for (w, ends) in (0..).zip(&wires) {
            for (t, corners) in (0..).zip(triangles) {
                let own = ends.iter().any(|end| corners.contains(end));
                let lost = ends.contains(&(first + 7));
                let at = |v: u32| x[v as usize];
                if odd(w, t) && !own && !lost && segment_meets_triangle(&ends.map(at), &corners.map(at)) {
                    all.push([w, t]);
                }
            }
        }
        assert!(all.len() > 30, "{}", all.len());
        assert_eq!(wire_crossings(&wires, triangles, &x, odd), all);
    }

    #[test]
    fn a_wire_meets_a_triangle_it_touches_and_none_a_hair_beside_it() {
        let at = Point::new;
        let x = |lift: f64| {
            vec![at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0), at(0.0, 1.0, 0.0), at(-1.0, 0.2, lift), at(1.0, 0.2, lift)]
        };
        let found = |lift: f64| wire_crossings(&[[3, 4]], &[[0, 1, 2]], &x(lift), |_, _| true);
        assert_eq!(found(0.0), [[0, 0]]);
        assert!(found(1e-300).is_empty());
    }
}
