//! How long a vertex keeps clear of a triangle's plane, or two edges of the parallel planes through them, while all of it turns.
//!
//! s(τ) = r·N, N = e×f, is cubic where r, e and f are linear in τ: where its coefficients in Bernstein's form lie above left·max|N|, so
//! does s, and the distance s/|N| above `left`. A fixed direction must be renewed each time a corner turns through the gap's width; these
//! planes turn along, so that sliding over a turning face costs nothing.

use super::distance::Point;

/// Of the step, until planes show it to be safe
const HALVINGS: usize = 24;

/// How far four points, the first `split` of them one primitive, keep the distance `left` on straight paths, at most `most`;
/// zero where planes do not show it.
pub fn longest_step<const N: usize>(x: &[Point; N], dx: &[Point; N], split: usize, left: f64, most: f64) -> f64 {
    if N != 4 {
        return 0.0;
    }
    let vectors = |y: &[Point; N]| match split {
        1 => [y[0] - y[1], y[2] - y[1], y[3] - y[1]],
        _ => [y[0] - y[2], y[1] - y[0], y[3] - y[2]],
    };
    let ([r, e, f], [dr, de, df]) = (vectors(x), vectors(dx));
    let now = r.dot(&e.cross(&f));
    let sign = if now < 0.0 { -1.0 } else { 1.0 };
    let mut step = most;
    for _ in 0..HALVINGS {
        let [r1, e1, f1] = [r + step * dr, e + step * de, f + step * df];
        // Control points of N and of s on [0, step]: blossoms, each factor at one end or the other.
        let normals = [e.cross(&f), 0.5 * (e.cross(&f1) + e1.cross(&f)), e1.cross(&f1)];
        let longest = normals.iter().map(Point::norm).fold(0.0, f64::max);
        let controls = [
            r.dot(&normals[0]),
            (2.0 * r.dot(&normals[1]) + r1.dot(&normals[0])) / 3.0,
            (r.dot(&normals[2]) + 2.0 * r1.dot(&normals[1])) / 3.0,
            r1.dot(&normals[2]),
        ];
        // What rounding can do to the products.
        let size = r.norm().max(r1.norm()) * e.norm().max(e1.norm()) * f.norm().max(f1.norm());
        let enough = left * longest + 64.0 * f64::EPSILON * size;
        if controls.iter().all(|&s| sign * s > enough) {
            return step;
        }
        step *= 0.5;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ccd::{self, Separation};
    use crate::contact::distance::point_triangle;

    #[test]
    fn a_vertex_slides_freely_along_a_face_that_turns() {
        // The face turns by 0.2 about the y axis under the vertex, which stays 0.1 µm above it.
        let gap = 1e-7;
        let face = [Point::new(-0.5, -0.5, 0.0), Point::new(0.6, -0.5, 0.0), Point::new(0.0, 0.7, 0.0)];
        let (sin, cos) = 0.2f64.sin_cos();
        let turned = face.map(|p| Point::new(cos * p.x, p.y, sin * p.x));
        let x = [Point::new(0.0, 0.0, gap), face[0], face[1], face[2]];
        let dx = [Point::new(0.0, 0.1, 0.0), turned[0] - face[0], turned[1] - face[1], turned[2] - face[2]];
        let t = ccd::point_triangle(&x, &dx, &Separation::default(), 1.0);
        assert_eq!(t, 1.0);
        // Seen from the edges it is the same: crossed, turning about each other's normal and sliding.
        let edges = [
            Point::new(-0.5, 0.0, gap),
            Point::new(0.5, 0.0, gap),
            Point::new(0.0, -0.5, 0.0),
            Point::new(0.0, 0.5, 0.0),
        ];
        let tilt = |p: Point| Point::new(0.0, 0.1, 0.2 * p.x);
        let moves = [tilt(edges[0]), tilt(edges[1]), Point::zeros(), Point::zeros()];
        let t = ccd::edge_edge(&edges, &moves, &Separation::default(), 1.0);
        assert_eq!(t, 1.0);
        for k in 0..=1000 {
            let now = std::array::from_fn(|i| x[i] + k as f64 / 1000.0 * dx[i]);
            assert!(point_triangle::closest(&now).between.norm() > 0.1 * gap);
        }
    }
}
