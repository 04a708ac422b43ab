//! The sheets a user can name: isotropic energies per area of a 3×2 deformation gradient, in plane stress.
//!
//! ```text
//! μ = t E / 2(1 + ν),   λ = t E ν / (1 − ν²)   [N/m],      D = FᵀF − I,   J = √det FᵀF
//! ```
//!
//! t is the thickness. A triangle in space has no sign of its area, so J > 0 unless it has collapsed. A law is a file beside
//! this one and a line in `membranes!`.

use nalgebra::{Matrix2, Matrix3x2, Vector2};
use thiserror::Error;

use super::neo_hookean_sheet::NeoHookeanSheet;
use super::solid::{Elasticity, SolidError, lame_parameters};
use super::stvk_sheet::StVenantKirchhoffSheet;
use crate::math::symmetric_eigen_2x2::positive_part_2x2;

/// One isotropic energy per area of a sheet, with Ψ(I) = 0 and P(I) = 0.
pub trait MembraneLaw: Copy {
    /// As users write it, the same as of the solid
    const NAME: &'static str;
    /// What to take it for
    const DESCRIPTION: &'static str;
    /// Whether rest is the state of least energy for a negative Poisson's ratio too.
    const AUXETIC: bool;

    /// Of a thickness `[m]`
    fn new(elasticity: &Elasticity, thickness: f64) -> Result<Self, MembraneError>;

    /// (μ, λ) of its linearisation at rest `[N/m]`.
    fn parameters(&self) -> (f64, f64);

    /// Ψ(F) `[J/m²]`; +∞ or NaN where F has collapsed and may not.
    fn value(&self, f: &Matrix3x2<f64>) -> f64;

    /// P = ∂Ψ/∂F `[N/m]`; zero where Ψ is infinite.
    fn stress(&self, f: &Matrix3x2<f64>) -> Matrix3x2<f64>;

    /// Derivatives at the stretches of an admissible F `[N/m]`.
    fn spectrum(&self, sigma: &Vector2<f64>) -> MembraneSpectrum;
}

/// How a sheet is offered to a user.
#[derive(Debug, Clone, Copy)]
pub struct MembraneEntry {
    pub name: &'static str,
    pub description: &'static str,
    /// Whether rest is the state of least energy for a negative Poisson's ratio too.
    pub auxetic: bool,
    make: fn(&Elasticity, f64) -> Result<Membrane, MembraneError>,
}

/// Makes the enum of all laws, its table, and a match over it: the compiler sees each law where it is evaluated.
macro_rules! membranes {
    ($($law:ident),* $(,)?) => {
        /// An isotropic sheet.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Membrane {
            $($law($law)),*
        }

        /// Every sheet there is, in the order in which to offer them; the names are those of the solids.
        pub const MEMBRANES: [MembraneEntry; [$($law::NAME),*].len()] = [$(MembraneEntry {
            name: $law::NAME,
            description: $law::DESCRIPTION,
            auxetic: $law::AUXETIC,
            make: |elasticity, thickness| $law::new(elasticity, thickness).map(Membrane::$law),
        }),*];

        impl Membrane {
            /// (μ, λ) `[N/m]`.
            pub fn parameters(&self) -> (f64, f64) {
                match self {
                    $(Self::$law(law) => law.parameters()),*
                }
            }

            /// Energy per rest area Ψ(F) `[J/m²]`; +∞, never NaN, where F has collapsed and may not, or is not finite.
            #[inline]
            pub fn value(&self, f: &Matrix3x2<f64>) -> f64 {
                let psi = match self {
                    $(Self::$law(law) => law.value(f)),*
                };
                // ∞ − ∞ of an overflowing F is no number; a line search must still see it as too far.
                if psi < f64::INFINITY { psi } else { f64::INFINITY }
            }

            /// First Piola–Kirchhoff stress times thickness P = ∂Ψ/∂F `[N/m]`; zero where Ψ is infinite.
            #[inline]
            pub fn stress(&self, f: &Matrix3x2<f64>) -> Matrix3x2<f64> {
                match self {
                    $(Self::$law(law) => law.stress(f)),*
                }
            }

            /// Derivatives with respect to the stretches of [`crate::math::svd_3x2::svd_3x2`] `[N/m]`.
            #[inline]
            pub fn spectrum(&self, sigma: &Vector2<f64>) -> MembraneSpectrum {
                match self {
                    $(Self::$law(law) => law.spectrum(sigma)),*
                }
            }
        }
    };
}

// One line a law; its file says the rest.
membranes! {
    NeoHookeanSheet,
    StVenantKirchhoffSheet,
}

impl Membrane {
    /// The sheet of a registered name and a thickness `[m]`.
    pub fn new(name: &str, elasticity: &Elasticity, thickness: f64) -> Result<Self, MembraneError> {
        let entry = MEMBRANES.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| MembraneError::UnknownName { name: name.to_owned() })?;
        (entry.make)(elasticity, thickness)
    }
}

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

/// (μ, λ) times the thickness `[N/m]`, if the law has its least energy at rest with them.
pub(super) fn parameters_for<L: MembraneLaw>(
    elasticity: &Elasticity,
    thickness: f64,
) -> Result<(f64, f64), MembraneError> {
    let Elasticity { youngs_modulus, poisson_ratio } = *elasticity;
    let (mu, lambda) = plane_stress_parameters(youngs_modulus, poisson_ratio)?;
    let thickness = check_thickness(thickness)?;
    if lambda < 0.0 && !L::AUXETIC {
        return Err(SolidError::Auxetic { name: L::NAME, ratio: poisson_ratio }.into());
    }
    Ok((mu * thickness, lambda * thickness))
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
pub(super) fn strain(f: &Matrix3x2<f64>) -> (f64, f64, f64) {
    let (a, b) = (f.column(0), f.column(1));
    (a.norm_squared() - 1.0, b.norm_squared() - 1.0, a.dot(&b))
}
