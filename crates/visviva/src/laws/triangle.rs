//! A linear triangle of an elastic sheet in space: constant deformation gradient, energy A Ψ(F).
//!
//! ```text
//! F = Σ_a x_a b_aᵀ  (3×2),    ∂/∂x_a = A P b_a,    block (a, b) of the Hessian = A U K_ab Uᵀ,   U = [u₁ u₂ n],  c_a = Vᵀ b_a
//! K_11 = A_11 c_a1 c_b1 + p c_a2 c_b2,   K_12 = A_12 c_a1 c_b2 + m c_a2 c_b1,   K_nn = Σ lift_i c_ai c_bi
//! p = ½(flip + twist),   m = ½(flip − twist)
//! ```
//!
//! (K_22 and K_21 with 1 and 2 exchanged; the rest is zero.) The eigensystem of [`super::spectrum`] for a third stretch
//! of zero: the pairs with the normal fall together into ψ_i/σ_i. No 6×6 matrix is formed.

use nalgebra::{Matrix2, Matrix3, Matrix3x2, Vector2, Vector3};
use thiserror::Error;

use super::membrane::{Membrane, MembraneSpectrum};
use super::tetrahedron::Curvature;
use crate::math::svd_3x2::svd_3x2;

/// Nodes (a, b) of the six blocks of a Hessian: its upper triangle by rows.
pub const TRIANGLE_BLOCKS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// The rest shape: area `[m²]` and shape gradients `[1/m]` in the frame whose first axis points from node 0 to node 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleShape {
    /// Row a − 1 is the gradient b_a of node a = 1, 2; b_0 is minus their sum.
    gradients: Matrix2<f64>,
    area: f64,
}

/// A rest shape without area, or not finite.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the rest area of a triangle must be positive and finite, not {area} m²")]
pub struct DegenerateTriangle {
    pub area: f64,
}

/// Energy `[J]`, gradient `[N]` and Hessian `[N/m]`, blocks as in [`TRIANGLE_BLOCKS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleResponse {
    pub energy: f64,
    pub gradient: [Vector3<f64>; 3],
    pub hessian: [Matrix3<f64>; 6],
}

impl TriangleShape {
    /// The shape of three rest positions `[m]`.
    pub fn from_rest(rest: [Vector3<f64>; 3]) -> Result<Self, DegenerateTriangle> {
        let (along, other) = (rest[1] - rest[0], rest[2] - rest[0]);
        let (length, double) = (along.norm(), along.cross(&other).norm());
        let height = double / length;
        let shift = along.dot(&other) / (length * double);
        let gradients = Matrix2::new(1.0 / length, -shift, 0.0, 1.0 / height);
        let area = 0.5 * double;
        let sound = area > 0.0 && area.is_finite() && gradients.iter().all(|value| value.is_finite());
        if sound { Ok(Self { gradients, area }) } else { Err(DegenerateTriangle { area }) }
    }

    /// Rest area `[m²]`.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// The gradients b_a of the three shape functions `[1/m]`.
    pub fn gradients(&self) -> [Vector2<f64>; 3] {
        let (b1, b2) = (self.gradients.row(0).transpose(), self.gradients.row(1).transpose());
        [-(b1 + b2), b1, b2]
    }

    /// F = Σ x_a b_aᵀ, from edges, so that a translation far from the origin costs no digits here.
    #[inline]
    pub fn deformation_gradient(&self, x: &[Vector3<f64>; 3]) -> Matrix3x2<f64> {
        Matrix3x2::from_columns(&[x[1] - x[0], x[2] - x[0]]) * self.gradients
    }

    /// A Ψ(F) `[J]`.
    #[inline]
    pub fn energy(&self, membrane: &Membrane, x: &[Vector3<f64>; 3]) -> f64 {
        self.area * membrane.value(&self.deformation_gradient(x))
    }

    /// A Ψ(F) `[J]` and its gradient `[N]`, which is zero where the energy is infinite.
    #[inline]
    pub fn energy_and_gradient(&self, membrane: &Membrane, x: &[Vector3<f64>; 3]) -> (f64, [Vector3<f64>; 3]) {
        let f = self.deformation_gradient(x);
        (self.area * membrane.value(&f), self.nodal_forces(&membrane.stress(&f)))
    }

    /// Energy, gradient and Hessian together; gradient and Hessian are zero where the energy is infinite.
    pub fn evaluate(&self, membrane: &Membrane, x: &[Vector3<f64>; 3], curvature: Curvature) -> TriangleResponse {
        let f = self.deformation_gradient(x);
        // Value and stress by the same path as without a Hessian: a line search compares the two to the last bit.
        let energy = self.area * membrane.value(&f);
        if energy == f64::INFINITY {
            return TriangleResponse { energy, gradient: [Vector3::zeros(); 3], hessian: [Matrix3::zeros(); 6] };
        }
        let svd = svd_3x2(&f);
        let spectrum = membrane.spectrum(&svd.sigma);
        let spectrum = match curvature {
            Curvature::Exact => spectrum,
            Curvature::Projected => spectrum.projected(),
        };
        let hessian = self.hessian(&spectrum, &svd.u, &svd.v);
        TriangleResponse { energy, gradient: self.nodal_forces(&membrane.stress(&f)), hessian }
    }

    /// A P b_a. Node 0 gets minus the sum of the others, so that no momentum appears from rounding.
    #[inline]
    fn nodal_forces(&self, stress: &Matrix3x2<f64>) -> [Vector3<f64>; 3] {
        let forces = stress * self.gradients.transpose() * self.area;
        let (g1, g2) = (forces.column(0).into_owned(), forces.column(1).into_owned());
        [-(g1 + g2), g1, g2]
    }

    #[inline]
    fn hessian(&self, spectrum: &MembraneSpectrum, u: &Matrix3<f64>, v: &Matrix2<f64>) -> [Matrix3<f64>; 6] {
        let stretch = spectrum.second * self.area;
        let p = 0.5 * self.area * (spectrum.flip + spectrum.twist);
        let m = 0.5 * self.area * (spectrum.flip - spectrum.twist);
        let lift = spectrum.lift * self.area;
        let c = self.gradients * v;
        let block = |a: usize, b: usize| {
            let (a1, a2, b1, b2) = (c[(a - 1, 0)], c[(a - 1, 1)], c[(b - 1, 0)], c[(b - 1, 1)]);
            let k = Matrix3::new(
                stretch[(0, 0)] * a1 * b1 + p * a2 * b2,
                stretch[(0, 1)] * a1 * b2 + m * a2 * b1,
                0.0,
                stretch[(0, 1)] * a2 * b1 + m * a1 * b2,
                stretch[(1, 1)] * a2 * b2 + p * a1 * b1,
                0.0,
                0.0,
                0.0,
                lift[0] * a1 * b1 + lift[1] * a2 * b2,
            );
            u * k * u.transpose()
        };
        let (h11, h12, h22) = (symmetrised(block(1, 1)), block(1, 2), symmetrised(block(2, 2)));
        // A translation stretches nothing: rows sum to zero, which gives the blocks of node 0.
        let h01 = -(h11 + h12.transpose());
        let h02 = -(h12 + h22);
        let h00 = symmetrised(-(h01 + h02));
        [h00, h01, h02, h11, h12, h22]
    }
}

/// Removes the rounding that makes a diagonal block unsymmetric in its last bits.
#[inline]
fn symmetrised(h: Matrix3<f64>) -> Matrix3<f64> {
    (h + h.transpose()) * 0.5
}
