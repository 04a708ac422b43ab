//! The nearest positive semidefinite matrix of a symmetric 2×2 matrix.
//!
//! ```text
//! A = l₁ q₁q₁ᵀ + l₂ q₂q₂ᵀ,    A⁺ = max(l₁, 0) q₁q₁ᵀ + max(l₂, 0) q₂q₂ᵀ
//! ```

use nalgebra::Matrix2;

/// A⁺; reads the upper triangle, and returns a definite matrix untouched.
#[inline]
pub fn positive_part_2x2(a: &Matrix2<f64>) -> Matrix2<f64> {
    let (x, y, off) = (a[(0, 0)], a[(1, 1)], a[(0, 1)]);
    if x >= 0.0 && y >= 0.0 && x * y >= off * off {
        return *a;
    }
    if off == 0.0 {
        return Matrix2::new(x.max(0.0), 0.0, 0.0, y.max(0.0));
    }
    let half = 0.5 * (y - x);
    let t = off / (half.abs() + half.hypot(off)).copysign(half);
    let scale = 1.0 / (1.0 + t * t);
    // Eigenvectors (1, −t) and (t, 1).
    let (low, high) = ((x - t * off).max(0.0) * scale, (y + t * off).max(0.0) * scale);
    let cross = t * (high - low);
    Matrix2::new(low + high * t * t, cross, cross, low * t * t + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sampling::Sampler;

    #[test]
    fn negative_eigenvalues_become_zero_and_the_others_stay() {
        let mut random = Sampler::new(62);
        for k in 0..2000 {
            let known = [random.signed(), random.signed() * 10f64.powi(-(k % 12))];
            let (s, c) = (3.0 * random.signed()).sin_cos();
            let q = Matrix2::new(c, -s, s, c);
            let with = |l: [f64; 2]| q * Matrix2::from_diagonal(&l.into()) * q.transpose();
            let error = positive_part_2x2(&with(known)) - with(known.map(|l| l.max(0.0)));
            assert!(error.amax() < 1e-15, "{known:?}: {error}");
        }
        assert_eq!(positive_part_2x2(&Matrix2::new(-1.0, 0.0, 0.0, 2.0)), Matrix2::new(0.0, 0.0, 0.0, 2.0));
    }
}
