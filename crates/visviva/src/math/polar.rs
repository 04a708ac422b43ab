//! The rotation nearest to F, and how far F is from it, without a singular value decomposition where that is safe.
//!
//! ```text
//! F = R S,    R = U Vᵀ,    s = tr S = σ₁ + σ₂ + σ₃ is the largest root of (s² − I)² − 4 II − 8 J s = 0
//! R = ∂s/∂F = [ ½(s² + I) F − F FᵀF + s cof F ] / (σ₁+σ₂)(σ₁+σ₃)(σ₂+σ₃)
//! ```
//!
//! I, II, J the invariants of FᵀF (I = tr, II = ½(tr² − tr of the square), J = det F). After Lin, Chitalu, Komura:
//! Isotropic ARAP energy using Cauchy–Green invariants, ACM TOG 2022. Solved for e = s − 3 in strain invariants, whose
//! every term vanishes at rest, so that ‖F − R‖² = d₁ − 2e keeps its digits there.

use nalgebra::{Matrix3, Vector3};

use super::cofactor::cofactor;
use super::invariants::StrainInvariants;
use super::svd::svd;

/// What a law of the stretches needs of the polar decomposition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// tr(RᵀF) − 3.
    pub excess: f64,
    /// ‖F − R‖².
    pub distance_squared: f64,
}

/// Below this fraction of s³ the roots s and σ₁ − σ₂ − σ₃ come close and the quartic loses digits: the SVD takes over.
const SEPARATION: f64 = 0.02;
/// From the bound s ≤ √(3I) Newton takes one to three iterations near rest and seven at stretches (1.5, 0.7, −0.3);
/// a slower one is as badly conditioned as one that fails the separation.
const ITERATIONS: usize = 8;

/// The proper rotation R = U Vᵀ nearest to F (one of the nearest where F is flat in two directions).
pub fn rotation(f: &Matrix3<f64>) -> Matrix3<f64> {
    let svd = svd(f);
    svd.u * svd.v.transpose()
}

/// tr S − 3 and ‖F − R‖².
#[inline]
pub fn stretch(f: &Matrix3<f64>) -> Stretch {
    let strain = StrainInvariants::new(f);
    match excess(&strain) {
        Some((e, _)) => Stretch { excess: e, distance_squared: strain.d1 - 2.0 * e },
        None => of_stretches(&svd(f).sigma),
    }
}

/// R and tr S − 3.
#[inline]
pub fn polar(f: &Matrix3<f64>) -> (Matrix3<f64>, f64) {
    let (r, stretch) = polar_and_stretch(f);
    (r, stretch.excess)
}

/// R, and what `stretch` gives.
#[inline]
pub fn polar_and_stretch(f: &Matrix3<f64>) -> (Matrix3<f64>, Stretch) {
    let strain = StrainInvariants::new(f);
    let Some((e, pairs)) = excess(&strain) else {
        let svd = svd(f);
        return (svd.u * svd.v.transpose(), of_stretches(&svd.sigma));
    };
    let (s, trace) = (3.0 + e, 3.0 + strain.d1);
    let (cof, _) = cofactor(f);
    let r = f * (0.5 * (s * s + trace)) - f * (f.transpose() * f) + cof * s;
    (r / pairs, Stretch { excess: e, distance_squared: strain.d1 - 2.0 * e })
}

fn of_stretches(sigma: &Vector3<f64>) -> Stretch {
    let stretch = sigma.add_scalar(-1.0);
    Stretch { excess: stretch.sum(), distance_squared: stretch.norm_squared() }
}

/// e = s − 3 and (σ₁+σ₂)(σ₁+σ₃)(σ₂+σ₃), or nothing where the root is not well apart.
#[inline]
fn excess(strain: &StrainInvariants) -> Option<(f64, f64)> {
    let (d1, d2, j) = (strain.d1, strain.d2, strain.volume_change());
    // s ≤ √(3I), exact for equal stretches; Newton then descends monotonically to the largest root.
    let mut e = d1 / (1.0 + (1.0 + d1 / 3.0).sqrt());
    for _ in 0..ITERATIONS {
        let w = e * (6.0 + e) - d1;
        let value = w * (12.0 + w) - 8.0 * (d1 + e) - 4.0 * d2 - j * (24.0 + 8.0 * e);
        let slope = (12.0 + 2.0 * w) * (6.0 + 2.0 * e) - 8.0 - 8.0 * j;
        let s = 3.0 + e;
        // The slope is eight times the product of the pair sums.
        let apart = slope > 8.0 * SEPARATION * (s * s * s).max(27.0);
        if !apart {
            return None;
        }
        let step = value / slope;
        e -= step;
        // The next step would be about the square of this one: below the rounding of e.
        if step * step <= 1e-17 * e.abs() {
            let (s, w) = (3.0 + e, e * (6.0 + e) - d1);
            return Some((e, (3.0 + 0.5 * w) * s - 1.0 - j));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sampling::Sampler;

    #[test]
    fn the_closed_form_agrees_with_the_singular_values() {
        let mut random = Sampler::new(12);
        let mut fast = 0;
        for k in 0..20_000 {
            let f = match k % 4 {
                0 => random.matrix() * 2.0,
                1 => random.rotation() + random.matrix() * 10f64.powi(-(k / 4 % 12)),
                2 => random.with_stretches([1.5, 0.7, -0.3]),
                _ => random.with_stretches([30.0, 20.0, 1e-3]),
            };
            let known = svd(&f);
            let (r, e) = polar(&f);
            let near = stretch(&f);
            let scale = known.sigma[0].max(1.0);
            fast += usize::from(excess(&StrainInvariants::new(&f)).is_some());
            assert!((r - rotation(&f)).amax() < 5e-14, "{} {f}", (r - rotation(&f)).amax());
            assert!((e - (known.sigma.sum() - 3.0)).abs() < 1e-14 * scale, "{f}");
            assert_eq!(e, near.excess);
            let distance = of_stretches(&known.sigma).distance_squared;
            assert!((near.distance_squared - distance).abs() < 2e-14 * scale * distance.sqrt() * scale, "{f}");
        }
        assert!(fast > 10_000, "the closed form served only {fast} of 20000");
    }

    #[test]
    fn a_rotation_is_its_own_and_at_no_distance() {
        let mut random = Sampler::new(13);
        for _ in 0..200 {
            let r = random.rotation();
            assert!((polar(&r).0 - r).amax() < 3e-15);
            // Second order in the rounding of r, where ‖F‖² − 2 tr S + 3 would leave 1e-15.
            assert!(stretch(&r).distance_squared.abs() < 1e-29);
        }
    }

    #[test]
    fn flat_and_vanishing_matrices_get_a_rotation() {
        let mut random = Sampler::new(14);
        for f in [Matrix3::zeros(), random.with_stretches([1.0, 0.0, 0.0]), random.with_stretches([1.0, 1.0, -1.0])] {
            let (r, _) = polar(&f);
            assert!((r.transpose() * r - Matrix3::identity()).amax() < 4e-15 && r.determinant() > 0.0);
        }
    }
}
