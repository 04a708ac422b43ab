//! A linear tetrahedron of an elastic solid: constant deformation gradient, energy V Ψ(F).
//!
//! ```text
//! F = Σ_a x_a b_aᵀ,    ∂/∂x_a = V P b_a,    block (a, b) of the Hessian = V U K_ab Uᵀ   with c_a = Vᵀ b_a and
//! K_ab,ii = A_ii c_ai c_bi + Σ_{k≠i} p_ik c_ak c_bk,    K_ab,ij = A_ij c_ai c_bj + m_ij c_aj c_bi
//! p = ½(flip + twist),   m = ½(flip − twist)
//! ```
//!
//! (F = UΣVᵀ; A, flip and twist from [`super::spectrum`]). The second variation of that module in the nodes' own
//! frame: no 9×9 matrix is formed. Eigensystems after Smith, de Goes, Kim 2019; Kim and Eberle 2020.

use nalgebra::{Matrix3, Vector3};
use thiserror::Error;

use super::solid::Density;
use super::spectrum::Spectrum;
use crate::math::cofactor::{cofactor, columns};
use crate::math::svd::{Svd, svd};

/// Nodes (a, b) of the ten blocks of a Hessian: its upper triangle by rows.
pub const BLOCKS: [(usize, usize); 10] =
    [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)];

/// Whether a Hessian is the true one or the nearest positive semidefinite one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curvature {
    Exact,
    Projected,
}

/// The rest shape: volume `[m³]` and shape gradients `[1/m]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetShape {
    /// Row a − 1 is the gradient b_a of node a = 1, 2, 3; b_0 is minus their sum.
    gradients: Matrix3<f64>,
    volume: f64,
}

/// A rest shape that is flat, inverted or not finite.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the rest volume of a tetrahedron must be positive and finite, not {volume} m³")]
pub struct DegenerateTet {
    pub volume: f64,
}

/// Energy `[J]`, gradient `[N]` and Hessian `[N/m]`, blocks as in [`BLOCKS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetResponse {
    pub energy: f64,
    pub gradient: [Vector3<f64>; 4],
    pub hessian: [Matrix3<f64>; 10],
}

#[inline]
pub(super) fn edges(x: &[Vector3<f64>; 4]) -> Matrix3<f64> {
    Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]])
}

impl TetShape {
    /// The shape of four rest positions `[m]`, of which 1, 2, 3 turn counter-clockwise seen from outside, opposite to 0.
    pub fn from_rest(rest: [Vector3<f64>; 4]) -> Result<Self, DegenerateTet> {
        let (cof, det) = cofactor(&edges(&rest));
        let gradients = cof.transpose() / det;
        let volume = det / 6.0;
        let sound = volume > 0.0 && volume.is_finite() && gradients.iter().all(|value| value.is_finite());
        if sound { Ok(Self { gradients, volume }) } else { Err(DegenerateTet { volume }) }
    }

    /// A corner with three edges of one length `[m]` along the axes, whose F is that of a whole volume `[m³]`.
    pub fn spread(length: f64, volume: f64) -> Self {
        Self { gradients: Matrix3::identity() / length, volume }
    }

    /// Rest volume `[m³]`.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The gradients b_a of the four shape functions `[1/m]`.
    pub fn gradients(&self) -> [Vector3<f64>; 4] {
        let [b1, b2, b3] = columns(&self.gradients.transpose());
        [-(b1 + b2 + b3), b1, b2, b3]
    }

    /// F = Σ x_a b_aᵀ, from edges, so that a translation far from the origin costs no digits here.
    #[inline]
    pub fn deformation_gradient(&self, x: &[Vector3<f64>; 4]) -> Matrix3<f64> {
        edges(x) * self.gradients
    }

    /// V Ψ(F) `[J]`.
    #[inline]
    pub fn energy(&self, solid: &impl Density, x: &[Vector3<f64>; 4]) -> f64 {
        self.volume * solid.value(&self.deformation_gradient(x))
    }

    /// V Ψ(F) `[J]` and its gradient `[N]`, which is zero where the energy is infinite.
    #[inline]
    pub fn energy_and_gradient(&self, solid: &impl Density, x: &[Vector3<f64>; 4]) -> (f64, [Vector3<f64>; 4]) {
        let f = self.deformation_gradient(x);
        (self.volume * solid.value(&f), self.nodal_forces(&solid.stress(&f)))
    }

