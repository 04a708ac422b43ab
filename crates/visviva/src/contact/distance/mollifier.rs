//! The factor that fades out the barrier of parallel edges, where their distance is not smooth (Li et al. 2020, section 5).
//!
//! m(s) = (2 − s/ε) s/ε for s < ε, else 1; s = |e_a×e_b|², ε = 10⁻³ |e_a|²|e_b|² of the edges at rest.

use super::gap::{add_outer, kronecker};
use super::{Gradient, Hessian, Point};
use nalgebra::Matrix3;

/// ε from the squared rest lengths of the two edges `[m⁴]`
pub fn threshold(a_rest_squared: f64, b_rest_squared: f64) -> f64 {
    1e-3 * a_rest_squared * b_rest_squared
}

/// s = |e_a×e_b|² `[m⁴]`
pub fn cross_squared(points: &[Point; 4]) -> f64 {
    let [a0, a1, b0, b1] = points;
    (a1 - a0).cross(&(b1 - b0)).norm_squared()
}

/// m(s)
pub fn value(s: f64, threshold: f64) -> f64 {
    if s < threshold { (2.0 - s / threshold) * (s / threshold) } else { 1.0 }
}

/// dm/ds ≥ 0
pub fn slope(s: f64, threshold: f64) -> f64 {
    if s < threshold { 2.0 * (1.0 - s / threshold) / threshold } else { 0.0 }
}

/// d²m/ds² ≤ 0
pub fn curvature(s: f64, threshold: f64) -> f64 {
    if s < threshold { -2.0 / (threshold * threshold) } else { 0.0 }
}

/// ∇s
pub fn cross_squared_gradient(points: &[Point; 4]) -> Gradient {
    let (p, q) = (points[1] - points[0], points[3] - points[2]);
    let pq = p.dot(&q);
    let by_p = 2.0 * (q.norm_squared() * p - pq * q);
    let by_q = 2.0 * (p.norm_squared() * q - pq * p);
    let blocks = [-by_p, by_p, -by_q, by_q];
    Gradient::from_fn(|k, _| blocks[k / 3][k % 3])
}

/// ∇²s: the edges are differences of points, so each 3×3 block appears with both signs.
pub fn cross_squared_hessian(points: &[Point; 4]) -> Hessian {
    let (p, q) = (points[1] - points[0], points[3] - points[2]);
    let (pp, pq, qq) = (p.norm_squared(), p.dot(&q), q.norm_squared());
    let identity = Matrix3::identity();
    let by_pp = 2.0 * (qq * identity - q * q.transpose());
    let by_qq = 2.0 * (pp * identity - p * p.transpose());
    let by_pq = 2.0 * (2.0 * p * q.transpose() - q * p.transpose() - pq * identity);
    let mut hessian = Hessian::zeros();
    for (first, second, block) in [(0, 0, by_pp), (2, 2, by_qq), (0, 2, by_pq), (2, 0, by_pq.transpose())] {
        for (i, row_sign) in [(first, -1.0), (first + 1, 1.0)] {
            for (j, column_sign) in [(second, -1.0), (second + 1, 1.0)] {
                hessian.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&(row_sign * column_sign * block));
            }
        }
    }
    hessian
}

/// Two edges p and q in the plane they span: z = |p×q| = √s with its derivatives there, kept apart from those out of the plane.
#[derive(Debug, Clone, Copy)]
pub struct Crossing {
    p: Point,
    q: Point,
    normal: Point,
    /// |e_a×e_b| `[m²]`
    pub z: f64,
}

/// How the edges depend on the stencil's points
const P: [f64; 4] = [-1.0, 1.0, 0.0, 0.0];
const Q: [f64; 4] = [0.0, 0.0, -1.0, 1.0];

impl Crossing {
    pub fn new(points: &[Point; 4]) -> Self {
        let (p, q) = (points[1] - points[0], points[3] - points[2]);
        let cross = p.cross(&q);
        let z = cross.norm();
        // Exactly parallel edges lie in many planes: any serves.
        let any = || p.cross(&Point::ith(p.iamin(), 1.0)).try_normalize(0.0).unwrap_or(Point::z());
        let normal = if z > 0.0 { cross / z } else { any() };
        Self { p, q, normal, z }
    }

    /// ∇z within the plane
    pub fn gradient(&self) -> Gradient {
        kronecker(&P, &self.q.cross(&self.normal)) + kronecker(&Q, &self.normal.cross(&self.p))
    }

    /// h ← h + scale [∇²s − 2∇z∇zᵀ]⁺: a positive form out of the plane, and 2z∇²z in it, whose eigenvalues are ±2z.
    pub fn add_projected_curvature(&self, scale: f64, h: &mut Hessian) {
        let (qq, pq) = (self.q.norm_squared(), self.p.dot(&self.q));
        let p_norm = self.p.norm();
        if qq == 0.0 || p_norm == 0.0 {
            return;
        }
        // 2 [q² δp² − 2 p·q δp δq + p² δq²] as a sum of two squares
        let mixed = std::array::from_fn(|i| P[i] - pq / qq * Q[i]);
        add_outer(h, 2.0 * scale * qq, &kronecker(&mixed, &self.normal));
        add_outer(h, 2.0 * scale * self.z * self.z / qq, &kronecker(&Q, &self.normal));
        let along = self.p / p_norm;
        let across = self.normal.cross(&along);
        for (by_p, by_q) in [(along, across), (across, -along)] {
            add_outer(h, scale * self.z, &(kronecker(&P, &by_p) + kronecker(&Q, &by_q)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::{Random, numeric_gradient};
    use crate::laws::finite_difference;

    #[test]
    fn it_rises_smoothly_from_zero_for_parallel_edges_to_one() {
        assert_eq!((value(0.0, 2.0), value(2.0, 2.0), value(5.0, 2.0)), (0.0, 1.0, 1.0));
        assert_eq!((slope(2.0, 2.0), slope(3.0, 2.0)), (0.0, 0.0));
        for s in [0.1, 1.0, 1.9, 2.5] {
            finite_difference::check(|s| value(s, 2.0), |s| slope(s, 2.0), s, 1e-4);
            finite_difference::check(|s| slope(s, 2.0), |s| curvature(s, 2.0), s, 1e-4);
        }
        // Edges without length at rest are points and need no fading.
        assert_eq!(value(0.0, threshold(0.0, 1.0)), 1.0);
    }

    #[test]
    fn derivatives_of_the_cross_product_match_finite_differences() {
        let mut random = Random(9);
        for _ in 0..50 {
            let points = random.points();
            let gradient = cross_squared_gradient(&points);
            assert!(
                (gradient - numeric_gradient(&points, 1e-4, cross_squared)).norm() < 1e-9 * (1.0 + gradient.norm())
            );
            let hessian = cross_squared_hessian(&points);
            for k in 0..12 {
                let measured = numeric_gradient(&points, 1e-4, |x| cross_squared_gradient(x)[k]);
                assert!((hessian.column(k) - measured).norm() < 1e-8 * hessian.norm());
            }
        }
    }
}
