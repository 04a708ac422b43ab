//! Fixed corotated elasticity: corotated shear with a volume term that sees inversion.
//!
//! ```text
//! Ψ = μ‖F − R‖² + λ/2 (J − 1)²
//! P = 2μ(F − R) + p cof F,   p = λ(J − 1);      flip = 2μ − pσ_k,   twist = 2μ − 4μ/(σ_i + σ_j) + pσ_k
//! ```
//!
//! Stomakhin, Howes, Schroeder, Teran: Energetically consistent invertible elasticity, SCA 2012.

use nalgebra::{Matrix3, Vector3};

use super::spectrum::{Spectrum, cofactors, inverse_pair_sums, symmetric};
use crate::math::cofactor::{cofactor, determinant};
use crate::math::polar::{polar, stretch};

/// Ψ(F) `[J/m³]`.
#[inline]
pub fn value(f: &Matrix3<f64>, mu: f64, lambda: f64) -> f64 {
    let change = determinant(f) - 1.0;
    mu * stretch(f).distance_squared + 0.5 * lambda * change * change
}

/// First Piola–Kirchhoff stress P = ∂Ψ/∂F `[Pa]`.
#[inline]
pub fn stress(f: &Matrix3<f64>, mu: f64, lambda: f64) -> Matrix3<f64> {
    let (cof, j) = cofactor(f);
    let (r, _) = polar(f);
    (f - r) * (2.0 * mu) + cof * (lambda * (j - 1.0))
}

/// Derivatives at signed stretches.
#[inline]
pub fn spectrum(sigma: &Vector3<f64>, mu: f64, lambda: f64) -> Spectrum {
    let cof = cofactors(sigma);
    let p = lambda * (sigma.product() - 1.0);
    Spectrum {
        first: sigma.add_scalar(-1.0) * (2.0 * mu) + cof * p,
        second: symmetric(cof.map(|c| 2.0 * mu + lambda * c * c), cofactors(&cof) * lambda + sigma * p),
        flip: sigma.map(|s| 2.0 * mu - p * s),
        twist: inverse_pair_sums(sigma).zip_map(sigma, |i, s| 2.0 * mu - 4.0 * mu * i + p * s),
    }
}
