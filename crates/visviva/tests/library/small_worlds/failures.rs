//! What goes wrong is said, never swallowed.

use super::{simulate, spec, world};
use visviva::energy::{AlphaOutcome, EnergyPlan};
use visviva::integrate::StepError;
use visviva::model::{Mass, Path, State};
use visviva::simulation::{Simulation, StartError};
use visviva::solve::{BandedSolver, NewtonSettings};
use visviva::study::collision::{self, Case, Setup};
use visviva::study::worlds::{BarElasticity, Gravity, Spring, WallBarrier};

#[test]
fn a_newton_solve_without_convergence_is_reported() {
    let mass = Mass::lumped(1, vec![1.0]).unwrap();
    let settings = NewtonSettings { max_iterations: 1, ..NewtonSettings::TIGHT };
    let barrier = WallBarrier { stiffness: 1.0, reach: 1.0 };
    let mut world = BandedSolver::new(mass, vec![Box::new(barrier)], vec![], vec![], settings);
    let mut simulation =
        simulate(&mut world, State::new(vec![0.5], vec![-1.0]), "a-search", &EnergyPlan::default(), 1.0);
    let report = simulation.step().unwrap();
    assert!(!report.solve.converged && report.solve.newton_iterations == 1);
}

#[test]
fn free_fall_leaves_alpha_nothing_to_act_on() {
    let mut world = world(vec![1.0], vec![Box::new(Gravity { weights: vec![9.8] })], vec![], vec![]);
    let mut simulation =
        simulate(&mut world, State::new(vec![1.0], vec![0.0]), "a-search", &EnergyPlan::default(), 1.0 / 120.0);
    for _ in 0..20 {
        let report = simulation.step().unwrap();
        assert_eq!(report.alpha.unwrap().outcome, AlphaOutcome::Powerless);
        // Implicit Euler's free fall loses ½ m g² h² a step, and the books show it as the integrator's.
        let expected = -0.5 * 9.8f64.powi(2) / 120f64.powi(2);
        assert!((report.ledger.integrator - expected).abs() < 1e-12, "{:?}", report.ledger);
    }
}

#[test]
fn midpoint_says_that_it_left_the_admissible_region_and_does_not_go_on() {
    // So soft that the midpoint lies nearer to the wall than half the start: the end is mirrored through it.
    let barrier = WallBarrier { stiffness: 1e-3, reach: 1.0 };
    let mut world = world(vec![1.0], vec![Box::new(barrier)], vec![], vec![]);
    let start = State::new(vec![1.1], vec![-1.0]);
    let mut simulation = simulate(&mut world, start, "implicit-midpoint", &EnergyPlan::default(), 10.0);
    let mut left = false;
    for _ in 0..100 {
        match simulation.step() {
            Ok(report) => left |= report.inadmissible == Some("barrier"),
            Err(error) => {
                assert_eq!(error, StepError::Inadmissible { term: "barrier" });
                assert!(left, "the step that left reports it first");
                return;
            }
        }
    }
    panic!("it must leave the admissible region here, and then stop: left = {left}");
}

#[test]
fn a_blown_up_state_is_an_error_and_the_study_shows_when() {
    let spring = Spring { stiffness: 1e12, one_sided: false };
    let mut world = world(vec![1.0], vec![Box::new(spring)], vec![], vec![]);
    let mut simulation =
        simulate(&mut world, State::new(vec![1.0], vec![0.0]), "explicit-euler", &EnergyPlan::default(), 1.0);
    let error = (0..100).find_map(|_| simulation.step().err()).expect("explicit Euler explodes");
    assert_eq!(error, StepError::BlownUp);
    let result = collision::run(&Setup::new(Case::Stiff, spec("explicit-euler"), 1.0 / 30.0), |_, _| {}).unwrap();
    assert!(result.final_velocity.is_none());
    assert!(result.tally.remark(&result.outcome).contains("stopped at t ="), "{:?}", result.outcome);
}

#[test]
fn impossible_starts_are_refused() {
    let start = |x: f64, h: f64| {
        let mut world = world(vec![1.0], vec![Box::new(WallBarrier { stiffness: 1.0, reach: 1.0 })], vec![], vec![]);
        Simulation::new(&mut world, State::new(vec![x], vec![0.0]), spec("a-1").build(), &EnergyPlan::default(), h)
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(start(-0.5, 0.1), StartError::Inadmissible { term: "barrier" });
    assert_eq!(start(0.5, 0.0), StartError::TimeStep(0.0));
    assert_eq!(start(0.5, -1.0), StartError::TimeStep(-1.0));
    assert_eq!(start(0.5, f64::INFINITY), StartError::TimeStep(f64::INFINITY));
}

#[test]
fn a_failed_step_leaves_state_and_memory_as_they_were() {
    // The bar's end is driven through its other nodes after 0.2 s: the position is inadmissible before Newton begins.
    let pin = Path::new(vec![(0.0, 1.0), (0.2, 0.98), (0.3, -1.0)]).unwrap();
    let bar = BarElasticity { element_count: 3, length: 1.0 / 3.0, stiffness: 7.0 };
    let h = 0.05;
    for method in ["bdf2", "a-search", "a-search-sparse", "newmark", "trapezoidal"] {
        let mut world = world(vec![1.0; 4], vec![Box::new(bar)], vec![], vec![(3, pin.clone())]);
        let start = State::new(vec![0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0], vec![0.1, 0.0, -0.1, 0.0]);
        let mut simulation = simulate(&mut world, start, method, &EnergyPlan::default(), h);
        let mut steps = 0;
        let failed = loop {
            let before = simulation.checkpoint();
            match simulation.step() {
                Ok(_) => steps += 1,
                Err(_) => break simulation.checkpoint() == before,
            }
            assert!(steps < 20, "{method} never fails");
        };
        assert!(failed && steps >= 4, "{method}, after {steps} steps");
    }
}
