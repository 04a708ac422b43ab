//! What is wrong with an affine body is named.

use super::{scene, try_scene};
use std::fs;

fn body(lines: &str) -> String {
    format!("[[body]]\nname = \"thing\"\nkind = \"affine\"\nmaterial = {{ youngs_modulus = 1e7 }}\n{lines}\n")
}

fn refused(text: &str, changes: &[&str], parts: &[&str]) {
    let message = try_scene(text, changes).expect_err("the scene should be refused").to_string();
    parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` is missing in: {message}"));
}

const CUBE: &str = "box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }";

/// A tetrahedron as OBJ, its corners shifted along x, after `count` vertices.
fn tetrahedron(shift: f64, count: usize, inside_out: bool) -> String {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let lines = corners.map(|[x, y, z]| format!("v {} {y} {z}\n", x + shift)).concat();
    let faces = [[1, 3, 2], [1, 2, 4], [2, 3, 4], [3, 1, 4]].map(|[a, b, c]| {
        let [b, c] = if inside_out { [c, b] } else { [b, c] };
        format!("f {} {} {}\n", a + count, b + count, c + count)
    });
    lines + &faces.concat()
}

fn with_file(obj: &str, then: impl Fn(&str)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shape.obj");
    fs::write(&path, obj).unwrap();
    then(&body(&format!("file = '{}'", path.display())));
}

#[test]
fn open_surfaces_are_refused_with_the_edge() {
    refused(&body("disc = { radius = 0.1, rings = 2 }"), &[], &["`thing`", "edge"]);
    let text = tetrahedron(0.0, 0, false);
    let open = text.rsplit_once("f 3 1 4").unwrap().0;
    with_file(open, |text| refused(text, &[], &["`thing`", "the surface is open", "a rim of 3 edges"]));
}

#[test]
fn a_surface_that_crosses_itself_is_refused_with_both_triangles() {
    let two = tetrahedron(0.0, 0, false) + &tetrahedron(0.25, 4, false);
    with_file(&two, |text| {
        refused(text, &[], &["`thing`", "triangle 0 at (0.3333, 0.3333, 0.0000)", "meets triangle", "cross"])
    });
    let apart = tetrahedron(0.0, 0, false) + &tetrahedron(1.5, 4, false);
    with_file(&apart, |text| assert_eq!(scene(text, &[]).model.bodies.len(), 1));
}

#[test]
fn a_surface_inside_out_is_flipped_with_a_warning() {
    with_file(&tetrahedron(0.0, 0, true), |text| {
        let built = scene(text, &[]);
        let warnings = built.warnings.join("\n");
        assert!(warnings.contains("`thing`") && warnings.contains("inside"), "{warnings}");
        let mass: f64 = built.model.node_mass.iter().sum();
        assert!((mass - 1000.0 / 6.0).abs() < 1e-10, "{mass}");
    });
}

#[test]
fn impossible_values_are_named() {
    let cube = body(CUBE);
    refused(&cube, &["body.0.mass=0"], &["`thing`", "mass", "positive", "0"]);
    refused(&cube, &["body.0.mass=-2"], &["`thing`", "mass", "-2"]);
    refused(&cube, &["body.0.material.youngs_modulus=0"], &["`thing`", "youngs_modulus", "positive"]);
    refused(&cube, &["body.0.material.youngs_modulus=-1e5"], &["`thing`", "youngs_modulus", "-100000"]);
    refused(&cube, &["body.0.material.density=-1"], &["`thing`", "density", "-1"]);
    refused(
        &body(&format!("{CUBE}\ndeform = [{{ kind = \"twist\", axis = \"z\", from = 0, to = 1, amount = 1 }}]")),
        &[],
        &["`thing`", "deform"],
    );
    refused(&cube, &["body.0.velocity.ramp={axis=\"z\",from=0,to=1,velocity=[1,0,0]}"], &["`thing`", "ramp"]);
    refused(&cube, &["body.0.kind=solid", "body.0.mass=1"], &["`thing`", "mass", "affine"]);
}

#[test]
fn rings_too_thick_to_interlock_are_refused() {
    let net = "chain_net = { rings = [2, 2], major_radius = 0.03, minor_radius = 0.009, segments = [24, 11] }";
    refused(&body(net), &[], &["`thing`", "clearance"]);
}
