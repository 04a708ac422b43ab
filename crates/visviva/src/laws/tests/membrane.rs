//! Sheets: their derivatives, invariance, linearisation, and that projection is exact.

use nalgebra::{Matrix2, Matrix3, Matrix3x2, SMatrix, Vector2, Vector3};

use crate::laws::membrane::{MEMBRANES, Membrane, MembraneError, plane_stress_parameters};
use crate::laws::solid::{Elasticity, SolidError};
use crate::laws::tetrahedron::Curvature;
use crate::laws::triangle::{TRIANGLE_BLOCKS, TriangleShape};
use crate::math::sampling::Sampler;

type Matrix9 = SMatrix<f64, 9, 9>;
type Matrix6 = SMatrix<f64, 6, 6>;

const YOUNG: f64 = 2.0e3;
const THICKNESS: f64 = 1e-3;
/// The stiffness of a sheet `[N/m]`, against which errors are measured.
const STIFFNESS: f64 = YOUNG * THICKNESS;

fn membrane(name: &str, youngs_modulus: f64, poisson_ratio: f64, thickness: f64) -> Result<Membrane, MembraneError> {
    Membrane::new(name, &Elasticity { youngs_modulus, poisson_ratio }, thickness)
}

fn membranes() -> Vec<(&'static str, Membrane)> {
    let mut all = Vec::new();
    for entry in MEMBRANES {
        for nu in [0.0, 0.3, 0.49, -0.3].into_iter().filter(|&nu| nu >= 0.0 || entry.auxetic) {
            let membrane = membrane(entry.name, YOUNG, nu, THICKNESS).expect("a registered sheet");
            all.push((entry.name, membrane));
        }
    }
    all
}

fn with_stretches(random: &mut Sampler, sigma: [f64; 2]) -> Matrix3x2<f64> {
    let (s, c) = (4.0 * random.signed()).sin_cos();
    random.rotation().fixed_columns::<2>(0) * Matrix2::from_diagonal(&sigma.into()) * Matrix2::new(c, -s, s, c)
}

fn states(random: &mut Sampler) -> Vec<(&'static str, Matrix3x2<f64>)> {
    let flat = Matrix3x2::from_columns(&[Vector3::x(), Vector3::y()]);
    let mut sheared = flat;
    sheared[(0, 1)] = 1.5;
    let mut states = vec![("rest", flat), ("sheared", sheared)];
    for _ in 0..4 {
        let pairs = [
            ("turned rest", [1.0, 1.0]),
            ("ordinary", [1.6, 0.7]),
            ("compressed", [0.6, 0.4]),
            ("stretched", [3.0, 1.5]),
            ("nearly flat", [1.2, 1e-3]),
            ("equal", [1.3, 1.3]),
            ("nearly equal", [0.9, 0.9 - 1e-9]),
        ];
        states.extend(pairs.map(|(name, sigma)| (name, with_stretches(random, sigma))));
        let near = [1.0 + 0.02 * random.signed(), 1.0 + 0.02 * random.signed()];
        states.push(("small", with_stretches(random, near)));
    }
    states
}

fn unit_triangle() -> [Vector3<f64>; 3] {
    [Vector3::zeros(), Vector3::x(), Vector3::y()]
}

fn random_triangle(random: &mut Sampler) -> TriangleShape {
    let turn = random.rotation();
    let rest = unit_triangle().map(|corner| turn * (corner + random.vector() * 0.15));
    TriangleShape::from_rest(rest).expect("a triangle with area")
}

/// Corners whose deformation gradient is F: the shape's frame has node 1 on its first axis.
fn corners(shape: &TriangleShape, f: &Matrix3x2<f64>, at: Vector3<f64>) -> [Vector3<f64>; 3] {
    let b = shape.gradients();
    let rest = Matrix2::from_columns(&[b[1], b[2]]).transpose().try_inverse().expect("a triangle with area");
    [at, at + f * rest.column(0), at + f * rest.column(1)]
}

fn assemble(blocks: &[Matrix3<f64>; 6]) -> Matrix9 {
    let mut full = Matrix9::zeros();
    for ((a, b), block) in TRIANGLE_BLOCKS.into_iter().zip(blocks) {
        full.fixed_view_mut::<3, 3>(3 * a, 3 * b).copy_from(block);
        full.fixed_view_mut::<3, 3>(3 * b, 3 * a).copy_from(&block.transpose());
    }
    full
}

/// ∂²Ψ/∂F² `[N/m]` from the unit triangle, whose nodes 1 and 2 are the columns of F.
fn tangent(membrane: &Membrane, f: &Matrix3x2<f64>, curvature: Curvature) -> Matrix6 {
    let shape = TriangleShape::from_rest(unit_triangle()).expect("the unit triangle");
    let response = shape.evaluate(membrane, &corners(&shape, f, Vector3::zeros()), curvature);
    assemble(&response.hessian).fixed_view::<6, 6>(3, 3) / shape.area()
}

fn clamped(matrix: &Matrix6) -> Matrix6 {
    let eigen = matrix.symmetric_eigen();
    eigen.eigenvectors * Matrix6::from_diagonal(&eigen.eigenvalues.map(|l| l.max(0.0))) * eigen.eigenvectors.transpose()
}

