//! Linear stability: each method's step on the harmonic oscillator, over ħ = 1e-3 … 1e6.

use super::spec;
use visviva::integrate::{METHODS, Tableau};
use visviva::study::stability::{self, Row};

fn sweep() -> impl Iterator<Item = f64> {
    (0..=360).map(|i| 10f64.powf(-3.0 + 0.025 * f64::from(i)))
}

fn measure(integrator: &str, hbar: f64) -> Row {
    stability::measure(&spec(integrator), hbar).expect("a linear one-step method").unwrap()
}

#[test]
fn every_linear_one_step_method_has_the_matrix_its_theory_gives() {
    let more = ["theta-inner:theta=0.8", "theta-outer:theta=0.9", "newmark:beta=0.5,gamma=0.6", "dirk:tableau=gauss4"];
    let more =
        more.iter().chain(&["decoupled:tableau=sdirk3", "decoupled:tableau=crouzeix3", "decoupled:tableau=radau3"]);
    let mut measured = 0;
    for name in METHODS.iter().map(|m| m.name).chain(more.copied()) {
        for hbar in sweep() {
            let Some(row) = stability::measure(&spec(name), hbar) else { continue };
            let row = row.unwrap();
            let scale = 1.0 + row.theory_det.abs() + row.theory_trace.powi(2);
            assert!((row.det - row.theory_det).abs() < 1e-9 * scale, "{name} at {hbar}: {row:?}");
            assert!((row.trace - row.theory_trace).abs() < 1e-9 * scale, "{name} at {hbar}: {row:?}");
            measured += 1;
        }
    }
    // All but bdf2, blending and the three searches.
    assert_eq!(measured, (METHODS.len() - 5 + 7) * sweep().count());
}

#[test]
fn what_the_registry_calls_symplectic_on_linear_problems_has_determinant_one() {
    for method in METHODS {
        let worst = sweep()
            .filter_map(|hbar| stability::measure(&spec(method.name), hbar))
            .map(|row| row.unwrap())
            .map(|row| (row.theory_det - 1.0).abs())
            .reduce(f64::max);
        if let Some(worst) = worst.filter(|_| method.name != "dirk") {
            assert_eq!(worst < 1e-9, method.symplectic_on_linear, "{}: {worst}", method.name);
        }
    }
}

#[test]
fn a_search_with_fixed_alpha_follows_its_closed_form_and_grows_above_one() {
    for alpha in [0.0, 0.5, 0.9, 1.0, 1.05, 1.1] {
        let name = format!("decoupled:tableau=implicit-euler,alpha={alpha}");
        for hbar in sweep() {
            let row = measure(&name, hbar);
            let det = 1.0 + (alpha - 1.0) * hbar / (1.0 + hbar);
            let trace = (2.0 + alpha * hbar) / (1.0 + hbar);
            assert!((row.det - det).abs() < 1e-9 && (row.trace - trace).abs() < 1e-9, "{alpha} {hbar}");
        }
        let limit = measure(&name, 1e6).spectral_radius;
        assert!((limit - f64::sqrt(alpha)).abs() < 2e-3, "|λ| → √α: {limit} for {alpha}");
        if alpha > 1.0 {
            assert!(limit > 1.0);
        }
    }
}

#[test]
fn a_1_is_stable_at_every_step_and_its_eigenvalues_tend_to_sixty_degrees() {
    for hbar in sweep() {
        let row = measure("a-1", hbar);
        assert!((row.det - 1.0).abs() < 1e-12 && row.trace > 1.0 - 1e-12 && row.trace < 2.0, "{row:?}");
        assert!((row.spectral_radius - 1.0).abs() < 1e-12);
    }
    let (re, im) = measure("a-1", 1e6).eigenvalues[0];
    assert!((im.abs().atan2(re) - std::f64::consts::FRAC_PI_3).abs() < 1e-5);
}

#[test]
fn midpoint_trapezoidal_and_newmark_share_their_trace() {
    for name in ["implicit-midpoint", "trapezoidal", "newmark"] {
        for hbar in sweep() {
            let row = measure(name, hbar);
            assert!((row.trace - 2.0 * (4.0 - hbar) / (4.0 + hbar)).abs() < 1e-9, "{name} {hbar}");
            assert!((row.spectral_radius - 1.0).abs() < 1e-7);
        }
    }
}

#[test]
fn symplectic_euler_is_stable_up_to_four() {
    assert!(measure("symplectic-euler", 3.99).spectral_radius < 1.0 + 1e-12);
    assert!(measure("symplectic-euler", 4.01).spectral_radius > 1.05);
    assert!((measure("symplectic-euler", 7.0).trace + 5.0).abs() < 1e-12);
}

