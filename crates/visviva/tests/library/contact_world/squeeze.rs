//! A ball between closing plates, to a tenth of its height.

use super::watch::{scene_in, watch};
use std::path::Path;
use visviva::model::bodies::node_of;

const PRESS: &str = r#"
gravity = [0, 0, 0]
[contact]
self_contact = true
[[material]]
name = "soft"
youngs_modulus = 1e5
[[body]]
name = "ball"
material = "soft"
ball = { radius = 0.05, shells = 3 }
[[obstacle]]
name = "lower"
box = { size = [0.6, 0.6, 0.02] }
translate = [0, 0, -0.061]
shift = [[0, 0, 0, 0], [0.5, 0, 0, 0.046]]
[[obstacle]]
name = "upper"
box = { size = [0.6, 0.6, 0.02] }
translate = [0, 0, 0.061]
shift = [[0, 0, 0, 0], [0.5, 0, 0, -0.046]]
"#;

#[test]
fn a_ball_is_squeezed_to_a_tenth_of_its_height() {
    let built = scene_in(Path::new(""), PRESS, &["run.integrator=implicit-euler", "run.h=1/60"]);
    let (_, state) = watch("squeezed ball", &built, 33);
    let z = |i| node_of(&state.x, i).z;
    let nodes = built.model.bodies[0].nodes.clone();
    let height = nodes.clone().map(z).fold(0.0, f64::max) - nodes.map(z).fold(0.0, f64::min);
    // The plates end 10 mm apart, and a part of the reach is between them and the ball.
    assert!(height < 0.01 && height > 0.008, "{height}");
}
