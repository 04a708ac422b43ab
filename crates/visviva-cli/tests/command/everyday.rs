//! Everyday materials and arrays, from the list to a run that goes on.

use super::place::Place;
use std::fs;

const BLOCKS: &str = r#"
title = "Blocks"
run = { h = "1/100", duration = 0.06, frame_rate = 50 }

[[body]]
name = "blocks"
material = "gummy"
box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0, 0, 0.06]
array = { counts = [2, 1, 2], spacing = 0.12 }

[[obstacle]]
name = "floor"
plane = {}
friction = 0.5
"#;

#[test]
fn a_run_keeps_the_numbers_of_everyday_materials_is_repeated_and_goes_on() {
    let place = Place::with("blocks.toml", BLOCKS);
    place.succeed(&["run", "blocks.toml", "--quiet", "--out", "run"]);
    let written = place.read("run/run.toml");
    assert!(written.contains("[[material]]\nname = \"gummy\"\nyoungs_modulus = 100000.0"), "{written}");
    place.succeed(&["run", "run/run.toml", "--quiet", "--out", "again"]);
    place.assert_same("run", "again");
    // Without its last checkpoint it goes on from the one before, with a model of the same hash.
    fs::write(place.path("run/checkpoint.bin"), "damaged").unwrap();
    place.succeed(&["resume", "run", "--quiet"]);
    place.assert_same("run", "again");
    let verdict = place.succeed(&["verify", "run"]);
    assert!(verdict.contains("clean"), "{verdict}");
}

#[test]
fn copies_of_a_law_without_a_bound_on_inversion_may_be_inverted() {
    let scene = BLOCKS.replace("\"gummy\"", "{ youngs_modulus = 1e3, law = \"corotated\" }");
    let place = Place::with("blocks.toml", &scene);
    let crushed = "body.0.velocity={ramp={axis=\"z\",from=0.06,to=0.05,velocity=[0,0,9]}}";
    place.succeed(&[
        "run",
        "blocks.toml",
        "--quiet",
        "--out",
        "run",
        "--set",
        crushed,
        "--set",
        "contact.enabled=false",
    ]);
    let verdict = place.succeed(&["verify", "run"]);
    assert!(verdict.contains("its law has no bound on inversion"), "{verdict}");
}

#[test]
fn the_list_of_materials_is_for_people_for_programs_and_for_scene_files() {
    let place = Place::with("blocks.toml", BLOCKS);
    let list = place.succeed(&["materials"]);
    assert!(list.contains("jelly") && list.contains("steel") && list.contains("kind = \"affine\""), "{list}");
    let one: serde_json::Value = serde_json::from_str(&place.succeed(&["materials", "cotton", "--json"])).unwrap();
    assert_eq!((&one[0]["name"], one[0]["thickness"].as_f64()), (&"cotton".into(), Some(3e-4)));
    let own = place.succeed(&["materials", "gummy", "--toml"]);
    place.write("own.toml", &format!("{BLOCKS}\n{}", own.replace("100000.0", "1e4")));
    assert!(place.succeed(&["check", "own.toml"]).contains("the scene is sound"));
    place.fail(&["materials", "gumy"], 2, &["no everyday material is called `gumy`", "did you mean `gummy`?"]);
}

#[test]
fn check_hints_at_what_may_be_done_better() {
    let place = Place::with("blocks.toml", BLOCKS);
    let report = place.succeed(&["check", "blocks.toml", "--set", "body.0.material=steel"]);
    assert!(report.contains("hint: body `blocks`: steel hardly deforms; kind = \"affine\""), "{report}");
    assert!(!place.succeed(&["check", "blocks.toml"]).contains("hint: "));
}
