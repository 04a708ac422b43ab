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

use super::solid::{Elasticity, SolidError, SolidLaw};
use super::spectrum::{Spectrum, inverse_pair_sums, symmetric};
use crate::math::polar::{Stretch, polar_and_stretch, stretch};

/// μ and λ are Lamé's parameters `[Pa]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corotated {
    pub mu: f64,
    pub lambda: f64,
}

impl Corotated {
    #[inline]
    fn value_of(&self, stretch: &Stretch) -> f64 {
        let Self { mu, lambda } = *self;
        mu * stretch.distance_squared + 0.5 * lambda * stretch.excess * stretch.excess
    }
}

impl SolidLaw for Corotated {
    const NAME: &'static str = "corotated";
    const DESCRIPTION: &'static str = "linear elasticity in a rotating frame; may invert under extreme load";
    const AUXETIC: bool = true;
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
        self.value_of(&stretch(f))
    }

    #[inline]
    fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
        self.value_and_stress(f).1
    }

    #[inline]
    fn value_and_stress(&self, f: &Matrix3<f64>) -> (f64, Matrix3<f64>) {
        let (r, stretch) = polar_and_stretch(f);
        (self.value_of(&stretch), (f - r) * (2.0 * self.mu) + r * (self.lambda * stretch.excess))
    }

    #[inline]
    fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum {
        let Self { mu, lambda } = *self;
        let stretch = sigma.add_scalar(-1.0);
        let pull = lambda * stretch.sum();
        Spectrum {
            first: stretch.map(|e| 2.0 * mu * e + pull),
            second: symmetric(Vector3::repeat(2.0 * mu + lambda), Vector3::repeat(lambda)),
            flip: Vector3::repeat(2.0 * mu),
            twist: inverse_pair_sums(sigma).map(|i| 2.0 * mu + (2.0 * pull - 4.0 * mu) * i),
        }
    }
}
