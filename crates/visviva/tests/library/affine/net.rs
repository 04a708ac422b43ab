//! A ball in a net of rings: many stiff bodies that hold each other.

use super::{centre, intersects, scene, simulation, world};

const NET: &str = r#"
energy = { target = "conserve" }
[[body]]
name = "net"
kind = "affine"
material = { youngs_modulus = 1e8 }
chain_net = { rings = [4, 4], major_radius = 0.03, minor_radius = 0.005, segments = [12, 6] }
[[body]]
name = "ball"
kind = "affine"
material = { youngs_modulus = 1e8 }
icosphere = { radius = 0.06, subdivisions = 2 }
translate = [0, 0, 0.15]
velocity = { linear = [0, 0, -1] }
[[pin]]
body = "net"
halfspace = { point = [0.15, 0, 0], normal = [1, 0, 0] }
[[pin]]
body = "net"
halfspace = { point = [-0.15, 0, 0], normal = [-1, 0, 0] }
[[pin]]
body = "net"
halfspace = { point = [0, 0.15, 0], normal = [0, 1, 0] }
[[pin]]
body = "net"
halfspace = { point = [0, -0.15, 0], normal = [0, -1, 0] }
"#;

#[test]
fn a_net_throws_a_ball_up_again_and_every_step_converges() {
    let built = scene(NET, &["contact.restitution=1"]);
    let ball = built.model.bodies.len() - 1;
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world);
    let (mut iterations, mut least, mut last) = (0, f64::INFINITY, 0.0);
    for step in 0..60 {
        let report = simulation.step().unwrap();
        assert!(report.solve.converged, "{step}");
        iterations += report.solve.newton_iterations;
        last = centre(&built.model, ball, &simulation.state.x).z;
        least = least.min(last);
        if step % 10 == 0 {
            assert!(!intersects(&built.model, &simulation.state.x), "{step}");
        }
    }
    assert!(least < 0.03 && last > least + 0.05, "{least} {last}");
    // With parabolas in place of the barriers it takes Newton twice as many.
    assert!(iterations < 60 * 12, "{iterations}");
}
