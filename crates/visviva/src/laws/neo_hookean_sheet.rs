//! Neo-Hookean sheet: the logarithm is a barrier at zero area.
//!
//! ```text
//! Ψ = μ/2 (tr FᵀF − 2) − μ ln J + λ/2 ln²J,    P = μ F + c F(FᵀF)⁻¹,   c = λ ln J − μ,   J = √det FᵀF
//! ```
//!
//! Bonet and Wood: Nonlinear Continuum Mechanics for Finite Element Analysis.

use nalgebra::{Matrix2, Matrix3x2, Vector2};

use super::membrane::{MembraneError, MembraneLaw, MembraneSpectrum, parameters_for, strain};
use super::solid::Elasticity;

/// μ and λ are those of plane stress times the thickness `[N/m]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NeoHookeanSheet {
    pub mu: f64,
    pub lambda: f64,
}

impl MembraneLaw for NeoHookeanSheet {
    const NAME: &'static str = "neo-hookean";
    const DESCRIPTION: &'static str = "rubber-like: infinite energy at zero area";
    // For λ < 0 it falls to −∞ at J → 0.
    const AUXETIC: bool = false;

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
        let (d1, d2) = (xx + yy, xx * yy - xy * xy);
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

    #[inline]
    fn stress(&self, f: &Matrix3x2<f64>) -> Matrix3x2<f64> {
        let Self { mu, lambda } = *self;
        let (a, b) = (f.column(0).into_owned(), f.column(1).into_owned());
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

    #[inline]
    fn spectrum(&self, sigma: &Vector2<f64>) -> MembraneSpectrum {
        let Self { mu, lambda } = *self;
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
