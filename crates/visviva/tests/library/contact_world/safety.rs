//! Nothing goes through anything, whatever the method and the step.

use super::{CUBE, GROUND, intersects, inverted, scene, simulation, world};
use visviva::solve::Backend;

#[test]
fn a_dropped_cube_never_penetrates_or_inverts_with_any_method_and_step() {
    for integrator in ["implicit-euler", "bdf2", "a-1", "a-search"] {
        for (h, steps) in [("1/30", 30), ("1/120", 90)] {
            let text = format!(
                "{CUBE}rotate = {{ axis = [1, 2, 0.3], angle = 0.7 }}\ntranslate = [0, 0, 0.15]\nvelocity = {{ linear = [0.5, 0, -3] }}\n{GROUND}"
            );
            let built = scene(&text, &[&format!("run.integrator={integrator}"), &format!("run.h={h}")]);
            let mut world = world(&built);
            let mut simulation = simulation(&built, &mut world, built.start.clone());
            let mut touched = 0;
            for step in 0..steps {
                let report = simulation.step().unwrap_or_else(|e| panic!("{integrator}, {h}, step {step}: {e}"));
                assert!(report.solve.converged, "{integrator}, {h}, step {step}: {:?}", report.solve);
                assert!(!intersects(&built.model, &simulation.state.x), "{integrator}, {h}, step {step}");
                assert!(!inverted(&built.model, &simulation.state.x), "{integrator}, {h}, step {step}");
                let contact = simulation.evaluation().contact_state();
                assert_eq!(contact.active_pairs > 0, contact.min_distance.is_some());
                touched += usize::from(contact.active_pairs > 0);
            }
            assert!(touched > 0, "{integrator}, {h}: it never landed");
        }
    }
}

#[test]
fn a_position_behind_a_surface_is_inadmissible_although_distances_have_no_sign() {
    let built = scene(&format!("{CUBE}translate = [0, 0, 0.06]\n{GROUND}"), &[]);
    let mut world = world(&built);
    assert_eq!(world.terms(), ["elastic", "gravity", "barrier"]);
    assert!(world.evaluation(&built.start.x).energies.total().is_finite());
    let mut sunk = built.start.x.clone();
    for node in built.model.bodies[0].nodes.clone() {
        sunk[3 * node + 2] -= 0.06;
    }
    assert_eq!(world.evaluation(&sunk).energies.as_slice()[2], f64::INFINITY);
}
