//! One particle against a barrier that no step resolves.

use super::spec;
use visviva::study::particle::{Barrier, Bounce, bounce, limit_velocities};

const STIFF: Barrier = Barrier::Quadratic { hbar: 1e8 };

fn phases() -> impl Iterator<Item = f64> {
    (0..100).map(|i| (f64::from(i) + 0.37) / 100.0)
}

fn run(barrier: Barrier, integrator: &str, phase: f64, assumed_speed: f64) -> Bounce {
    let result = bounce(barrier, &spec(integrator), phase, assumed_speed).unwrap();
    assert!(result.outcome.is_completed() && result.tally.unconverged == 0, "{result:?}");
    result
}

fn check_against_limit(integrator: &str, phase: f64, tolerance: f64) {
    let result = run(STIFF, integrator, phase, 1.0);
    let theory = limit_velocities(&spec(integrator), phase, 1.0).unwrap();
    assert_eq!(result.velocities.len(), theory.len(), "{integrator} at phase {phase}: {result:?}");
    for (v, expected) in result.velocities.iter().zip(&theory) {
        assert!((v - expected).abs() < tolerance, "{integrator} at phase {phase}: {:?} {theory:?}", result.velocities);
    }
}

#[test]
fn a_1_returns_the_speed_in_four_steps_at_every_phase() {
    phases().for_each(|phase| check_against_limit("a-1", phase, 1e-6));
}

#[test]
fn trapezoidal_gains_speed_as_its_closed_form_says() {
    phases().for_each(|phase| check_against_limit("trapezoidal", phase, 1e-6));
    // Three quarters of all phases gain.
    let gains = phases().filter(|&phase| run(STIFF, "trapezoidal", phase, 1.0).exit_velocity.unwrap() > 1.0).count();
    assert_eq!(gains, 75);
}

#[test]
fn a_search_returns_the_speed_and_needs_a_step_more_at_late_phases() {
    phases().for_each(|phase| check_against_limit("a-search", phase, 1e-6));
}

#[test]
fn an_overestimated_target_gives_that_speed_up_to_the_largest_alpha_and_never_more_than_its_square() {
    let max = 1.1;
    for phase in phases().filter(|phase| *phase < 0.95) {
        for speed in [1.02, 1.05, 1.1] {
            let exit = run(STIFF, "a-search", phase, speed).exit_velocity.unwrap();
            assert!((exit - speed).abs() < 1e-6, "V = {speed}, phase {phase}: {exit}");
        }
        for speed in [1.2, 1.5, 3.0] {
            let exit = run(STIFF, "a-search", phase, speed).exit_velocity.unwrap();
            assert!(exit <= max * max + 1e-6 && exit > 1.0, "V = {speed}, phase {phase}: {exit}");
        }
    }
}

#[test]
fn with_the_contact_barrier_a_1_leaves_at_its_speed_in_four_steps() {
    for h in [1e3, 1e4, 1e6] {
        for phase in phases().step_by(7) {
            let result = run(Barrier::Ipc { h, kappa: 1.0 }, "a-1", phase, 1.0);
            assert_eq!(result.velocities.len(), 4);
            assert!((result.exit_velocity.unwrap() - 1.0).abs() < 1e-4, "h {h}, phase {phase}: {result:?}");
        }
    }
}

#[test]
fn implicit_euler_loses_the_bounce() {
    assert!(phases().all(|phase| run(STIFF, "implicit-euler", phase, 1.0).exit_velocity.unwrap() < 1e-6));
}
