//! What makes a law an elastic solid: rest, invariance, linearisation, admissibility, and the errors of its makers.

use super::*;
use crate::laws::solid::{SolidError, lame_parameters, pressure_wave_speed};
use crate::laws::tetrahedron::Curvature;

#[test]
fn rest_has_no_energy_and_no_stress() {
    let mut random = Sampler::new(41);
    for (name, solid) in solids() {
        assert_eq!(solid.value(&Matrix3::identity()), 0.0, "{name}");
        assert!(solid.stress(&Matrix3::identity()).norm() < 1e-15, "{name}");
        for _ in 0..20 {
            let turned = random.rotation();
            // Second order in the rounding of the rotation, not first.
            assert!(solid.value(&turned).abs() < 1e-28, "{name}: {:e}", solid.value(&turned));
            assert!(solid.stress(&turned).norm() < 1e-13, "{name}: {:e}", solid.stress(&turned).norm());
        }
    }
}

#[test]
fn energy_of_a_tiny_strain_has_all_its_digits() {
    let mut random = Sampler::new(42);
    for (name, solid) in solids() {
        let (mu, lambda) = solid.lame();
        for k in 1..=9 {
            let size = 10f64.powi(-k);
            let m = random.matrix() * size;
            let strain = (m + m.transpose()) * 0.5;
            let linear = mu * strain.norm_squared() + 0.5 * lambda * strain.trace().powi(2);
            let found = solid.value(&(Matrix3::identity() + strain));
            // Cubic terms of the law, and machine epsilon times one strain of the two.
            assert!(
                (found / linear - 1.0).abs() < 60.0 * size + 1e-14 / size,
                "{name} at {size:e}: {}",
                found / linear
            );
        }
    }
}

#[test]
fn linearisation_at_rest_has_the_given_lame_parameters() {
    let shape = TetShape::from_rest(unit_tet()).expect("the unit tet");
    for (name, solid) in solids() {
        let (mu, lambda) = solid.lame();
        let hessian = assemble(&shape.evaluate(&solid, &unit_tet(), Curvature::Exact).hessian) / shape.volume();
        for row in 0..9 {
            for column in 0..9 {
                // C_ijkl = λ δ_ij δ_kl + μ(δ_ik δ_jl + δ_il δ_jk), with j and l counting columns of F.
                let (i, j, k, l) = (row % 3, row / 3, column % 3, column / 3);
                let one = |condition: bool| f64::from(u8::from(condition));
                let wanted = lambda * one(i == j && k == l) + mu * (one(i == k && j == l) + one(i == l && j == k));
                assert!((hessian[(row + 3, column + 3)] - wanted).abs() < 1e-13, "{name} {i}{j}{k}{l}");
            }
        }
    }
}

#[test]
fn energy_and_stress_turn_with_the_body() {
    let mut random = Sampler::new(43);
    for (name, solid) in solids() {
        for (state, f) in states(&mut random, &solid) {
            let (q, r) = (random.rotation(), random.rotation());
            let turned = q * f * r;
            let value = solid.value(&f);
            // What rounding moves a value by is its stress times the rounding of F.
            let slack = 1e-14 * (solid.stress(&f).norm() * f.norm() + value);
            assert!((solid.value(&turned) - value).abs() <= slack + 1e-28, "{name}, {state}");
            let (p, pushed) = (solid.stress(&turned), q * solid.stress(&f) * r);
            assert!((p - pushed).norm() < 1e-11 * pushed.norm() + 1e-13, "{name}, {state}: {:e}", (p - pushed).norm());
        }
    }
}

#[test]
fn gradient_sums_to_zero_to_the_last_bit() {
    let mut random = Sampler::new(44);
    for (_, solid) in solids() {
        for (_, f) in states(&mut random, &solid) {
            let (rest, shape) = random_tet(&mut random);
            let (_, g) = shape.energy_and_gradient(&solid, &deformed(&rest, &f, random.vector()));
            assert_eq!(g[0], -(g[1] + g[2] + g[3]));
        }
    }
}

