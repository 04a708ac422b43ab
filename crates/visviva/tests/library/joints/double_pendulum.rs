//! Two rods, one on the other: the periods of their small modes, and a wild swing against the rigid equations.
//!
//! ```text
//! (J + m l²) a″ + m l d (b″ cos(a − b) + b′² sin(a − b)) = −(d + l) m g sin a,      J = I + m d²
//!              J b″ + m l d (a″ cos(a − b) − a′² sin(a − b)) = −d m g sin b
//! ```

use super::*;
use nalgebra::{Matrix2, Vector2, Vector4};

const LENGTH: f64 = 0.5;
const MIDDLE: f64 = 0.25;
const INERTIA: f64 = ROD_INERTIA + MIDDLE * MIDDLE;
const G: f64 = 9.8;

/// Two rods that start at rest with these angles from hanging down; positive ones lean to −x.
fn two_rods(angles: [f64; 2], changes: &[&str]) -> Built {
    let elbow = [-LENGTH * angles[0].sin(), -LENGTH * angles[0].cos()];
    let text = [
        rod("upper", [0.0; 2], angles[0]),
        rod("lower", elbow, angles[1]),
        hinge("\"upper\"", [0.0; 2]),
        hinge("\"lower\", \"upper\"", elbow),
    ];
    scene(&text.concat(), changes)
}

#[test]
fn its_small_modes_have_the_periods_of_the_linear_equations() {
    let mass = Matrix2::new(INERTIA + LENGTH * LENGTH, LENGTH * MIDDLE, LENGTH * MIDDLE, INERTIA);
    let stiffness = Vector2::new((MIDDLE + LENGTH) * G, MIDDLE * G);
    // det(K − ω² M) = 0
    let (a, b) = (mass.determinant(), stiffness.x * mass.m22 + stiffness.y * mass.m11);
    let root = (b * b - 4.0 * a * stiffness.x * stiffness.y).sqrt();
    for squared in [(b - root) / (2.0 * a), (b + root) / (2.0 * a)] {
        let ratio = (stiffness.x - squared * mass.m11) / (squared * mass.m12);
        let built = two_rods([0.01, 0.01 * ratio], &["run.h=1/480", "run.integrator=bdf2"]);
        let (mut passages, mut before) = (Vec::new(), -1.0);
        run(&built, 2.5 * std::f64::consts::PI / squared.sqrt(), |simulation, _| {
            let x = centre(&built.model, 0, &simulation.state.x).x;
            if x * before < 0.0 {
                passages.push(simulation.state.t - built.h * x / (x - before));
            }
            before = x;
        });
        let expected = std::f64::consts::PI / squared.sqrt();
        // hω = 0.03 at most, squared, and amplitudes of a hundredth
        assert!(((passages[1] - passages[0]) / expected - 1.0).abs() < 1e-3, "{passages:?} {expected}");
    }
}

/// (a, b, a′, b′) after a time, by RK4 with short steps.
fn rigid(angles: [f64; 2], until: f64) -> Vector4<f64> {
    let slope = |y: Vector4<f64>| {
        let (sin, cos) = (y.x - y.y).sin_cos();
        let coupling = LENGTH * MIDDLE;
        let mass = Matrix2::new(INERTIA + LENGTH * LENGTH, coupling * cos, coupling * cos, INERTIA);
        let force = Vector2::new(
            -(MIDDLE + LENGTH) * G * y.x.sin() - coupling * y.w * y.w * sin,
            -MIDDLE * G * y.y.sin() + coupling * y.z * y.z * sin,
        );
        let turn = mass.lu().solve(&force).unwrap();
        Vector4::new(y.z, y.w, turn.x, turn.y)
    };
    let (mut y, h) = (Vector4::new(angles[0], angles[1], 0.0, 0.0), 1e-4);
    for _ in 0..(until / h).round() as usize {
        let k1 = slope(y);
        let k2 = slope(y + 0.5 * h * k1);
        let k3 = slope(y + 0.5 * h * k2);
        let k4 = slope(y + h * k3);
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    y
}

#[test]
fn a_wild_swing_follows_the_rigid_equations_as_long_as_chaos_lets_it() {
    let (angles, until) = ([2.0, 1.0], 1.0);
    let expected = rigid(angles, until);
    let elbow = -LENGTH * Vector3::new(expected.x.sin(), 0.0, expected.x.cos());
    let middle = elbow - MIDDLE * Vector3::new(expected.y.sin(), 0.0, expected.y.cos());
    let off = [480.0, 960.0].map(|rate: f64| {
        let built = two_rods(angles, &[&format!("run.h={}", 1.0 / rate), "run.integrator=bdf2"]);
        let end = run(&built, until, |_, _| {});
        (centre(&built.model, 1, &end.state.x) - middle).norm()
    });
    assert!(off[1] < 5e-3 && off[1] < 0.4 * off[0], "of second order: {off:?}");
}
