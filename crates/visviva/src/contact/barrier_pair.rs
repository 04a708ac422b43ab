//! The barrier energy of one pair, E = κ w m b(d − ξ) [J], with its gradient, Hessian and projected Hessian (Li et al. 2020, 2021).
//!
//! Without mollifier and with a = −E′ ≥ 0, the Hessian is E″ (c⊗n)(c⊗n)ᵀ + a Σₖ [d u uᵀ + u wᵀ + w uᵀ]ₖ − (a/d) Σ (c⊗m)(c⊗m)ᵀ,
//! u = ĉₖ⊗n, w = c⊗t̂ₖ, m the normals of r and all t̂. Once the ĉₖ are orthogonal, the brackets act in planes of their own and the last
//! sum in others: each is projected exactly by a 2×2 eigenvalue, and the whole is at most three outer products.

use super::distance::gap::{add_outer, dot, kronecker};
use super::distance::{Gap, Gradient, Hessian, Point, mollifier};
use super::pair::{Kind, Pair};
use crate::laws::barrier;
use nalgebra::{Matrix3, SMatrix};

/// What all pairs share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Barrier {
    /// κ [N/m]
    pub stiffness: f64,
    /// d̂ [m]: the gap below which the barrier acts
    pub reach: f64,
    /// ξ [m]: the distance that counts as contact
    pub thickness: f64,
}

impl Barrier {
    /// Distance below which a pair is active [m]
    pub fn activation(&self) -> f64 {
        self.reach + self.thickness
    }

    /// κ b(d − ξ) [J]
    pub fn value(&self, d: f64) -> f64 {
        self.stiffness * barrier::value(d - self.thickness, self.reach)
    }

    /// [N]
    pub fn slope(&self, d: f64) -> f64 {
        self.stiffness * barrier::slope(d - self.thickness, self.reach)
    }

    /// [N/m]
    pub fn curvature(&self, d: f64) -> f64 {
        self.stiffness * barrier::curvature(d - self.thickness, self.reach)
    }
}

/// m, 1 unless the edges are near parallel.
pub fn fading(pair: &Pair, points: &[Point; 4]) -> f64 {
    match pair.kind {
        Kind::ParallelEdges(_) => mollifier::value(mollifier::cross_squared(points), pair.threshold),
        _ => 1.0,
    }
}

/// E [J], +∞ in contact
pub fn energy(barrier: &Barrier, pair: &Pair, points: &[Point; 4]) -> f64 {
    let value = barrier.value(pair.gap(points).distance);
    // Contact of exactly parallel edges is contact all the same, not 0·∞.
    if value == f64::INFINITY { value } else { pair.weight * fading(pair, points) * value }
}

/// ∇E [N]; the energy must be finite
pub fn gradient(barrier: &Barrier, pair: &Pair, points: &[Point; 4]) -> Gradient {
    let gap = pair.gap(points);
    let slope = pair.weight * barrier.slope(gap.distance);
    if !matches!(pair.kind, Kind::ParallelEdges(_)) {
        return kronecker(&gap.weights, &(slope * gap.normal));
    }
    let s = mollifier::cross_squared(points);
    let (m, dm) = (mollifier::value(s, pair.threshold), mollifier::slope(s, pair.threshold));
    let value = pair.weight * barrier.value(gap.distance);
    kronecker(&gap.weights, &(m * slope * gap.normal)) + (value * dm) * mollifier::cross_squared_gradient(points)
}

/// ∇²E [N/m], indefinite; the energy must be finite
pub fn hessian(barrier: &Barrier, pair: &Pair, points: &[Point; 4]) -> Hessian {
    let gap = pair.gap(points);
    let plain = plain_hessian(barrier, pair.weight, &gap);
    if !matches!(pair.kind, Kind::ParallelEdges(_)) {
        return plain;
    }
    let s = mollifier::cross_squared(points);
    let value = pair.weight * barrier.value(gap.distance);
    let slope = pair.weight * barrier.slope(gap.distance);
    let (m, dm) = (mollifier::value(s, pair.threshold), mollifier::slope(s, pair.threshold));
    let ds = mollifier::cross_squared_gradient(points);
    let force = gap.gradient() * (slope * dm);
    let mut hessian = m * plain + (value * dm) * mollifier::cross_squared_hessian(points);
    add_outer(&mut hessian, value * mollifier::curvature(s, pair.threshold), &ds);
    // ∇m ∇bᵀ + ∇b ∇mᵀ
    hessian += Hessian::from_fn(|i, j| force[i] * ds[j] + force[j] * ds[i]);
    hessian
}

/// ∇²E made positive semidefinite [N/m]: in closed form, or numerically for parallel edges
pub fn projected_hessian(barrier: &Barrier, pair: &Pair, points: &[Point; 4]) -> Hessian {
    if matches!(pair.kind, Kind::ParallelEdges(_)) {
        return project(&hessian(barrier, pair, points));
    }
    let gap = pair.gap(points);
    let mut projected = Hessian::zeros();
    let stiffness = pair.weight * barrier.curvature(gap.distance);
    add_outer(&mut projected, stiffness, &gap.gradient());
    let push = -pair.weight * barrier.slope(gap.distance);
    let c_norm = dot(&gap.weights, &gap.weights).sqrt();
    let (slides, count) = gap.principal_slides();
    for slide in &slides[..count] {
        // In the basis (u/|u|, w/|w|) the bracket is [[A, B], [B, 0]]: one positive eigenvalue.
        let u_norm = dot(&slide.weights, &slide.weights).sqrt();
        let (a, b) = (gap.distance * u_norm * u_norm, u_norm * c_norm);
        if b > 0.0 {
            let eigenvalue = 0.5 * (a + (a * a + 4.0 * b * b).sqrt());
            let (x, y) = (eigenvalue / u_norm, b / c_norm);
            let q = kronecker(&slide.weights, &(x * gap.normal)) + kronecker(&gap.weights, &(y * slide.tangent));
            add_outer(&mut projected, push * eigenvalue / (eigenvalue * eigenvalue + b * b), &q);
        }
    }
    projected
}

