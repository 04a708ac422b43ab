//! A session driven from outside: steps, changes, checkpoints, observers, run folders.

mod adaptive;
mod branching;
mod changes;
mod damaged;
mod failures;
mod hand;
mod lag;
mod live_export;
mod observers;
mod off_target;
mod recording;
mod steering;
mod unconverged;

use visviva::scene::{Scene, SceneSource};
use visviva::session::Session;
use visviva::solve::ContactForce;

/// A soft cube that falls onto the ground and is held by nothing: contact from about the tenth step on.
const FALL: &str = concat!(
    "title = \"A cube falls\"\nrun = { h = \"1/100\", duration = 0.3, frame_rate = 50 }\n",
    include_str!("falling_cube.toml")
);

/// A soft bar held at one end, swinging.
const SWING: &str = r#"
title = "A bar swings"
run = { h = "1/60", duration = 0.5 }

[[body]]
name = "bar"
material = { youngs_modulus = 1e5 }
box = { size = [0.2, 0.05, 0.05], cells = [4, 1, 1] }

[[pin]]
body = "bar"
plane = { point = [-0.1, 0, 0], normal = [1, 0, 0] }
"#;

fn scene(text: &str, changes: &[&str]) -> Scene {
    let source = SceneSource { name: "test".into(), text: text.into(), folder: Default::default() };
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    source.parse(&changes).unwrap_or_else(|e| panic!("{e}"))
}

fn session(text: &str, changes: &[&str]) -> Session {
    Session::new(scene(text, changes)).unwrap_or_else(|e| panic!("{e}"))
}

fn advance(session: &mut Session, steps: usize) {
    for _ in 0..steps {
        session.step().unwrap();
    }
}

/// Every bit of where it is and of what it did last.
fn bits(session: &Session) -> Vec<u64> {
    let energies = session.energies();
    let books = [session.time(), energies.kinetic, energies.elastic, energies.gravity, energies.total, energies.wanted];
    session.positions().iter().chain(session.velocities()).chain(&books).map(|value| value.to_bits()).collect()
}

#[test]
fn a_session_can_be_sent_to_another_thread() {
    fn sendable<T: Send>(_: &T) {}
    sendable(&session(SWING, &[]));
}

#[test]
fn what_can_be_asked_is_consistent() {
    let mut session = session(FALL, &[]);
    assert_eq!((session.time(), session.steps(), session.frames()), (0.0, 0, 1));
    assert!(session.contacts().is_empty(), "5 mm above the ground");
    let mut most = 0.0f64;
    for _ in 0..20 {
        session.step().unwrap();
        let upwards = |f: &ContactForce| if f.surfaces[0] == 0 { f.normal.z } else { -f.normal.z };
        most = most.max(session.contacts().iter().map(upwards).sum());
    }
    assert!(most > 9.8, "the ground stops 1 kg: {most} N");
    assert_eq!((session.steps(), session.frames()), (20, 11));
    assert!((session.time() - 0.2).abs() < 1e-15);
    assert_eq!(session.positions().len(), 3 * session.model().node_count());
    assert_eq!(session.velocities().len(), session.positions().len());
    let vertices = session.vertices();
    assert_eq!(vertices[5].as_slice(), &session.positions()[15..18], "a solid's vertices are its nodes");
    let energies = session.energies();
    let sum = energies.kinetic + energies.elastic + energies.gravity + energies.barrier;
    // Rounding of a sum of four.
    assert!((sum - energies.total).abs() < 1e-14 * energies.total.abs(), "{energies:?}");
    assert_eq!(session.row().step, 20);
    assert!(session.warnings().is_empty());
}
