//! St. Venant–Kirchhoff solid: linear in Green's strain. Softens under compression, and is blind to inversion.
//!
//! ```text
//! Ψ = μ‖E‖² + λ/2 tr²E,   E = ½(FᵀF − I)
//! P = F(2μE + λt I),   t = tr E;      flip, twist = μ(σ_i² ± σ_iσ_j + σ_j² − 1) + λt
//! ```
//!
//! Bonet and Wood: Nonlinear Continuum Mechanics for Finite Element Analysis.

use nalgebra::{Matrix3, Vector3};

use super::solid::{Elasticity, SolidError, SolidLaw};
use super::spectrum::{Spectrum, cofactors, symmetric};

#[inline]
fn green_strain(f: &Matrix3<f64>) -> Matrix3<f64> {
    (f.transpose() * f - Matrix3::identity()) * 0.5
}

/// μ and λ are Lamé's parameters `[Pa]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StVenantKirchhoff {
    pub mu: f64,
    pub lambda: f64,
}

impl SolidLaw for StVenantKirchhoff {
    const NAME: &'static str = "stvk";
    const DESCRIPTION: &'static str =
        "St. Venant-Kirchhoff, linear in Green's strain; softens under compression and may invert";
    const AUXETIC: bool = true;
    const FORBIDS_INVERSION: bool = false;

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
        let e = green_strain(f);
        let trace = e.trace();
        mu * e.norm_squared() + 0.5 * lambda * trace * trace
    }

    #[inline]
    fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
        let Self { mu, lambda } = *self;
        let e = green_strain(f);
        f * (e * (2.0 * mu) + Matrix3::identity() * (lambda * e.trace()))
    }

    #[inline]
    fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum {
        let Self { mu, lambda } = *self;
        let square = sigma.component_mul(sigma);
        let product = cofactors(sigma);
        let pull = lambda * 0.5 * (square.sum() - 3.0);
        // σ_i² + σ_j² for the pair opposite to k.
        let sums = square.map(|s| square.sum() - s);
        Spectrum {
            first: sigma.map(|s| s * (mu * (s * s - 1.0) + pull)),
            second: symmetric(square.map(|s| mu * (3.0 * s - 1.0) + pull + lambda * s), product * lambda),
            flip: sums.zip_map(&product, |sum, p| mu * (sum + p - 1.0) + pull),
            twist: sums.zip_map(&product, |sum, p| mu * (sum - p - 1.0) + pull),
        }
    }
}
