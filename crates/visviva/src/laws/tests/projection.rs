//! The projected Hessian is the nearest positive semidefinite one, element by element.

use nalgebra::{SMatrix, SVector};

use super::*;
use crate::laws::tetrahedron::Curvature;

type Matrix9 = SMatrix<f64, 9, 9>;

/// ∂²Ψ/∂F² from the unit tet, whose nodes 1, 2, 3 are the columns of F.
fn tangent(solid: &Solid, f: &Matrix3<f64>, curvature: Curvature) -> Matrix9 {
    let shape = TetShape::from_rest(unit_tet()).expect("the unit tet");
    let response = shape.evaluate(solid, &deformed(&unit_tet(), f, Vector3::zeros()), curvature);
    assemble(&response.hessian).fixed_view::<9, 9>(3, 3) / shape.volume()
}

fn clamped(matrix: &Matrix9) -> Matrix9 {
    let eigen = matrix.symmetric_eigen();
    eigen.eigenvectors * Matrix9::from_diagonal(&eigen.eigenvalues.map(|l| l.max(0.0))) * eigen.eigenvectors.transpose()
}

fn sorted(values: SVector<f64, 9>) -> SVector<f64, 9> {
    let mut values: Vec<f64> = values.iter().copied().collect();
    values.sort_by(f64::total_cmp);
    SVector::from_vec(values)
}

#[test]
fn projection_clamps_exactly_the_negative_eigenvalues_of_the_tangent() {
    let mut random = Sampler::new(31);
    for (name, solid) in solids() {
        let mut indefinite = 0;
        for (state, f) in states(&mut random, &solid) {
            let exact = tangent(&solid, &f, Curvature::Exact);
            let projected = tangent(&solid, &f, Curvature::Projected);
            let eigenvalues = exact.symmetric_eigenvalues();
            indefinite += usize::from(eigenvalues.min() < -1e-6 * YOUNG);
            let scale = exact.norm();
            assert!((projected - clamped(&exact)).norm() < 1e-13 * scale, "{name}, {state}");
            let found = sorted(projected.symmetric_eigenvalues());
            let wanted = sorted(eigenvalues.map(|l| l.max(0.0)));
            assert!((found - wanted).amax() < 1e-13 * scale, "{name}, {state}: {found} {wanted}");
        }
        assert!(indefinite > 3, "{name} was asked to project only {indefinite} times");
    }
}

#[test]
fn element_hessian_is_the_tangent_seen_through_the_shape_gradients() {
    let mut random = Sampler::new(32);
    for (name, solid) in solids() {
        for (state, f) in states(&mut random, &solid) {
            let (rest, shape) = random_tet(&mut random);
            let x = deformed(&rest, &f, random.vector());
            let hessian = assemble(&shape.evaluate(&solid, &x, Curvature::Projected).hessian);
            let b = shape.gradients();
            let map = SMatrix::<f64, 9, 12>::from_fn(
                |row, column| {
                    if row % 3 == column % 3 { b[column / 3][row / 3] } else { 0.0 }
                },
            );
            let f = shape.deformation_gradient(&x);
            let wanted = map.transpose() * clamped(&tangent(&solid, &f, Curvature::Exact)) * map * shape.volume();
            assert!((hessian - wanted).norm() <= 1e-12 * wanted.norm(), "{name}, {state}");
            assert!(hessian.symmetric_eigenvalues().min() >= -1e-13 * hessian.norm(), "{name}, {state}");
        }
    }
}

#[test]
fn hessian_is_symmetric_and_ignores_translations() {
    let mut random = Sampler::new(33);
    for (name, solid) in solids() {
        for (state, f) in states(&mut random, &solid) {
            let (rest, shape) = random_tet(&mut random);
            let blocks = shape.evaluate(&solid, &deformed(&rest, &f, random.vector()), Curvature::Projected).hessian;
            let hessian = assemble(&blocks);
            assert_eq!(hessian, hessian.transpose(), "{name}, {state}");
            for a in 0..4 {
                let row: Matrix3<f64> = (0..4).map(|b| hessian.fixed_view::<3, 3>(3 * a, 3 * b).into_owned()).sum();
                assert!(row.norm() <= 2e-15 * hessian.norm(), "{name}, {state}");
            }
        }
    }
}

#[test]
fn hessian_stays_finite_where_the_rotation_is_not_defined() {
    let mut random = Sampler::new(34);
    for (name, solid) in solids() {
        for sigma in [[1.0, 0.0, 0.0], [0.0; 3], [1.0, 1.0, -1.0], [1.0, 1e-9, -1e-9], [1e-3, 1e-16, 1e-16]] {
            let shape = TetShape::from_rest(unit_tet()).expect("the unit tet");
            let f = random.with_stretches(sigma);
            for curvature in [Curvature::Exact, Curvature::Projected] {
                let response = shape.evaluate(&solid, &deformed(&unit_tet(), &f, Vector3::zeros()), curvature);
                let finite = response.hessian.iter().all(|block| block.iter().all(|value| value.is_finite()));
                assert!(finite && !response.energy.is_nan(), "{name} {sigma:?}");
            }
        }
    }
}
