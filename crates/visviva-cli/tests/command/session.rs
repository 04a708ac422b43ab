//! A session that another program drives: in two processes, and repeated by the command.

use super::place::{Place, text};
use std::path::Path;
use std::process::Command;
use visviva::scene::SceneSource;
use visviva::session::{Checkpoint, RecordOptions, Session};

const SCENE: &str = r#"
title = "A ball is dropped, calmed and cheered up"
run = { h = "1/100", duration = 0.4, frame_rate = 50 }
contact = { friction = 0.2 }

[[body]]
name = "ball"
material = { youngs_modulus = 1e5 }
ball = { radius = 0.05, shells = 2 }
translate = [0, 0, 0.06]
velocity = { linear = [0.2, 0, -1] }

[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

fn session(place: &Path) -> Session {
    let scene = SceneSource::read(&place.join("scene.toml")).unwrap().parse(&[]).unwrap();
    Session::new(scene).unwrap()
}

/// Positions and velocities, bit by bit.
fn bits(session: &Session) -> Vec<u8> {
    session.positions().iter().chain(session.velocities()).flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn a_steered_session_goes_on_in_another_process_and_is_repeated_by_the_command() {
    let place = Place::with("scene.toml", SCENE);
    let mut steered = session(place.folder());
    steered.record(&place.path("first"), &RecordOptions::default()).unwrap();
    steered.run_until(0.1).unwrap();
    steered.set_target("decay:tau=0.2,ground=0.2".parse().unwrap()).unwrap();
    steered.run_until(0.2).unwrap();
    steered.set_target("curve:0=1,0.3=0.9,0.4=1.1".parse().unwrap()).unwrap();
    steered.run_until(0.25).unwrap();
    steered.checkpoint().write(&place.path("saved.bin")).unwrap();
    steered.run().unwrap();

    let mut other = Command::new(std::env::current_exe().unwrap());
    other.args(["--exact", "session::the_other_process", "--ignored"]).env("VISVIVA_TEST_PLACE", place.folder());
    let output = other.output().unwrap();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(std::fs::read(place.path("bits")).unwrap() == bits(&steered), "restored elsewhere");

    place.succeed(&["run", "first/run.toml", "-q", "--out", "again"]);
    place.assert_same("first", "again");
    let frame = place.run_folder("again").read_frame(20).unwrap();
    let repeated = frame.x.as_flattened().iter().chain(frame.v.as_flattened());
    assert!(repeated.flat_map(|value| value.to_le_bytes()).eq(bits(&steered)), "repeated by the command");
}

#[test]
#[ignore = "run by the test above, in a process of its own"]
fn the_other_process() {
    let place = std::env::var_os("VISVIVA_TEST_PLACE").expect("the test above names its place");
    let place = Path::new(&place);
    let mut restored = session(place);
    restored.restore(Checkpoint::read(&place.join("saved.bin")).unwrap()).unwrap();
    assert_eq!((restored.steps(), restored.changes().len()), (25, 2));
    restored.run().unwrap();
    std::fs::write(place.join("bits"), bits(&restored)).unwrap();
}

#[test]
fn changes_written_by_hand_are_made_and_bad_ones_are_told_with_their_index() {
    let place = Place::with("scene.toml", SCENE);
    place.succeed(&["run", "scene.toml", "-q", "--out", "plain"]);
    let change = |text: &str| format!("{SCENE}[[change]]\nstep = 5\ngravity = [0, 0, 0]\n[[change]]\n{text}\n");
    place.write("changed.toml", &change("step = 15\nenergy = { target = \"decay\", tau = 0.1 }"));
    place.succeed(&["run", "changed.toml", "-q", "--out", "changed"]);
    let (plain, changed) = (place.stats("plain"), place.stats("changed"));
    assert_eq!(plain[..7], changed[..7], "a header, the start and five steps");
    assert_ne!(plain[7], changed[7]);
    place.succeed(&["run", "changed/run.toml", "-q", "--out", "again"]);
    place.assert_same("changed", "again");
    let cases: [(&str, &[&str]); 5] = [
        ("step = 40\ngravity = [0, 0, 1]", &["change 1", "step = 40", "ends after 40 steps"]),
        ("step = 6", &["change 1", "exactly one of energy, gravity, integrator"]),
        ("step = 6\nintegrator = \"bdf3\"", &["change 1", "bdf3", "bdf2"]),
        ("step = 6\ngravty = [0, 0, 1]", &["bad.toml:21:1", "did you mean `gravity`?"]),
        ("step = 3\ngravity = [0, 0, 1]", &["change 1", "step = 3 after step = 5", "sort"]),
    ];
    for (text, parts) in cases {
        place.write("bad.toml", &change(text));
        for verb in [&["run", "bad.toml", "--out", "out"][..], &["check", "bad.toml"]] {
            place.fail(verb, 2, parts);
        }
        assert!(!place.path("out").exists());
    }
}
