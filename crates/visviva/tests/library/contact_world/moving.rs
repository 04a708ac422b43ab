//! Obstacles that move by themselves push what is in their way, and say so when they cannot.

use super::{CUBE, GROUND, intersects, inverted, mean_velocity, scene, simulation, world};
use visviva::integrate::StepError;
use visviva::solve::SolveError;

const PISTON: &str = r#"
[[obstacle]]
name = "piston"
box = { size = [0.2, 0.2, 0.02] }
translate = [0, 0, Z]
shift = [[0, 0, 0, 0], [0.5, 0, 0, WAY]]
"#;

fn piston(z: f64, way: f64) -> String {
    PISTON.replace('Z', &z.to_string()).replace("WAY", &way.to_string())
}

#[test]
fn a_rising_plate_lifts_a_cube_and_its_work_is_booked() {
    let text = format!("{CUBE}translate = [0, 0, 0.0505]\n{}", piston(-0.01, 0.5));
    let built = scene(&text, &["run.integrator=implicit-euler"]);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world, built.start.clone());
    let start = simulation.total_energy();
    let (mut work, mut own) = (0.0, 0.0);
    for step in 0..54 {
        let report = simulation.step().unwrap_or_else(|e| panic!("step {step}: {e}"));
        assert!(!intersects(&built.model, &simulation.state.x) && !inverted(&built.model, &simulation.state.x));
        work += report.ledger.work;
        own += report.ledger.integrator - report.ledger.contact_loss;
    }
    let speed = mean_velocity(&built.model, &simulation.state).z;
    assert!((speed - 1.0).abs() < 0.05, "the cube goes with the plate: {speed}");
    // 1 kg lifted by 0.45 m and set in motion at 1 m/s.
    assert!(work > 0.9 * (9.8 * 0.45 + 0.5), "{work}");
    assert!((simulation.total_energy() - start - work - own).abs() < 1e-9 * work);
}

#[test]
fn a_press_that_cannot_go_on_names_what_is_in_its_way() {
    let text = format!("{CUBE}translate = [0, 0, 0.0505]\n{GROUND}{}", piston(0.112, -0.15));
    let built = scene(&text, &["run.integrator=implicit-euler", "run.h=1/60"]);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world, built.start.clone());
    let mut last = None;
    for _ in 0..60 {
        let before = simulation.state.clone();
        match simulation.step() {
            Ok(_) => assert!(!intersects(&built.model, &simulation.state.x)),
            Err(error) => {
                assert_eq!(simulation.state, before, "an error leaves the state as it was");
                last = Some(error);
                break;
            }
        }
    }
    match last {
        Some(StepError::Solve(SolveError::Blocked { mover, other, .. })) => {
            assert_eq!((mover.as_str(), other.as_str()), ("piston", "cube"));
        }
        Some(StepError::Solve(SolveError::PinsBlocked { .. })) => panic!("the press is named, not pins"),
        other => panic!("a press through the ground went on: {other:?}"),
    }
}

#[test]
fn held_parts_are_no_way_through_for_what_moves_unless_they_overlap_from_the_start() {
    let held = "[[pin]]\nbody = \"cube\"\nsphere = { centre = [0, 0, 0], radius = 1 }\n";
    // The plate's underside starts 10 mm above the cube, or 10 mm inside it.
    for (z, blocked_after) in [(0.0705, Some(4)), (0.0505, None)] {
        let text = format!("{CUBE}\n{}{held}", piston(z, -0.15));
        let built = scene(&text, &["run.integrator=implicit-euler"]);
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world, built.start.clone());
        let failed = (0..40).find_map(|step| simulation.step().err().map(|error| (step, error)));
        match (failed, blocked_after) {
            (Some((step, StepError::Solve(SolveError::Blocked { mover, other, .. }))), Some(expected)) => {
                assert_eq!((step, mover.as_str(), other.as_str()), (expected, "piston", "cube"));
            }
            (None, None) => {}
            (failed, expected) => panic!("{failed:?} instead of {expected:?}"),
        }
    }
}