#[test]
fn derivatives_of_every_sheet_are_those_of_its_energy() {
    let mut random = Sampler::new(71);
    for (name, membrane) in membranes() {
        for (state, f) in states(&mut random) {
            let shape = random_triangle(&mut random);
            let x = corners(&shape, &f, random.vector());
            // A sheet varies over its smallest stretch.
            let h = 1e-5 * if state == "nearly flat" { 1e-3 } else { 1.0 };
            let moved = |coordinate: usize, by: f64| {
                let mut moved = x;
                moved[coordinate / 3][coordinate % 3] += by;
                moved
            };
            let all = shape.evaluate(&membrane, &x, Curvature::Exact);
            assert_eq!((all.energy, all.gradient), shape.energy_and_gradient(&membrane, &x));
            assert_eq!(all.energy, shape.energy(&membrane, &x));
            assert_eq!(all.gradient[0], -(all.gradient[1] + all.gradient[2]));
            let hessian = assemble(&all.hessian);
            let size = all.gradient.iter().map(|g| g.norm()).sum::<f64>().max(STIFFNESS);
            for row in 0..9 {
                let [up, down] = [h, -h].map(|by| shape.energy_and_gradient(&membrane, &moved(row, by)));
                let slope = (up.0 - down.0) / (2.0 * h);
                assert!((slope - all.gradient[row / 3][row % 3]).abs() < 2e-8 * size, "{name}, {state}: gradient");
                for column in 0..9 {
                    let slope = (up.1[column / 3][column % 3] - down.1[column / 3][column % 3]) / (2.0 * h);
                    let error = (slope - hessian[(row, column)]).abs() / hessian.amax();
                    assert!(error < 2e-8, "{name}, {state}: Hessian {error:e}");
                }
            }
        }
    }
}

#[test]
fn projection_clamps_exactly_the_negative_eigenvalues_of_the_tangent() {
    let mut random = Sampler::new(72);
    for (name, membrane) in membranes() {
        let mut indefinite = 0;
        for (state, f) in states(&mut random) {
            let exact = tangent(&membrane, &f, Curvature::Exact);
            let projected = tangent(&membrane, &f, Curvature::Projected);
            indefinite += usize::from(exact.symmetric_eigenvalues().min() < -1e-6 * STIFFNESS);
            assert!((projected - clamped(&exact)).norm() < 1e-13 * exact.norm(), "{name}, {state}");

            let shape = random_triangle(&mut random);
            let x = corners(&shape, &f, random.vector());
            let hessian = assemble(&shape.evaluate(&membrane, &x, Curvature::Projected).hessian);
            assert_eq!(hessian, hessian.transpose());
            let b = shape.gradients();
            let map = SMatrix::<f64, 6, 9>::from_fn(
                |row, column| {
                    if row % 3 == column % 3 { b[column / 3][row / 3] } else { 0.0 }
                },
            );
            let f = shape.deformation_gradient(&x);
            let exact = tangent(&membrane, &f, Curvature::Exact);
            let seen = |tangent: &Matrix6| map.transpose() * tangent * map * shape.area();
            // Against the size before clamping: of a sheet compressed all round nothing remains.
            let scale = seen(&exact).norm();
            assert!((hessian - seen(&clamped(&exact))).norm() < 1e-12 * scale, "{name}, {state}");
            assert!(hessian.symmetric_eigenvalues().min() > -1e-13 * scale, "{name}, {state}");
        }
        assert!(indefinite > 3, "{name} was asked to project only {indefinite} times");
    }
}

#[test]
fn small_strains_cost_what_plane_stress_says() {
    let (young, nu) = (YOUNG, 0.3);
    let (mu, lambda) = plane_stress_parameters(young, nu).expect("a material");
    for entry in MEMBRANES {
        let membrane = membrane(entry.name, young, nu, THICKNESS).expect("a registered sheet");
        // Pulled in x and free to shrink by ν in y, a strip has Young's modulus; held in y, E/(1 − ν²).
        let pulled = |x: f64, y: f64| membrane.value(&Matrix3x2::new(1.0 + x, 0.0, 0.0, 1.0 + y, 0.0, 0.0));
        let s = 1e-5;
        let half = 0.5 * s * s * young * THICKNESS;
        assert!((pulled(s, -nu * s) / half - 1.0).abs() < 1e-4, "{}", entry.name);
        assert!((pulled(s, 0.0) * (1.0 - nu * nu) / half - 1.0).abs() < 1e-4, "{}", entry.name);
        // All coefficients of the linearisation, in and out of the plane.
        let rest = Matrix3x2::new(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);
        let found = tangent(&membrane, &rest, Curvature::Exact) / THICKNESS;
        for (row, column) in (0..6).flat_map(|row| (0..6).map(move |column| (row, column))) {
            let d = |a: usize, b: usize| f64::from(u8::from(a == b));
            let (i, j, k, l) = (row % 3, row / 3, column % 3, column / 3);
            let (il, kj) = (d(i, l), d(k, j));
            let in_plane = f64::from(u8::from(i < 2 && k < 2));
            let wanted = lambda * d(i, j) * d(k, l) + mu * in_plane * (d(i, k) * d(j, l) + il * kj);
            assert!((found[(row, column)] - wanted).abs() < 1e-12 * young, "{} {row} {column}", entry.name);
        }
    }
}

