//! Fixed corotated elasticity: corotated shear with a volume term that sees inversion.
//!
//! ```text
//! Ψ = μ‖F − R‖² + λ/2 (J − 1)²
//! P = 2μ(F − R) + p cof F,   p = λ(J − 1);      flip = 2μ − pσ_k,   twist = 2μ − 4μ/(σ_i + σ_j) + pσ_k
//! ```
//!
//! Stomakhin, Howes, Schroeder, Teran: Energetically consistent invertible elasticity, SCA 2012.

use nalgebra::{Matrix3, Vector3};

use super::solid::{Elasticity, SolidError, SolidLaw};
use super::spectrum::{Spectrum, cofactors, inverse_pair_sums, symmetric};
use crate::math::cofactor::{cofactor, determinant};
use crate::math::polar::{polar, stretch};

/// μ and λ are Lamé's parameters `[Pa]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedCorotated {
    pub mu: f64,
    pub lambda: f64,
}

impl SolidLaw for FixedCorotated {
    const NAME: &'static str = "fixed-corotated";
    const DESCRIPTION: &'static str = "corotated with a volume term that resists inversion";
    // For λ < 0 it falls to −∞ at J → ∞.
    const AUXETIC: bool = false;
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
        let change = determinant(f) - 1.0;
        mu * stretch(f).distance_squared + 0.5 * lambda * change * change
    }

    #[inline]
    fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
        let Self { mu, lambda } = *self;
        let (cof, j) = cofactor(f);
        let (r, _) = polar(f);
        (f - r) * (2.0 * mu) + cof * (lambda * (j - 1.0))
    }

    #[inline]
    fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum {
        let Self { mu, lambda } = *self;
        let cof = cofactors(sigma);
        let p = lambda * (sigma.product() - 1.0);
        Spectrum {
            first: sigma.add_scalar(-1.0) * (2.0 * mu) + cof * p,
            second: symmetric(cof.map(|c| 2.0 * mu + lambda * c * c), cofactors(&cof) * lambda + sigma * p),
            flip: sigma.map(|s| 2.0 * mu - p * s),
            twist: inverse_pair_sums(sigma).zip_map(sigma, |i, s| 2.0 * mu - 4.0 * mu * i + p * s),
        }
    }
}