    /// Energy, gradient and Hessian together; gradient and Hessian are zero where the energy is infinite.
    pub fn evaluate(&self, solid: &impl Density, x: &[Vector3<f64>; 4], curvature: Curvature) -> TetResponse {
        self.evaluate_with(solid, x, curvature, svd)
    }

    /// The same with a decomposition of F that may already be known.
    #[inline]
    pub fn evaluate_with(
        &self,
        solid: &impl Density,
        x: &[Vector3<f64>; 4],
        curvature: Curvature,
        svd: impl FnOnce(&Matrix3<f64>) -> Svd,
    ) -> TetResponse {
        let f = self.deformation_gradient(x);
        // Value and stress to the same bits as without a Hessian: a line search compares the two to the last one.
        let (value, stress) = solid.value_and_stress(&f);
        let energy = self.volume * value;
        if energy == f64::INFINITY {
            return TetResponse { energy, gradient: [Vector3::zeros(); 4], hessian: [Matrix3::zeros(); 10] };
        }
        let svd = svd(&f);
        let spectrum = solid.spectrum(&svd.sigma);
        let spectrum = match curvature {
            Curvature::Exact => spectrum,
            Curvature::Projected => spectrum.projected(),
        };
        let hessian = self.hessian(&spectrum, &svd.u, &svd.v);
        TetResponse { energy, gradient: self.nodal_forces(&stress), hessian }
    }

    /// V P b_a. Node 0 gets minus the sum of the others, so that no momentum appears from rounding.
    #[inline]
    fn nodal_forces(&self, stress: &Matrix3<f64>) -> [Vector3<f64>; 4] {
        let [g1, g2, g3] = columns(&(stress * self.gradients.transpose() * self.volume));
        [-(g1 + g2 + g3), g1, g2, g3]
    }

    #[inline]
    fn hessian(&self, spectrum: &Spectrum, u: &Matrix3<f64>, v: &Matrix3<f64>) -> [Matrix3<f64>; 10] {
        let stretch = spectrum.second * self.volume;
        let p = (spectrum.flip + spectrum.twist) * (0.5 * self.volume);
        let m = (spectrum.flip - spectrum.twist) * (0.5 * self.volume);
        let c = columns(&(self.gradients * v).transpose());
        let block = |a: usize, b: usize| {
            let (ca, cb) = (&c[a - 1], &c[b - 1]);
            let w = ca.component_mul(cb);
            let off = |i: usize, j: usize, k: usize| stretch[(i, j)] * ca[i] * cb[j] + m[k] * ca[j] * cb[i];
            let k = Matrix3::new(
                stretch[(0, 0)] * w[0] + p[2] * w[1] + p[1] * w[2],
                off(0, 1, 2),
                off(0, 2, 1),
                off(1, 0, 2),
                stretch[(1, 1)] * w[1] + p[2] * w[0] + p[0] * w[2],
                off(1, 2, 0),
                off(2, 0, 1),
                off(2, 1, 0),
                stretch[(2, 2)] * w[2] + p[1] * w[0] + p[0] * w[1],
            );
            u * k * u.transpose()
        };
        let (h11, h22, h33) = (symmetrised(block(1, 1)), symmetrised(block(2, 2)), symmetrised(block(3, 3)));
        let (h12, h13, h23) = (block(1, 2), block(1, 3), block(2, 3));
        // A translation stretches nothing: rows sum to zero, which gives the blocks of node 0.
        let h01 = -(h11 + h12.transpose() + h13.transpose());
        let h02 = -(h12 + h22 + h23.transpose());
        let h03 = -(h13 + h23 + h33);
        let h00 = symmetrised(-(h01 + h02 + h03));
        [h00, h01, h02, h03, h11, h12, h13, h22, h23, h33]
    }
}

/// Removes the rounding that makes a diagonal block unsymmetric in its last bits.
#[inline]
fn symmetrised(mut h: Matrix3<f64>) -> Matrix3<f64> {
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let mean = 0.5 * (h[(i, j)] + h[(j, i)]);
        (h[(i, j)], h[(j, i)]) = (mean, mean);
    }
    h
}
