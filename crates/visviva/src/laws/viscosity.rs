//! Viscosity that knows rotation: Kelvin–Voigt in the strains of each element, with the stiffness of its law at rest.
//!
//! ```text
//! R = ½ β ėᵀ C ė,    force on the points −β (∂e/∂x)ᵀ C ė,    Hessian by the points, Gauss–Newton: β (∂e/∂x)ᵀ C (∂e/∂x) / L
//! solid, sheet   e = E = ½ (FᵀF − I),   ½ eᵀCe = V (½ λ tr²E + μ ‖E‖²)        hinge   e = θ,   ½ eᵀCe = ½ B |ē|²/Ā θ²
//! ```
//!
//! ė is a difference of strains over the length L of a stage, so that a turn, however large, costs nothing. The block of nodes a and b
//! of a solid is (V/L) [λ F b_a (F b_b)ᵀ + μ ((b_a·b_b) F Fᵀ + F b_b (F b_a)ᵀ)].

use super::bending::{angle_slope, dihedral_angle};
use super::stencil::{ShellHinge, ShellTriangle, SolidTet};
use super::tetrahedron::BLOCKS;
use super::triangle::TRIANGLE_BLOCKS;
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};
use std::f64::consts::{PI, TAU};

/// An element with `STRAINS` strains of its own, on `NODES` points with `BLOCKS` blocks of a Hessian.
pub trait Viscous<const NODES: usize, const BLOCKS: usize, const STRAINS: usize>: Sync {
    fn strains(&self, x: &[Vector3<f64>; NODES]) -> [f64; STRAINS];

    /// The strains of points that move with a velocity, per time
    fn strain_rates(&self, x: &[Vector3<f64>; NODES], v: &[Vector3<f64>; NODES]) -> [f64; STRAINS];

    /// e₁ − e₀
    fn difference(e1: f64, e0: f64) -> f64 {
        e1 - e0
    }

    /// ½ ėᵀ C ė
    fn power(&self, rates: &[f64; STRAINS]) -> f64;

    /// (∂e/∂x)ᵀ C ė
    fn gradient(&self, x: &[Vector3<f64>; NODES], rates: &[f64; STRAINS]) -> [Vector3<f64>; NODES];

    /// (∂e/∂x)ᵀ C (∂e/∂x)
    fn hessian(&self, x: &[Vector3<f64>; NODES]) -> [Matrix3<f64>; BLOCKS];
}

/// (i, j) of each strain of a solid and of a sheet
const SOLID: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
const SHEET: [(usize, usize); 3] = [(0, 0), (1, 1), (0, 1)];

/// sym(FᵀG), by its entries
fn symmetric_product<const D: usize, const S: usize>(
    f: &SMatrix<f64, 3, D>,
    g: &SMatrix<f64, 3, D>,
    entries: [(usize, usize); S],
) -> [f64; S] {
    entries.map(|(i, j)| 0.5 * (f.column(i).dot(&g.column(j)) + f.column(j).dot(&g.column(i))))
}

/// E = ½ (FᵀF − I), by its entries
fn green<const D: usize, const S: usize>(f: &SMatrix<f64, 3, D>, entries: [(usize, usize); S]) -> [f64; S] {
    entries.map(|(i, j)| 0.5 * (f.column(i).dot(&f.column(j)) - if i == j { 1.0 } else { 0.0 }))
}

/// The matrix of its entries
fn tensor<const D: usize, const S: usize>(rates: &[f64; S], entries: [(usize, usize); S]) -> SMatrix<f64, D, D> {
    let mut tensor = SMatrix::zeros();
    for (rate, (i, j)) in rates.iter().zip(entries) {
        (tensor[(i, j)], tensor[(j, i)]) = (*rate, *rate);
    }
    tensor
}

fn isotropic_power<const D: usize>(rate: &SMatrix<f64, D, D>, (mu, lambda): (f64, f64), size: f64) -> f64 {
    size * (0.5 * lambda * rate.trace().powi(2) + mu * rate.norm_squared())
}

/// F S b_a of all nodes, S = size (λ tr(Ė) I + 2μ Ė)
fn isotropic_gradient<const D: usize, const N: usize>(
    f: &SMatrix<f64, 3, D>,
    rate: &SMatrix<f64, D, D>,
    gradients: [SVector<f64, D>; N],
    (mu, lambda): (f64, f64),
    size: f64,
) -> [Vector3<f64>; N] {
    let stress = SMatrix::<f64, D, D>::identity() * (size * lambda * rate.trace()) + rate * (2.0 * size * mu);
    let pull = f * stress;
    gradients.map(|b| pull * b)
}

fn isotropic_hessian<const D: usize, const N: usize, const B: usize>(
    f: &SMatrix<f64, 3, D>,
    gradients: [SVector<f64, D>; N],
    (mu, lambda): (f64, f64),
    size: f64,
    blocks: [(usize, usize); B],
) -> [Matrix3<f64>; B] {
    let round = f * f.transpose();
    let moved = gradients.map(|b| f * b);
    blocks.map(|(a, b)| {
        (moved[a] * moved[b].transpose() * lambda
            + (round * gradients[a].dot(&gradients[b]) + moved[b] * moved[a].transpose()) * mu)
            * size
    })
}

