//! Every potential's and dissipation's derivatives against central differences.

use super::world;
use visviva::math::band::BandMatrix;
use visviva::model::{Dissipation, Potential};
use visviva::solve::Backend;
use visviva::study::worlds::{BarDamping, BarElasticity, Gravity, Morse, Sliding, Spring, WallBarrier};

const N: usize = 4;
const BAR: BarElasticity = BarElasticity { element_count: 3, length: 0.4, stiffness: 7.0 };

fn potentials() -> Vec<Box<dyn Potential>> {
    vec![
        Box::new(BAR),
        Box::new(WallBarrier { stiffness: 3.0, reach: 0.5 }),
        Box::new(Spring { stiffness: 5.0, one_sided: false }),
        Box::new(Spring { stiffness: 5.0, one_sided: true }),
        Box::new(Morse { depth: 2.0, width: 1.5 }),
        Box::new(Gravity { weights: vec![1.0, 2.0, 3.0, 4.0] }),
    ]
}

fn samples() -> Vec<[f64; N]> {
    vec![[0.2, 0.55, 1.1, 1.4], [0.4, 0.8, 1.2, 1.6], [0.01, 0.3, 1.4, 1.5], [-0.3, 0.1, 0.6, 0.7]]
}

/// Symmetric, from the products with the unit vectors.
fn dense(hessian: &BandMatrix) -> [[f64; N]; N] {
    std::array::from_fn(|j| {
        let unit: [f64; N] = std::array::from_fn(|i| f64::from(u8::from(i == j)));
        let mut column = [0.0; N];
        hessian.add_product(&unit, &mut column);
        column
    })
}

fn close(claimed: f64, measured: f64, scale: f64) -> bool {
    (claimed - measured).abs() < 1e-6 * (claimed.abs() + scale)
}

#[test]
fn gradients_and_hessians_of_every_potential_match_finite_differences() {
    for potential in potentials() {
        for x in samples() {
            if !potential.value(&x).is_finite() {
                continue;
            }
            let gradient = |x: &[f64; N]| {
                let mut g = [0.0; N];
                potential.add_gradient(x, &mut g);
                g
            };
            let mut hessian = BandMatrix::new(N, 1);
            potential.add_hessian(&x, &mut hessian);
            let hessian = dense(&hessian);
            for i in 0..N {
                let step = 1e-6;
                let at = |s: f64| std::array::from_fn(|j| x[j] + if i == j { s } else { 0.0 });
                let slope = (potential.value(&at(step)) - potential.value(&at(-step))) / (2.0 * step);
                assert!(close(gradient(&x)[i], slope, 1.0), "{potential:?} at {x:?}: {} {slope}", gradient(&x)[i]);
                for j in 0..N {
                    let measured = (gradient(&at(step))[j] - gradient(&at(-step))[j]) / (2.0 * step);
                    // Projection changes what is not convex: Morse far out.
                    let measured = if potential.value(&x) > 0.0 && measured < 0.0 && i == j { 0.0 } else { measured };
                    assert!(
                        close(hessian[i][j], measured, 10.0),
                        "{potential:?} at {x:?}: {} {measured}",
                        hessian[i][j]
                    );
                }
            }
        }
    }
}

#[test]
fn the_largest_step_stays_admissible_and_is_not_timid() {
    for potential in potentials() {
        for x in samples().into_iter().filter(|x| potential.value(x).is_finite()) {
            for dx in [[-1.0, 0.5, -2.0, 0.3], [5.0, -5.0, 5.0, -5.0], [1e-3, 0.0, 0.0, 0.0], [-0.1, -0.2, -0.3, -0.4]]
            {
                let step = potential.largest_step(&x, &dx);
                assert!(step > 0.0 && step <= 1.0);
                let at = |s: f64| std::array::from_fn::<f64, N, _>(|i| x[i] + s * dx[i]);
                assert!(potential.value(&at(step)).is_finite(), "{potential:?}");
                let beyond = potential.value(&at(step / 0.85));
                assert!(step == 1.0 || !beyond.is_finite(), "{potential:?} stops early at {step}");
            }
        }
    }
}

#[test]
fn gradients_and_hessians_of_every_dissipation_match_finite_differences() {
    let laws: Vec<Box<dyn Dissipation>> = vec![
        Box::new(BarDamping { bar: BAR, rate: 0.3, element_mass: 0.7, coupling: -0.5 }),
        Box::new(Sliding { force: 2.0, epsilon: 0.5 }),
    ];
    for law in laws {
        let mut frozen = Vec::new();
        law.freeze(&[0.2, 0.55, 1.1, 1.4], &mut frozen);
        for v in [[0.1, -0.2, 0.3, 0.4], [-0.3, 0.2, 0.0, 1.0], [2.0, 1.0, -1.0, 0.5]] {
            let gradient = |v: &[f64; N]| {
                let mut g = [0.0; N];
                law.add_gradient(&frozen, v, &mut g);
                g
            };
            let mut hessian = BandMatrix::new(N, 1);
            law.add_hessian(&frozen, &v, 2.0, &mut hessian);
            let hessian = dense(&hessian);
            for i in 0..N {
                let step = 1e-6;
                let at = |s: f64| std::array::from_fn(|j| v[j] + if i == j { s } else { 0.0 });
                let slope = (law.value(&frozen, &at(step)) - law.value(&frozen, &at(-step))) / (2.0 * step);
                assert!(close(gradient(&v)[i], slope, 1.0), "{law:?}");
                for j in 0..N {
                    let measured = (gradient(&at(step))[j] - gradient(&at(-step))[j]) / step;
                    assert!(close(hessian[i][j], measured, 10.0), "{law:?}: {} {measured}", hessian[i][j]);
                }
            }
            let power: f64 = gradient(&v).iter().zip(&v).map(|(g, v)| g * v).sum();
            assert!(power > 0.0, "{law:?} must take energy");
        }
    }
}

#[test]
fn the_fitted_damping_slows_a_free_rigid_bar_at_its_rate() {
    use visviva::study::collision::{Case, Setup, mean_velocity, run};
    let mut setup = Setup::new(Case::DampedSoft, super::spec("bdf2"), 1e-3);
    (setup.gap, setup.duration) = (100.0, 5.0);
    let mut last = 0.0;
    run(&setup, |state, _| last = mean_velocity(&state.v)).unwrap();
    assert!((last + (-0.25f64).exp()).abs() < 1e-3, "{last}");
    // And the stiffness product is the product with the Hessian.
    let mut bar = world(vec![1.0; 4], vec![Box::new(BAR)], vec![], vec![]);
    let mut out = [0.0; 4];
    let at = bar.evaluation(&samples()[0]);
    bar.stiffness_product(&at, &[1.0; 4], &mut out);
    assert!(out.iter().all(|o| o.abs() < 1e-12), "a rigid motion meets no stiffness");
}
