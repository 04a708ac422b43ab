//! A soft body, a shell and an affine body in one scene push each other: momentum is exact and nothing intersects.

use super::{centre, intersects, scene, simulation, world};

/// A ball flies through empty space into a sheet with a soft cube close behind it.
const COLLISION: &str = r#"
gravity = [0, 0, 0]
contact = { friction = 0.3 }
solver = { linear = "direct" }

[[body]]
name = "ball"
kind = "affine"
material = { youngs_modulus = 1e7 }
icosphere = { radius = 0.05, subdivisions = 2 }
translate = [0.01, 0.005, 0.06]
velocity = { linear = [0.1, 0, -2], angular = [5, 0, 0], about = [0.01, 0.005, 0.06] }

[[body]]
name = "sheet"
kind = "shell"
material = { youngs_modulus = 1e5, thickness = 1e-3, areal_density = 0.5 }
rectangle = { size = [0.3, 0.3], cells = [12, 12] }

[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }
translate = [-0.01, 0, -0.06]
"#;

#[test]
fn a_ball_a_sheet_and_a_cube_exchange_momentum_and_lose_none() {
    for integrator in ["implicit-euler", "a-search"] {
        let built = scene(COLLISION, &[&format!("run.integrator={integrator}")]);
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world);
        let bodies = &built.model;
        let before = bodies.momenta(&built.start.x, &built.start.v).0;
        for step in 0..36 {
            assert!(simulation.step().unwrap().solve.converged, "{integrator} {step}");
            assert!(!intersects(bodies, &simulation.state.x), "{integrator} {step}");
        }
        let after = bodies.momenta(&simulation.state.x, &simulation.state.v).0;
        assert!((after - before).norm() < 1e-10 * before.norm(), "{integrator}: {}", (after - before).norm());
        assert!(simulation.evaluation().contact_state().min_distance.is_none_or(|d| d > 0.0));
        let velocity = |body| centre(bodies, body, &simulation.state.v);
        // Both ways: the ball is slowed, the sheet and the cube behind it are pushed on.
        assert!(velocity(0).z > -1.5 && velocity(1).z < -0.2 && velocity(2).z < -0.2);
    }
}
