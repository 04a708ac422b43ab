//! Running a scene: what is left, what it does not depend on, and what is said when it cannot be done.

use super::place::{Place, text};
use super::small_scene::{run_small, small};
use std::fs;

#[test]
fn a_scene_runs_into_a_folder_that_tells_all() {
    let place = small();
    let output = place.visviva(&["run", "small.toml", "--out", "deep/run"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("10 steps to t = 0.1000 s"));
    assert!(text(&output.stdout).contains("the run is in deep/run"));
    // Not on a terminal: whole lines, no bar.
    let progress = text(&output.stderr);
    assert!(progress.trim_end().ends_with("s left") && progress.starts_with("100 %"), "{progress}");
    assert!(!progress.contains(['\r', '\u{1b}']), "{progress:?}");

    for part in ["run.toml", "stats.csv", "summary.json", "checkpoint.bin", "mesh/rest.npy", "frames/times.csv"] {
        assert!(place.path("deep/run").join(part).is_file(), "{part}");
    }
    let frames = place.frames("deep/run");
    assert_eq!(frames.len(), 6, "0.1 s at 50 frames a second, the start included");
    assert!(frames[0].starts_with(b"\x93NUMPY\x01\x00"));
    let header = text(&frames[5][10..128]);
    assert!(header.contains("'descr': '<f8', 'fortran_order': False, 'shape': (2, 64, 3)"), "{header}");
    assert_eq!(frames[5].len(), 128 + 2 * 64 * 3 * 8);
    let rows = place.stats("deep/run");
    assert_eq!(rows.len(), 12, "a header, the start and ten steps");
    let summary = place.summary("deep/run");
    assert_eq!(summary["ending"]["kind"], "completed");
    assert_eq!((summary["steps"].as_u64(), summary["frames"].as_u64()), (Some(10), Some(6)));
}

#[test]
fn a_quiet_run_prints_nothing() {
    let place = small();
    let output = place.visviva(&["run", "small.toml", "--quiet"]);
    assert!(output.status.success());
    assert_eq!((text(&output.stdout), text(&output.stderr)), (String::new(), String::new()));
    assert!(place.path("runs/small-a-search/run.toml").is_file(), "the folder is named by scene and integrator");
}

#[test]
fn a_run_without_a_folder_is_named_by_what_changed() {
    let place = small();
    let changed = ["--h", "1/240", "--set", "body.cube.box.cells=[2,2,2]", "--set", "run.integrator=bdf2"];
    place.succeed(&[&["run", "small.toml", "--quiet", "--duration", "0.02"], &changed[..]].concat());
    assert_eq!(place.names("runs"), ["small-bdf2,h=1-240,duration=0.02,cells=2x2x2"]);
}

#[test]
fn check_tells_about_a_scene_and_leaves_nothing() {
    let place = small();
    let report = place.succeed(&["check", "small.toml"]);
    for part in ["Small box", "cube", "162", "pinned nodes     16", "h = 1/100 s", "the scene is sound"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 1, "only the scene is there");
    let energy = ["--set", "energy.target=decay", "--set", "energy.tau=1", "--set", "energy.ground=equilibrium"];
    let report = place.succeed(&[&["check", "small.toml"], &energy[..]].concat());
    assert!(report.contains("ground energy") && report.contains("at rest"), "{report}");
}

#[test]
fn results_do_not_depend_on_threads() {
    let place = small();
    // More than a chunk of elements, so that threads share the work.
    let cells = ["--set", "body.0.box.cells=[8,6,6]"];
    run_small(&place, "one", &[&cells[..], &["--threads", "1"]].concat());
    run_small(&place, "two", &[&cells[..], &["--threads", "2"]].concat());
    place.assert_same("one", "two");
    assert_eq!(place.summary("two")["threads"], 2);
    // Contact is looked for in parallel while the scene is built: the number must be set before.
    let drop = ["run", "bouncing-ball-stiff", "--duration", "0.01", "--quiet", "--threads", "1", "--out", "drop"];
    place.succeed(&drop);
}

#[test]
fn threads_can_be_chosen_for_a_scene_in_contact() {
    let place = small();
    let coarse = ["--set", "body.0.ball.cells=[2,2,1]", "--set", "body.0.ball.layers=1", "--duration", "1/60"];
    let args = [&["run", "bouncing-ball-medium", "--threads", "1", "--quiet"][..], &coarse].concat();
    place.succeed(&args);
}

#[test]
fn the_command_line_changes_a_scene() {
    let place = small();
    run_small(
        &place,
        "run",
        &["--integrator", "bdf2", "--h", "1/60", "--set", "run.duration=0.2", "--set", "title=Other"],
    );
    let scene = fs::read_to_string(place.path("run/run.toml")).unwrap();
    for part in ["title = \"Other\"", "integrator = \"bdf2\"", "h = \"1/60\"", "duration = 0.2"] {
        assert!(scene.contains(part), "{part}: {scene}");
    }
    assert_eq!(place.summary("run")["steps"], 12, "0.2 s in steps of 1/60 s");
    // The longer spelling of the same changes.
    run_small(
        &place,
        "same",
        &["--set", "run.integrator=bdf2", "--set", "run.h=1/60", "--duration", "0.2", "--set", "title=Other"],
    );
    place.assert_same("run", "same");
}

#[test]
fn a_folder_in_use_is_kept_unless_overwriting_is_asked_for() {
    let place = small();
    run_small(&place, "run", &[]);
    let before = place.stats("run");
    let output = place.visviva(&["run", "small.toml", "--out", "run", "--integrator", "bdf2"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("run is not empty") && message.contains("--overwrite"), "{message}");
    assert_eq!(place.stats("run"), before);
    run_small(&place, "run", &["--integrator", "bdf2", "--overwrite"]);
    assert_ne!(place.stats("run"), before);

    fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/thesis.txt", "not a run");
    let output = place.visviva(&["run", "small.toml", "--out", "mine", "--overwrite"]);
    assert!(!output.status.success() && text(&output.stderr).contains("thesis.txt"), "{}", text(&output.stderr));
    assert_eq!(fs::read_dir(place.path("mine")).unwrap().count(), 1);
}

#[test]
fn a_frame_takes_at_most_60_bytes_a_node() {
    let place = small();
    run_small(&place, "run", &["--set", "body.0.box.cells=[10,10,10]", "--duration", "0.02"]);
    let folder = place.path("run/frames");
    let size: u64 = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    let (nodes, frames) = (11 * 11 * 11, place.frames("run").len() as u64);
    assert_eq!(frames, 2);
    assert!(size <= 60 * nodes * frames, "{size} bytes for {frames} frames of {nodes} nodes");
}

#[test]
fn an_output_folder_that_cannot_be_written_is_named() {
    let place = small();
    place.fail(&["run", "small.toml", "--out", "small.toml"], 2, &["small.toml", "this is a file"]);
    place.fail(&["run", "small.toml", "--out", "small.toml/run"], 1, &["small.toml/run"]);
    assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 1);
}

#[test]
fn a_run_that_fails_keeps_what_was_done_and_says_why() {
    let place = small();
    // Implicit midpoint solves for the middle of a step and throws its end into inversion.
    let violent = ["--set", "material.0.law=neo-hookean", "--set", "body.0.velocity={angular=[0,400,0]}"];
    let how = ["--integrator", "implicit-midpoint", "--h", "1/30", "--duration", "2"];
    let output = place.visviva(&[&["run", "small.toml", "--out", "run"], &violent[..], &how[..]].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    for part in ["error: the run stopped after t = 0.", "elastic energy is infinite", "run.h", "is in run"] {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    let summary = place.summary("run");
    assert_eq!(summary["ending"]["kind"], "failed");
    assert!(summary["ending"]["reason"].as_str().unwrap().contains("infinite"));
    let steps = summary["steps"].as_u64().unwrap();
    assert!((1..60).contains(&steps), "half way: {steps} steps");
    assert_eq!(place.stats("run").len() as u64, steps + 2, "a header, the start and the steps");
    assert_eq!(place.frames("run").len() as u64, summary["frames"].as_u64().unwrap());
    place.succeed(&["plot", "run"]);
}

#[test]
fn a_frozen_run_ends_with_the_reason_and_a_folder_that_can_be_resumed() {
    let scene = r#"
title = "A reach of nothing"
run = { h = "1/60", duration = 0.4 }
contact = { reach = 1e-9 }
solver = { max_iterations = 20 }
[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }
translate = [0, 0, 0.06]
velocity = { linear = [0, 0, -2] }
[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;
    let place = Place::with("frozen.toml", scene);
    let reasons = ["`cube` has not moved in the 10 steps", "contact.reach", "run.h"];
    place.fail(&["run", "frozen.toml", "--quiet", "--out", "run"], 1, &reasons);
    let steps = place.read("run/stats.csv").lines().count();
    place.succeed(&["verify", "run"]);
    place.fail(&["resume", "run", "--quiet"], 1, &reasons);
    assert_eq!(place.read("run/stats.csv").lines().count(), steps + 10, "it was tried again");
}
