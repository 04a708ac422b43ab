//! The scene that most tests run: small, quick, and easily spoiled.

use super::place::{Place, text};

/// 64 nodes, ten steps, six frames.
pub const SMALL: &str = r#"
title = "Small box"

[run]
h = "1/100"
duration = 0.1
frame_rate = 50

[[material]]
name = "rubber"
law = "corotated"
youngs_modulus = 1e5

[[body]]
name = "cube"
material = "rubber"
box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }
velocity = { angular = [0, 5, 0] }

[[pin]]
body = "cube"
plane = { point = [-0.05, 0, 0], normal = [1, 0, 0] }
"#;

/// Two tets, in Gmsh's format 2.2; nodes on lines 6 to 10, tets on lines 14 and 15.
pub const TWO_TETS: &str = "$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
$EndNodes
$Elements
2
1 4 2 0 1 1 2 3 4
2 4 2 0 1 2 3 4 5
$EndElements
";

/// A place with the small scene in it.
pub fn small() -> Place {
    Place::with("small.toml", SMALL)
}

/// Runs the small scene quietly into a folder.
pub fn run_small(place: &Place, out: &str, more: &[&str]) {
    place.succeed(&[&["run", "small.toml", "--quiet", "--out", out], more].concat());
}

/// The small scene with one part replaced.
pub fn edited(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from}");
    SMALL.replacen(from, to, 1)
}

/// The small scene with a mesh from a file, without pins.
pub fn with_file(file: &str) -> String {
    let shape = "box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }";
    let scene = edited(shape, &format!("file = \"{file}\""));
    scene.split("[[pin]]").next().unwrap().to_owned()
}

/// Run and check refuse the scene with this code and these words, and leave nothing behind.
pub fn refused(place: &Place, scene: &str, set: &[&str], code: i32, parts: &[&str]) {
    let changes: Vec<&str> = set.iter().flat_map(|s| ["--set", *s]).collect();
    for verb in [&["run", scene, "--out", "out/run"][..], &["check", scene]] {
        let output = place.visviva(&[verb, &changes[..]].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{verb:?} {set:?}: {message}");
        assert!(message.starts_with("error: ") && message.trim_end().lines().count() == 1, "{message}");
        for part in parts {
            assert!(message.contains(part), "{verb:?} {set:?}: `{part}` is not in: {message}");
        }
        assert!(!place.path("out").exists(), "{verb:?} {set:?} left a folder");
    }
}
