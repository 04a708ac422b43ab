//! Contact that cannot begin or go on: what is said, what is drawn, and what is kept.

use super::place::{Place, text};
use std::fs;

/// A cube a millimetre over the ground.
const CUBE: &str = r#"
title = "A cube over the ground"
run = { h = "1/100", duration = 0.2, frame_rate = 100 }

[[material]]
name = "rubber"
youngs_modulus = 1e5

[[body]]
name = "cube"
material = "rubber"
box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
translate = [0, 0, 0.051]

[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

/// A plate that comes down onto the cube, whose every node is held.
const PRESS: &str = r#"
[[obstacle]]
name = "press"
box = { size = [0.3, 0.3, 0.02] }
translate = [0, 0, 0.2]
shift = [[0, 0, 0, 0], [0.2, 0, 0, -0.15]]

[[pin]]
body = "cube"
sphere = { centre = [0, 0, 0], radius = 1 }
"#;

/// What run says on standard error and check on both, each with this code.
fn both(place: &Place, set: &[&str], code: i32) -> [String; 2] {
    let changes: Vec<&str> = set.iter().flat_map(|s| ["--set", *s]).collect();
    [&["run", "scene.toml", "--quiet", "--overwrite", "--out", "out"][..], &["check", "scene.toml"]].map(|verb| {
        let output = place.visviva(&[verb, &changes[..]].concat());
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{verb:?} {set:?}: {said}");
        said
    })
}

fn has(said: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(said.contains(part), "`{part}` is not in: {said}"));
}

#[test]
fn a_start_intersection_is_refused_listed_and_drawn() {
    let place = Place::with("scene.toml", CUBE);
    let lowered = "body.0.translate=[0,0,0.04]";
    for said in both(&place, &[lowered], 2) {
        has(&said, &["error: scene.toml: `cube` and `ground` intersect at the start", "pairs of triangles in all"]);
        has(&said, &["of `cube` at (", "intersects triangle 0 of `ground` at (", "-0.0100", "move them apart"]);
    }
    assert_eq!(place.names(""), ["scene-intersections.vtu", "scene.toml"], "check draws, run leaves nothing");
    let drawn = fs::read_to_string(place.path("scene-intersections.vtu")).unwrap();
    has(&drawn, &["Name=\"body\"", "Name=\"triangle\"", "Name=\"kind\""]);
    let drawn = visviva::mesh::load_tri_mesh(place.path("scene-intersections.vtu")).unwrap().mesh;
    let lowest = drawn.positions.iter().fold(f64::INFINITY, |least, p| least.min(p.z));
    // Sixteen triangles of the cube's sides go through the ground's one.
    assert!(drawn.triangles.len() == 17 && (lowest + 0.01).abs() < 1e-15, "{} {lowest}", drawn.triangles.len());

    let output = place.visviva(&["check", "scene.toml", "--set", lowered, "--vtu", "there.vtu"]);
    let said = text(&output.stdout);
    has(&said, &["these triangles are in there.vtu", "… and 6 more"]);
    assert_eq!(said.lines().filter(|line| line.starts_with("triangle ")).count(), 10, "{said}");
    assert!(place.path("there.vtu").is_file());
    // A picture that cannot be written hides nothing.
    let output = place.visviva(&["check", "scene.toml", "--set", lowered, "--vtu", "no/such/folder.vtu"]);
    assert_eq!(output.status.code(), Some(2));
    has(&text(&output.stdout), &["warning: cannot write no/such/folder.vtu"]);
    has(&text(&output.stderr), &["intersect at the start"]);
}

#[test]
fn gaps_that_neither_precision_nor_the_reach_resolve_are_refused() {
    let place = Place::with("scene.toml", CUBE);
    let cases: [(&[&str], &[&str]); 3] = [
        // 10 fm over ground that reaches out to metres.
        (
            &["body.0.translate=[0,0,0.05000000000001]", "contact.reach=1e-6"],
            &["resolve no gap below", "coordinates of"],
        ),
        // 0.5 µm under a reach of a metre.
        (
            &["body.0.translate=[0,0,0.0500005]", "contact.reach=1"],
            &["contact.reach = 1 m can resolve no gap below 1 µm"],
        ),
        (&["contact.reach=1e-14"], &["contact.reach = 0.00000000000001 m", "take a longer reach"]),
    ];
    for (i, (set, parts)) in cases.into_iter().enumerate() {
        for said in both(&place, set, 2) {
            has(&said, parts);
            if i < 2 {
                has(&said, &["`cube` and `ground` are ", "m apart", "of `cube` at (", "triangle 0 of `ground`"]);
            }
        }
        assert_eq!(place.path("scene-intersections.vtu").is_file(), i < 2);
        let _ = fs::remove_file(place.path("scene-intersections.vtu"));
    }
    both(&place, &["body.0.translate=[0,0,0.0500005]"], 0);
}

