//! The solids a user can name: one isotropic energy density Ψ(F) among those of this module's siblings.
//!
//! ```text
//! μ = E / 2(1 + ν),    λ = E ν / (1 + ν)(1 − 2ν),    c_p = √((λ + 2μ)/ρ)
//! ```
//!
//! A law is a file beside this one and a line in `solids!`.

use nalgebra::{Matrix3, Vector3};
use thiserror::Error;

use super::corotated::Corotated;
use super::fixed_corotated::FixedCorotated;
use super::neo_hookean::NeoHookean;
use super::spectrum::Spectrum;
use super::stable_neo_hookean::StableNeoHookean;
use super::stvk::StVenantKirchhoff;
use crate::readable::did_you_mean;

/// What a user says of an elastic material. A law takes from it what it needs; one with parameters of its own brings them here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elasticity {
    /// `[Pa]`
    pub youngs_modulus: f64,
    /// ν
    pub poisson_ratio: f64,
}

impl Elasticity {
    /// Lamé's (μ, λ) `[Pa]`, if the law has its least energy at rest with them.
    pub(super) fn lame_for<L: SolidLaw>(&self) -> Result<(f64, f64), SolidError> {
        let (mu, lambda) = lame_parameters(self.youngs_modulus, self.poisson_ratio)?;
        if lambda < 0.0 && !L::AUXETIC {
            return Err(SolidError::Auxetic { name: L::NAME, ratio: self.poisson_ratio });
        }
        Ok((mu, lambda))
    }
}

/// What an element asks of an isotropic energy density.
pub trait Density {
    /// Ψ(F) `[J/m³]`; +∞ where F is inadmissible
    fn value(&self, f: &Matrix3<f64>) -> f64;
    /// P = ∂Ψ/∂F `[Pa]`; zero where Ψ is infinite
    fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64>;
    /// Derivatives at signed stretches of an admissible F `[Pa]`
    fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum;

    /// Both, to the bits that each has alone
    #[inline]
    fn value_and_stress(&self, f: &Matrix3<f64>) -> (f64, Matrix3<f64>) {
        (self.value(f), self.stress(f))
    }
}

impl Density for Solid {
    #[inline]
    fn value(&self, f: &Matrix3<f64>) -> f64 {
        self.value(f)
    }

    #[inline]
    fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
        self.stress(f)
    }

    #[inline]
    fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum {
        self.spectrum(sigma)
    }

    #[inline]
    fn value_and_stress(&self, f: &Matrix3<f64>) -> (f64, Matrix3<f64>) {
        self.value_and_stress(f)
    }
}

/// One isotropic energy density, with Ψ(I) = 0 and P(I) = 0.
pub trait SolidLaw: Copy {
    /// As users write it
    const NAME: &'static str;
    /// What to take it for
    const DESCRIPTION: &'static str;
    /// Whether rest is the state of least energy for a negative Poisson's ratio too.
    const AUXETIC: bool;
    /// Whether Ψ is infinite for J ≤ 0
    const FORBIDS_INVERSION: bool;

    /// Refuses what is no such material.
    fn new(elasticity: &Elasticity) -> Result<Self, SolidError>;

    /// Lamé's parameters (μ, λ) of its linearisation at rest `[Pa]`.
    fn lame(&self) -> (f64, f64);

    /// Ψ(F) `[J/m³]`; +∞ where F is inadmissible.
    fn value(&self, f: &Matrix3<f64>) -> f64;

    /// First Piola–Kirchhoff stress P = ∂Ψ/∂F `[Pa]`; zero where Ψ is infinite.
    fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64>;

    /// Derivatives at signed stretches of an admissible F `[Pa]`.
    fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum;

    /// Both, to the bits that each has alone: for laws that find something for both.
    #[inline]
    fn value_and_stress(&self, f: &Matrix3<f64>) -> (f64, Matrix3<f64>) {
        (self.value(f), self.stress(f))
    }
}

/// How a solid is offered to a user.
#[derive(Debug, Clone, Copy)]
pub struct SolidEntry {
    pub name: &'static str,
    pub description: &'static str,
    /// Whether rest is the state of least energy for a negative Poisson's ratio too.
    pub auxetic: bool,
    make: fn(&Elasticity) -> Result<Solid, SolidError>,
}

