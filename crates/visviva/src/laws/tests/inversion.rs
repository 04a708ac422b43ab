//! A step up to the bound never inverts a tetrahedron, and the bound is not needlessly short.

use super::*;
use crate::laws::inversion::{SAFETY, careful_step, largest_step, stays_upright};

fn volume(x: &[Vector3<f64>; 4], dx: &[Vector3<f64>; 4], t: f64) -> f64 {
    let e = |a: usize| (x[a] - x[0]) + (dx[a] - dx[0]) * t;
    e(1).dot(&e(2).cross(&e(3)))
}

const SAMPLES: usize = 4000;

/// Dense sampling on [0, t]; returns whether a root was near where a short step says there is one.
fn check(x: &[Vector3<f64>; 4], dx: &[Vector3<f64>; 4]) -> f64 {
    let t = largest_step(x, dx);
    assert!(t > 0.0 && t <= 1.0, "{t} for {x:?} {dx:?}");
    for k in 0..=SAMPLES {
        let s = t * k as f64 / SAMPLES as f64;
        assert!(volume(x, dx, s) > 0.0, "inverted at {s} of {t}: {x:?} {dx:?}");
    }
    let moved: [_; 4] = std::array::from_fn(|a| x[a] + dx[a] * t);
    assert!(volume(&moved, dx, 0.0) > 0.0, "inverted where it really goes");
    if t < 1.0 {
        // The full way to the root is t/0.9: some volume near there must have vanished against the start.
        let near = (990..=1010).map(|k| volume(x, dx, t / SAFETY * k as f64 / 1000.0)).fold(f64::INFINITY, f64::min);
        assert!(near <= 2e-4 * volume(x, dx, 0.0).max(1e-9), "stopped at {t} for nothing: {near:e}");
    }
    t
}

fn along(x: &[Vector3<f64>; 4], change: &Matrix3<f64>) -> [Vector3<f64>; 4] {
    x.map(|corner| change * corner)
}

#[test]
fn random_steps_of_every_length_are_safe() {
    let mut random = Sampler::new(51);
    let mut short = 0;
    for k in 0..2000 {
        let x = unit_tet().map(|corner| corner + random.vector() * 0.2);
        let dx = unit_tet().map(|_| random.vector() * 10f64.powi(k % 7 - 3));
        short += usize::from(check(&x, &dx) < 1.0);
    }
    assert!(short > 600 && short < 1900, "{short} of 2000 steps were shortened");
}

#[test]
fn slivers_and_extreme_scales_are_safe() {
    let mut random = Sampler::new(52);
    for k in 0..1500 {
        let scale = 10f64.powi([0, 100, -100][k % 3]);
        let flat = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 10f64.powi(-(k as i32 % 10)))) * scale;
        let turn = random.rotation();
        let x = unit_tet().map(|corner| turn * flat * corner);
        let dx = unit_tet().map(|_| turn * flat * random.vector() * 3.0);
        let t = largest_step(&x, &dx);
        for j in 0..=400 {
            let (x, dx) = (x.map(|p| p / scale), dx.map(|p| p / scale));
            assert!(volume(&x, &dx, t * j as f64 / 400.0) > 0.0, "{k}");
        }
    }
}

#[test]
fn roots_of_linear_quadratic_and_cubic_steps_are_met_at_nine_tenths() {
    let mut random = Sampler::new(53);
    let r: f64 = 0.37;
    for rates in [[-1.0 / r, 0.0, 0.0], [-1.0 / r, 0.4, 0.0], [-1.0 / r, -1.0 / r, -1.0 / r], [-1.0 / r, 2.0, -0.3]] {
        for _ in 0..50 {
            let turn = random.rotation();
            let x = unit_tet().map(|corner| turn * corner);
            let dx = along(&x, &(turn * Matrix3::from_diagonal(&rates.into()) * turn.transpose()));
            // A triple root is blurred to the cube root of the rounding.
            assert!((check(&x, &dx) - SAFETY * r).abs() < 1e-4, "{rates:?}");
        }
    }
}

