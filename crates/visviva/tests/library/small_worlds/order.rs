//! Every method converges with the order it claims on a nonlinear oscillator with a known solution.

use super::{simulate, spec, world};
use visviva::energy::EnergyPlan;
use visviva::integrate::METHODS;
use visviva::model::State;
use visviva::study::worlds::Morse;

const MORSE: Morse = Morse { depth: 1.0, width: 1.0 };
const ENERGY: f64 = 0.4;
const MASS: f64 = 1.3;

/// Distance in phase space from the exact solution at t = 2.
fn error(integrator: &str, steps: u32) -> f64 {
    error_after(integrator, steps, 0.0)
}

/// The same after steps that are longer and shorter in turn by this part.
fn error_after(integrator: &str, steps: u32, unequal: f64) -> f64 {
    let duration = 2.0;
    let mut world = world(vec![MASS], vec![Box::new(MORSE)], vec![], vec![]);
    let (x0, v0) = MORSE.solution(MASS, ENERGY, 0.7);
    let start = State::new(vec![x0], vec![v0]);
    let mut simulation = simulate(&mut world, start, integrator, &EnergyPlan::default(), duration / f64::from(steps));
    let h = duration / f64::from(steps);
    for step in 0..steps {
        let by = unequal * [1.0, 1.0, -1.0, -1.0][step as usize % 4];
        let report = match by {
            0.0 => simulation.step().unwrap(),
            by => simulation.step_to(simulation.state.t + (1.0 + by) * h, (1.0 + by) * h).unwrap(),
        };
        assert!(report.solve.converged, "{integrator}");
    }
    let (x, v) = MORSE.solution(MASS, ENERGY, 0.7 + duration);
    (simulation.state.x[0] - x).hypot(simulation.state.v[0] - v)
}

#[test]
fn the_closed_form_solves_the_equation_of_motion() {
    for t in [0.0, 0.3, 1.0, 2.5] {
        let (x, v) = MORSE.solution(MASS, ENERGY, t);
        let e = (-x).exp();
        assert!((0.5 * MASS * v * v + (1.0 - e).powi(2) - ENERGY).abs() < 1e-14, "energy at {t}");
        let d = 1e-5;
        let (before, after) = (MORSE.solution(MASS, ENERGY, t - d), MORSE.solution(MASS, ENERGY, t + d));
        assert!(((after.0 - before.0) / (2.0 * d) - v).abs() < 1e-9, "velocity at {t}");
        assert!((MASS * (after.1 - before.1) / (2.0 * d) + 2.0 * e * (1.0 - e)).abs() < 1e-8, "force at {t}");
    }
}

#[test]
fn the_measured_order_of_every_method_is_the_one_it_claims() {
    let more = ["decoupled-sdirk2:alpha=search", "decoupled-sdirk2-large:alpha=search", "decoupled:tableau=sdirk3"];
    let more = more.iter().chain(&["decoupled:tableau=crouzeix3", "decoupled:tableau=radau3", "theta-inner:theta=0.5"]);
    let more = more.chain(&[
        "theta-outer:theta=0.5",
        "newmark:beta=0.3,gamma=0.7",
        "dirk:tableau=gauss4",
        "dirk:tableau=heun",
    ]);
    let names: Vec<&str> = METHODS.iter().map(|m| m.name).chain(more.copied()).collect();
    let mut wrong = Vec::new();
    for name in names {
        let order = spec(name).build().order();
        // High orders meet round-off early.
        let steps: [u32; 3] = if order >= 3 { [40, 80, 160] } else { [320, 640, 1280] };
        let errors = steps.map(|n| error(name, n));
        let measured = (errors[0] / errors[2]).log2() / 2.0;
        println!("{name}: claims {order}, measured {measured:.3}, error {:.2e}", errors[2]);
        if (measured - f64::from(order)).abs() > 0.1 {
            wrong.push(format!("{name} claims order {order}, measured {measured:.3}: {errors:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bdf2_keeps_its_order_where_steps_are_unequal() {
    // Steps of 1.3, 1.3, 0.7, 0.7: ratios from 0.54 to 1.86. Starting anew at each change would leave the first order.
    for steps in [320, 640] {
        let ratio = error_after("bdf2", steps, 0.3) / error_after("bdf2", 2 * steps, 0.3);
        assert!((ratio.log2() - 2.0).abs() < 0.1, "order {}", ratio.log2());
    }
}
