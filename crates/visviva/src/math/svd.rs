//! Singular value decomposition of a 3×3 matrix into two proper rotations and signed stretches.
//!
//! ```text
//! F = U Σ Vᵀ,    det U = det V = 1,    σ₁ ≥ σ₂ ≥ |σ₃|,    sign σ₃ = sign det F
//! ```
//!
//! One-sided Jacobi: rotate pairs of columns of F V until all are orthogonal (Hestenes 1958; Demmel and Veselić 1992,
//! who show that it keeps the small singular values which an eigenproblem of FᵀF squares away).

use nalgebra::{Matrix3, Vector3};

use super::cofactor::columns;

/// F = U diag(σ) Vᵀ with proper rotations U and V; σ₃ < 0 where F is inverted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Svd {
    pub u: Matrix3<f64>,
    pub sigma: Vector3<f64>,
    pub v: Matrix3<f64>,
}

/// Columns count as orthogonal when their cosine is below this. At 3e-16, within the rounding of the dot product, one
/// matrix in two million cycles.
pub(super) const COSINE: f64 = 5e-16;
/// Three or four sweeps turn something, and none of 4e7 random matrices needed more than five; the bound is a guard.
pub(super) const SWEEPS: usize = 15;
/// Magnitudes outside [1/HUGE, HUGE] are brought inside by exact powers of two, so that no square over- or underflows.
const HUGE: f64 = 1e30;
const SHRINK: f64 = 1.0 / GROW;
const GROW: f64 = (1u128 << 100) as f64;

/// Decomposes F. A matrix with a value that is not finite gives σ = NaN between identities.
#[inline]
pub fn svd(f: &Matrix3<f64>) -> Svd {
    let largest = f.amax();
    if f.iter().any(|value| !value.is_finite()) {
        return Svd { u: Matrix3::identity(), sigma: Vector3::repeat(f64::NAN), v: Matrix3::identity() };
    }
    if is_ordinary(largest) { decompose(f) } else { decompose_scaled(f, largest) }
}

/// Whether no square of a matrix whose largest entry this is over- or underflows; false for what is not a number.
#[inline]
pub(super) fn is_ordinary(largest: f64) -> bool {
    largest == 0.0 || (1.0 / HUGE..HUGE).contains(&largest)
}

#[cold]
fn decompose_scaled(f: &Matrix3<f64>, mut largest: f64) -> Svd {
    let (factor, back) = if largest < 1.0 { (GROW, SHRINK) } else { (SHRINK, GROW) };
    let mut scaled = *f;
    let mut steps = 0;
    while !(1.0 / HUGE..HUGE).contains(&largest) {
        scaled *= factor;
        largest *= factor;
        steps += 1;
    }
    let mut svd = decompose(&scaled);
    for _ in 0..steps {
        svd.sigma *= back;
    }
    svd
}

#[inline]
fn decompose(f: &Matrix3<f64>) -> Svd {
    let mut a = columns(f);
    let mut v = [Vector3::x(), Vector3::y(), Vector3::z()];
    for _ in 0..SWEEPS {
        let turned = orthogonalise::<0, 1>(&mut a, &mut v)
            | orthogonalise::<0, 2>(&mut a, &mut v)
            | orthogonalise::<1, 2>(&mut a, &mut v);
        if !turned {
            break;
        }
    }
    finish(a, v)
}

/// From orthogonal columns of F V.
#[inline(always)]
pub(super) fn finish(mut a: [Vector3<f64>; 3], mut v: [Vector3<f64>; 3]) -> Svd {
    sort(&mut a, &mut v);
    let (u, sigma) = normalise(&a);
    Svd { u, sigma, v: Matrix3::from_columns(&v) }
}

/// Rotates columns P and Q to orthogonality, the longer one first (that order saves about a sweep).
#[inline(always)]
fn orthogonalise<const P: usize, const Q: usize>(a: &mut [Vector3<f64>; 3], v: &mut [Vector3<f64>; 3]) -> bool {
    let (alpha, beta, gamma) = (a[P].norm_squared(), a[Q].norm_squared(), a[P].dot(&a[Q]));
    // False for NaN too, so that the sweeps end.
    let skew = gamma * gamma > COSINE * COSINE * alpha * beta;
    if skew {
        let half = 0.5 * (alpha - beta);
        let inverse = 1.0 / (half * half + gamma * gamma).sqrt();
        let big = (0.5 + 0.5 * half.abs() * inverse).sqrt();
        let small = 0.5 * gamma.abs() * inverse / big;
        let (c, s) = if half >= 0.0 { (big, small) } else { (small, big) };
        let s = s.copysign(gamma);
        for columns in [a, v] {
            let (p, q) = (columns[P], columns[Q]);
            columns[P] = p * c + q * s;
            columns[Q] = q * c - p * s;
        }
    }
    skew
}

/// Longest first; each exchange is a quarter turn, which keeps V proper.
#[inline(always)]
fn sort(a: &mut [Vector3<f64>; 3], v: &mut [Vector3<f64>; 3]) {
    for (p, q) in [(0, 1), (1, 2), (0, 1)] {
        if a[p].norm_squared() < a[q].norm_squared() {
            (a[p], a[q]) = (a[q], -a[p]);
            (v[p], v[q]) = (v[q], -v[p]);
        }
    }
}

