//! An affine body that is held is held as a whole, and moves as its pin says.

use super::{centre, intersects, scene, simulation, world};
use nalgebra::{Rotation3, Vector3};
use visviva::model::bodies::node_of;

#[test]
fn a_pin_at_one_corner_holds_and_turns_the_whole_body() {
    let text = r#"
[[body]]
name = "paddle"
kind = "affine"
material = { youngs_modulus = 1e7 }
box = { size = [0.2, 0.1, 0.02], cells = [2, 1, 1] }
[[pin]]
body = "paddle"
sphere = { centre = [0.1, 0.05, 0.01], radius = 0.01 }
shift = [[0, 0, 0, 0], [1, 0, 0, 0.5]]
turn = { axis = [0, 1, 0], centre = [0.1, 0, 0], angle = [[0, 0], [1, 3]] }
"#;
    let built = scene(text, &[]);
    assert!((0..4).all(|node| built.model.mass.is_pinned(node)));
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world);
    let pivot = Vector3::new(0.1, 0.0, 0.0);
    for _ in 0..60 {
        simulation.step().unwrap();
        let t = simulation.state.t;
        let turn = Rotation3::from_axis_angle(&Vector3::y_axis(), 3.0 * t);
        for node in 0..4 {
            let place = pivot + turn * (built.model.rest[node] - pivot) + Vector3::new(0.0, 0.0, 0.5 * t);
            assert!((node_of(&simulation.state.x, node) - place).norm() < 1e-15, "{t} {node}");
        }
    }
}

/// Two flat rings and one that joins them; one of the flat ones is held.
const LINKS: &str = r#"
[[body]]
name = "chain"
kind = "affine"
material = { youngs_modulus = 1e8 }
chain_net = { rings = [2, 1], major_radius = 0.03, minor_radius = 0.005, segments = [24, 11] }
[[pin]]
body = "chain"
halfspace = { point = [0.05, 0, 0], normal = [1, 0, 0] }
"#;

#[test]
fn a_link_that_is_held_holds_those_that_hang_on_it() {
    let built = scene(LINKS, &["run.integrator=implicit-euler"]);
    let names: Vec<&str> = built.model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["chain.node-0-0", "chain.node-1-0", "chain.join-x-0-0"]);
    let held: Vec<bool> = (0..12).map(|node| built.model.mass.is_pinned(node)).collect();
    assert_eq!(held, (0..12).map(|node| (4..8).contains(&node)).collect::<Vec<_>>());
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world);
    let mut least = [f64::INFINITY; 3];
    for step in 0..180 {
        assert!(simulation.step().unwrap().solve.converged, "{step}");
        for (body, least) in least.iter_mut().enumerate() {
            *least = least.min(centre(&built.model, body, &simulation.state.x).z);
        }
        if step % 10 == 0 {
            assert!(!intersects(&built.model, &simulation.state.x), "{step}");
        }
    }
    assert_eq!(centre(&built.model, 1, &simulation.state.x), centre(&built.model, 1, &built.start.x));
    // Free fall comes to 11 m in 1.5 s. A ring hangs on the wire of the one above it: at most 2(R − r) = 5 cm between centres.
    assert!(least[2] < -0.01 && least[2] > -0.05, "{least:?}");
    assert!(least[0] < -0.05 && least[0] > -0.1, "{least:?}");
}
