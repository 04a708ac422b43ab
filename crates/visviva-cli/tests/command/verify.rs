//! `visviva verify`: honest runs are clean, and every kind of damage is found and named.

use super::place::{Place, text};
use std::fs;
use visviva::run::Frame;

/// A cube falls onto the ground, a smaller one onto it; a wall stands through the ground.
const FALL: &str = r#"
title = "Two cubes fall"
run = { h = "1/100", duration = 0.1, frame_rate = 100 }

[[material]]
name = "rubber"
youngs_modulus = 1e5

[[body]]
name = "cube"
material = "rubber"
box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
translate = [0, 0, 0.052]
velocity = { linear = [0, 0, -1] }

[[body]]
name = "small"
material = "rubber"
box = { size = [0.04, 0.04, 0.04], cells = [1, 1, 1] }
translate = [0.011, 0.013, 0.125]
velocity = { linear = [0, 0, -1] }

[[obstacle]]
name = "ground"
plane = { size = 4 }

[[obstacle]]
name = "wall"
box = { size = [0.1, 1, 1] }
translate = [0.5, 0, 0]
"#;

/// With a run of eleven frames in `run`.
fn fallen() -> Place {
    let place = Place::with("fall.toml", FALL);
    place.succeed(&["run", "fall.toml", "--quiet", "--out", "run"]);
    place
}

/// Changes the positions of a body in a frame.
fn tamper(place: &Place, frame: u64, body: usize, change: impl Fn(usize, &mut [f64; 3])) {
    let folder = place.run_folder("run");
    let info = folder.frames().unwrap().into_iter().find(|info| info.index == frame).unwrap();
    let Frame { mut x, v } = folder.read_frame(frame).unwrap();
    let [first, end] = folder.mesh().unwrap().bodies[body].vertices;
    x[first..end].iter_mut().enumerate().for_each(|(i, x)| change(i, x));
    folder.write_frame(frame, info.step, info.t, x.as_flattened(), v.as_flattened()).unwrap();
    // What is judged here are positions, not whether the run wrote them.
    folder.checkpoint_paths().iter().filter(|path| path.exists()).for_each(|path| fs::remove_file(path).unwrap());
}

