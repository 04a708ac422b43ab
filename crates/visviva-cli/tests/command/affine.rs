//! Runs with affine bodies through all commands: frames hold their nodes, pictures and exports their surfaces.

use super::place::Place;
use std::fs;

/// Three links of a chain, a ball that falls onto them and a soft cube beside them.
const SCENE: &str = r#"
title = "Links, a ball and a cube"
run = { h = "1/100", duration = 0.1, frame_rate = 100 }

[[material]]
name = "stiff"
youngs_modulus = 1e7

[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
box = { size = [0.05, 0.05, 0.05], cells = [1, 1, 1] }
translate = [0.15, 0, 0]

[[body]]
name = "chain"
kind = "affine"
material = "stiff"
chain_net = { rings = [2, 1], major_radius = 0.03, minor_radius = 0.005, segments = [12, 6] }

[[body]]
name = "ball"
kind = "affine"
material = "stiff"
icosphere = { radius = 0.03, subdivisions = 1 }
translate = [0, 0, 0.075]
velocity = { linear = [0, 0, -1] }

[[pin]]
body = "chain"
halfspace = { point = [0.05, 0, 0], normal = [1, 0, 0] }
"#;

/// Vertices: 8 of the cube, 3 links of 72, 42 of the ball; nodes: 8, then 4 for each affine body.
const VERTICES: usize = 8 + 3 * 72 + 42;
const NODES: usize = 8 + 4 * 4;

#[test]
fn a_run_is_verified_drawn_and_exported_by_its_surfaces() {
    let place = Place::with("links.toml", SCENE);
    place.succeed(&["run", "links.toml", "--quiet", "--out", "run"]);
    for file in ["vertex_nodes.npy", "vertex_weights.npy"] {
        assert!(place.path("run/mesh").join(file).exists(), "{file}");
    }
    let folder = place.run_folder("run");
    assert_eq!(folder.read_frame(10).unwrap().x.len(), NODES);
    let bodies = folder.mesh().unwrap().bodies;
    let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["cube", "chain.node-0-0", "chain.node-1-0", "chain.join-x-0-0", "ball"]);
    assert_eq!(bodies[4].vertices, [VERTICES - 42, VERTICES]);

    let printed = place.succeed(&["verify", "run"]);
    assert!(printed.contains("clean: 11 frames of 524 triangles"), "{printed}");

    place.succeed(&["export", "run", "--every", "5"]);
    let surfaces = visviva::mesh::load_tri_mesh(place.path("run/vtk/surfaces_000010.vtu")).unwrap().mesh;
    assert!(surfaces.triangles.len() >= 524 - 12, "{}", surfaces.triangles.len());
    // The ball is where its nodes say: it has fallen, and its surface lies round its first node.
    let node = folder.read_frame(10).unwrap().x[NODES - 4];
    let ball = surfaces.positions.iter().map(|p| (p - nalgebra::Vector3::from(node)).norm() - 0.03);
    assert!(node[2] < 0.074 && ball.filter(|d| d.abs() < 1e-4).count() >= 42, "{node:?}");
    assert!(place.path("run/vtk/solids_000010.vtu").exists(), "the cube's tets");

    place.succeed(&["render", "run", "--sheet", "4", "--size", "320x180"]);
    let pictures: Vec<_> = fs::read_dir(place.path("run/pictures")).unwrap().collect();
    assert_eq!(pictures.len(), 1);
}

#[test]
fn one_thread_and_two_write_the_same_frames() {
    let place = Place::with("links.toml", SCENE);
    for threads in ["1", "2"] {
        place.succeed(&["run", "links.toml", "--quiet", "--out", threads, "--threads", threads]);
    }
    for frame in ["000003.npy", "000007.npy", "000010.npy"] {
        let read = |run: &str| fs::read(place.path(run).join("frames").join(frame)).unwrap();
        assert_eq!(read("1"), read("2"), "{frame}");
    }
}

#[test]
fn a_solid_that_comes_after_affine_bodies_is_judged_where_it_is() {
    let place = Place::with("links.toml", SCENE);
    let (before, cube) = SCENE.split_once("[[body]]").unwrap();
    let (cube, after) = cube.split_once("[[body]]").unwrap();
    place.write("links.toml", &format!("{before}[[body]]{after}[[body]]{cube}"));
    place.succeed(&["run", "links.toml", "--quiet", "--out", "run"]);
    let printed = place.succeed(&["verify", "run"]);
    // It falls freely, undeformed, and the others are stiff.
    assert!(printed.contains("smallest J 1.0000 ("), "{printed}");
}

/// Changes the nodes of the ball, the last ones, and those of the cube, the first ones, in a frame.
fn tamper(place: &Place, frame: u64, change: impl Fn(&mut [[f64; 3]])) {
    let folder = place.run_folder("run");
    let info = folder.frames().unwrap().into_iter().find(|info| info.index == frame).unwrap();
    let visviva::run::Frame { mut x, v } = folder.read_frame(frame).unwrap();
    change(&mut x);
    folder.write_frame(frame, info.step, info.t, x.as_flattened(), v.as_flattened()).unwrap();
}

#[test]
fn an_affine_body_that_is_turned_or_flat_or_holds_another_is_found() {
    let place = Place::with("links.toml", SCENE);
    place.succeed(&["run", "links.toml", "--quiet", "--out", "run"]);
    // A mirror image crosses nothing.
    tamper(&place, 2, |x| x.swap(NODES - 2, NODES - 3));
    // Flat to the last bit: the frame's third edge lies along its first.
    tamper(&place, 4, |x| x[NODES - 1] = x[NODES - 3]);
    // The cube shrunk into the middle of the ball.
    tamper(&place, 6, |x| {
        let centre = x[NODES - 4];
        let middle: [f64; 3] = std::array::from_fn(|c| x[..8].iter().map(|x| x[c]).sum::<f64>() / 8.0);
        x[..8].iter_mut().for_each(|x| *x = std::array::from_fn(|c| centre[c] + 0.2 * (x[c] - middle[c])));
    });
    let output = place.visviva(&["verify", "run", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let told = |frame: u64, kind: &str| {
        let problems = report["problems"].as_array().unwrap();
        let found = problems.iter().find(|problem| problem["frame"] == frame && problem["kind"] == kind);
        found.map(|problem| problem["text"].as_str().unwrap().to_owned())
    };
    assert_eq!(told(2, "inverted-body").as_deref(), Some("`ball` is flat or turned inside out"), "{report}");
    assert_eq!(told(4, "inverted-body").as_deref(), Some("`ball` is flat or turned inside out"), "{report}");
    assert_eq!(report["smallest_j_body"], "ball");
    assert!((report["smallest_j"].as_f64().unwrap() + 1.0).abs() < 0.01, "{report}");
    fs::remove_file(place.path("run/frames/000002.npy")).unwrap();
    fs::remove_file(place.path("run/frames/000004.npy")).unwrap();
    let output = place.visviva(&["verify", "run"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("frame 6, t = 0.0600 s: `cube` lies inside `ball`"), "{printed}");
}