#[test]
fn values_that_friction_and_reach_cannot_have_are_refused_or_warned_of() {
    let place = Place::with("scene.toml", CUBE);
    for (set, part) in [
        ("contact.friction=-0.1", "contact.friction = -0.1: a coefficient of friction must not be negative"),
        ("material.0.friction=-1", "body `cube`: its material's friction = -1"),
        ("obstacle.0.friction=-2", "obstacle `ground`: friction = -2"),
        ("friction=[{between=[\"cube\",\"ground\"],coefficient=-3}]", "friction between [\"cube\", \"ground\"] = -3"),
    ] {
        both(&place, &[set], 2).iter().for_each(|said| has(said, &[part]));
    }
    for said in both(&place, &["contact.reach=0.06", "run.duration=0.01"], 0) {
        has(&said, &["warning: contact.reach = 0.06 m is longer than the shortest edge of `cube`"]);
    }
}

#[test]
fn pinned_bodies_that_overlap_are_warned_of() {
    let held = "[[pin]]\nbody = \"other\"\nsphere = { centre = [0, 0, 0], radius = 1 }\n";
    let other =
        CUBE[CUBE.find("[[body]]").unwrap()..CUBE.find("[[obstacle]]").unwrap()].replace("\"cube\"", "\"other\"");
    let press = PRESS.replace("-0.15", "0");
    let place = Place::with("scene.toml", &format!("{CUBE}{}{press}{held}", other.replace("0.051", "0.081")));
    for said in both(&place, &[], 0) {
        has(&said, &["warning: `cube` and `other` overlap where both are held: they never touch each other"]);
    }
    // One of them free to move, they are refused.
    let place = Place::with("scene.toml", &format!("{CUBE}{}{press}", other.replace("0.051", "0.081")));
    both(&place, &[], 2).iter().for_each(|said| has(said, &["`cube` and `other` intersect at the start"]));
}

#[test]
fn an_obstacle_that_would_go_through_a_held_body_ends_the_run_with_all_that_was_good() {
    let place = Place::with("scene.toml", &format!("{CUBE}{PRESS}"));
    for integrator in ["a-search", "implicit-midpoint", "stormer-verlet"] {
        let run = ["run", "scene.toml", "--quiet", "--overwrite", "--out", "run", "--integrator", integrator];
        let output = place.visviva(&run);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{integrator}: {said}");
        has(&said, &["`press` cannot move on", "through `cube`", "what was done until then is in run"]);
        assert!(!said.contains("--h"), "a shorter step does not help: {said}");
        // It starts 89 mm above the cube and goes 7.5 mm a step.
        let folder = place.run_folder("run");
        let summary = folder.summary().unwrap().unwrap();
        assert_eq!((&summary["ending"]["kind"], &summary["steps"]), (&"failed".into(), &11.into()), "{integrator}");
        assert_eq!(folder.frames().unwrap().len(), 12);
    }
    let output = place.visviva(&["verify", "run"]);
    assert!(output.status.success(), "{}", text(&output.stdout));
    has(&text(&output.stdout), &["clean: 12 frames"]);
    let output = place.visviva(&["resume", "run", "--quiet"]);
    assert_eq!(output.status.code(), Some(1));
    has(&text(&output.stderr), &["`press` cannot move on", "through `cube`"]);
    // So fast that no step ends inside the cube.
    let fast = "obstacle.1.shift=[[0,0,0,0],[0.01,0,0,-0.5]]";
    let output = place.visviva(&["run", "scene.toml", "--quiet", "--out", "fast", "--set", fast]);
    assert_eq!(output.status.code(), Some(1));
    has(&text(&output.stderr), &["`press` cannot move on", "through `cube`"]);
    // A micrometre before the cube, and past it.
    for way in ["[0.2,0,0,-0.088999]", "[0.2,0.5,0,0.2]"] {
        let shift = format!("obstacle.1.shift=[[0,0,0,0],{way}]");
        let output = place.visviva(&["run", "scene.toml", "--quiet", "--overwrite", "--out", "near", "--set", &shift]);
        assert!(output.status.success(), "{way}: {}", text(&output.stderr));
    }
}

#[test]
fn an_energy_target_that_the_integrator_ignores_is_warned_of() {
    let place = Place::with("scene.toml", CUBE);
    let warning = "warning: run.integrator = \"bdf2\" follows no energy target";
    let decay = ["energy.target=decay", "energy.tau=1", "run.duration=0.01"];
    for said in both(&place, &[&decay[..], &["run.integrator=bdf2"]].concat(), 0) {
        has(&said, &[warning, "a-search follows it"]);
    }
    for said in both(&place, &["energy.start_scale=0.5", "run.duration=0.01", "run.integrator=bdf2"], 0) {
        has(&said, &[warning]);
    }
    for integrator in ["a-search", "a-search-sparse", "blending", "decoupled-sdirk2:alpha=search"] {
        let chosen = format!("run.integrator={integrator}");
        for said in both(&place, &[&decay[..], &[&chosen]].concat(), 0) {
            assert!(!said.contains("follows no"), "{integrator}: {said}");
        }
    }
    both(&place, &["run.integrator=bdf2", "run.duration=0.01"], 0)
        .iter()
        .for_each(|said| assert!(!said.contains("warning")));
}

#[test]
fn a_misspelt_gallery_scene_is_answered_with_the_likeliest() {
    let place = Place::with("scene.toml", CUBE);
    for command in ["gallery", "scenes", "run", "check"] {
        let output = place.visviva(&[command, "twisted-bra"]);
        assert_eq!(output.status.code(), Some(2), "{command}");
        has(&text(&output.stderr), &["twisted-bra", "dice-roll", "did you mean `twisted-bar`?"]);
    }
}
