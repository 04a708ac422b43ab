//! What keeps an affine body nearly rigid: the energy of its matrix A = [a₁ a₂ a₃] for not being orthogonal.
//!
//! ```text
//! E = κ V ‖AAᵀ − I‖²,    ∂E/∂A = 4κV A(AᵀA − I)
//! A = UΣWᵀ:   stretch_i = 4κ(3σ_i² − 1),   flip, twist = 4κ(σ_i² ± σ_iσ_j + σ_j² − 1)
//! ```
//!
//! As ‖AAᵀ − I‖ = ‖AᵀA − I‖, this is St. Venant–Kirchhoff with μ = 4κ and λ = 0, whose formulas serve. It is blind to
//! reflections: det A = −1 costs nothing, but the way there leads over κV at least.
//! Lan, Kaufman, Li, Jiang, Yang: Affine body dynamics, ACM TOG 2022.

use nalgebra::{Matrix3, Vector3};
use thiserror::Error;

use super::stvk;
use super::tetrahedron::{Curvature, hessian_blocks};
use crate::math::cofactor::columns;
use crate::math::svd::svd;

/// Columns (i, j) of A that the six blocks of a Hessian belong to: its upper triangle by rows.
pub const BLOCKS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// The energy of one affine body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orthogonality {
    /// 4κ `[Pa]`
    mu: f64,
    volume: f64,
}

/// Why there is no such body.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum OrthogonalityError {
    #[error("the stiffness of an affine body must be positive and finite, not {0} Pa")]
    Stiffness(f64),
    #[error("the volume of an affine body must be positive and finite, not {0} m³")]
    Volume(f64),
}

/// Energy `[J]`, gradient and Hessian `[J]` (A has no unit) in the columns of A, blocks as in [`BLOCKS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AffineResponse {
    pub energy: f64,
    pub gradient: [Vector3<f64>; 3],
    pub hessian: [Matrix3<f64>; 6],
}

impl Orthogonality {
    /// For the stiffness κ `[Pa]` and the body's volume `[m³]`.
    pub fn new(stiffness: f64, volume: f64) -> Result<Self, OrthogonalityError> {
        let possible = |value: f64| value > 0.0 && value.is_finite();
        if !possible(stiffness) {
            return Err(OrthogonalityError::Stiffness(stiffness));
        }
        if possible(volume) {
            Ok(Self { mu: 4.0 * stiffness, volume })
        } else {
            Err(OrthogonalityError::Volume(volume))
        }
    }

    /// κ V ‖AAᵀ − I‖² `[J]`; +∞, never NaN, where A is not finite.
    #[inline]
    pub fn energy(&self, columns: &[Vector3<f64>; 3]) -> f64 {
        let energy = self.volume * stvk::value(&Matrix3::from_columns(columns), self.mu, 0.0);
        if energy < f64::INFINITY { energy } else { f64::INFINITY }
    }

    /// The energy and its gradient in the columns `[J]`, which is zero where the energy is infinite.
    #[inline]
    pub fn energy_and_gradient(&self, columns: &[Vector3<f64>; 3]) -> (f64, [Vector3<f64>; 3]) {
        let energy = self.energy(columns);
        if energy == f64::INFINITY {
            return (energy, [Vector3::zeros(); 3]);
        }
        (energy, self.gradient(&Matrix3::from_columns(columns)))
    }

    /// Energy, gradient and Hessian together; gradient and Hessian are zero where the energy is infinite.
    pub fn evaluate(&self, columns: &[Vector3<f64>; 3], curvature: Curvature) -> AffineResponse {
        let (energy, gradient) = self.energy_and_gradient(columns);
        if energy == f64::INFINITY {
            return AffineResponse { energy, gradient, hessian: [Matrix3::zeros(); 6] };
        }
        let svd = svd(&Matrix3::from_columns(columns));
        let spectrum = stvk::spectrum(&svd.sigma, self.mu, 0.0);
        let spectrum = match curvature {
            Curvature::Exact => spectrum,
            Curvature::Projected => spectrum.projected(),
        };
        // Column i is the node with the shape gradient e_i, so c_i is row i of W.
        let rows = self::columns(&svd.v.transpose());
        AffineResponse { energy, gradient, hessian: hessian_blocks(&spectrum, &svd.u, &rows, self.volume) }
    }

    #[inline]
    fn gradient(&self, a: &Matrix3<f64>) -> [Vector3<f64>; 3] {
        columns(&(stvk::stress(a, self.mu, 0.0) * self.volume))
    }
}
