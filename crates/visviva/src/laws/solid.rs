//! The solids a user can name: one isotropic energy density Ψ(F) among those of this module's siblings.
//!
//! ```text
//! μ = E / 2(1 + ν),    λ = E ν / (1 + ν)(1 − 2ν),    c_p = √((λ + 2μ)/ρ)
//! ```
//!
//! All of them have Ψ(I) = 0, P(I) = 0 and Lamé's μ and λ as their linearisation at rest.

use nalgebra::{Matrix3, Vector3};
use thiserror::Error;

use super::spectrum::Spectrum;
use super::{corotated, fixed_corotated, neo_hookean, stable_neo_hookean, stvk};

/// An isotropic hyperelastic solid; μ and λ are Lamé's parameters `[Pa]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Solid {
    NeoHookean { mu: f64, lambda: f64 },
    Corotated { mu: f64, lambda: f64 },
    FixedCorotated { mu: f64, lambda: f64 },
    StVenantKirchhoff { mu: f64, lambda: f64 },
    StableNeoHookean { mu: f64, lambda: f64 },
}

/// How a solid is offered to a user.
#[derive(Debug, Clone, Copy)]
pub struct SolidEntry {
    pub name: &'static str,
    pub description: &'static str,
    /// Whether rest is the state of least energy for a negative Poisson's ratio too.
    pub auxetic: bool,
    make: fn(f64, f64) -> Solid,
}

/// Every solid there is, in the order in which to offer them.
pub const SOLIDS: [SolidEntry; 5] = [
    SolidEntry {
        name: "neo-hookean",
        description: "rubber-like, never inverts: infinite energy at zero volume",
        auxetic: false,
        make: |mu, lambda| Solid::NeoHookean { mu, lambda },
    },
    SolidEntry {
        name: "corotated",
        description: "linear elasticity in a rotating frame; may invert under extreme load",
        auxetic: true,
        make: |mu, lambda| Solid::Corotated { mu, lambda },
    },
    SolidEntry {
        name: "fixed-corotated",
        description: "corotated with a volume term that resists inversion",
        auxetic: false,
        make: |mu, lambda| Solid::FixedCorotated { mu, lambda },
    },
    SolidEntry {
        name: "stvk",
        description: "St. Venant-Kirchhoff, linear in Green's strain; softens under compression and may invert",
        auxetic: true,
        make: |mu, lambda| Solid::StVenantKirchhoff { mu, lambda },
    },
    SolidEntry {
        name: "stable-neo-hookean",
        description: "rubber-like, finite and restoring when inverted; suits Poisson ratios near one half",
        auxetic: false,
        make: |mu, lambda| Solid::StableNeoHookean { mu, lambda },
    },
];

/// Why a solid could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SolidError {
    #[error("unknown solid '{name}'; the solids are {}", names())]
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

fn names() -> String {
    SOLIDS.map(|entry| entry.name).join(", ")
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

/// Evaluates the same function of the solid's own law.
macro_rules! of_law {
    ($solid:expr, $function:ident, $argument:expr) => {
        match *$solid {
            Solid::NeoHookean { mu, lambda } => neo_hookean::$function($argument, mu, lambda),
            Solid::Corotated { mu, lambda } => corotated::$function($argument, mu, lambda),
            Solid::FixedCorotated { mu, lambda } => fixed_corotated::$function($argument, mu, lambda),
            Solid::StVenantKirchhoff { mu, lambda } => stvk::$function($argument, mu, lambda),
            Solid::StableNeoHookean { mu, lambda } => stable_neo_hookean::$function($argument, mu, lambda),
        }
    };
}

impl Solid {
    /// The solid of a registered name, with Young's modulus in Pa.
    pub fn from_name(name: &str, youngs_modulus: f64, poisson_ratio: f64) -> Result<Self, SolidError> {
        let entry = SOLIDS
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| SolidError::UnknownName { name: name.to_owned() })?;
        let (mu, lambda) = lame_parameters(youngs_modulus, poisson_ratio)?;
        // For λ < 0 Neo-Hookean falls to −∞ at J → 0, fixed corotated at J → ∞, and the stable one to λ/2 at F = 0.
        if lambda < 0.0 && !entry.auxetic {
            return Err(SolidError::Auxetic { name: entry.name, ratio: poisson_ratio });
        }
        Ok((entry.make)(mu, lambda))
    }

    /// Lamé's parameters (μ, λ) [Pa].
    pub fn lame(&self) -> (f64, f64) {
        match *self {
            Solid::NeoHookean { mu, lambda }
            | Solid::Corotated { mu, lambda }
            | Solid::FixedCorotated { mu, lambda }
            | Solid::StVenantKirchhoff { mu, lambda }
            | Solid::StableNeoHookean { mu, lambda } => (mu, lambda),
        }
    }

    /// Whether Ψ is infinite for J ≤ 0, so that steps must be bounded by [`super::inversion::largest_step`].
    pub fn forbids_inversion(&self) -> bool {
        matches!(self, Solid::NeoHookean { .. })
    }

    /// Energy density Ψ(F) `[J/m³]`; +∞, never NaN, where F is inadmissible or not finite.
    #[inline]
    pub fn value(&self, f: &Matrix3<f64>) -> f64 {
        let psi = of_law!(self, value, f);
        // ∞ − ∞ of an overflowing F is no number; a line search must still see it as too far.
        if psi < f64::INFINITY { psi } else { f64::INFINITY }
    }

    /// First Piola–Kirchhoff stress P = ∂Ψ/∂F `[Pa]`; zero where Ψ is infinite.
    #[inline]
    pub fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
        of_law!(self, stress, f)
    }

    /// Derivatives with respect to the signed stretches of [`crate::math::svd::svd`] `[Pa]`.
    #[inline]
    pub fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum {
        of_law!(self, spectrum, sigma)
    }
}
