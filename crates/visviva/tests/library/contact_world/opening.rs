//! Gaps that were closed too far: how soon Newton opens them.

use super::{CUBE, GROUND, scene, simulation, world};

#[test]
fn a_gap_opens_in_as_many_iterations_however_narrow_it_is() {
    for gap in [1e-4, 1e-5, 1e-6] {
        let text = format!("{CUBE}translate = [0, 0, {}]\n{GROUND}", 0.05 + gap);
        let built = scene(&text, &["solver.linear=direct", "run.integrator=implicit-euler", "run.h=1/100"]);
        let mut world = world(&built);
        let report = simulation(&built, &mut world, built.start.clone()).step().unwrap();
        // With b″ for the barrier's stiffness a gap opens by its own size a time: 8, 10 and 13 iterations.
        let iterations = report.solve.newton_iterations;
        assert!(report.solve.converged && iterations <= 8, "{gap}: {iterations}");
    }
}