/// U from orthogonal columns. The third direction is the cross product of the first two, so U is proper even where
/// F is flat, and σ₃ takes the sign.
#[inline(always)]
fn normalise(a: &[Vector3<f64>; 3]) -> (Matrix3<f64>, Vector3<f64>) {
    let length = a[0].norm();
    if length == 0.0 {
        return (Matrix3::identity(), Vector3::zeros());
    }
    let first = a[0] / length;
    let rest = a[1] - first * first.dot(&a[1]);
    let width = rest.norm();
    // Below this the square has underflowed: the column is zero beside the first.
    let second = if width > 1e-150 { rest / width } else { perpendicular(&first) };
    let third = first.cross(&second);
    (Matrix3::from_columns(&[first, second, third]), Vector3::new(length, width, third.dot(&a[2])))
}

#[cold]
fn perpendicular(to: &Vector3<f64>) -> Vector3<f64> {
    let mut axis = Vector3::zeros();
    axis[to.iamin()] = 1.0;
    to.cross(&axis).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sampling::Sampler;

    fn check(f: &Matrix3<f64>) -> Svd {
        let svd = svd(f);
        let Svd { u, sigma, v } = svd;
        let scale = f.amax();
        // Divided first, so that the check itself neither over- nor underflows.
        let unit = if scale > 0.0 { scale } else { 1.0 };
        let error = (u * Matrix3::from_diagonal(&(sigma / unit)) * v.transpose() - f / unit).amax();
        assert!(error < 4e-15, "reconstruction error {error:e} for {f}");
        for rotation in [u, v] {
            assert!((rotation.transpose() * rotation - Matrix3::identity()).amax() < 4e-15, "not orthogonal for {f}");
            assert!((rotation.determinant() - 1.0).abs() < 1e-14, "not proper for {f}");
        }
        assert!(sigma[0] >= 0.0 && sigma[1] >= 0.0);
        assert!(sigma[0] >= sigma[1] * (1.0 - 1e-15) && sigma[1] >= sigma[2].abs() * (1.0 - 4e-15), "order {sigma}");
        svd
    }

    #[test]
    fn random_matrices_are_rebuilt_to_rounding() {
        let mut random = Sampler::new(3);
        for _ in 0..20_000 {
            let f = random.matrix();
            let sigma = check(&f).sigma;
            assert!((sigma.product() - f.determinant()).abs() < 1e-14);
        }
    }

    #[test]
    fn rotations_have_unit_stretches_whether_exact_or_perturbed() {
        let mut random = Sampler::new(4);
        assert_eq!(check(&Matrix3::identity()).sigma, Vector3::repeat(1.0));
        for k in 0..2000 {
            let f = random.rotation() + random.matrix() * 10f64.powi(-(k % 18));
            check(&f);
        }
        for _ in 0..200 {
            assert!((check(&random.rotation()).sigma - Vector3::repeat(1.0)).amax() < 2e-15);
        }
    }

    #[test]
    fn known_stretches_come_back_signed_even_near_collapse() {
        let mut random = Sampler::new(5);
        for sigma in [
            [3.0, 2.0, 1.0],
            [1.0, 1.0, -1.0],
            [2.0, 1.0, -0.5],
            [1.0, 1e-8, 1e-8],
            [1.0, 1.0, 1e-12],
            [1.0, 1e-3, -1e-3],
            [1.0, 1.0 - 1e-15, 1.0 - 2e-15],
            [5.0, 5.0, 1e-300],
        ] {
            for _ in 0..500 {
                let found = check(&random.with_stretches(sigma)).sigma;
                assert!((found - Vector3::from(sigma)).amax() < 6e-15 * sigma[0], "{sigma:?} became {found}");
            }
        }
    }

    #[test]
    fn a_graded_diagonal_keeps_every_digit() {
        let mut random = Sampler::new(6);
        for _ in 0..200 {
            // Columns scaled after a rotation: here one-sided Jacobi is accurate for the smallest value itself.
            let f = random.rotation() * Matrix3::from_diagonal(&Vector3::new(1e-20, 1.0, 1e-40));
            let sigma = check(&f).sigma;
            for (found, known) in sigma.iter().zip([1.0, 1e-20, 1e-40]) {
                assert!((found / known - 1.0).abs() < 2e-15, "{sigma}");
            }
        }
    }

    #[test]
    fn rank_deficient_matrices_still_get_proper_rotations() {
        let mut random = Sampler::new(7);
        assert_eq!(check(&Matrix3::zeros()).sigma, Vector3::zeros());
        for _ in 0..1000 {
            let (p, q, r, s) = (random.vector(), random.vector(), random.vector(), random.vector());
            let rank_one = p * q.transpose();
            let sigma = check(&rank_one).sigma;
            assert!((sigma[0] - p.norm() * q.norm()).abs() < 2e-15 && sigma[1] < 1e-15);
            check(&(rank_one + r * s.transpose()));
            check(&Matrix3::from_columns(&[p, p, p]));
            check(&Matrix3::from_columns(&[Vector3::zeros(), p, Vector3::zeros()]));
        }
    }

    #[test]
    fn extreme_scales_neither_overflow_nor_vanish() {
        let mut random = Sampler::new(8);
        for scale in [1e150, 1e-150, 1e300, 1e-300, 1e-31, 1e31] {
            for _ in 0..200 {
                check(&(random.matrix() * scale));
            }
        }
        let sigma = svd(&(random.rotation() * 4e-310)).sigma;
        assert!((sigma / 4e-310 - Vector3::repeat(1.0)).amax() < 1e-12);
    }

    #[test]
    fn values_that_are_not_finite_do_not_panic_nor_hang() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut f = Matrix3::identity();
            f[(1, 2)] = bad;
            assert!(svd(&f).sigma.iter().all(|value| value.is_nan()));
        }
    }
}
