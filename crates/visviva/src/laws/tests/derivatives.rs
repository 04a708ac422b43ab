//! Gradients and Hessians are the derivatives of what they claim to be.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::*;
use crate::laws::tetrahedron::Curvature;
use crate::math::svd::svd;

fn moved(x: &[Vector3<f64>; 4], coordinate: usize, by: f64) -> [Vector3<f64>; 4] {
    let mut moved = *x;
    moved[coordinate / 3][coordinate % 3] += by;
    moved
}

fn stacked(gradient: &[Vector3<f64>; 4]) -> SVector<f64, 12> {
    SVector::from_fn(|row, _| gradient[row / 3][row % 3])
}

/// A law with a barrier varies over its smallest stretch, the others over 1.
fn difference_step(solid: &Solid, f: &Matrix3<f64>) -> f64 {
    1e-5 * if solid.forbids_inversion() { svd(f).sigma[2].min(1.0) } else { 1.0 }
}

#[test]
fn gradient_is_the_derivative_of_the_energy_for_every_solid() {
    let mut random = Sampler::new(21);
    let mut worst = (0.0, "", "");
    for (name, solid) in solids() {
        for (state, f) in states(&mut random, &solid) {
            let (rest, shape) = random_tet(&mut random);
            let x = deformed(&rest, &f, random.vector());
            let h = difference_step(&solid, &f);
            let (_, gradient) = shape.energy_and_gradient(&solid, &x);
            let numeric = SVector::<f64, 12>::from_fn(|row, _| {
                let [up, down] = [h, -h].map(|by| shape.energy(&solid, &moved(&x, row, by)));
                (up - down) / (2.0 * h)
            });
            let error = (numeric - stacked(&gradient)).norm() / stacked(&gradient).norm().max(YOUNG * shape.volume());
            assert!(error < 2e-8, "{name}, {state}: relative error {error:e}");
            worst = if error > worst.0 { (error, name, state) } else { worst };
        }
    }
    println!("worst relative error of a gradient: {worst:?}");
}

#[test]
fn exact_hessian_is_the_derivative_of_the_gradient_for_every_solid() {
    let mut random = Sampler::new(22);
    let mut worst = (0.0, "", "");
    for (name, solid) in solids() {
        for (state, f) in states(&mut random, &solid) {
            let (rest, shape) = random_tet(&mut random);
            let x = deformed(&rest, &f, random.vector());
            let h = difference_step(&solid, &f);
            let hessian = assemble(&shape.evaluate(&solid, &x, Curvature::Exact).hessian);
            let mut numeric = SMatrix::<f64, 12, 12>::zeros();
            for column in 0..12 {
                let [up, down] =
                    [h, -h].map(|by| stacked(&shape.energy_and_gradient(&solid, &moved(&x, column, by)).1));
                numeric.set_column(column, &((up - down) / (2.0 * h)));
            }
            let error = (numeric - hessian).norm() / hessian.norm();
            assert!(error < 2e-8, "{name}, {state}: relative error {error:e}");
            worst = if error > worst.0 { (error, name, state) } else { worst };
        }
    }
    println!("worst relative error of a Hessian: {worst:?}");
}

#[test]
fn first_derivatives_in_stretches_are_the_principal_stresses() {
    let mut random = Sampler::new(23);
    for (name, solid) in solids() {
        for (state, f) in states(&mut random, &solid) {
            let svd = svd(&f);
            let spectrum = solid.spectrum(&svd.sigma);
            let rebuilt = svd.u * Matrix3::from_diagonal(&spectrum.first) * svd.v.transpose();
            let error = (rebuilt - solid.stress(&f)).norm() / rebuilt.norm().max(YOUNG);
            assert!(error < 1e-11, "{name}, {state}: {error:e}");
            // Where the stretches differ the closed forms are the quotients they stand for.
            for (k, (i, j)) in crate::laws::spectrum::PAIRS.into_iter().enumerate() {
                let (s, p) = (svd.sigma, spectrum.first);
                let scale = 1e-9 * spectrum.second.norm().max(spectrum.twist.amax()).max(spectrum.flip.amax());
                if (s[i] - s[j]).abs() > 0.05 {
                    assert!(((p[i] - p[j]) / (s[i] - s[j]) - spectrum.flip[k]).abs() < scale, "{name}, {state}");
                }
                if s[i] + s[j] > 0.05 {
                    assert!(((p[i] + p[j]) / (s[i] + s[j]) - spectrum.twist[k]).abs() < scale, "{name}, {state}");
                }
            }
        }
    }
}

#[test]
fn evaluating_together_gives_the_bits_of_evaluating_apart() {
    let mut random = Sampler::new(24);
    for (_, solid) in solids() {
        for (_, f) in states(&mut random, &solid) {
            let (rest, shape) = random_tet(&mut random);
            let x = deformed(&rest, &f, random.vector());
            let all = shape.evaluate(&solid, &x, Curvature::Projected);
            assert_eq!((all.energy, all.gradient), shape.energy_and_gradient(&solid, &x));
            assert_eq!(all.energy, shape.energy(&solid, &x));
        }
    }
}
