//! Contact forces are internal: what bodies exchange in a collision adds up to nothing.

use crate::{CUBE, mean_velocity, scene, simulation, world};
use visviva::contact::Point;
use visviva::solve::World;

const COLLISION: &str = r#"
gravity = [0, 0, 0]
[contact]
friction = 0.3
"#;

fn two_cubes() -> String {
    let second = CUBE[CUBE.find("[[body]]").unwrap()..].replace("\"cube\"", "\"other\"");
    format!(
        "{COLLISION}{CUBE}velocity = {{ linear = [1.5, 0.2, 0] }}\n{second}translate = [0.12, 0.02, 0.03]\nrotate = {{ axis = [0, 1, 1], angle = 0.3 }}\n"
    )
    .replace("angle = 0.3", "angle = 0.05")
}

#[test]
fn two_cubes_that_collide_keep_their_momentum_with_either_solver() {
    for (integrator, linear) in [
        ("implicit-euler", "direct"),
        ("a-search", "direct"),
        ("implicit-euler", "iterative"),
        ("a-search", "iterative"),
    ] {
        let changes = [format!("solver.linear={linear}"), format!("run.integrator={integrator}")];
        let built = scene(&two_cubes(), &changes.each_ref().map(String::as_str));
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world, built.start.clone());
        let before = mean_velocity(&built.bodies, &simulation.state);
        let mut touched = 0;
        for _ in 0..40 {
            assert!(simulation.step().unwrap().solve.converged);
            touched += simulation.world.contact_state().active_pairs;
        }
        let after = mean_velocity(&built.bodies, &simulation.state);
        assert!(touched > 10);
        assert!((after - before).norm() < 1e-10 * before.norm(), "{integrator}, {linear}: {before} {after}");
        let nodes = built.bodies.bodies[1].nodes.clone();
        let other: Point = nodes.clone().map(|i| visviva::system::bodies::node_of(&simulation.state.v, i)).sum();
        assert!(other.x / nodes.len() as f64 > 0.5, "the second cube was pushed");
    }
}

#[test]
fn the_ledger_closes_with_friction() {
    let built = scene(&two_cubes(), &["solver.linear=direct"]);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world, built.start.clone());
    let start = simulation.total_energy();
    let (mut lost, mut booked) = (0.0, 0.0);
    for _ in 0..40 {
        let ledger = simulation.step().unwrap().ledger;
        assert!(ledger.friction_loss >= 0.0);
        assert!(ledger.residual.abs() < 1e-12 * start);
        lost += ledger.friction_loss;
        booked += ledger.integrator + ledger.correction - ledger.friction_loss;
    }
    assert!(lost > 1e-4 * start, "they rubbed: {lost} of {start}");
    assert!((simulation.total_energy() - start - booked).abs() < 1e-11 * start);
    // What A-search holds is the start less friction; the last correction may still be on its way.
    assert!((simulation.total_energy() + lost - start).abs() < 0.02 * start);
}
