//! St. Venant–Kirchhoff sheet: linear in Green's strain.
//!
//! ```text
//! Ψ = μ/4 ‖D‖² + λ/8 tr²D,    P = F(μ D + λ/2 tr D),    D = FᵀF − I
//! ```
//!
//! Bonet and Wood: Nonlinear Continuum Mechanics for Finite Element Analysis.

use nalgebra::{Matrix2, Matrix3x2, Vector2};

use super::membrane::{MembraneError, MembraneLaw, MembraneSpectrum, parameters_for, strain};
use super::solid::Elasticity;

/// μ and λ are those of plane stress times the thickness `[N/m]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StVenantKirchhoffSheet {
    pub mu: f64,
    pub lambda: f64,
}

impl MembraneLaw for StVenantKirchhoffSheet {
    const NAME: &'static str = "stvk";
    const DESCRIPTION: &'static str =
        "St. Venant-Kirchhoff, linear in Green's strain; softens under compression and may collapse";
    const AUXETIC: bool = true;

    fn new(elasticity: &Elasticity, thickness: f64) -> Result<Self, MembraneError> {
        let (mu, lambda) = parameters_for::<Self>(elasticity, thickness)?;
        Ok(Self { mu, lambda })
    }

    fn parameters(&self) -> (f64, f64) {
        (self.mu, self.lambda)
    }

    #[inline]
    fn value(&self, f: &Matrix3x2<f64>) -> f64 {
        let Self { mu, lambda } = *self;
        let (xx, yy, xy) = strain(f);
        let d1 = xx + yy;
        0.25 * mu * (xx * xx + yy * yy + 2.0 * xy * xy) + 0.125 * lambda * d1 * d1
    }

    #[inline]
    fn stress(&self, f: &Matrix3x2<f64>) -> Matrix3x2<f64> {
        let Self { mu, lambda } = *self;
        let (xx, yy, xy) = strain(f);
        let pull = 0.5 * lambda * (xx + yy);
        f * Matrix2::new(mu * xx + pull, mu * xy, mu * xy, mu * yy + pull)
    }

    #[inline]
    fn spectrum(&self, sigma: &Vector2<f64>) -> MembraneSpectrum {
        let Self { mu, lambda } = *self;
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
}
