//! Timing scenes beside others' figures, and what held steps that took long or did not converge.

use super::place::{Place, text};
use super::small_scene::small;

/// A soft cube is thrown at the ground, within its reach after two steps.
const THROWN: &str = r#"
title = "Thrown cube"
run = { h = "1/100", duration = 0.06, integrator = "implicit-euler" }
contact = { friction = 0.3 }
[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
translate = [0, 0, 0.1]
velocity = { linear = [1, 0, -3] }
[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

#[test]
fn a_scene_file_is_timed_with_its_own_method_beside_a_peer() {
    let place = small();
    place.write("thrown.toml", THROWN);
    let scenes = ["bench", "small.toml", "thrown.toml"];
    let table = place.succeed(&[&scenes[..], &["--peer", "Other=,50"]].concat());
    for part in ["small.toml", "a-search", "implicit-euler", "Other", "ours/Other", "50.0", "line search"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert!(!table.contains("paper"), "the paper has neither scene: {table}");
    let rows = place.succeed(&[&scenes[..], &["--peer", "Other=,50", "--json", "--integrator", "bdf2"]].concat());
    let rows: serde_json::Value = serde_json::from_str(&rows).unwrap();
    assert_eq!(rows[0]["peers_ms_a_step"], serde_json::json!({}));
    assert_eq!(rows[1]["peers_ms_a_step"], serde_json::json!({ "Other": 50.0 }));
    assert_eq!(rows[1]["summary"]["integrator"], "bdf2");
    place.fail(&[&scenes[..], &["--peer", "Other=50"]].concat(), 2, &["1 figures for 2 scenes", "in their order"]);
    place.fail(&["bench", "nothing.toml"], 2, &["nothing.toml", "no such file"]);
}

#[test]
fn the_papers_figures_stand_beside_gallery_scenes() {
    let place = Place::empty();
    let coarse = ["--duration", "1/30", "--set", "body.0.box.cells=[2,2,2]"];
    let table =
        place.succeed(&[&["bench", "rotating-cube-soft", "--integrator", "implicit-euler"], &coarse[..]].concat());
    for part in ["paper", "STARK", "29.0", "ours/STARK", "another machine"] {
        assert!(table.contains(part), "{part}: {table}");
    }
}

#[test]
fn a_profile_has_every_step_and_says_who_blocked_the_slowest() {
    let place = Place::with("thrown.toml", THROWN);
    let shown = place.succeed(&["bench", "thrown.toml", "--profile", "profile"]);
    assert_eq!(place.names("profile"), ["thrown.csv", "thrown.txt"]);
    assert!(shown.ends_with(&place.read("profile/thrown.txt")), "{shown}");
    for part in ["assemble", "the rest", "The slowest steps", "halvings", "blocked by", "`cube` and `ground`"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let csv = place.read("profile/thrown.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 7, "a header and six steps: {csv}");
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    for row in &rows[1..] {
        let number = |name: &str| row[column(name)].parse::<f64>().unwrap();
        let phases = ["evaluate_s", "assemble_s", "linear_s", "line_search_s"].map(number);
        assert!(phases.iter().sum::<f64>() <= number("wall_s") && number("newton") >= 1.0, "{row:?}");
        let (part, by) = (row[column("shortest_step")], row[column("blocked_by")]);
        assert_eq!(part.is_empty(), by.is_empty(), "{row:?}");
    }
    assert!(rows[1][column("blocked_by")].is_empty(), "nothing is near in the first step");
}

#[test]
fn steps_that_do_not_converge_say_what_held_them_even_where_all_is_quiet() {
    let place = Place::with("thrown.toml", THROWN);
    let output = place.visviva(&["run", "thrown.toml", "-q", "--out", "run", "--set", "solver.max_iterations=2"]);
    assert!(output.status.success() && output.stdout.is_empty());
    let said = text(&output.stderr);
    let summary = place.summary("run");
    let count = summary["unconverged_steps"].as_u64().unwrap();
    assert!(count > 0);
    let first = format!("warning: {count} of 6 steps did not converge");
    for part in [&*first, "`cube` and `ground`", "What to do: ", "run.h", "solver.max_iterations, now 2"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let held = summary["unconverged"].as_array().unwrap();
    assert_eq!(held.iter().map(|held| held["steps"].as_u64().unwrap()).sum::<u64>(), count, "each step once");
    for held in held {
        assert_eq!(held["bodies"][0], "cube");
        assert!(held["left"].as_f64() >= held["allowed"].as_f64(), "{held}");
        assert!(said.contains(held["in_words"].as_str().unwrap()), "{held}");
    }
}
