//! The sheets a user can name: isotropic energies per area of a 3×2 deformation gradient, in plane stress.
//!
//! ```text
//! μ = t E / 2(1 + ν),   λ = t E ν / (1 − ν²)   [N/m],      D = FᵀF − I,   J = √det FᵀF
//! Neo-Hookean:            Ψ = μ/2 (tr FᵀF − 2) − μ ln J + λ/2 ln²J,    P = μ F + c F(FᵀF)⁻¹,   c = λ ln J − μ
//! St. Venant–Kirchhoff:   Ψ = μ/4 ‖D‖² + λ/8 tr²D,                      P = F(μ D + λ/2 tr D)
//! ```
//!
//! t is the thickness. A triangle in space has no sign of its area, so J > 0 unless it has collapsed.
//! Bonet and Wood: Nonlinear Continuum Mechanics for Finite Element Analysis.

use nalgebra::{Matrix2, Matrix3x2, Vector2};
use thiserror::Error;

use super::solid::{SolidError, lame_parameters};
use crate::math::symmetric_eigen_2x2::positive_part_2x2;

/// An isotropic sheet; μ and λ are those of plane stress times the thickness `[N/m]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Membrane {
    NeoHookean { mu: f64, lambda: f64 },
    StVenantKirchhoff { mu: f64, lambda: f64 },
}

/// How a sheet is offered to a user.
#[derive(Debug, Clone, Copy)]
pub struct MembraneEntry {
    pub name: &'static str,
    pub description: &'static str,
    /// Whether rest is the state of least energy for a negative Poisson's ratio too.
    pub auxetic: bool,
    make: fn(f64, f64) -> Membrane,
}

/// Every sheet there is, in the order in which to offer them; the names are those of the solids.
pub const MEMBRANES: [MembraneEntry; 2] = [
    MembraneEntry {
        name: "neo-hookean",
        description: "rubber-like: infinite energy at zero area",
        auxetic: false,
        make: |mu, lambda| Membrane::NeoHookean { mu, lambda },
    },
    MembraneEntry {
        name: "stvk",
        description: "St. Venant-Kirchhoff, linear in Green's strain; softens under compression and may collapse",
        auxetic: true,
        make: |mu, lambda| Membrane::StVenantKirchhoff { mu, lambda },
    },
];

/// Why a sheet could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MembraneError {
    #[error("unknown sheet '{name}'; the sheets are {}", MEMBRANES.map(|entry| entry.name).join(", "))]
    UnknownName { name: String },
    #[error("the thickness must be positive and finite, not {0} m")]
    Thickness(f64),
    #[error(transparent)]
    Material(#[from] SolidError),
}

/// (μ, λ) of plane stress `[Pa]` from Young's modulus `[Pa]` and Poisson's ratio.
pub fn plane_stress_parameters(youngs_modulus: f64, poisson_ratio: f64) -> Result<(f64, f64), SolidError> {
    let (mu, _) = lame_parameters(youngs_modulus, poisson_ratio)?;
    Ok((mu, youngs_modulus * poisson_ratio / (1.0 - poisson_ratio * poisson_ratio)))
}

/// Refuses a thickness `[m]` that no sheet has.
pub(super) fn check_thickness(thickness: f64) -> Result<f64, MembraneError> {
    if thickness > 0.0 && thickness.is_finite() { Ok(thickness) } else { Err(MembraneError::Thickness(thickness)) }
}

/// Derivatives at the stretches σ₁ ≥ σ₂ `[N/m]`: as [`super::spectrum::Spectrum`] in the plane, and ψ_i/σ_i out of it.
///
/// With f = Uᵀ dF V the second variation is Σ A_ij f_ii f_jj + ½ flip (f₁₂ + f₂₁)² + ½ twist (f₁₂ − f₂₁)² + Σ lift_i f_ni².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MembraneSpectrum {
    pub second: Matrix2<f64>,
    pub flip: f64,
    pub twist: f64,
    /// What resists or, in a compressed sheet, drives motion along the normal.
    pub lift: Vector2<f64>,
}

impl MembraneSpectrum {
    /// The same with every eigenvalue of the second variation clamped at zero: the nearest positive semidefinite one.
    #[inline]
    pub fn projected(&self) -> Self {
        Self {
            second: positive_part_2x2(&self.second),
            flip: self.flip.max(0.0),
            twist: self.twist.max(0.0),
            lift: self.lift.map(|l| l.max(0.0)),
        }
    }
}

/// D = FᵀF − I as (D₁₁, D₂₂, D₁₂).
#[inline]
fn strain(f: &Matrix3x2<f64>) -> (f64, f64, f64) {
    let (a, b) = (f.column(0), f.column(1));
    (a.norm_squared() - 1.0, b.norm_squared() - 1.0, a.dot(&b))
}