#[test]
fn nearly_tangent_roots_are_not_jumped() {
    let mut random = Sampler::new(54);
    for k in 0..3000 {
        // det = (1 − t/r)² − g t² with two roots (g > 0), a touch (0), or none (g < 0), tilted by a third rate.
        let r = 0.5 + 0.4 * random.signed();
        let gap = 10f64.powi(-(k % 18)) * [1.0, 0.0, -1.0][k as usize % 3];
        let mut change = Matrix3::from_diagonal(&Vector3::new(-1.0 / r, -1.0 / r, 0.3 * random.signed()));
        (change[(0, 1)], change[(1, 0)]) = (1.0, gap);
        let turn = random.rotation();
        let x = unit_tet().map(|corner| turn * corner);
        let dx = along(&x, &(turn * change * turn.transpose()));
        let t = check(&x, &dx);
        if gap >= 0.0 {
            assert!(t < r, "jumped the touch at {r}");
        } else if gap < -1e-10 {
            assert_eq!(t, 1.0, "stopped before {gap:e}");
        }
    }
}

#[test]
fn no_motion_and_rigid_motion_are_free() {
    let x = unit_tet();
    assert_eq!(check(&x, &[Vector3::zeros(); 4]), 1.0);
    assert_eq!(check(&x, &[Vector3::new(1e6, -3.0, 2.0); 4]), 1.0);
    assert_eq!(check(&x, &along(&x, &(Matrix3::identity() * 5.0))), 1.0);
    assert_eq!(check(&x, &along(&x, &(Matrix3::identity() * -0.899))), 1.0);
    assert!(check(&x, &along(&x, &(Matrix3::identity() * -0.9001))) < 1.0);
}

#[test]
fn what_is_already_flat_or_not_finite_may_not_move() {
    let mut x = unit_tet();
    let dx = along(&x, &Matrix3::identity());
    let mut broken = dx;
    for bad in [f64::NAN, f64::INFINITY] {
        broken[2][1] = bad;
        assert_eq!(largest_step(&x, &broken), 0.0);
    }
    x.swap(1, 2);
    assert_eq!(largest_step(&x, &dx), 0.0);
    assert_eq!(largest_step(&[Vector3::zeros(); 4], &dx), 0.0);
    assert_eq!(largest_step(&[Vector3::zeros(); 4], &[Vector3::zeros(); 4]), 0.0);
}

#[test]
fn what_the_cheap_bounds_let_pass_the_careful_look_lets_pass() {
    let mut random = Sampler::new(57);
    let (mut passed, mut whole) = (0, 0);
    for k in 0..20000i32 {
        let scale = 10f64.powi([0, -3, 60, -60, 160, -160][k as usize % 6]);
        let flat = Vector3::new(1.0, 1.0, 10f64.powi(-(k % 9)));
        let away = random.vector() * 10f64.powi(k % 11 - 3);
        let x = unit_tet().map(|corner| (flat.component_mul(&(corner + random.vector() * 0.2)) + away) * scale);
        let dx = unit_tet().map(|_| flat.component_mul(&random.vector()) * (scale * 10f64.powi(k % 5 - 3)));
        if stays_upright(&x, &dx) {
            assert_eq!(careful_step(&x, &dx), 1.0, "{x:?} {dx:?}");
            passed += 1;
        }
        whole += usize::from(careful_step(&x, &dx) == 1.0);
    }
    assert!(passed > 4000 && whole > passed, "{passed} of {whole}");
    let x = unit_tet();
    for (node, k) in (0..4).flat_map(|node| (0..3).map(move |k| (node, k))) {
        for wrong in [f64::NAN, f64::INFINITY] {
            let mut dx = [Vector3::zeros(); 4];
            dx[node][k] = wrong;
            assert!(!stays_upright(&x, &dx) && largest_step(&x, &dx) == 0.0, "{node} {k} {wrong}");
        }
    }
}
