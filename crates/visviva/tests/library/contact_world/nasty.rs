//! Scenes that break collision handling: spikes, cracks, needles, flush faces, corners, stacks, long steps, tiny reaches.

use super::GROUND;
use super::watch::{scene_in, watch, watch_each, write_mesh, write_obj};
use nalgebra::Vector3;
use std::path::Path;
use visviva::mesh::{TetMesh, generate};
use visviva::model::bodies::node_of;

const MATERIALS: &str = r#"
[[material]]
name = "soft"
youngs_modulus = 1e5
[[material]]
name = "firm"
youngs_modulus = 1e6
[[material]]
name = "corotated"
law = "corotated"
youngs_modulus = 1e6
[[material]]
name = "stable"
law = "stable-neo-hookean"
youngs_modulus = 1e6
[[material]]
name = "fixed-corotated"
law = "fixed-corotated"
youngs_modulus = 1e6
"#;

const CONTACT: &str = "[contact]\nself_contact = true\nfriction = 0.3\n";

fn body(name: &str, material: &str, more: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nmaterial = \"{material}\"\n{more}\n")
}

fn nowhere() -> &'static Path {
    Path::new("")
}

/// A box whose sections shrink linearly towards its lower end.
fn tapered(size: [f64; 3], cells: [usize; 3], tip: [f64; 2]) -> TetMesh {
    let mut mesh = generate::cuboid(size.into(), cells).unwrap();
    for p in &mut mesh.positions {
        let up = p.z / size[2] + 0.5;
        p.x *= tip[0] / size[0] * (1.0 - up) + up;
        p.y *= tip[1] / size[1] * (1.0 - up) + up;
    }
    mesh
}

#[test]
fn a_spike_goes_into_a_hole_of_its_own_slope() {
    let folder = tempfile::tempdir().unwrap();
    write_mesh(&folder.path().join("spike.msh"), &tapered([0.04, 0.04, 0.12], [2, 2, 6], [0.004, 0.004]));
    // A pyramid upside down, sides parallel to the spike's.
    let (w, depth) = (0.018, 0.12);
    write_obj(
        &folder.path().join("hole.obj"),
        &[[-w, -w, 0.0], [w, -w, 0.0], [w, w, 0.0], [-w, w, 0.0], [0.0, 0.0, -depth]],
        &[&[1, 2, 5], &[2, 3, 5], &[3, 4, 5], &[4, 1, 5]],
    );
    let spike =
        body("spike", "firm", "file = \"spike.msh\"\ntranslate = [0, 0, 0.065]\nvelocity = { linear = [0, 0, -2] }");
    let hole = "[[obstacle]]\nname = \"hole\"\nfile = \"hole.obj\"\n";
    let built = scene_in(folder.path(), &format!("{CONTACT}{MATERIALS}{spike}{hole}"), &[]);
    let (_, state) = watch("spike in a hole", &built, 60);
    let lowest = (0..built.model.bodies[0].nodes.end).map(|i| node_of(&state.x, i).z).fold(f64::INFINITY, f64::min);
    assert!(lowest < -0.05 && lowest > -depth, "{lowest}");
}

#[test]
fn a_wedge_is_driven_into_a_crack_that_is_too_narrow() {
    let folder = tempfile::tempdir().unwrap();
    write_mesh(&folder.path().join("wedge.msh"), &tapered([0.06, 0.04, 0.1], [2, 2, 5], [0.002, 0.04]));
    let (w, depth, far) = (0.02, 0.1, 0.2);
    write_obj(
        &folder.path().join("crack.obj"),
        &[
            [-far, -far, 0.0],
            [-far, far, 0.0],
            [-w, -far, 0.0],
            [-w, far, 0.0],
            [0.0, -far, -depth],
            [0.0, far, -depth],
            [w, -far, 0.0],
            [w, far, 0.0],
            [far, -far, 0.0],
            [far, far, 0.0],
        ],
        &[&[1, 3, 4, 2], &[3, 5, 6, 4], &[5, 7, 8, 6], &[7, 9, 10, 8]],
    );
    let wedge = body(
        "wedge",
        "soft",
        "file = \"wedge.msh\"\ntranslate = [0.002, 0, 0.055]\nvelocity = { linear = [0, 0, -4] }",
    );
    let crack = "[[obstacle]]\nname = \"crack\"\nfile = \"crack.obj\"\n";
    let built = scene_in(folder.path(), &format!("{CONTACT}{MATERIALS}{wedge}{crack}"), &[]);
    watch("wedge in a crack", &built, 60);
}

