//! Stable Neo-Hookean solid: smooth for every F, inverted or flat, and nearly incompressible with ease.
//!
//! ```text
//! Ψ = μ/2 (tr FᵀF − 3) − μ(J − 1) + λ'/2 (J − 1)²,   λ' = λ + μ
//! P = μF + c cof F,   c = λ'(J − 1) − μ;      flip = μ − cσ_k,   twist = μ + cσ_k
//! ```
//!
//! Smith, de Goes, Kim: Stable Neo-Hookean flesh simulation, ACM TOG 2018, without the logarithm that guards the
//! origin (so a body crushed to a point, F = 0 exactly, feels no force and stays); their λ'/2 (J − α)² with α = 1 + μ/λ' is completed and its rest value removed, so Ψ(I) = 0.
//! At rest ∂²Ψ/∂σ_i∂σ_j = 2μδ_ij + (λ' − μ), hence λ' = λ + μ makes μ and λ Lamé's own parameters.

use nalgebra::{Matrix3, Vector3};

use super::spectrum::{Spectrum, cofactors, symmetric};
use crate::math::cofactor::cofactor;
use crate::math::invariants::StrainInvariants;

/// Ψ(F) `[J/m³]`.
#[inline]
pub fn value(f: &Matrix3<f64>, mu: f64, lambda: f64) -> f64 {
    let strain = StrainInvariants::new(f);
    let change = strain.volume_change();
    // tr D − 2(J − 1), near rest with its first-order parts cancelled on paper.
    let shear = if strain.near_rest() { change * change - strain.d2 - strain.d3 } else { strain.d1 - 2.0 * change };
    0.5 * (mu * shear + (lambda + mu) * change * change)
}

/// First Piola–Kirchhoff stress P = ∂Ψ/∂F `[Pa]`.
#[inline]
pub fn stress(f: &Matrix3<f64>, mu: f64, lambda: f64) -> Matrix3<f64> {
    let (cof, j) = cofactor(f);
    f * mu + cof * ((lambda + mu) * (j - 1.0) - mu)
}

/// Derivatives at signed stretches.
#[inline]
pub fn spectrum(sigma: &Vector3<f64>, mu: f64, lambda: f64) -> Spectrum {
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
