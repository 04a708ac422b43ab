//! Neo-Hookean solid that cannot be inverted: the logarithm is a barrier at J = 0.
//!
//! ```text
//! Ψ = μ/2 (tr FᵀF − 3) − μ ln J + λ/2 ln²J   for J > 0, else +∞
//! P = μ F + c F⁻ᵀ,   c = λ ln J − μ;      flip = μ − c/σ_iσ_j,   twist = μ + c/σ_iσ_j
//! ```
//!
//! Bonet and Wood: Nonlinear Continuum Mechanics for Finite Element Analysis.

use nalgebra::{Matrix3, Vector3};

use super::solid::{Elasticity, SolidError, SolidLaw};
use super::spectrum::{Spectrum, cofactors, symmetric};
use crate::math::cofactor::cofactor;
use crate::math::invariants::StrainInvariants;

/// μ and λ are Lamé's parameters `[Pa]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NeoHookean {
    pub mu: f64,
    pub lambda: f64,
}

impl SolidLaw for NeoHookean {
    const NAME: &'static str = "neo-hookean";
    const DESCRIPTION: &'static str = "rubber-like, never inverts: infinite energy at zero volume";
    // For λ < 0 it falls to −∞ at J → 0.
    const AUXETIC: bool = false;
    const FORBIDS_INVERSION: bool = true;

    fn new(elasticity: &Elasticity) -> Result<Self, SolidError> {
        let (mu, lambda) = elasticity.lame_for::<Self>()?;
        Ok(Self { mu, lambda })
    }

    fn lame(&self) -> (f64, f64) {
        (self.mu, self.lambda)
    }

    #[inline]
    fn value(&self, f: &Matrix3<f64>) -> f64 {
        let Self { mu, lambda } = *self;
        let strain = StrainInvariants::new(f);
        // False for a determinant that is not a number: that is not admissible either.
        let admissible = strain.j > 0.0;
        if !admissible {
            return f64::INFINITY;
        }
        let q = strain.squared_volume_change();
        let (shear, log_j) = if strain.near_rest() && q.abs() < 0.5 {
            // tr D − ln det C with the first-order parts cancelled on paper instead of in floating point.
            let log = q.ln_1p();
            ((q - log) - strain.d2 - strain.d3, 0.5 * log)
        } else {
            let log = strain.j.ln();
            (strain.d1 - 2.0 * log, log)
        };
        0.5 * (mu * shear + lambda * log_j * log_j)
    }

    #[inline]
    fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
        let Self { mu, lambda } = *self;
        let (cof, j) = cofactor(f);
        let admissible = j > 0.0;
        if !admissible {
            return Matrix3::zeros();
        }
        f * mu + cof * ((lambda * j.ln() - mu) / j)
    }

    #[inline]
    fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum {
        let Self { mu, lambda } = *self;
        // det F > 0 decides admissibility; rounding may still have taken a σ₃ of 1e-16 to zero or below.
        let s = Vector3::new(sigma[0], sigma[1].max(1e-17 * sigma[0]), sigma[2].max(1e-17 * sigma[0]));
        let inverse = s.map(|stretch| 1.0 / stretch);
        let c = lambda * s.product().ln() - mu;
        let pair = cofactors(&inverse);
        Spectrum {
            first: s * mu + inverse * c,
            second: symmetric(inverse.map(|i| mu + (lambda - c) * i * i), pair * lambda),
            flip: pair.map(|p| mu - c * p),
            twist: pair.map(|p| mu + c * p),
        }
    }
}
