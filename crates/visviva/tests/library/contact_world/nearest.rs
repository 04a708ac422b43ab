//! What statistics say of contact belongs to the position they are written with.

use crate::scenes::{scene_in, world};
use std::fs;
use visviva::simulation::Simulation;
use visviva::solve::Backend;

/// A pyramid that stands on its tip, and one below it, upside down.
fn spike(up: bool) -> String {
    let height = if up { -0.2 } else { 0.2 };
    let base = [[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [-0.05, 0.05]];
    let corners = base.map(|[x, y]| format!("v {x} {y} {height}\n")).concat();
    let faces = [[1, 2, 3], [1, 3, 4], [2, 1, 5], [3, 2, 5], [4, 3, 5], [1, 4, 5]];
    let turned = faces.map(|[a, b, c]| if up { format!("f {a} {c} {b}\n") } else { format!("f {a} {b} {c}\n") });
    format!("{corners}v 0 0 0\n{}", turned.concat())
}

#[test]
fn the_first_steps_distances_are_those_of_its_end_with_every_kind_of_method() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("down.obj"), spike(false)).unwrap();
    fs::write(folder.path().join("up.obj"), spike(true)).unwrap();
    let text = r#"
[[body]]
name = "spike"
kind = "affine"
material = { youngs_modulus = 1e8 }
file = "down.obj"
translate = [0, 0, 0.01]
velocity = { linear = [0, 0, -3] }
[[obstacle]]
name = "up"
file = "up.obj"
"#;
    for method in ["a-search", "implicit-euler", "bdf2", "decoupled:tableau=sdirk2,alpha=1", "blending"] {
        let built = scene_in(folder.path(), text, &["run.h=1/60", &format!("run.integrator={method}")]);
        let (mut stepping, mut judge) = (world(&built), world(&built));
        let mut simulation =
            Simulation::new(&mut stepping, built.start.clone(), built.integrator.build(), &built.plan, built.h)
                .unwrap();
        for step in 1..=3 {
            simulation.step().unwrap();
            let told = simulation.evaluation().contact_state();
            let found = judge.evaluation(&simulation.state.x).contact_state();
            assert_eq!(told, found, "{method}, step {step}");
            assert!(step > 1 || told.min_distance.is_some_and(|d| d > 1e-4), "{method}: {told:?}");
        }
    }
}
