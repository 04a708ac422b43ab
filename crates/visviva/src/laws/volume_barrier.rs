//! What keeps an affine body from being crushed to nothing, or turned inside out, where its law would let it.
//!
//! ```text
//! φ(F) = κ b(J/J̄),   b(j) = −(1 − j)² ln j for 0 < j < 1, zero beyond, +∞ at j ≤ 0;   J̄ = 1/4
//! P = φ′ cof F;      A_ij = φ″ c_i c_j + φ′ σ_k (k the third, i ≠ j),   flip, twist = ∓φ′ σ_k
//! ```
//!
//! b is the contact barrier (Li et al. 2020) of the volume. A bound on steps alone lets Newton go nine tenths of the way to zero
//! volume in every iteration: after some dozens of them nothing is left but rounding.

use nalgebra::{Matrix3, Vector3};

use super::barrier;
use super::solid::{Density, Solid};
use super::spectrum::{Spectrum, cofactors, symmetric};
use crate::math::cofactor::{cofactor, determinant};

/// A solid whose volume resists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UprightSolid {
    pub solid: Solid,
    /// κ `[Pa]`
    pub stiffness: f64,
}

/// J̄: a body may lose three quarters of its volume before it resists more than its law says.
pub const REACH: f64 = 0.25;

impl UprightSolid {
    /// φ and its first two derivatives by J `[Pa]`; the reach is that of J/J̄, so that φ does not depend on J̄ itself.
    #[inline]
    fn of_volume(&self, j: f64) -> [f64; 3] {
        let part = j / REACH;
        let slope = barrier::slope(part, 1.0) / REACH;
        let curvature = barrier::curvature(part, 1.0) / (REACH * REACH);
        [barrier::value(part, 1.0), slope, curvature].map(|value| self.stiffness * value)
    }
}

impl Density for UprightSolid {
    #[inline]
    fn value(&self, f: &Matrix3<f64>) -> f64 {
        let j = determinant(f);
        // False for what is not a number: that is not admissible either.
        let admissible = j > 0.0;
        if admissible { self.solid.value(f) + self.stiffness * barrier::value(j / REACH, 1.0) } else { f64::INFINITY }
    }

    #[inline]
    fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
        let (cof, j) = cofactor(f);
        let admissible = j > 0.0;
        if !admissible {
            return Matrix3::zeros();
        }
        let stress = self.solid.stress(f);
        if j < REACH { stress + cof * self.of_volume(j)[1] } else { stress }
    }

    #[inline]
    fn spectrum(&self, sigma: &Vector3<f64>) -> Spectrum {
        let mut spectrum = self.solid.spectrum(sigma);
        // det F > 0 decides admissibility; rounding may still have taken a σ₃ of 1e-16 to zero or below.
        let s = Vector3::new(sigma[0], sigma[1].max(1e-17 * sigma[0]), sigma[2].max(1e-17 * sigma[0]));
        let j = s.product();
        if j < REACH {
            let [_, slope, curvature] = self.of_volume(j);
            let c = cofactors(&s);
            spectrum.first += c * slope;
            spectrum.second += symmetric(c.component_mul(&c) * curvature, s * (curvature * j + slope));
            spectrum.flip -= s * slope;
            spectrum.twist += s * slope;
        }
        spectrum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::solid::SOLIDS;
    use crate::laws::tests::{assemble, deformed, random_tet};
    use crate::laws::tetrahedron::Curvature;
    use crate::math::sampling::Sampler;
    use nalgebra::SVector;

    fn upright(name: &str) -> UprightSolid {
        UprightSolid { solid: Solid::from_name(name, 2.0, 0.3).unwrap(), stiffness: 2.0 }
    }

    #[test]
    fn gradient_and_hessian_are_derivatives_of_the_energy_for_every_solid() {
        let mut random = Sampler::new(61);
        for name in SOLIDS.map(|entry| entry.name) {
            let solid = upright(name);
            for stretches in [[1.2, 0.9, 0.8], [0.7, 0.5, 0.3], [1.2, 0.9, 1e-3], [0.3, 0.2, 0.1]] {
                let (rest, shape) = random_tet(&mut random);
                let x = deformed(&rest, &random.with_stretches(stretches), random.vector());
                let step = 1e-5 * stretches[2];
                let moved = |coordinate: usize, by: f64| {
                    let mut moved = x;
                    moved[coordinate / 3][coordinate % 3] += by;
                    moved
                };
                let stacked = |x| {
                    let (_, gradient) = shape.energy_and_gradient(&solid, &x);
                    SVector::<f64, 12>::from_fn(|row, _| gradient[row / 3][row % 3])
                };
                let response = shape.evaluate(&solid, &x, Curvature::Exact);
                let hessian = assemble(&response.hessian);
                for row in 0..12 {
                    let [up, down] = [step, -step].map(|by| shape.energy(&solid, &moved(row, by)));
                    let (slope, claimed) = ((up - down) / (2.0 * step), stacked(x)[row]);
                    // Second order in the step, and the energy's rounding over it.
                    assert!((slope - claimed).abs() < 1e-7 * stacked(x).norm().max(0.1), "{name} {stretches:?}");
                    let column = (stacked(moved(row, step)) - stacked(moved(row, -step))) / (2.0 * step);
                    assert!((column - hessian.column(row)).norm() < 1e-7 * hessian.norm(), "{name} {stretches:?}");
                }
                let projected = assemble(&shape.evaluate(&solid, &x, Curvature::Projected).hessian);
                assert!(projected.symmetric_eigenvalues().min() > -1e-12 * projected.norm(), "{name} {stretches:?}");
            }
        }
    }

    #[test]
    fn ordinary_bodies_do_not_feel_it_and_flat_ones_are_inadmissible() {
        let mut random = Sampler::new(62);
        for name in SOLIDS.map(|entry| entry.name) {
            let UprightSolid { solid, .. } = upright(name);
            for stretches in [[1.0, 1.0, 1.0], [3.0, 2.0, 0.5], [1.0, 0.8, 0.4]] {
                let f = random.with_stretches(stretches);
                assert_eq!((upright(name).value(&f), upright(name).stress(&f)), (solid.value(&f), solid.stress(&f)));
            }
            for stretches in [[1.0, 1.0, -1e-12], [1.0, 0.5, -0.5]] {
                let f = random.with_stretches(stretches);
                assert_eq!((upright(name).value(&f), upright(name).stress(&f)), (f64::INFINITY, Matrix3::zeros()));
            }
            let crushed =
                [0.2, 1e-2, 1e-6, 1e-12].map(|s| upright(name).value(&Matrix3::from_diagonal(&[1.0, 1.0, s].into())));
            assert!(crushed.is_sorted() && crushed[3].is_finite(), "{name}: {crushed:?}");
        }
    }
}
