//! The cofactor of a 3×3 matrix, which is both ∂J/∂F and J F⁻ᵀ, together with J = det F.
//!
//! ```text
//! cof F = [f₂×f₃, f₃×f₁, f₁×f₂],    J = f₁·(f₂×f₃)      (f_i the columns of F)
//! ```
//!
//! Bonet, Gil, Ortigosa: A computational framework for polyconvex large strain elasticity, CMAME 2015.

use nalgebra::{Matrix3, Vector3};

/// cof F and det F. Never divides, so it is as good for a flat or inverted F.
#[inline]
pub fn cofactor(f: &Matrix3<f64>) -> (Matrix3<f64>, f64) {
    let [f0, f1, f2] = columns(f);
    let first = f1.cross(&f2);
    let cof = Matrix3::from_columns(&[first, f2.cross(&f0), f0.cross(&f1)]);
    (cof, f0.dot(&first))
}

/// The triple product f₁·(f₂×f₃): the same bits as the second value of [`cofactor`].
#[inline]
pub fn determinant(f: &Matrix3<f64>) -> f64 {
    let [f0, f1, f2] = columns(f);
    f0.dot(&f1.cross(&f2))
}

#[inline]
pub(crate) fn columns(f: &Matrix3<f64>) -> [Vector3<f64>; 3] {
    [f.column(0).into_owned(), f.column(1).into_owned(), f.column(2).into_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sampling::Sampler;

    #[test]
    fn cofactor_times_transpose_is_the_determinant() {
        let mut random = Sampler::new(1);
        for _ in 0..100 {
            let f = random.matrix();
            let (cof, j) = cofactor(&f);
            assert!((cof * f.transpose() - Matrix3::identity() * j).norm() < 1e-14 * f.norm().powi(3));
            assert_eq!(j, determinant(&f));
        }
    }
}
