//! The world's derivatives against differences of its own values, for every law.

use super::{Noise, Setup, cuboid, largest, solid};
use nalgebra::Vector3;
use visviva::laws::solid::SOLIDS;
use visviva::model::{Damping, DampingLaw};
use visviva::solve::{Backend, BodiesSolver, DissipativeForces, Frozen, Motion};

const YOUNG: f64 = 1e5;
const DAMPING: Damping = Damping { mass: 0.7, stiffness: 0.02, law: DampingLaw::Rayleigh };

/// A box in a field of gravity, stretched to `stretch` times its size, with noise of 2 % of a cell.
fn strained(law: &str, stretch: f64) -> (BodiesSolver, Vec<f64>) {
    let mut setup = Setup::new(cuboid([0.1; 3], [2, 2, 2]), solid(law, YOUNG, 0.3));
    setup.gravity = Vector3::new(1.0, -2.0, -9.8);
    setup.damping = DAMPING;
    let mut noise = Noise(3);
    let x = setup.rest().iter().map(|x| stretch * x + 1e-3 * noise.next()).collect();
    (setup.build().1, x)
}

fn moved(x: &[f64], step: f64, d: &[f64]) -> Vec<f64> {
    x.iter().zip(d).map(|(x, d)| x + step * d).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn the_gradient_is_the_slope_of_the_energies() {
    for entry in SOLIDS {
        for stretch in [0.7, 1.0, 1.3] {
            let (mut world, x) = strained(entry.name, stretch);
            let mut g = vec![0.0; x.len()];
            let at = world.evaluation(&x);
            world.gradient(&at, &mut g);
            for seed in 0..5 {
                let d = Noise(seed).flat(x.len(), 1.0);
                let step = 1e-6;
                let mut total = |step: f64| world.evaluation(&moved(&x, step, &d)).energies.total();
                let slope = (total(step) - total(-step)) / (2.0 * step);
                // Truncation: (step/cell)² = 4e-10 of the slope's scale. Rounding: an energy of a few joules over 2e-6 m.
                let scale = dot(&g, &g).sqrt() * dot(&d, &d).sqrt();
                assert!(
                    (slope - dot(&g, &d)).abs() < 1e-8 * scale,
                    "{} {stretch}: {slope} {}",
                    entry.name,
                    dot(&g, &d)
                );
            }
        }
    }
}

#[test]
fn the_stiffness_is_the_slope_of_the_gradient_where_nothing_is_projected() {
    for entry in SOLIDS {
        // In slight tension every mode of every tet is stiff, so that the projection leaves all as it is.
        let (mut world, x) = strained(entry.name, 1.08);
        let n = x.len();
        let (mut product, mut ahead, mut behind) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        for seed in 0..5 {
            let d = Noise(seed).flat(n, 1.0);
            let step = 1e-6;
            let at = world.evaluation(&x);
            world.stiffness_product(&at, &d, &mut product);
            let at = world.evaluation(&moved(&x, step, &d));
            world.gradient(&at, &mut ahead);
            let at = world.evaluation(&moved(&x, -step, &d));
            world.gradient(&at, &mut behind);
            let difference = (0..n).map(|i| (ahead[i] - behind[i]) / (2.0 * step) - product[i]);
            // Truncation (step/cell)² = 4e-10; rounding ε·x/step = 1e-11.
            let error = largest(difference) / largest(product.iter().copied());
            assert!(error < 1e-8, "{}: {error:e}", entry.name);
        }
    }
}

#[test]
fn the_stiffness_is_symmetric_and_never_negative_even_where_it_is_projected() {
    for entry in SOLIDS {
        for stretch in [0.6, 0.8, 1.0] {
            let (mut world, x) = strained(entry.name, stretch);
            let n = x.len();
            let (mut ka, mut kb) = (vec![0.0; n], vec![0.0; n]);
            for seed in 0..10 {
                let (a, b) = (Noise(seed).flat(n, 1.0), Noise(seed + 100).flat(n, 1.0));
                let at = world.evaluation(&x);
                world.stiffness_product(&at, &a, &mut ka);
                let at = world.evaluation(&x);
                world.stiffness_product(&at, &b, &mut kb);
                let scale = largest(ka.iter().copied()) * n as f64;
                assert!((dot(&ka, &b) - dot(&kb, &a)).abs() < 1e-13 * scale, "{} {stretch}", entry.name);
                assert!(dot(&ka, &a) >= 0.0, "{} {stretch}", entry.name);
            }
        }
    }
}

#[test]
fn rayleigh_damping_is_mass_and_frozen_stiffness_times_velocity_and_only_takes() {
    for entry in SOLIDS {
        // In compression too, where the true Hessian would give energy back.
        for stretch in [0.6, 1.0, 1.08] {
            let (mut world, x) = strained(entry.name, stretch);
            let n = x.len();
            assert!(world.has_dissipation());
            let (start, mut frozen) = (world.evaluation(&x), Frozen::default());
            world.freeze(&start, &vec![0.0; start.x.len()], &mut frozen);
            for seed in 0..10 {
                let v = Noise(seed).flat(n, 1.0);
                let mut forces = DissipativeForces::default();
                forces.reset(n);
                // A second helping with a weight: it adds.
                let motion = Motion { x: &x, v: &v, length: 0.01, strain_rates: &[] };
                world.add_dissipation(&frozen, motion, 1.0, &mut forces);
                world.add_dissipation(&frozen, motion, 0.5, &mut forces);
                let (mut kv, mut mv) = (vec![0.0; n], vec![0.0; n]);
                let at = world.evaluation(&x);
                world.stiffness_product(&at, &v, &mut kv);
                world.mass().apply(&v, &mut mv);
                let difference =
                    (0..n).map(|i| forces.damping[i] - 1.5 * (DAMPING.mass * mv[i] + DAMPING.stiffness * kv[i]));
                // The same sum in the same order but for the factors.
                let scale = largest(forces.damping.iter().copied());
                assert!(largest(difference) < 1e-13 * scale, "{} {stretch}", entry.name);
                assert!(dot(&forces.damping, &v) >= 0.0);
                assert_eq!(largest(forces.friction.iter().copied()), 0.0);
            }
        }
    }
}