#[test]
fn inadmissible_values_are_infinite_and_never_nan() {
    let mut random = Sampler::new(45);
    for (name, solid) in solids() {
        for huge in [1e200, 1e308, f64::INFINITY, f64::NAN] {
            let value = solid.value(&(Matrix3::identity() * huge));
            assert!(value == f64::INFINITY, "{name} at {huge}: {value}");
        }
        if !solid.forbids_inversion() {
            continue;
        }
        let mut cases = vec![Matrix3::zeros(), -Matrix3::identity(), Matrix3::identity() * 1e-200];
        for sigma in [[1.0, 0.5, -0.5], [1.0, 1.0, -1e-12], [2.0, 1.0, -30.0]] {
            cases.push(random.with_stretches(sigma));
        }
        let shape = TetShape::from_rest(unit_tet()).expect("the unit tet");
        for f in cases {
            assert_eq!(solid.value(&f), f64::INFINITY, "{name} {f}");
            assert_eq!(solid.stress(&f), Matrix3::zeros());
            let response = shape.evaluate(&solid, &deformed(&unit_tet(), &f, Vector3::zeros()), Curvature::Projected);
            assert_eq!((response.energy, response.gradient), (f64::INFINITY, [Vector3::zeros(); 4]));
        }
        // The barrier grows without bound on the way there.
        let values = [1e-2, 1e-6, 1e-12, 1e-100].map(|s| solid.value(&Matrix3::from_diagonal(&[1.0, 1.0, s].into())));
        assert!(values.is_sorted() && values[3].is_finite(), "{name} {values:?}");
    }
}

#[test]
fn no_state_has_less_energy_than_rest() {
    let mut random = Sampler::new(46);
    for (name, solid) in solids() {
        for k in 0..400 {
            let f = random.matrix() * 10f64.powi(k % 9 - 4);
            assert!(solid.value(&f) > -1e-12, "{name} {f}");
        }
    }
}

#[test]
fn a_solid_refuses_what_is_no_material() {
    let make = |young, nu| Solid::from_name("corotated", young, nu);
    for young in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(make(young, 0.3), Err(SolidError::YoungsModulus(_))), "{young}");
    }
    for nu in [-1.0, 0.5, 0.7, -2.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(make(1.0, nu), Err(SolidError::PoissonRatio(_))), "{nu}");
    }
    for entry in SOLIDS {
        let auxetic = Solid::from_name(entry.name, 1.0, -0.2);
        assert_eq!(auxetic.is_ok(), entry.auxetic, "{}", entry.name);
    }
    let message = Solid::from_name("jelly", 1.0, 0.3).expect_err("no such law").to_string();
    assert!(message.contains("`jelly`") && SOLIDS.iter().all(|entry| message.contains(entry.name)), "{message}");
    assert!(matches!(pressure_wave_speed(1.0, 0.3, 0.0), Err(SolidError::Density(_))));
}

#[test]
fn steel_carries_pressure_waves_at_its_known_speed() {
    // 210 GPa, 0.3, 7850 kg/m³: 6001 m/s from λ + 2μ = 282.7 GPa.
    let speed = pressure_wave_speed(210e9, 0.3, 7850.0).expect("steel");
    assert!((speed - 6001.0).abs() < 1.0, "{speed}");
    let (mu, lambda) = lame_parameters(2.6, 0.3).expect("a material");
    assert!((mu - 1.0).abs() < 1e-15 && (lambda - 1.5).abs() < 1e-15);
}

#[test]
fn a_rest_shape_without_volume_is_refused() {
    let [a, b, c, d] = unit_tet();
    assert!((TetShape::from_rest([a, b, c, d]).expect("the unit tet").volume() - 1.0 / 6.0).abs() < 1e-16);
    assert!(TetShape::from_rest([a, c, b, d]).is_err_and(|error| error.volume < 0.0));
    assert!(TetShape::from_rest([a, b, c, b + c]).is_err());
    assert!(TetShape::from_rest([a, b, c, Vector3::repeat(f64::NAN)]).is_err());
    assert!(TetShape::from_rest([a, b * 1e-320, c, d]).is_err());
}
