//! Stable Neo-Hookean solid: smooth for every F, inverted or flat, and nearly incompressible with ease.
//!
//! ```text
//! Ψ = μ/2 (tr FᵀF − 3) − μ(J − 1) + λ'/2 (J − 1)²,   λ' = λ + μ
//! P = μF + c cof F,   c = λ'(J − 1) − μ;      flip = μ − cσ_k,   twist = μ + cσ_k
//! ```
//!
//! Smith, de Goes, Kim: Stable Neo-Hookean flesh simulation, ACM TOG 2018, without the logarithm that guards the
//! origin (so a body crushed to a point, F = 0 exactly, feels no force and stays); their λ'/2 (J − α)² with
//! α = 1 + μ/λ' is completed and its rest value removed, so Ψ(I) = 0.
//! At rest ∂²Ψ/∂σ_i∂σ_j = 2μδ_ij + (λ' − μ), hence λ' = λ + μ makes μ and λ Lamé's own parameters.

use nalgebra::{Matrix3, Vector3};

use super::solid::{Elasticity, SolidError, SolidLaw};
use super::spectrum::{Spectrum, cofactors, symmetric};
use crate::math::cofactor::cofactor;
use crate::math::invariants::StrainInvariants;

/// μ and λ are Lamé's parameters `[Pa]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StableNeoHookean {
    pub mu: f64,
    pub lambda: f64,
}

impl SolidLaw for StableNeoHookean {
    const NAME: &'static str = "stable-neo-hookean";
    const DESCRIPTION: &'static str =
        "rubber-like, finite and restoring when inverted; suits Poisson ratios near one half";
    // For λ < 0 it falls to λ/2 at F = 0.
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
        let strain = StrainInvariants::new(f);
        let change = strain.volume_change();
        // tr D − 2(J − 1), near rest with its first-order parts cancelled on paper.
        let shear = if strain.near_rest() { change * change - strain.d2 - strain.d3 } else { strain.d1 - 2.0 * change };
        0.5 * (mu * shear + (lambda + mu) * change * change)
    }

    #[inline]
    fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
        let Self { mu, lambda } = *self;
        let (cof, j) = cofactor(f);
        f * mu + cof * ((lambda + mu) * (j - 1.0) - mu)
    }

    #[inline]
    fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum {
        let Self { mu, lambda } = *self;
        let cof = cofactors(sigma);
        let bulk = lambda + mu;
        let c = bulk * (sigma.product() - 1.0) - mu;
        Spectrum {
            first: sigma * mu + cof * c,
            second: symmetric(cof.map(|k| mu + bulk * k * k), cofactors(&cof) * bulk + sigma * c),
            flip: sigma.map(|s| mu - c * s),
            twist: sigma.map(|s| mu + c * s),
        }
    }
}
