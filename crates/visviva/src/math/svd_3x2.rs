//! Singular values of a 3×2 matrix: the stretches of a triangle and the frame of its plane.
//!
//! ```text
//! F = [u₁ u₂] diag(σ₁, σ₂) Vᵀ,    σ₁ ≥ σ₂ ≥ 0,    n = u₁ × u₂
//! ```
//!
//! One-sided Jacobi (Hestenes 1958): rotates the columns of F until they are orthogonal, which keeps the digits of σ₂
//! where FᵀF would lose half of them.

use nalgebra::{Matrix2, Matrix3, Matrix3x2, Vector2, Vector3};

/// Columns of `u` are u₁, u₂ and the normal n; it is a rotation, and so is `v`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Svd3x2 {
    pub u: Matrix3<f64>,
    pub sigma: Vector2<f64>,
    pub v: Matrix2<f64>,
}

/// The decomposition of any finite matrix. Where a stretch is zero its direction is any that completes the frame.
#[inline]
pub fn svd_3x2(f: &Matrix3x2<f64>) -> Svd3x2 {
    let mut a = f.column(0).into_owned();
    let mut b = f.column(1).into_owned();
    let mut v = Matrix2::identity();
    // One rotation is exact but for rounding; the others remove what rounding left of a nearly flat triangle.
    for _ in 0..3 {
        let (aa, bb, ab) = (a.norm_squared(), b.norm_squared(), a.dot(&b));
        // False for NaN, which ends the loop.
        let coupled = ab.abs() > 1e-17 * (aa * bb).sqrt();
        if !coupled {
            break;
        }
        let half = 0.5 * (bb - aa);
        let t = ab / (half.abs() + half.hypot(ab)).copysign(half);
        let c = 1.0 / (1.0 + t * t).sqrt();
        let s = t * c;
        (a, b) = (a * c - b * s, a * s + b * c);
        v *= Matrix2::new(c, s, -s, c);
    }
    if a.norm_squared() < b.norm_squared() {
        // A quarter turn, so that v stays a rotation.
        (a, b) = (b, -a);
        v = Matrix2::from_columns(&[v.column(1).into_owned(), -v.column(0)]);
    }
    let sigma = Vector2::new(a.norm(), b.norm());
    let u1 = if sigma[0] > 0.0 { a / sigma[0] } else { Vector3::x() };
    let across = if sigma[1] > 0.0 { b / sigma[1] } else { perpendicular(&u1) };
    let n = u1.cross(&across).normalize();
    Svd3x2 { u: Matrix3::from_columns(&[u1, n.cross(&u1), n]), sigma, v }
}

fn perpendicular(u: &Vector3<f64>) -> Vector3<f64> {
    let axis = Vector3::ith(u.iamin(), 1.0);
    u.cross(&axis).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sampling::Sampler;

    #[test]
    fn a_matrix_is_rebuilt_in_orthonormal_frames_down_to_the_smallest_stretch() {
        let mut random = Sampler::new(61);
        for k in 0..4000 {
            let small = 10f64.powi(-(k % 15));
            let f = if k % 4 == 0 {
                Matrix3x2::from_fn(|_, _| random.signed())
            } else {
                let turn = random.rotation();
                let (s, c) = random.signed().sin_cos();
                let plane = Matrix2::new(c, -s, s, c);
                turn.fixed_columns::<2>(0)
                    * Matrix2::from_diagonal(&Vector2::new(1.3, small))
                    * plane
                    * 10f64.powi(k % 60 - 30)
            };
            let Svd3x2 { u, sigma, v } = svd_3x2(&f);
            let rebuilt = u.fixed_columns::<2>(0) * Matrix2::from_diagonal(&sigma) * v.transpose();
            assert!((rebuilt - f).amax() < 2e-15 * f.amax(), "{k}");
            assert!((u.transpose() * u - Matrix3::identity()).amax() < 2e-15, "{k}");
            assert!((v.transpose() * v - Matrix2::identity()).amax() < 2e-15, "{k}");
            assert!(sigma[0] >= sigma[1] && sigma[1] >= 0.0 && u.determinant() > 0.0 && v.determinant() > 0.0);
            // The area, which the cross product knows without a decomposition. Rounding of F moves σ₂ by ε σ₁.
            let area = f.column(0).cross(&f.column(1)).norm();
            assert!((sigma.product() - area).abs() < 4e-15 * sigma[0] * sigma[0], "{k}");
        }
    }

    #[test]
    fn flat_and_vanished_triangles_still_have_a_frame() {
        let line = Matrix3x2::from_columns(&[Vector3::new(1.0, 2.0, 2.0), Vector3::new(2.0, 4.0, 4.0)]);
        for f in [line, Matrix3x2::zeros(), line * 1e-200] {
            let Svd3x2 { u, sigma, .. } = svd_3x2(&f);
            assert!((u.transpose() * u - Matrix3::identity()).amax() < 2e-15);
            assert!(sigma[1] <= 1e-15 * sigma[0]);
        }
        svd_3x2(&Matrix3x2::repeat(f64::NAN));
    }
}
