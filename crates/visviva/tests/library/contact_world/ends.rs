//! What a step says of its end is true there, whatever was solved on the way.

use super::{scene, world};
use visviva::simulation::Simulation;
use visviva::solve::Backend;

const FALLING: &str = r#"
contact = { friction = 0.3 }
[[body]]
name = "ball"
material = { youngs_modulus = 1e5 }
ball = { radius = 0.05, shells = 2 }
translate = [0.0, 0.0, 0.0508]
velocity = { linear = [0.3, 0, -2] }
[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

#[test]
fn contact_and_energies_belong_to_the_position_after_a_solved_adjoint_too() {
    // Each solves its adjoint after the position, in the first step or in all of them.
    for integrator in ["a-search", "decoupled-sdirk2:alpha=search", "decoupled-sdirk2-large", "blending"] {
        let built = scene(FALLING, &[&format!("run.integrator={integrator}")]);
        let (mut touched, mut fresh) = (false, world(&built));
        let mut simulation =
            Simulation::new(world(&built), built.start.clone(), built.integrator.build(), &built.plan, built.h)
                .unwrap();
        for step in 0..8 {
            simulation.step().unwrap();
            let told = simulation.evaluation();
            let there = fresh.evaluation(&simulation.state.x);
            assert_eq!(told.contact_state(), there.contact_state(), "{integrator}, step {step}");
            assert_eq!(told.energies, there.energies, "{integrator}, step {step}");
            touched |= there.contact_state().active_pairs > 0;
        }
        assert!(touched, "{integrator}");
    }
}
