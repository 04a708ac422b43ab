//! Eigenvalues and eigenvectors of a symmetric 3×3 matrix, and its nearest positive semidefinite matrix.
//!
//! ```text
//! A = Q diag(l) Qᵀ,     A⁺ = Q diag(max(l, 0)) Qᵀ
//! ```
//!
//! Cyclic Jacobi (Golub and Van Loan, section 8.5): the trigonometric closed form loses half the digits of close
//! eigenvalues and their vectors, and a QR iteration without a bound need not end for a matrix that is not finite.

use nalgebra::{Matrix3, Vector3};

const SWEEPS: usize = 15;

/// Eigenvalues (in no particular order) and orthonormal eigenvectors as columns; reads the upper triangle.
pub fn symmetric_eigen(matrix: &Matrix3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
    let mut a = *matrix;
    let mut q = Matrix3::identity();
    for _ in 0..SWEEPS {
        let off = a[(0, 1)].abs().max(a[(0, 2)].abs()).max(a[(1, 2)].abs());
        let diagonal = a[(0, 0)].abs().max(a[(1, 1)].abs()).max(a[(2, 2)].abs());
        // False for NaN, which ends the loop.
        let coupled = off > 1e-17 * diagonal;
        if !coupled {
            break;
        }
        for (i, j, k) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            rotate(&mut a, &mut q, i, j, k);
        }
    }
    (a.diagonal(), q)
}

#[inline(always)]
fn rotate(a: &mut Matrix3<f64>, q: &mut Matrix3<f64>, i: usize, j: usize, k: usize) {
    let off = a[(i, j)];
    if off == 0.0 {
        return;
    }
    let half = 0.5 * (a[(j, j)] - a[(i, i)]);
    let t = off / (half.abs() + half.hypot(off)).copysign(half);
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = t * c;
    a[(i, i)] -= t * off;
    a[(j, j)] += t * off;
    a[(i, j)] = 0.0;
    // The upper triangle alone is kept.
    let (ik, jk) = ((i.min(k), i.max(k)), (j.min(k), j.max(k)));
    (a[ik], a[jk]) = (c * a[ik] - s * a[jk], s * a[ik] + c * a[jk]);
    for row in 0..3 {
        (q[(row, i)], q[(row, j)]) = (c * q[(row, i)] - s * q[(row, j)], s * q[(row, i)] + c * q[(row, j)]);
    }
}

/// The nearest positive semidefinite matrix in the Frobenius norm: negative eigenvalues become zero.
#[inline]
pub fn positive_part(a: &Matrix3<f64>) -> Matrix3<f64> {
    // Sylvester's criterion first: most elements of most steps pass it, and are returned untouched.
    let minor = a[(0, 0)] * a[(1, 1)] - a[(0, 1)] * a[(0, 1)];
    if a[(0, 0)] > 0.0 && minor > 0.0 && super::cofactor::determinant(a) > 0.0 {
        return *a;
    }
    let (l, q) = symmetric_eigen(a);
    let scaled = Matrix3::from_fn(|row, column| q[(row, column)] * l[column].max(0.0));
    scaled * q.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sampling::Sampler;

    #[test]
    fn a_symmetric_matrix_is_rebuilt_to_rounding() {
        let mut random = Sampler::new(9);
        for k in 0..5000 {
            let m = random.matrix() * 10f64.powi(k % 200 - 100);
            let a = m + m.transpose();
            let (l, q) = symmetric_eigen(&a);
            assert!((q * Matrix3::from_diagonal(&l) * q.transpose() - a).amax() < 4e-15 * a.amax());
            assert!((q.transpose() * q - Matrix3::identity()).amax() < 3e-15);
        }
    }

    #[test]
    fn close_repeated_and_zero_eigenvalues_keep_their_digits() {
        let mut random = Sampler::new(10);
        for known in [[2.0, 2.0, 2.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0 + 1e-12, -3.0], [1.0, 0.0, -1.0]] {
            for _ in 0..200 {
                let q = random.rotation();
                let (l, _) = symmetric_eigen(&(q * Matrix3::from_diagonal(&known.into()) * q.transpose()));
                let (mut found, mut known) = ([l[0], l[1], l[2]], known);
                found.sort_by(f64::total_cmp);
                known.sort_by(f64::total_cmp);
                assert!((Vector3::from(found) - Vector3::from(known)).amax() < 6e-15, "{found:?} {known:?}");
            }
        }
    }

    #[test]
    fn the_positive_part_clamps_and_leaves_the_definite_alone() {
        let mut random = Sampler::new(11);
        for _ in 0..500 {
            let q = random.rotation();
            let known = random.vector();
            let with = |l: Vector3<f64>| q * Matrix3::from_diagonal(&l) * q.transpose();
            let error = positive_part(&with(known)) - with(known.map(|l| l.max(0.0)));
            assert!(error.amax() < 3e-15);
            let definite = with(known.map(f64::abs).add_scalar(1e-3));
            assert_eq!(positive_part(&definite), definite);
        }
    }

    #[test]
    fn a_matrix_that_is_not_finite_ends_and_has_an_eigenvalue_that_is_not() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut one = Matrix3::identity();
            one[(2, 2)] = bad;
            for matrix in [Matrix3::repeat(bad), one] {
                let (l, _) = symmetric_eigen(&matrix);
                assert!(l.iter().any(|value| !value.is_finite()), "{l}");
            }
        }
    }
}