#[test]
fn a_cube_falls_on_its_edge_and_on_its_corner() {
    let corner = std::f64::consts::PI - (1.0f64 / 3.0f64.sqrt()).acos();
    for (name, axis, angle) in [("edge", "[0, 1, 0]", std::f64::consts::FRAC_PI_4), ("corner", "[1, -1, 0]", corner)] {
        for (material, law) in [("soft", "neo-hookean"), ("stable", "stable-neo-hookean")] {
            let cube = body(
                "cube",
                material,
                &format!(
                    "box = {{ size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }}\nrotate = {{ axis = {axis}, angle = {angle} }}\ntranslate = [0, 0, 0.1]\nvelocity = {{ linear = [0, 0, -2] }}"
                ),
            );
            let built = scene_in(nowhere(), &format!("{CONTACT}{MATERIALS}{cube}{GROUND}"), &[]);
            watch(&format!("cube on its {name}, {law}"), &built, 60);
        }
    }
}

#[test]
fn blocks_slide_flush_along_each_other_and_over_a_seam_of_coplanar_tops() {
    let shape = "box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }\n";
    let first =
        body("first", "firm", &format!("{shape}translate = [0, 0, 0.05097]\nvelocity = {{ linear = [1.5, 0, 0] }}"));
    let second = body(
        "second",
        "corotated",
        &format!("{shape}translate = [0, 0.10097, 0.05097]\nvelocity = {{ linear = [0.5, -0.02, 0] }}"),
    );
    let upper = body(
        "upper",
        "fixed-corotated",
        &format!("{shape}translate = [0, 0, 0.15194]\nvelocity = {{ linear = [1, 0, 0] }}"),
    );
    let boxes = "[[obstacle]]\nname = \"near\"\nbox = { size = [0.2, 0.4, 0.1] }\ntranslate = [0, 0, -0.05]\n[[obstacle]]\nname = \"far\"\nbox = { size = [0.6, 0.4, 0.1] }\ntranslate = [0.4005, 0, -0.05]\n";
    let built = scene_in(nowhere(), &format!("{CONTACT}{MATERIALS}{first}{second}{upper}{boxes}"), &[]);
    let (_, state) = watch("coplanar faces", &built, 48);
    assert!(node_of(&state.x, built.model.bodies[0].nodes.start).x > 0.15, "it slid over the seam");
}

#[test]
fn a_cube_falls_on_a_needle() {
    let folder = tempfile::tempdir().unwrap();
    let r = 0.002;
    write_obj(
        &folder.path().join("needle.obj"),
        &[[0.0, 0.0, 0.0], [r, 0.0, -0.1], [-0.5 * r, 0.87 * r, -0.1], [-0.5 * r, -0.87 * r, -0.1]],
        &[&[1, 2, 3], &[1, 3, 4], &[1, 4, 2], &[2, 4, 3]],
    );
    let needle = "[[obstacle]]\nname = \"needle\"\nfile = \"needle.obj\"\n";
    let floor = "[[obstacle]]\nname = \"floor\"\nplane = { point = [0, 0, -0.101], size = 4 }\n";
    for place in ["[0, 0, 0.06]", "[0.012, 0.007, 0.06]"] {
        let cube = body(
            "cube",
            "soft",
            &format!(
                "box = {{ size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }}\ntranslate = {place}\nvelocity = {{ linear = [0, 0, -1.5] }}"
            ),
        );
        let built = scene_in(folder.path(), &format!("{CONTACT}{MATERIALS}{cube}{needle}{floor}"), &[]);
        watch(&format!("cube on a needle at {place}"), &built, 60);
    }
}

#[test]
fn a_stack_of_ten_cubes_stands() {
    let laws = ["firm", "corotated", "stable", "fixed-corotated", "firm"];
    let cubes: String = (0..10)
        .map(|i| {
            let z = 0.0507 + 0.1007 * i as f64;
            body(
                &format!("cube{i}"),
                laws[i % 5],
                &format!("box = {{ size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }}\ntranslate = [0, 0, {z}]"),
            )
        })
        .collect();
    let built = scene_in(nowhere(), &format!("{CONTACT}{MATERIALS}{cubes}{GROUND}"), &[]);
    let (_, state) = watch("stack of ten", &built, 60);
    let top = built.model.bodies[9].nodes.clone();
    let mean = top.clone().map(|i| node_of(&state.x, i)).sum::<Vector3<f64>>() / top.len() as f64;
    assert!(mean.xy().norm() < 0.01 && mean.z > 0.9, "{mean}");
}

