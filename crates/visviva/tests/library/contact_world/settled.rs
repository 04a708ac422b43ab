//! Bodies that do not touch end their Newton iterations apart: what one does is not felt by the other.

use super::{CUBE, GROUND, scene, simulation, world};

#[test]
fn a_resting_block_does_not_feel_a_crash_beside_it() {
    let resting = format!("{CUBE}translate = [0, 0, 0.0508]\n");
    let crashing = CUBE[CUBE.find("[[body]]").unwrap()..].replace("\"cube\"", "\"other\"")
        + "translate = [0.5, 0, 0.12]\nrotate = { axis = [1, 2, 0], angle = 0.6 }\nvelocity = { linear = [0, 0, -6] }\n";
    let run = |text: &str| {
        // A-search would couple them: its α is one for all.
        let built = scene(text, &["solver.linear=direct", "run.integrator=implicit-euler"]);
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world, built.start.clone());
        let mut iterations = 0;
        for _ in 0..30 {
            let report = simulation.step().unwrap();
            assert!(report.solve.converged);
            iterations += report.solve.newton_iterations;
        }
        (simulation.state.x[..3 * 64].to_vec(), iterations)
    };
    let (alone, few) = run(&format!("{resting}{GROUND}"));
    let (beside, many) = run(&format!("{resting}{crashing}{GROUND}"));
    assert!(many > few + 20, "{many} {few}: the crash takes its iterations");
    let farthest = alone.iter().zip(&beside).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // Newton's tolerance is 83 µm; steps shortened by the crash change the way there, not the place.
    assert!(farthest < 1e-4, "{farthest}");
}

#[test]
fn what_short_steps_count_of_contact_leads_where_tight_tolerances_lead() {
    // Two cubes, one thrown along the other's top: friction, and gaps of micrometres.
    let lower = format!("{CUBE}translate = [0, 0, 0.0508]\n");
    let upper = CUBE[CUBE.find("[[body]]").unwrap()..].replace("\"cube\"", "\"other\"")
        + "translate = [0.01, 0, 0.154]\nvelocity = { linear = [0.4, 0.1, -0.5] }\n";
    let run = |settings: &[&str]| {
        let settings = [&["solver.linear=direct", "run.integrator=implicit-euler"], settings].concat();
        let built = scene(&format!("{lower}{upper}{GROUND}"), &settings);
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world, built.start.clone());
        let mut iterations = 0;
        for _ in 0..15 {
            let report = simulation.step().unwrap();
            assert!(report.solve.converged);
            iterations += report.solve.newton_iterations;
        }
        (simulation.state.x.clone(), iterations)
    };
    let (loose, few) = run(&[]);
    let (tight, many) = run(&["solver.tolerance=0.0001", "solver.gap_tolerance=0.00001", "solver.max_iterations=300"]);
    assert!(many > few, "{few} {many}");
    let farthest = loose.iter().zip(&tight).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // Newton's tolerance is 83 µm a step.
    assert!(farthest < 2e-4, "{farthest}");
}