/// What is printed about a run that is not clean.
fn fails(place: &Place, args: &[&str], parts: &[&str]) -> String {
    let output = place.visviva(&[&["verify", "run"], args].concat());
    let (printed, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{printed}{error}");
    assert!(error.contains("error: run: ") && error.contains("of 11 frames"), "{error}");
    parts.iter().for_each(|part| assert!(printed.contains(part), "`{part}` is not in: {printed}"));
    printed
}

#[test]
fn a_run_in_contact_is_clean_and_what_its_scene_allows_is_said() {
    let place = fallen();
    // The cubes have met the ground and each other.
    let stats = fs::read_to_string(place.path("run/stats.csv")).unwrap();
    let column = stats.lines().next().unwrap().split(',').position(|name| name == "active_pairs").unwrap();
    assert!(stats.lines().skip(1).any(|line| line.split(',').nth(column).unwrap().parse::<u64>().unwrap() > 8));
    let output = place.visviva(&["verify", "run", "--vtu", "bad.vtu"]);
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{printed}{}", text(&output.stderr));
    assert!(printed.contains("clean: 11 frames of 73 triangles and 54 tets; smallest J 0."), "{printed}");
    assert!(printed.contains("allowed by the scene: `ground` through `wall` (both are obstacles)"), "{printed}");
    assert!(!place.path("bad.vtu").exists(), "nothing to show");
    let output = place.visviva(&["verify", "run", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["clean"], &report["frames"]), (&true.into(), &11.into()));
    assert!((0.3..1.0).contains(&report["smallest_j"].as_f64().unwrap()), "{report}");
    fails(&place, &["--strict"], &["of `ground`", "of `wall`", "… and"]);
}

#[test]
fn an_inverted_tet_is_named() {
    let place = fallen();
    // The corner at the start of the numbering goes past the middle of the cube.
    tamper(&place, 4, 0, |node, x| {
        if node == 0 {
            x.iter_mut().for_each(|c| *c += 0.09);
        }
    });
    let printed = fails(&place, &["--vtu", "bad.vtu"], &["frame 4, t = 0.0400 s: tet ", "of `cube` is inverted"]);
    assert!(!printed.contains("frame 5"), "{printed}");
    let shown = visviva::mesh::load_tri_mesh(place.path("bad.vtu")).unwrap().mesh;
    assert!(shown.triangles.len() >= 4, "{}", shown.triangles.len());
}

#[test]
fn overlapping_bodies_are_named_with_triangles_and_places_and_told_ten_at_a_time() {
    let place = fallen();
    tamper(&place, 3, 1, |_, x| x[2] -= 0.03);
    let printed = fails(
        &place,
        &["--vtu", "bad.vtu"],
        &["frame 3, t = 0.0300 s: triangle ", "of `cube` at (", "intersects triangle ", "of `small` at (", "… and "],
    );
    assert_eq!(printed.lines().filter(|line| line.starts_with("frame 3")).count(), 10);
    let output = place.visviva(&["verify", "run", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let problem = &report["problems"][0];
    assert_eq!(problem["kind"], "intersection");
    assert_eq!(problem["bodies"], serde_json::json!(["cube", "small"]));
    assert_eq!(
        (problem["indices"].as_array().unwrap().len(), problem["positions"][1].as_array().unwrap().len()),
        (2, 3)
    );
    assert!(report["problem_count"].as_u64().unwrap() > 10 && report["bad_frames"] == 1);
    // What is shown are those triangles, where they are.
    let shown = visviva::mesh::load_tri_mesh(place.path("bad.vtu")).unwrap().mesh;
    let corner = &problem["positions"][0][0];
    // JSON readers may round the last digit.
    let is_corner = |p: &nalgebra::Vector3<f64>| (0..3).all(|k| (p[k] - corner[k].as_f64().unwrap()).abs() < 1e-15);
    assert!(shown.positions.iter().any(is_corner), "{corner}");
}

#[test]
fn faces_that_lie_in_each_other_without_crossing_are_found() {
    let place = fallen();
    let lowest = -0.05 + 0.052;
    let rest = place.run_folder("run").mesh().unwrap().rest;
    tamper(&place, 10, 0, |node, x| {
        if rest[node][2] < lowest + 1e-9 {
            x[2] = 0.0;
        }
    });
    let printed = fails(&place, &[], &["frame 10", "of `cube`", "intersects triangle 0 of `ground`"]);
    assert!(!printed.contains("inverted"), "only the touch is wrong: {printed}");
}

#[test]
fn a_body_swallowed_whole_and_what_is_no_number_are_found() {
    let place = fallen();
    let centre = |frame: u64, body: usize| {
        let folder = place.run_folder("run");
        let [first, end] = folder.mesh().unwrap().bodies[body].vertices;
        let x = folder.read_frame(frame).unwrap().x;
        (first..end).map(|node| x[node][2]).sum::<f64>() / (end - first) as f64
    };
    let way = centre(0, 0) - centre(0, 1);
    tamper(&place, 0, 1, |_, x| x[2] += way);
    tamper(&place, 2, 1, |node, x| x[1] = if node == 5 { f64::NAN } else { x[1] });
    let parts = ["frame 0, t = 0.0000 s: `small` lies inside `cube`", "frame 2", "node 5 of `small` is not finite"];
    let printed = fails(&place, &["--vtu", "bad.vtu"], &parts);
    assert_eq!(printed.lines().filter(|line| line.starts_with("frame")).count(), 2, "{printed}");
    assert_eq!(visviva::mesh::load_tri_mesh(place.path("bad.vtu")).unwrap().mesh.triangles.len(), 12);
}

#[test]
fn a_run_cut_short_is_judged_as_far_as_it_went_and_bad_folders_are_refused() {
    let place = fallen();
    fs::remove_file(place.path("run/summary.json")).unwrap();
    fs::write(place.path("run/frames/000011.npy"), b"half").unwrap();
    fs::remove_file(place.path("run/frames/000006.npy")).unwrap();
    let output = place.visviva(&["verify", "run"]);
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{printed}{said}");
    assert!(printed.contains("frames/000006.npy is missing") && !printed.contains("clean"), "{printed}");
    assert!(
        said.contains("note: frame 11 is not listed") && said.contains("what is left is free of problems"),
        "{said}"
    );

    let fail = |args: &[&str], parts: &[&str]| drop(place.fail(args, 1, parts));
    place.fail(&["verify", "nowhere"], 2, &["nowhere: there is no such folder"]);
    place.fail(&["verify", "."], 2, &["not the folder of a run"]);
    fs::write(place.path("run/frames/000003.npy"), b"half").unwrap();
    let output = place.visviva(&["verify", "run"]);
    assert!(text(&output.stdout).contains("frame 3 cannot be judged: ") && output.status.code() == Some(1));
    let times = "frame,step,t\n";
    fs::write(place.path("run/frames/times.csv"), times).unwrap();
    fail(&["verify", "run"], &["run: the run has no frames to verify"]);
}

#[test]
fn parts_that_a_scene_holds_through_each_other_are_allowed() {
    let place = fallen();
    let second =
        "[[body]]\nname = \"other\"\nmaterial = \"rubber\"\nbox = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }\n";
    let held = |body: &str| format!("[[pin]]\nbody = \"{body}\"\nsphere = {{ centre = [0, 0, 1], radius = 1 }}\n");
    let first = FALL.replace("translate = [0, 0, 0.052]\nvelocity = { linear = [0, 0, -1] }", "translate = [0, 0, 1]");
    let scene = format!("{first}{second}translate = [0, 0, 1.05]\n{}{}", held("cube"), held("other"));
    fs::write(place.path("held.toml"), scene).unwrap();
    let output = place.visviva(&["run", "held.toml", "--quiet", "--out", "held", "--duration", "0.02"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("warning: `cube` and `other` overlap where both are held"));
    let output = place.visviva(&["verify", "held"]);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).contains("`cube` through `other` (both are held there)"), "{}", text(&output.stdout));
}

#[test]
fn a_wire_through_a_body_or_inside_it_is_named_and_one_beside_it_is_not() {
    let place = fallen();
    fs::write(place.path("wire.obj"), "v -1 0.2 0.05\nv 0 0.2 0.05\nv 1 0.2 0.05\nl 1 2 3\n").unwrap();
    let scene = format!("{FALL}\n[[obstacle]]\nname = \"line\"\nfile = \"wire.obj\"\n");
    fs::write(place.path("fall.toml"), scene).unwrap();
    let output = place.visviva(&["run", "fall.toml", "--quiet", "--overwrite", "--out", "run"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let judge = || {
        let output = place.visviva(&["verify", "run", "--vtu", "bad.vtu"]);
        (output.status.code(), text(&output.stdout))
    };
    // It goes through the wall, which is an obstacle as well.
    let (code, printed) = judge();
    assert!(code == Some(0) && printed.contains("73 triangles, 2 wires and"), "{printed}");
    assert!(printed.contains("wires of `line` through `wall` (both are obstacles)"), "{printed}");

    let line = place.run_folder("run").mesh().unwrap().bodies.len() - 1;
    tamper(&place, 4, line, |_, x| x[1] = 0.06);
    assert_eq!(judge().0, Some(0), "beside the cube, which ends at 0.05 m");
    tamper(&place, 4, line, |_, x| x[1] = 0.03);
    let printed =
        fails(&place, &["--vtu", "bad.vtu"], &["frame 4, t = 0.0400 s: wire 0 of `line` at (", "of `cube` at ("]);
    assert!(!printed.contains("frame 3") && !printed.contains("frame 5"), "{printed}");
    let bytes = fs::read(place.path("bad.vtu")).unwrap();
    let shown = visviva::mesh::formats::read_raw(&bytes, std::path::Path::new("bad.vtu")).unwrap();
    assert_eq!(shown.skipped, [("lines".to_owned(), 2)].into(), "both wires, each once");
    assert!(shown.triangles.len() >= 2, "{}", shown.triangles.len());

    // All of it within the cube.
    tamper(&place, 4, line, |node, x| *x = [0.01 * node as f64, 0.01, 0.05]);
    fails(&place, &[], &["frame 4, t = 0.0400 s: wire 0 of `line` at (", "lies inside `cube`"]);
    let output = place.visviva(&["verify", "run", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let problem = &report["problems"][1];
    assert_eq!((&problem["kind"], &problem["indices"]), (&"wire-inside".into(), &serde_json::json!([1])));
}
