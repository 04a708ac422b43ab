//! Whether segments and triangles meet, decided exactly by the signs of orient3d and orient2d (Shewchuk 1997).

use nalgebra::Vector3;
use robust::{Coord, Coord3D};

/// Whether two triangles meet in more than the vertices they share.
pub fn triangles_meet(first: [u32; 3], second: [u32; 3], x: &[Vector3<f64>]) -> bool {
    let at = |v: u32| x[v as usize];
    let own = |mine: [u32; 3], other: [u32; 3]| mine.into_iter().filter(move |v| !other.contains(v));
    let apart = own(first, second).count();
    match apart {
        0 => true,
        1 => {
            let (Some(a), Some(b)) = (own(first, second).next(), own(second, first).next()) else { return true };
            let mut shared = first.into_iter().filter(|v| *v != a);
            let (Some(u), Some(v)) = (shared.next(), shared.next()) else { return true };
            folded_flat(&at(u), &at(v), &at(a), &at(b))
        }
        _ => {
            let edge_meets = |mine: [u32; 3], other: [u32; 3]| {
                let edges = [[mine[0], mine[1]], [mine[1], mine[2]], [mine[2], mine[0]]];
                let free = edges.into_iter().filter(|edge| edge.iter().all(|v| !other.contains(v)));
                free.into_iter().any(|edge| segment_meets_triangle(&edge.map(at), &other.map(at)))
            };
            edge_meets(first, second) || edge_meets(second, first)
        }
    }
}

/// Whether the triangles uva and uvb lie in one plane and on one side of uv.
fn folded_flat(u: &Vector3<f64>, v: &Vector3<f64>, a: &Vector3<f64>, b: &Vector3<f64>) -> bool {
    let side = |p: &Vector3<f64>, axis: usize| orient2d(shadow(u, axis), shadow(v, axis), shadow(p, axis));
    orient3d(u, v, a, b) == 0 && (0..3).any(|axis| side(a, axis) * side(b, axis) > 0)
}

/// Whether they have a point in common; touching counts.
pub fn segment_meets_triangle([a, b]: &[Vector3<f64>; 2], [p, q, r]: &[Vector3<f64>; 3]) -> bool {
    let (above, below) = (orient3d(p, q, r, a), orient3d(p, q, r, b));
    if above == 0 && below == 0 {
        return if is_flat(p, q, r) {
            // A triangle without area is its edges.
            [(p, q), (q, r), (r, p)].into_iter().any(|(p, q)| segments_meet(a, b, p, q))
        } else {
            // In one plane: they meet if their shadows along each axis do, one of which is true to the plane.
            (0..3).all(|axis| {
                flat_segment_meets_triangle([a, b].map(|x| shadow(x, axis)), [p, q, r].map(|x| shadow(x, axis)))
            })
        };
    }
    if above * below > 0 {
        return false;
    }
    let turns = [orient3d(a, b, p, q), orient3d(a, b, q, r), orient3d(a, b, r, p)];
    turns.iter().all(|&turn| turn >= 0) || turns.iter().all(|&turn| turn <= 0)
}

fn segments_meet(a: &Vector3<f64>, b: &Vector3<f64>, p: &Vector3<f64>, q: &Vector3<f64>) -> bool {
    let shadows_meet = |axis| flat_segments_meet([a, b].map(|x| shadow(x, axis)), [p, q].map(|x| shadow(x, axis)));
    orient3d(a, b, p, q) == 0 && (0..3).all(shadows_meet)
}

/// Whether three points lie on one line.
pub fn is_flat(p: &Vector3<f64>, q: &Vector3<f64>, r: &Vector3<f64>) -> bool {
    (0..3).all(|axis| orient2d(shadow(p, axis), shadow(q, axis), shadow(r, axis)) == 0)
}

fn flat_segment_meets_triangle(segment: [Coord<f64>; 2], corners: [Coord<f64>; 3]) -> bool {
    let [p, q, r] = corners;
    let turns = [(p, q), (q, r), (r, p)].map(|(p, q)| orient2d(p, q, segment[0]));
    let inside = turns.iter().all(|&turn| turn >= 0) || turns.iter().all(|&turn| turn <= 0);
    inside || [[p, q], [q, r], [r, p]].into_iter().any(|side| flat_segments_meet(segment, side))
}

fn flat_segments_meet([a, b]: [Coord<f64>; 2], [p, q]: [Coord<f64>; 2]) -> bool {
    let spans_meet = |a: f64, b: f64, p: f64, q: f64| a.min(b) <= p.max(q) && p.min(q) <= a.max(b);
    spans_meet(a.x, b.x, p.x, q.x)
        && spans_meet(a.y, b.y, p.y, q.y)
        && orient2d(a, b, p) * orient2d(a, b, q) <= 0
        && orient2d(p, q, a) * orient2d(p, q, b) <= 0
}

/// A point seen along an axis.
fn shadow(p: &Vector3<f64>, axis: usize) -> Coord<f64> {
    Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] }
}

/// On which side of the plane abc the point d lies.
pub fn orient3d(a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>, d: &Vector3<f64>) -> i32 {
    let of = |p: &Vector3<f64>| Coord3D { x: p.x, y: p.y, z: p.z };
    sign(robust::orient3d(of(a), of(b), of(c), of(d)))
}

fn orient2d(a: Coord<f64>, b: Coord<f64>, c: Coord<f64>) -> i32 {
    sign(robust::orient2d(a, b, c))
}

fn sign(value: f64) -> i32 {
    (value > 0.0) as i32 - (value < 0.0) as i32
}
