//! Derivatives of an isotropic energy in the frame of its singular vectors, where the 9×9 Hessian falls apart.
//!
//! ```text
//! ψ_i = ∂Ψ/∂σ_i,   A_ij = ∂²Ψ/∂σ_i∂σ_j,   flip_k = (ψ_i − ψ_j)/(σ_i − σ_j),   twist_k = (ψ_i + ψ_j)/(σ_i + σ_j)
//! ```
//!
//! With f = Uᵀ dF V the second variation is Σ A_ij f_ii f_jj + ½ Σ_k flip_k (f_ij + f_ji)² + twist_k (f_ij − f_ji)².
//! Smith, de Goes, Kim: Analytic eigensystems for isotropic distortion energies, ACM TOG 2019.

use nalgebra::{Matrix3, Vector3};

use crate::math::symmetric_eigen::positive_part;

/// The pair (i, j) that belongs to place k of `flip` and `twist`: the two directions other than k.
pub const PAIRS: [(usize, usize); 3] = [(1, 2), (2, 0), (0, 1)];

/// First and second derivatives at the signed stretches σ `[Pa]`. Symmetric modes of a pair are flips, antisymmetric twists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spectrum {
    pub first: Vector3<f64>,
    pub second: Matrix3<f64>,
    pub flip: Vector3<f64>,
    pub twist: Vector3<f64>,
}

impl Spectrum {
    /// The same with every eigenvalue of the second variation clamped at zero: the nearest positive semidefinite one.
    #[inline]
    pub fn projected(&self) -> Self {
        Self {
            first: self.first,
            second: positive_part(&self.second),
            flip: self.flip.map(|l| l.max(0.0)),
            twist: self.twist.map(|l| l.max(0.0)),
        }
    }
}

/// (σ₂σ₃, σ₃σ₁, σ₁σ₂): the cofactors of diag σ, and the gradient of J.
#[inline]
pub(super) fn cofactors(s: &Vector3<f64>) -> Vector3<f64> {
    Vector3::new(s[1] * s[2], s[2] * s[0], s[0] * s[1])
}

/// 1/(σ_i + σ_j) for each pair, which the rotation's derivative needs. The sums are never negative; where one vanishes
/// (F flat in two directions or reflected) the rotation jumps, and the floor keeps its derivative finite.
#[inline]
pub(super) fn inverse_pair_sums(s: &Vector3<f64>) -> Vector3<f64> {
    const FLOOR: f64 = 1e-6;
    Vector3::new(s[1] + s[2], s[2] + s[0], s[0] + s[1]).map(|sum| 1.0 / sum.max(FLOOR))
}

/// The symmetric matrix with the given diagonal and, at (i, j), the value of the pair.
#[inline]
pub(super) fn symmetric(diagonal: Vector3<f64>, pair: Vector3<f64>) -> Matrix3<f64> {
    let (d, p) = (diagonal, pair);
    Matrix3::new(d[0], p[2], p[1], p[2], d[1], p[0], p[1], p[0], d[2])
}
