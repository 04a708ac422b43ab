//! Corotated linear elasticity: linear in the stretch measured from the nearest rotation R.
//!
//! ```text
//! Ψ = μ‖F − R‖² + λ/2 e²,   e = tr(RᵀF) − 3
//! P = 2μ(F − R) + λ e R;      flip = 2μ,   twist = 2μ + (2λe − 4μ)/(σ_i + σ_j)
//! ```
//!
//! Müller and Gross: Interactive virtual materials, Graphics Interface 2004. Finite where inverted, and blind to it:
//! a reflected element feels a finite force only.

use nalgebra::{Matrix3, Vector3};

use super::spectrum::{Spectrum, inverse_pair_sums, symmetric};
use crate::math::polar::{polar, stretch};

/// Ψ(F) `[J/m³]`.
#[inline]
pub fn value(f: &Matrix3<f64>, mu: f64, lambda: f64) -> f64 {
    let stretch = stretch(f);
    mu * stretch.distance_squared + 0.5 * lambda * stretch.excess * stretch.excess
}

/// First Piola–Kirchhoff stress P = ∂Ψ/∂F `[Pa]`.
#[inline]
pub fn stress(f: &Matrix3<f64>, mu: f64, lambda: f64) -> Matrix3<f64> {
    let (r, excess) = polar(f);
    (f - r) * (2.0 * mu) + r * (lambda * excess)
}

/// Derivatives at signed stretches.
#[inline]
pub fn spectrum(sigma: &Vector3<f64>, mu: f64, lambda: f64) -> Spectrum {
    let stretch = sigma.add_scalar(-1.0);
    let pull = lambda * stretch.sum();
    Spectrum {
        first: stretch.map(|e| 2.0 * mu * e + pull),
        second: symmetric(Vector3::repeat(2.0 * mu + lambda), Vector3::repeat(lambda)),
        flip: Vector3::repeat(2.0 * mu),
        twist: inverse_pair_sums(sigma).map(|i| 2.0 * mu + (2.0 * pull - 4.0 * mu) * i),
    }
}