impl Viscous<4, 10, 6> for SolidTet {
    #[inline]
    fn strains(&self, x: &[Vector3<f64>; 4]) -> [f64; 6] {
        green(&self.shape.deformation_gradient(x), SOLID)
    }

    #[inline]
    fn strain_rates(&self, x: &[Vector3<f64>; 4], v: &[Vector3<f64>; 4]) -> [f64; 6] {
        symmetric_product(&self.shape.deformation_gradient(x), &self.shape.deformation_gradient(v), SOLID)
    }

    #[inline]
    fn power(&self, rates: &[f64; 6]) -> f64 {
        isotropic_power::<3>(&tensor(rates, SOLID), self.solid.lame(), self.shape.volume())
    }

    #[inline]
    fn gradient(&self, x: &[Vector3<f64>; 4], rates: &[f64; 6]) -> [Vector3<f64>; 4] {
        let (f, rate) = (self.shape.deformation_gradient(x), tensor(rates, SOLID));
        isotropic_gradient(&f, &rate, self.shape.gradients(), self.solid.lame(), self.shape.volume())
    }

    #[inline]
    fn hessian(&self, x: &[Vector3<f64>; 4]) -> [Matrix3<f64>; 10] {
        let f = self.shape.deformation_gradient(x);
        isotropic_hessian(&f, self.shape.gradients(), self.solid.lame(), self.shape.volume(), BLOCKS)
    }
}

impl Viscous<3, 6, 3> for ShellTriangle {
    #[inline]
    fn strains(&self, x: &[Vector3<f64>; 3]) -> [f64; 3] {
        green(&self.shape.deformation_gradient(x), SHEET)
    }

    #[inline]
    fn strain_rates(&self, x: &[Vector3<f64>; 3], v: &[Vector3<f64>; 3]) -> [f64; 3] {
        symmetric_product(&self.shape.deformation_gradient(x), &self.shape.deformation_gradient(v), SHEET)
    }

    #[inline]
    fn power(&self, rates: &[f64; 3]) -> f64 {
        isotropic_power::<2>(&tensor(rates, SHEET), self.membrane.parameters(), self.shape.area())
    }

    #[inline]
    fn gradient(&self, x: &[Vector3<f64>; 3], rates: &[f64; 3]) -> [Vector3<f64>; 3] {
        let (f, rate) = (self.shape.deformation_gradient(x), tensor(rates, SHEET));
        isotropic_gradient(&f, &rate, self.shape.gradients(), self.membrane.parameters(), self.shape.area())
    }

    #[inline]
    fn hessian(&self, x: &[Vector3<f64>; 3]) -> [Matrix3<f64>; 6] {
        let f = self.shape.deformation_gradient(x);
        isotropic_hessian(&f, self.shape.gradients(), self.membrane.parameters(), self.shape.area(), TRIANGLE_BLOCKS)
    }
}

impl Viscous<4, 10, 1> for ShellHinge {
    #[inline]
    fn strains(&self, x: &[Vector3<f64>; 4]) -> [f64; 1] {
        [dihedral_angle(x)]
    }

    #[inline]
    fn strain_rates(&self, x: &[Vector3<f64>; 4], v: &[Vector3<f64>; 4]) -> [f64; 1] {
        [angle_slope(x).iter().zip(v).map(|(slope, v)| slope.dot(v)).sum()]
    }

    /// The shorter way round
    fn difference(e1: f64, e0: f64) -> f64 {
        (e1 - e0 + PI).rem_euclid(TAU) - PI
    }

    #[inline]
    fn power(&self, &[rate]: &[f64; 1]) -> f64 {
        0.5 * self.stiffness * self.shape.weight() * rate * rate
    }

    #[inline]
    fn gradient(&self, x: &[Vector3<f64>; 4], &[rate]: &[f64; 1]) -> [Vector3<f64>; 4] {
        let moment = self.stiffness * self.shape.weight() * rate;
        angle_slope(x).map(|slope| slope * moment)
    }

    #[inline]
    fn hessian(&self, x: &[Vector3<f64>; 4]) -> [Matrix3<f64>; 10] {
        let (slope, stiffness) = (angle_slope(x), self.stiffness * self.shape.weight());
        BLOCKS.map(|(a, b)| slope[a] * slope[b].transpose() * stiffness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::bending::HingeShape;
    use crate::laws::membrane::Membrane;
    use crate::laws::solid::{Elasticity, Solid};
    use crate::laws::tetrahedron::TetShape;
    use crate::laws::triangle::TriangleShape;
    use nalgebra::Rotation3;

    const ELASTICITY: Elasticity = Elasticity { youngs_modulus: 1e4, poisson_ratio: 0.3 };

    fn points<const N: usize>() -> [Vector3<f64>; N] {
        let all = [[0.0, 0.0, 0.0], [0.1, 0.01, 0.0], [0.02, 0.12, 0.01], [0.01, 0.03, 0.09]];
        std::array::from_fn(|i| Vector3::from(all[i]))
    }

    fn hinge_points() -> [Vector3<f64>; 4] {
        let all = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.04, 0.09, 0.01], [0.06, -0.08, 0.02]];
        all.map(Vector3::from)
    }