#[test]
fn steps_of_a_tenth_of_a_second_go_through_nothing() {
    let falling = [
        (
            "torus",
            "soft",
            "torus = { major_radius = 0.08, minor_radius = 0.03, rings = 1, around = 12 }\nrotate = { axis = [1, 0.2, 0], angle = 0.6 }\ntranslate = [0, 0, 0.3]",
        ),
        (
            "rod",
            "firm",
            "cylinder = { radius = 0.025, height = 0.2, rings = 1, layers = 4 }\nrotate = { axis = [1, 0, 0], angle = 0.3 }\ntranslate = [0, 0, 0.55]\nvelocity = { linear = [0, 0, -5] }",
        ),
    ];
    let bodies: String = falling.iter().map(|(name, material, more)| body(name, material, more)).collect();
    let text = format!("{CONTACT}{MATERIALS}{bodies}{GROUND}");
    for integrator in ["a-search", "implicit-euler"] {
        let built = scene_in(
            nowhere(),
            &text,
            &["run.h=1/10", "solver.max_iterations=500", &format!("run.integrator={integrator}")],
        );
        watch(&format!("h = 1/10 s, {integrator}"), &built, 30);
    }
}

/// A tumbling cube within 10 µm of what it touches: straight steps of bodies that turn are cut to what the gap allows, so that
/// Newton once needed sixty of them in the worst time step.
#[test]
fn a_reach_of_ten_micrometres_is_enough_for_bodies_that_tumble() {
    let cube = body(
        "cube",
        "soft",
        "box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }\nrotate = { axis = [1, 2, 0.3], angle = 0.7 }\ntranslate = [0, 0, 0.15]\nvelocity = { linear = [0.5, 0, -2] }",
    );
    let ball = body(
        "ball",
        "firm",
        "ball = { radius = 0.04, shells = 2 }\ntranslate = [0.02, 0, 0.3]\nvelocity = { linear = [0, 0, -3] }",
    );
    let text = format!("{CONTACT}{MATERIALS}{cube}{ball}{GROUND}");
    let built = scene_in(nowhere(), &text, &["contact.reach=1e-5"]);
    let (tally, _) = watch("reach of 10 µm", &built, 60);
    assert!(tally.min_distance < 1e-5);
    // Thirty-five where steps were told of one meeting a pair of bodies, and friction went to and fro.
    assert!(tally.most <= 20, "{tally:?}");
}

#[test]
fn a_reach_of_a_micrometre_is_enough_for_a_cube_that_falls_flat() {
    let cube = body(
        "cube",
        "soft",
        "box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }\ntranslate = [0, 0, 0.06]\nvelocity = { linear = [0.5, 0, -2] }",
    );
    let built = scene_in(nowhere(), &format!("{CONTACT}{MATERIALS}{cube}{GROUND}"), &["contact.reach=1e-6"]);
    let (tally, _) = watch("reach of 1 µm", &built, 60);
    assert!(tally.min_distance < 1e-6);
}

/// Within a micrometre of each other Newton can press bodies to a gap of picometres and end without having converged. What must
/// hold then: the run goes on, no state is crossed, and the few steps that did not converge say so.
#[test]
fn at_a_reach_of_a_micrometre_bodies_on_bodies_stay_apart_and_unfinished_solves_are_reported() {
    let cube = body(
        "cube",
        "soft",
        "box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }\nrotate = { axis = [1, 2, 0.3], angle = 0.7 }\ntranslate = [0, 0, 0.15]\nvelocity = { linear = [0.5, 0, -2] }",
    );
    let ball = body(
        "ball",
        "firm",
        "ball = { radius = 0.04, shells = 2 }\ntranslate = [0.02, 0, 0.3]\nvelocity = { linear = [0, 0, -3] }",
    );
    let shape = "box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }\n";
    let lower =
        body("lower", "soft", &format!("{shape}translate = [0, 0, 0.06]\nvelocity = {{ linear = [0.2, 0, -1] }}"));
    let upper =
        body("upper", "firm", &format!("{shape}translate = [0.02, 0.01, 0.18]\nvelocity = {{ linear = [0, 0, -2] }}"));
    for (name, bodies) in [("tumbling", cube + &ball), ("falling flat", lower + &upper)] {
        let text = format!("{CONTACT}{MATERIALS}{bodies}{GROUND}");
        let built = scene_in(nowhere(), &text, &["contact.reach=1e-6", "solver.max_iterations=300"]);
        let (tally, _) = watch_each(&format!("reach of 1 µm, {name}"), &built, 60, |_, _| {});
        assert!(tally.touching > 0 && tally.unconverged <= 4, "{name}: {tally:?}");
    }
}