#[test]
fn dissipative_methods_lose_amplitude_at_every_step_and_more_at_larger_ones() {
    for name in ["implicit-euler", "sdirk2", "sdirk3", "tr-bdf2", "theta-inner", "theta-outer"] {
        let mut before = 1.0;
        for hbar in sweep().filter(|&hbar| hbar < 1.0) {
            let radius = measure(name, hbar).spectral_radius;
            assert!(radius < before, "{name} at {hbar}");
            before = radius;
        }
        assert!(sweep().all(|hbar| measure(name, hbar).spectral_radius < 1.0), "{name}");
    }
}

#[test]
fn the_decoupled_sdirk2_is_unstable_in_a_band_with_the_small_gamma_and_nowhere_with_the_large() {
    let trace = |hbar: f64| measure("decoupled-sdirk2", hbar).trace;
    let limit = -(2f64.sqrt()) - 0.5;
    assert!((trace(1e10) - limit).abs() < 1e-4, "{}", trace(1e10));
    let (mut lowest, mut at) = (f64::INFINITY, 0.0);
    for i in 0..20_000 {
        let hbar = 10.0 + 0.01 * f64::from(i);
        if trace(hbar) < lowest {
            (lowest, at) = (trace(hbar), hbar);
        }
    }
    assert!((lowest + 2.1634).abs() < 1e-4 && (at - 44.3).abs() < 0.3, "minimum {lowest} at {at}");
    for (hbar, stable) in [(19.0, true), (20.0, false), (44.3, false), (279.0, false), (281.0, true), (1e4, true)] {
        assert_eq!(trace(hbar).abs() <= 2.0, stable, "at {hbar}: {}", trace(hbar));
    }
    for hbar in sweep() {
        let row = measure("decoupled-sdirk2-large", hbar);
        assert!((row.det - 1.0).abs() < 1e-9 && row.trace > 0.913 && row.trace < 2.0, "{row:?}");
    }
    let least = sweep().map(|hbar| measure("decoupled-sdirk2-large", hbar).trace).fold(2.0, f64::min);
    assert!((least - 0.914).abs() < 1e-3, "{least}");
}

#[test]
fn the_decoupled_bdf2_is_symplectic_on_two_steps_but_not_zero_stable() {
    for hbar in sweep().filter(|&hbar| hbar < 1e3) {
        let row = stability::decoupled_bdf2(hbar);
        assert!((row.det - 1.0).abs() < 1e-9 * (1.0 + hbar), "{row:?}");
        assert!(row.spectral_radius > 1.5, "{row:?}");
    }
    assert!((stability::decoupled_bdf2(1e-9).spectral_radius - 3.0).abs() < 1e-6);
    assert!(sweep().all(|hbar| stability::bdf2(hbar).spectral_radius < 1.0));
}

#[test]
fn the_two_step_matrix_of_bdf2_is_the_one_its_steps_make() {
    use visviva::study::worlds::Spring;
    let hbar: f64 = 2.7;
    let spring = Spring { stiffness: hbar, one_sided: false };
    let mut world = super::world(vec![1.0], vec![Box::new(spring)], vec![], vec![]);
    let start = visviva::model::State::new(vec![0.3], vec![-0.8]);
    let mut simulation = super::simulate(&mut world, start, "bdf2", &Default::default(), 1.0);
    let mut history = vec![(0.3, -0.8)];
    for _ in 0..30 {
        simulation.step().unwrap();
        history.push((simulation.state.x[0], simulation.state.v[0]));
    }
    // The slowest mode is left in the end: its decay is the spectral radius.
    let size = |&(x, v): &(f64, f64)| (hbar * x * x + v * v).sqrt();
    let ratio = (size(&history[30]) / size(&history[20])).powf(0.1);
    let radius = stability::bdf2(hbar).spectral_radius;
    assert!((ratio - radius).abs() < 0.1 * radius, "{ratio} {radius}");
    // And each step satisfies the formula itself.
    for w in history.windows(3).skip(1) {
        assert!((3.0 * w[2].0 - 4.0 * w[1].0 + w[0].0 - 2.0 * w[2].1).abs() < 1e-10);
        assert!((3.0 * w[2].1 - 4.0 * w[1].1 + w[0].1 + 2.0 * hbar * w[2].0).abs() < 1e-10);
    }
}

#[test]
fn a_decoupled_symmetric_method_is_the_method_itself() {
    for name in ["implicit-midpoint", "trapezoidal", "gauss4"] {
        let table = Tableau::by_name(name).unwrap();
        let hbar = 3.3;
        let r = stability::stability_function(&table, hbar);
        let adjoint = stability::stability_function(&table.adjoint(), hbar);
        assert!((r - adjoint).norm() < 1e-12, "{name}");
    }
}