fn plain_hessian(barrier: &Barrier, weight: f64, gap: &Gap) -> Hessian {
    let (slope, curvature) = (weight * barrier.slope(gap.distance), weight * barrier.curvature(gap.distance));
    let bend = slope / gap.distance;
    let nn = gap.normal * gap.normal.transpose();
    gap.curved(curvature * nn + bend * (Matrix3::identity() - nn), bend)
}

/// Negative eigenvalues set to zero. Translations cost nothing, so nine coordinates tell all: sums and differences of the points.
fn project(hessian: &Hessian) -> Hessian {
    const Q: [[f64; 4]; 3] = [[0.5, -0.5, 0.5, -0.5], [0.5, 0.5, -0.5, -0.5], [0.5, -0.5, -0.5, 0.5]];
    let basis = SMatrix::<f64, 12, 9>::from_fn(|i, j| if i % 3 == j % 3 { Q[j / 3][i / 3] } else { 0.0 });
    let reduced: SMatrix<f64, 9, 9> = basis.transpose() * hessian * basis;
    if reduced.cholesky().is_some() {
        return *hessian;
    }
    let eigen = reduced.symmetric_eigen();
    let mut projected = Hessian::zeros();
    for k in 0..9 {
        if eigen.eigenvalues[k] > 0.0 {
            add_outer(&mut projected, eigen.eigenvalues[k], &(basis * eigen.eigenvectors.column(k)));
        }
    }
    projected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::distance::edge_edge;
    use crate::contact::sampling::{Random, numeric_gradient};

    /// Stencils of every kind with ordinary shapes, their barrier reaching past the distance.
    fn for_every_kind(mut claim: impl FnMut(&Barrier, &Pair, &[Point; 4])) {
        let mut random = Random(21);
        let plain = [Kind::PointPoint, Kind::PointEdge, Kind::PointTriangle, Kind::EdgeEdge];
        let kinds = plain.into_iter().chain(edge_edge::CLASSES.map(Kind::ParallelEdges));
        for kind in kinds {
            for round in 0..30 {
                let mut points = random.points().map(|p| 0.2 * p);
                let far_ends: &[(usize, Point)] = match kind {
                    Kind::PointTriangle => &[(2, Point::x()), (3, Point::y())],
                    Kind::EdgeEdge => &[(1, Point::x()), (3, Point::y())],
                    _ => &[(1, Point::x()), (3, Point::x())],
                };
                far_ends.iter().for_each(|&(i, offset)| points[i] += offset);
                // Inside the mollifier's range, and for lines not yet so parallel that they swing about each other.
                let threshold = 2.0 * mollifier::cross_squared(&points);
                let pair = Pair { kind, vertices: [0, 1, 2, 3], weight: 3.0, threshold };
                let d = pair.gap(&points).distance;
                let thickness = if round % 2 == 0 { 0.0 } else { 0.3 * d };
                let reach = (d - thickness) / [0.1, 0.5, 0.9][round % 3];
                claim(&Barrier { stiffness: 10.0, reach, thickness }, &pair, &points);
            }
        }
    }

    #[test]
    fn derivatives_match_finite_differences_in_every_class() {
        for_every_kind(|barrier, pair, points| {
            let step = 1e-3 * (pair.gap(points).distance - barrier.thickness).min(0.1);
            let g = gradient(barrier, pair, points);
            let measured = numeric_gradient(points, step, |x| energy(barrier, pair, x));
            assert!((g - measured).norm() < 1e-7 * g.norm(), "{pair:?}: {}", (g - measured).norm() / g.norm());
            let h = hessian(barrier, pair, points);
            assert!((h - h.transpose()).norm() < 1e-15 * h.norm());
            for k in 0..12 {
                let measured = numeric_gradient(points, step, |x| gradient(barrier, pair, x)[k]);
                let error = (h.column(k) - measured).norm() / h.norm();
                assert!(error < 1e-6, "{pair:?}, column {k}: {error}");
            }
        });
    }

    #[test]
    fn the_projection_is_positive_above_the_hessian_and_close_to_the_nearest_one() {
        let mut worst: f64 = 1.0;
        for_every_kind(|barrier, pair, points| {
            let (h, p) = (hessian(barrier, pair, points), projected_hessian(barrier, pair, points));
            let scale = h.norm();
            assert!(p.symmetric_eigenvalues().min() > -1e-13 * scale, "{pair:?}");
            assert!((p - h).symmetric_eigenvalues().min() > -1e-13 * scale, "{pair:?}");
            let nearest = project(&h);
            worst = worst.max((p - h).norm() / (nearest - h).norm().max(1e-9 * scale));
        });
        // What is added to a Hessian, against the least that must be: measured 1.44 at most.
        assert!(worst < 2.0, "{worst}");
    }

    #[test]
    fn touching_parallel_edges_are_inadmissible_although_faded_out() {
        let x = |x: f64| Point::new(x, 0.0, 0.0);
        let points = [x(0.0), x(1.0), x(0.5), x(2.0)];
        let corners = edge_edge::closest(&points).corners;
        let pair = Pair { kind: Kind::ParallelEdges(corners), vertices: [0, 1, 2, 3], weight: 1.0, threshold: 1e-3 };
        let barrier = Barrier { stiffness: 1.0, reach: 0.1, thickness: 0.0 };
        assert_eq!(energy(&barrier, &pair, &points), f64::INFINITY);
    }
}