impl Membrane {
    /// The sheet of a registered name, with Young's modulus in Pa and the thickness in m.
    pub fn from_name(
        name: &str,
        youngs_modulus: f64,
        poisson_ratio: f64,
        thickness: f64,
    ) -> Result<Self, MembraneError> {
        let entry = MEMBRANES
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| MembraneError::UnknownName { name: name.to_owned() })?;
        let (mu, lambda) = plane_stress_parameters(youngs_modulus, poisson_ratio)?;
        let thickness = check_thickness(thickness)?;
        // For λ < 0 Neo-Hookean falls to −∞ at J → 0.
        if lambda < 0.0 && !entry.auxetic {
            return Err(SolidError::Auxetic { name: entry.name, ratio: poisson_ratio }.into());
        }
        Ok((entry.make)(mu * thickness, lambda * thickness))
    }

    /// (μ, λ) `[N/m]`.
    pub fn parameters(&self) -> (f64, f64) {
        match *self {
            Membrane::NeoHookean { mu, lambda } | Membrane::StVenantKirchhoff { mu, lambda } => (mu, lambda),
        }
    }

    /// Energy per rest area Ψ(F) `[J/m²]`; +∞, never NaN, where F has collapsed and may not, or is not finite.
    #[inline]
    pub fn value(&self, f: &Matrix3x2<f64>) -> f64 {
        let (xx, yy, xy) = strain(f);
        let (d1, d2) = (xx + yy, xx * yy - xy * xy);
        let psi = match *self {
            Membrane::StVenantKirchhoff { mu, lambda } => {
                0.25 * mu * (xx * xx + yy * yy + 2.0 * xy * xy) + 0.125 * lambda * d1 * d1
            }
            Membrane::NeoHookean { mu, lambda } => {
                // J² − 1: near rest tr D − ln det C has its first-order parts cancelled on paper.
                let q = d1 + d2;
                let (shear, log_j) = if d1.abs() < 1.0 && q.abs() < 0.5 {
                    let log = q.ln_1p();
                    ((q - log) - d2, 0.5 * log)
                } else {
                    let log = f.column(0).cross(&f.column(1)).norm().ln();
                    (d1 - 2.0 * log, log)
                };
                0.5 * (mu * shear + lambda * log_j * log_j)
            }
        };
        // ∞ − ∞ of an overflowing F is no number; a line search must still see it as too far.
        if psi < f64::INFINITY { psi } else { f64::INFINITY }
    }

    /// First Piola–Kirchhoff stress times thickness P = ∂Ψ/∂F `[N/m]`; zero where Ψ is infinite.
    #[inline]
    pub fn stress(&self, f: &Matrix3x2<f64>) -> Matrix3x2<f64> {
        let (a, b) = (f.column(0).into_owned(), f.column(1).into_owned());
        match *self {
            Membrane::StVenantKirchhoff { mu, lambda } => {
                let (xx, yy, xy) = strain(f);
                let pull = 0.5 * lambda * (xx + yy);
                f * Matrix2::new(mu * xx + pull, mu * xy, mu * xy, mu * yy + pull)
            }
            Membrane::NeoHookean { mu, lambda } => {
                let area = a.cross(&b);
                let j = area.norm();
                // False for NaN.
                let admissible = j > 0.0 && j < f64::INFINITY;
                if !admissible {
                    return Matrix3x2::zeros();
                }
                // F(FᵀF)⁻¹ = [b × n, n × a]/J: dual to the columns of F, with no determinant of squares.
                let n = area / j;
                let c = (lambda * j.ln() - mu) / j;
                Matrix3x2::from_columns(&[a * mu + b.cross(&n) * c, b * mu + n.cross(&a) * c])
            }
        }
    }

    /// Derivatives with respect to the stretches of [`crate::math::svd_3x2::svd_3x2`] `[N/m]`.
    #[inline]
    pub fn spectrum(&self, sigma: &Vector2<f64>) -> MembraneSpectrum {
        match *self {
            Membrane::StVenantKirchhoff { mu, lambda } => {
                let square = sigma.component_mul(sigma);
                let product = sigma[0] * sigma[1];
                let pull = 0.5 * lambda * (square.sum() - 2.0);
                let diagonal = square.map(|s| mu * (3.0 * s - 1.0) + pull + lambda * s);
                let pair = |sign: f64| mu * (square.sum() + sign * product - 1.0) + pull;
                MembraneSpectrum {
                    second: Matrix2::new(diagonal[0], lambda * product, lambda * product, diagonal[1]),
                    flip: pair(1.0),
                    twist: pair(-1.0),
                    lift: square.map(|s| mu * (s - 1.0) + pull),
                }
            }
            Membrane::NeoHookean { mu, lambda } => {
                // The cross product decides admissibility; rounding may still have taken σ₂ to zero.
                let s = Vector2::new(sigma[0], sigma[1].max(1e-17 * sigma[0]));
                let inverse = s.map(|stretch| 1.0 / stretch);
                let pair = inverse[0] * inverse[1];
                let c = lambda * (s[0] * s[1]).ln() - mu;
                let diagonal = inverse.map(|i| mu + (lambda - c) * i * i);
                MembraneSpectrum {
                    second: Matrix2::new(diagonal[0], lambda * pair, lambda * pair, diagonal[1]),
                    flip: mu - c * pair,
                    twist: mu + c * pair,
                    lift: inverse.map(|i| mu + c * i * i),
                }
            }
        }
    }
}
