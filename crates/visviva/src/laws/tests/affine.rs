//! The orthogonality energy of affine bodies: its formula, derivatives, projection and symmetries.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::states;
use crate::laws::affine::{BLOCKS, Orthogonality, OrthogonalityError};
use crate::laws::solid::Solid;
use crate::laws::tetrahedron::Curvature;
use crate::math::cofactor::columns;
use crate::math::sampling::Sampler;

const KAPPA: f64 = 3.0;
const VOLUME: f64 = 0.7;

type Matrix9 = SMatrix<f64, 9, 9>;

fn law() -> Orthogonality {
    Orthogonality::new(KAPPA, VOLUME).expect("a positive stiffness and volume")
}

/// Every kind of state, inverted and flat ones too.
fn matrices(random: &mut Sampler) -> Vec<(&'static str, Matrix3<f64>)> {
    states(random, &Solid::StVenantKirchhoff { mu: 1.0, lambda: 0.0 })
}

fn energy(a: &Matrix3<f64>) -> f64 {
    law().energy(&columns(a))
}

fn gradient(a: &Matrix3<f64>) -> SVector<f64, 9> {
    let gradient = law().energy_and_gradient(&columns(a)).1;
    SVector::from_fn(|row, _| gradient[row / 3][row % 3])
}

fn hessian(a: &Matrix3<f64>, curvature: Curvature) -> Matrix9 {
    let mut full = Matrix9::zeros();
    for ((i, j), block) in BLOCKS.into_iter().zip(law().evaluate(&columns(a), curvature).hessian) {
        full.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&block);
        full.fixed_view_mut::<3, 3>(3 * j, 3 * i).copy_from(&block.transpose());
    }
    full
}

/// A with coordinate `k` of its columns, one after the other, moved by h up and down.
fn beside(a: &Matrix3<f64>, k: usize, h: f64) -> [Matrix3<f64>; 2] {
    [h, -h].map(|by| {
        let mut moved = *a;
        moved.as_mut_slice()[k] += by;
        moved
    })
}

#[test]
fn the_energy_is_its_formula() {
    let mut random = Sampler::new(71);
    for (state, a) in matrices(&mut random) {
        let wanted = KAPPA * VOLUME * (a * a.transpose() - Matrix3::identity()).norm_squared();
        assert!((energy(&a) - wanted).abs() < 1e-14 * (1.0 + a.norm().powi(4)), "{state}");
    }
}

#[test]
fn gradient_and_hessian_are_the_derivatives() {
    let mut random = Sampler::new(72);
    let h = 1e-5;
    for (state, a) in matrices(&mut random) {
        let g = gradient(&a);
        let numeric = SVector::<f64, 9>::from_fn(|row, _| {
            let [up, down] = beside(&a, row, h).map(|a| energy(&a));
            (up - down) / (2.0 * h)
        });
        // Central differences of a quartic err by h² times its third derivative, and by rounding over h.
        let scale = KAPPA * VOLUME * (1.0 + a.norm().powi(4));
        assert!((numeric - g).norm() < 1e-8 * scale, "{state}: {numeric} {g}");
        let exact = hessian(&a, Curvature::Exact);
        for column in 0..9 {
            let [up, down] = beside(&a, column, h).map(|a| gradient(&a));
            let error = (up - down) / (2.0 * h) - exact.column(column);
            assert!(error.norm() < 1e-8 * scale, "{state}, {column}: {error}");
        }
    }
}

#[test]
fn projection_clamps_exactly_the_negative_eigenvalues() {
    let mut random = Sampler::new(73);
    let mut indefinite = 0;
    for (state, a) in matrices(&mut random) {
        let exact = hessian(&a, Curvature::Exact);
        let eigen = exact.symmetric_eigen();
        indefinite += usize::from(eigen.eigenvalues.min() < -1e-6);
        let q = eigen.eigenvectors;
        let wanted = q * Matrix9::from_diagonal(&eigen.eigenvalues.map(|l| l.max(0.0))) * q.transpose();
        let projected = hessian(&a, Curvature::Projected);
        assert!((projected - wanted).norm() < 1e-13 * exact.norm(), "{state}");
        assert!(projected.symmetric_eigenvalues().min() > -1e-13 * exact.norm(), "{state}");
        assert_eq!(projected, projected.transpose(), "{state}");
    }
    assert!(indefinite > 10, "asked to project only {indefinite} times");
}

#[test]
fn rotations_from_both_sides_change_nothing_and_cost_nothing() {
    let mut random = Sampler::new(74);
    for (state, a) in matrices(&mut random) {
        let (q, r) = (random.rotation(), random.rotation());
        let turned = q * a * r.transpose();
        let scale = KAPPA * VOLUME * (1.0 + a.norm().powi(4));
        assert!((energy(&turned) - energy(&a)).abs() < 1e-14 * scale, "{state}");
        let torque: Vector3<f64> = columns(&a)
            .iter()
            .zip(gradient(&a).as_slice().chunks(3))
            .map(|(a, g)| a.cross(&Vector3::from_row_slice(g)))
            .sum();
        assert!(torque.norm() < 1e-14 * scale, "{state}: a torque of {torque} would turn the body by itself");
        // ε² of the rounding of A, squared strain.
        assert!(energy(&q) < 1e-29 && gradient(&q).norm() < 1e-13, "{} {}", energy(&q), gradient(&q).norm());
        assert!(hessian(&q, Curvature::Exact).symmetric_eigenvalues().min() > -1e-12);
    }
    assert_eq!((energy(&Matrix3::identity()), gradient(&Matrix3::identity()).norm()), (0.0, 0.0));
}

#[test]
fn the_way_to_a_reflection_leads_over_at_least_one_flat_body() {
    let mut random = Sampler::new(75);
    assert!(energy(&random.with_stretches([1.0, 1.0, -1.0])) < 1e-28, "the energy is blind to reflections");
    let flat = energy(&random.with_stretches([1.0, 1.0, 0.0]));
    assert!((flat - KAPPA * VOLUME).abs() < 1e-14);
}

#[test]
fn evaluating_together_gives_the_bits_of_evaluating_apart_and_nothing_is_nan() {
    let mut random = Sampler::new(76);
    for (_, a) in matrices(&mut random) {
        let all = law().evaluate(&columns(&a), Curvature::Projected);
        assert_eq!((all.energy, all.gradient), law().energy_and_gradient(&columns(&a)));
        assert_eq!(all.energy, energy(&a));
    }
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let mut a = Matrix3::identity();
        a[(1, 2)] = bad;
        let all = law().evaluate(&columns(&a), Curvature::Projected);
        assert_eq!(all.energy, f64::INFINITY);
        assert_eq!((all.gradient, all.hessian), ([Vector3::zeros(); 3], [Matrix3::zeros(); 6]));
    }
}

#[test]
fn impossible_bodies_are_refused() {
    assert_eq!(Orthogonality::new(0.0, 1.0), Err(OrthogonalityError::Stiffness(0.0)));
    assert_eq!(Orthogonality::new(1.0, -1.0), Err(OrthogonalityError::Volume(-1.0)));
    assert!(Orthogonality::new(f64::NAN, 1.0).is_err() && Orthogonality::new(1.0, f64::INFINITY).is_err());
}