    fn bent<const N: usize>(x: [Vector3<f64>; N], seed: f64) -> [Vector3<f64>; N] {
        let wave = |i: usize, c: usize| 0.01 * (seed + 2.3 * i as f64 + 1.1 * c as f64).sin();
        std::array::from_fn(|i| x[i] + Vector3::from_fn(|c, _| wave(i, c)))
    }

    /// ½ L ėᵀ C ė over the way from x0, and all that is claimed of its derivatives
    fn check<const N: usize, const B: usize, const S: usize, V: Viscous<N, B, S>>(law: &V, x0: [Vector3<f64>; N]) {
        let length = 0.02;
        let rates = |x: &[Vector3<f64>; N]| {
            let (e1, e0) = (law.strains(x), law.strains(&x0));
            std::array::from_fn(|s| V::difference(e1[s], e0[s]) / length)
        };
        let value = |x: &[Vector3<f64>; N]| length * law.power(&rates(x));
        let x = bent(x0, 0.3);
        let gradient = law.gradient(&x, &rates(&x));
        let size = gradient.iter().map(Vector3::norm).fold(0.0, f64::max);
        for (node, c) in (0..3 * N).map(|k| (k / 3, k % 3)) {
            let at = |step: f64| {
                let mut moved = x;
                moved[node][c] += step;
                value(&moved)
            };
            let slope = (8.0 * (at(5e-6) - at(-5e-6)) - (at(1e-5) - at(-1e-5))) / 6e-5;
            assert!((slope - gradient[node][c]).abs() < 1e-6 * size, "{node} {c}: {slope} {}", gradient[node][c]);
        }
        assert!(gradient.iter().sum::<Vector3<f64>>().norm() < 1e-12 * size, "no momentum");
        // At the start of the way nothing is stressed, and Gauss–Newton is the whole Hessian.
        let (hessian, d) = (law.hessian(&x0), bent([Vector3::zeros(); N], 1.7));
        let moved = |t: f64| std::array::from_fn(|i| x0[i] + t * d[i]);
        let bend = (value(&moved(1e-4)) + value(&moved(-1e-4))) / 1e-8;
        let blocks = (0..N).flat_map(|a| (a..N).map(move |b| (a, b)));
        let claimed: f64 = blocks
            .zip(&hessian)
            .map(|((a, b), h)| if a == b { 1.0 } else { 2.0 } * d[a].dot(&(h * d[b])) / length)
            .sum();
        assert!((bend - claimed).abs() < 1e-4 * claimed, "{bend} {claimed}");
        // A turn is free, and so is a spin.
        let turn = Rotation3::from_euler_angles(0.4, -1.2, 0.9);
        let turned = rates(&x0.map(|p| turn * p));
        let spin = law.strain_rates(&x0, &x0.map(|p| Vector3::new(3.0, -1.0, 2.0).cross(&p)));
        assert!(turned.iter().chain(&spin).all(|rate| rate.abs() < 1e-12 / length), "{turned:?} {spin:?}");
        // Rates are what differences come to.
        let v = bent([Vector3::zeros(); N], 0.9);
        let ahead = law.strains(&std::array::from_fn(|i| x[i] + 1e-6 * v[i]));
        let behind = law.strains(&std::array::from_fn(|i| x[i] - 1e-6 * v[i]));
        for (rate, (ahead, behind)) in law.strain_rates(&x, &v).iter().zip(ahead.iter().zip(&behind)) {
            assert!((rate - V::difference(*ahead, *behind) / 2e-6).abs() < 1e-7, "{rate}");
        }
    }

    #[test]
    fn derivatives_match_finite_differences_and_turning_is_free() {
        let solid = Solid::new("neo-hookean", &ELASTICITY).unwrap();
        check(&SolidTet::new(TetShape::from_rest(points()).unwrap(), solid), points());
        let membrane = Membrane::new("neo-hookean", &ELASTICITY, 1e-3).unwrap();
        check(&ShellTriangle { shape: TriangleShape::from_rest(points()).unwrap(), membrane }, points());
        let shape = HingeShape::from_rest(hinge_points()).unwrap();
        check(&ShellHinge { shape, stiffness: 0.3 }, hinge_points());
    }

    #[test]
    fn an_angle_that_passes_half_a_turn_goes_the_shorter_way() {
        assert!((<ShellHinge as Viscous<4, 10, 1>>::difference(-3.1, 3.1) - (TAU - 6.2)).abs() < 1e-12);
    }
}