#[test]
fn rest_costs_nothing_and_rotations_change_nothing() {
    let mut random = Sampler::new(73);
    for (name, membrane) in membranes() {
        for (state, f) in states(&mut random) {
            let turned = random.rotation() * f;
            let (before, after) = (membrane.value(&f), membrane.value(&turned));
            // The strain is rounded by ε, which costs stiffness times strain times that.
            let rounding = 1e-14 * (before * STIFFNESS).sqrt() + 1e-28 * STIFFNESS;
            assert!((before - after).abs() < 1e-13 * before + rounding, "{name}, {state}");
            assert!(before >= 0.0, "{name}, {state}: {before}");
        }
        let shape = random_triangle(&mut random);
        let still = corners(&shape, &with_stretches(&mut random, [1.0, 1.0]), random.vector());
        let (energy, gradient) = shape.energy_and_gradient(&membrane, &still);
        assert!(energy < 1e-28 * STIFFNESS && gradient.iter().all(|g| g.norm() < 1e-14 * STIFFNESS), "{name}");
    }
}

#[test]
fn collapse_costs_infinite_energy_or_stays_finite_and_is_never_nan() {
    let mut random = Sampler::new(74);
    let shape = TriangleShape::from_rest(unit_triangle()).expect("the unit triangle");
    for (name, membrane) in membranes() {
        for huge in [1e200, f64::INFINITY, f64::NAN] {
            assert_eq!(membrane.value(&Matrix3x2::repeat(huge)), f64::INFINITY, "{name}");
        }
        for sigma in [[1.0, 1e-8], [1.0, 1e-16], [1e-3, 1e-12], [1.0, 0.0], [0.0, 0.0]] {
            let f = with_stretches(&mut random, sigma);
            for curvature in [Curvature::Exact, Curvature::Projected] {
                let response = shape.evaluate(&membrane, &corners(&shape, &f, Vector3::zeros()), curvature);
                assert!(!response.energy.is_nan(), "{name} {sigma:?}");
                assert!(response.hessian.iter().all(|h| h.iter().all(|v| v.is_finite())), "{name} {sigma:?}");
                assert!(response.gradient.iter().all(|g| g.iter().all(|v| v.is_finite())), "{name} {sigma:?}");
            }
        }
        let values = [1e-2, 1e-6, 1e-12, 1e-100].map(|s| membrane.value(&Matrix3x2::new(1.0, 0.0, 0.0, s, 0.0, 0.0)));
        if matches!(membrane, Membrane::NeoHookeanSheet(_)) {
            assert!(values.is_sorted() && values[3].is_finite(), "{name} {values:?}");
            let line = Matrix3x2::new(1.0, 2.0, 0.0, 0.0, 0.0, 0.0);
            assert_eq!((membrane.value(&line), membrane.stress(&line)), (f64::INFINITY, Matrix3x2::zeros()));
        }
    }
}

#[test]
fn a_compressed_sheet_is_pushed_out_of_its_plane_and_a_taut_one_held() {
    for (name, membrane) in membranes() {
        assert!(membrane.spectrum(&Vector2::new(0.9, 0.9)).lift.max() < 0.0, "{name}");
        assert!(membrane.spectrum(&Vector2::new(1.1, 1.1)).lift.min() > 0.0, "{name}");
        assert_eq!(membrane.spectrum(&Vector2::new(0.9, 0.9)).projected().lift, Vector2::zeros(), "{name}");
    }
}

#[test]
fn a_sheet_refuses_what_is_no_material_and_no_triangle() {
    for t in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        assert!(matches!(membrane("stvk", 1.0, 0.3, t), Err(MembraneError::Thickness(_))), "{t}");
    }
    let make = |young, nu| membrane("neo-hookean", young, nu, 1.0);
    assert_eq!(make(-1.0, 0.3), Err(SolidError::YoungsModulus(-1.0).into()));
    assert_eq!(make(1.0, 0.5), Err(SolidError::PoissonRatio(0.5).into()));
    assert_eq!(make(1.0, -0.2), Err(SolidError::Auxetic { name: "neo-hookean", ratio: -0.2 }.into()));
    let message = membrane("silk", 1.0, 0.3, 1.0).expect_err("no such law").to_string();
    assert!(message.contains("'silk'") && message.contains("stvk"), "{message}");

    let [a, b, c] = unit_triangle();
    assert!((TriangleShape::from_rest([a, b, c]).expect("a triangle").area() - 0.5).abs() < 1e-16);
    assert_eq!(TriangleShape::from_rest([a, b, b * 2.0]).expect_err("a line").area, 0.0);
    assert!(TriangleShape::from_rest([a, a, c]).is_err());
    assert!(TriangleShape::from_rest([a, b, Vector3::repeat(f64::NAN)]).is_err());
}
