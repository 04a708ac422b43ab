//! Bodies that cross many times their own size in a step.

use super::watch::{scene_in, watch, watch_each};
use std::path::Path;
use visviva::model::State;
use visviva::model::bodies::node_of;
use visviva::scene::Built;

const HARD: &str =
    "gravity = [0, 0, 0]\n[contact]\nself_contact = true\n[[material]]\nname = \"hard\"\nyoungs_modulus = 1e7\n";

fn ball(name: &str, x: f64, speed: f64) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nmaterial = \"hard\"\nball = {{ radius = 0.05, shells = 3 }}\ntranslate = [{x}, 0, 0]\nvelocity = {{ linear = [{speed}, 0, 0] }}\n"
    )
}

#[test]
fn a_ball_at_100_metres_a_second_does_not_pass_a_plate_of_a_millimetre() {
    let plate = "[[obstacle]]\nname = \"plate\"\nbox = { size = [0.001, 2, 2] }\n";
    let built = scene_in(Path::new(""), &format!("{HARD}{}{plate}", ball("ball", -1.5, 100.0)), &[]);
    let (_, state) = watch("100 m/s on a plate", &built, 20);
    assert!((0..built.model.bodies[0].nodes.end).all(|i| node_of(&state.x, i).x < 0.0));
}

#[test]
fn two_slabs_at_100_metres_a_second_do_not_pass_each_other() {
    let slab = |name: &str, x: f64, speed: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmaterial = \"hard\"\nbox = {{ size = [0.1, 0.4, 0.4], cells = [1, 4, 4] }}\ntranslate = [{x}, 0.01, 0.02]\nvelocity = {{ linear = [{speed}, 0, 0] }}\n"
        )
    };
    let text = format!("{HARD}{}{}", slab("left", -1.3, 100.0), slab("right", 1.3, -100.0));
    let built = scene_in(Path::new(""), &text, &["run.h=1/1200"]);
    let (tally, state) = watch_each("slabs at 100 m/s on each other", &built, 40, |_, _| {});
    assert_eq!(tally.unconverged, 0);
    assert!(mean_speed(&built, &state, 0) < -50.0 && mean_speed(&built, &state, 1) > 50.0);
}

/// Each crosses eight times its size in a step. The stage has its least value where they would be without each other, and Newton
/// finds a way around that cuts through nothing: they pass. What must hold is that no state is crossed and no momentum lost.
#[test]
fn two_balls_at_100_metres_a_second_keep_their_momentum() {
    let text = format!("{HARD}{}{}", ball("left", -1.3, 100.0), ball("right", 1.3, -60.0));
    let built = scene_in(Path::new(""), &text.replace("[1.3, 0, 0]", "[1.3, 0.01, 0.005]"), &["solver.linear=direct"]);
    let (tally, state) = watch_each("balls at 100 m/s on each other", &built, 10, |_, _| {});
    assert_eq!(tally.unconverged, 0);
    let speeds = [0, 1].map(|body| mean_speed(&built, &state, body));
    assert!((speeds[0] + speeds[1] - 40.0).abs() < 1e-8, "{speeds:?}");
}

/// Of a body, along x `[m/s]`
fn mean_speed(built: &Built, state: &State, body: usize) -> f64 {
    let nodes = built.model.bodies[body].nodes.clone();
    let mass = &built.model.node_mass;
    nodes.clone().map(|i| mass[i] * node_of(&state.v, i).x).sum::<f64>() / mass[nodes].iter().sum::<f64>()
}