/// Makes the enum of all laws, its table, and a match over it: the compiler sees each law where it is evaluated.
macro_rules! solids {
    ($($law:ident),* $(,)?) => {
        /// An isotropic hyperelastic solid.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Solid {
            $($law($law)),*
        }

        /// Every solid there is, in the order in which to offer them.
        pub const SOLIDS: [SolidEntry; [$($law::NAME),*].len()] = [$(SolidEntry {
            name: $law::NAME,
            description: $law::DESCRIPTION,
            auxetic: $law::AUXETIC,
            make: |elasticity| $law::new(elasticity).map(Solid::$law),
        }),*];

        $(impl From<$law> for Solid {
            fn from(law: $law) -> Self {
                Self::$law(law)
            }
        })*

        impl Solid {
            /// Lamé's parameters (μ, λ) `[Pa]`.
            pub fn lame(&self) -> (f64, f64) {
                match self {
                    $(Self::$law(law) => law.lame()),*
                }
            }

            /// Whether Ψ is infinite for J ≤ 0, so that steps must be bounded by [`super::inversion::largest_step`].
            pub fn forbids_inversion(&self) -> bool {
                match self {
                    $(Self::$law(_) => $law::FORBIDS_INVERSION),*
                }
            }

            /// Energy density Ψ(F) `[J/m³]`; +∞, never NaN, where F is inadmissible or not finite.
            #[inline]
            pub fn value(&self, f: &Matrix3<f64>) -> f64 {
                let psi = match self {
                    $(Self::$law(law) => law.value(f)),*
                };
                finite_or_infinite(psi)
            }

            /// Both, to the bits that each has alone.
            #[inline]
            pub fn value_and_stress(&self, f: &Matrix3<f64>) -> (f64, Matrix3<f64>) {
                let (psi, stress) = match self {
                    $(Self::$law(law) => law.value_and_stress(f)),*
                };
                (finite_or_infinite(psi), stress)
            }

            /// First Piola–Kirchhoff stress P = ∂Ψ/∂F `[Pa]`; zero where Ψ is infinite.
            #[inline]
            pub fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
                match self {
                    $(Self::$law(law) => law.stress(f)),*
                }
            }

            /// Derivatives with respect to the signed stretches of [`crate::math::svd::svd`] `[Pa]`.
            #[inline]
            pub fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum {
                match self {
                    $(Self::$law(law) => law.spectrum(sigma)),*
                }
            }
        }
    };
}

/// ∞ − ∞ of an overflowing F is no number; a line search must still see it as too far.
#[inline]
fn finite_or_infinite(psi: f64) -> f64 {
    if psi < f64::INFINITY { psi } else { f64::INFINITY }
}

// One line a law; its file says the rest.
solids! {
    NeoHookean,
    Corotated,
    FixedCorotated,
    StVenantKirchhoff,
    StableNeoHookean,
}

impl Solid {
    /// The solid of a registered name.
    pub fn new(name: &str, elasticity: &Elasticity) -> Result<Self, SolidError> {
        let entry = SOLIDS.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| SolidError::UnknownName { name: name.to_owned() })?;
        (entry.make)(elasticity)
    }

    /// The solid of a registered name, with Young's modulus in Pa.
    pub fn from_name(name: &str, youngs_modulus: f64, poisson_ratio: f64) -> Result<Self, SolidError> {
        Self::new(name, &Elasticity { youngs_modulus, poisson_ratio })
    }
}

/// Why a solid could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SolidError {
    #[error("unknown law `{name}`{}; the laws are {}", did_you_mean(name, &names()), names().join(", "))]
    UnknownName { name: String },
    #[error("Young's modulus must be positive and finite, not {0} Pa")]
    YoungsModulus(f64),
    #[error("Poisson's ratio must lie between -1 and 0.5, both excluded, not {0}")]
    PoissonRatio(f64),
    #[error("'{name}' needs a Poisson's ratio of at least 0, not {ratio}: below that, rest is not its least energy")]
    Auxetic { name: &'static str, ratio: f64 },
    #[error("density must be positive and finite, not {0} kg/m³")]
    Density(f64),
}

fn names() -> Vec<&'static str> {
    SOLIDS.iter().map(|entry| entry.name).collect()
}

/// Lamé's (μ, λ) `[Pa]` from Young's modulus `[Pa]` and Poisson's ratio.
pub fn lame_parameters(youngs_modulus: f64, poisson_ratio: f64) -> Result<(f64, f64), SolidError> {
    let (young, nu) = (youngs_modulus, poisson_ratio);
    if !(young > 0.0 && young.is_finite()) {
        return Err(SolidError::YoungsModulus(young));
    }
    if !(nu > -1.0 && nu < 0.5) {
        return Err(SolidError::PoissonRatio(nu));
    }
    Ok((young / (2.0 * (1.0 + nu)), young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))))
}

/// Speed of pressure waves `[m/s]` for a density in kg/m³: no time step can see what crosses an element faster than it.
pub fn pressure_wave_speed(youngs_modulus: f64, poisson_ratio: f64, density: f64) -> Result<f64, SolidError> {
    let (mu, lambda) = lame_parameters(youngs_modulus, poisson_ratio)?;
    if !(density > 0.0 && density.is_finite()) {
        return Err(SolidError::Density(density));
    }
    Ok(((lambda + 2.0 * mu) / density).sqrt())
}
