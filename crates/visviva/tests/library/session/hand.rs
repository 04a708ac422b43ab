//! A hand that pulls at a body: it draws the body to its point, its work is in the ledger, and it is repeated to the same bits.

use super::{FALL, SWING, advance, bits, scene, session};
use nalgebra::Vector3;
use visviva::Session;
use visviva::scene::ChangeEntry;
use visviva::session::{RecordOptions, SessionError};

const POINT: [f64; 3] = [0.1, 0.05, 0.5];

/// Of the cube's first vertex `[m]`.
fn place(session: &Session) -> Vector3<f64> {
    session.vertices()[0]
}

#[test]
fn a_grabbed_body_comes_to_hang_below_the_point_by_its_weight_and_falls_when_it_is_let_go() {
    // Those that keep energy swing on below the point; the others nearly rest after 2.5 s.
    for (integrator, near) in
        [("implicit-euler", 3e-3), ("bdf2", 3e-3), ("trapezoidal", 0.03), ("a-search", 0.03), ("a-spin", 0.03)]
    {
        let mut session = session(FALL, &[&format!("run.integrator={integrator}"), "run.duration=6"]);
        session.grab(0, POINT, None).unwrap();
        advance(&mut session, 250);
        for _ in 0..50 {
            session.step().unwrap();
            let sag = Vector3::from(POINT) - place(&session);
            // 1 kg on 1000 N/m.
            assert!((sag - Vector3::new(0.0, 0.0, 0.0098)).norm() < near, "{integrator}: {sag:?}");
        }
        session.let_go().unwrap();
        let height = place(&session).z;
        advance(&mut session, 10);
        // ½ g t² is 49 mm.
        assert!(place(&session).z < height - 0.02, "{integrator}: {height} {}", place(&session).z);
    }
}

#[test]
fn any_stiffness_is_held_by_large_steps_and_every_joule_of_the_hand_is_work() {
    for stiffness in [1.0, 1e3, 1e7] {
        let mut session = session(FALL, &["run.integrator=implicit-euler", "contact.enabled=false"]);
        session.grab(0, POINT, Some(stiffness)).unwrap();
        let (mut work, mut gain) = (0.0, 0.0);
        let start = session.energies().total;
        for _ in 0..30 {
            session.step().unwrap();
            let row = session.row();
            work += row.work;
            gain += row.integrator_gain - row.damping_loss;
            // What no cause explains: the solver's tolerance times the forces.
            assert!(row.ledger_residual.abs() < 1e-4 * (1.0 + work.abs()), "{stiffness}: {row:?}");
        }
        let change = session.energies().total - start;
        assert!((change - work - gain).abs() < 1e-3 * (1.0 + work.abs()), "{stiffness}: {change} {work} {gain}");
        assert!(session.energies().total.is_finite() && place(&session).norm() < 10.0, "{stiffness}");
    }
}

#[test]
fn its_work_by_body_adds_up_to_that_of_the_scene() {
    let mut session = session(FALL, &[]);
    session.grab(3, POINT, Some(300.0)).unwrap();
    for _ in 0..10 {
        session.step().unwrap();
        let parts: f64 = session.parts().iter().map(|part| part.exchange.work).sum();
        assert!((parts - session.row().work).abs() < 1e-12, "{parts} {}", session.row().work);
    }
    assert!(session.row().work != 0.0);
}

/// Grabs, moves on and lets go, among other changes.
fn pulled_about(session: &mut Session) {
    advance(session, 2);
    session.grab(1, POINT, None).unwrap();
    advance(session, 3);
    session.set_gravity([0.0, 1.0, -9.8]).unwrap();
    for k in 0..4 {
        session.grab(1, [0.1 * f64::from(k), 0.0, 0.3], None).unwrap();
        advance(session, 1);
    }
    session.grab(6, [0.0, 0.2, 0.2], Some(40.0)).unwrap();
    advance(session, 3);
    session.let_go().unwrap();
    advance(session, 3);
}

#[test]
fn what_a_hand_did_is_repeated_from_the_scene_to_the_same_bits() {
    for (text, changes) in
        [(FALL, &[][..]), (SWING, &[]), (FALL, &["run.integrator=a-spin"]), (FALL, &["body.0.kind=affine"])]
    {
        let mut steered = session(text, changes);
        pulled_about(&mut steered);
        let mut repeated = session(&toml::to_string(steered.scene()).unwrap(), &[]);
        advance(&mut repeated, 15);
        assert_eq!(bits(&repeated), bits(&steered), "{changes:?}");
        assert_eq!((repeated.held(), repeated.changes().len()), (None, 8));
    }
}

#[test]
fn a_run_that_is_taken_up_while_a_hand_holds_has_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut whole = session(FALL, &[]);
    whole.grab(1, POINT, None).unwrap();
    advance(&mut whole, 6);
    let middle = whole.checkpoint();
    whole.grab(1, [0.3, 0.0, 0.3], None).unwrap();
    advance(&mut whole, 6);

    let mut restored = session(FALL, &[]);
    restored.restore(middle).unwrap();
    restored.grab(1, [0.3, 0.0, 0.3], None).unwrap();
    advance(&mut restored, 6);
    assert_eq!(bits(&restored), bits(&whole));

    let mut recorded = session(FALL, &[]);
    recorded.record(&path, &RecordOptions::default()).unwrap();
    recorded.grab(1, POINT, None).unwrap();
    advance(&mut recorded, 6);
    recorded.conclude(visviva::session::Ending::Interrupted).unwrap();
    let written = std::fs::read_to_string(path.join("run.toml")).unwrap();
    assert!(written.contains("[change.grab]") || written.contains("grab = {"), "{written}");
    let mut resumed = Session::resume(&path).unwrap();
    assert!(resumed.held().is_some());
    resumed.grab(1, [0.3, 0.0, 0.3], None).unwrap();
    advance(&mut resumed, 6);
    assert_eq!(bits(&resumed), bits(&whole));
}

#[test]
fn what_cannot_be_grabbed_is_told_and_nothing_changes() {
    let mut session = session(SWING, &[]);
    let pinned = session.vertices().iter().position(|x| x.x < -0.099).unwrap() as u32;
    for (vertex, point, stiffness, part) in [
        (999, POINT, None, "there are"),
        (pinned, POINT, None, "pinned"),
        (9, [f64::NAN, 0.0, 0.0], None, "grab.point"),
        (9, POINT, Some(-1.0), "grab.stiffness = -1"),
        (9, [1e300, 0.0, 0.0], None, "grab.point"),
        (9, POINT, Some(1e300), "grab.stiffness"),
        (9, [1e6, 0.0, 0.0], None, "take it nearer"),
        (9, POINT, Some(1e14), "a softer spring"),
    ] {
        let error = session.grab(vertex, point, stiffness).unwrap_err();
        assert!(matches!(error, SessionError::Grab { .. }) && error.to_string().contains(part), "{error}");
    }
    assert!(session.held().is_none() && session.changes().is_empty());
    let floor = super::session(FALL, &[]).grab(27, POINT, None).unwrap_err().to_string();
    assert!(floor.contains("obstacle"), "{floor}");
    let mut wrong = scene(FALL, &[]);
    let grab = visviva::session::Grab { vertex: 999, point: POINT, stiffness: 1.0 };
    wrong.changes.push(ChangeEntry { step: 1, grab: Some(grab), ..ChangeEntry::default() });
    assert!(Session::new(wrong).unwrap_err().to_string().contains("vertex 999"));
}

#[test]
fn it_damps_by_the_length_that_a_step_has_and_not_by_the_scenes() {
    let pulled = |changes: &[&str]| {
        let common =
            ["run.integrator=implicit-euler", "contact.enabled=false", "run.frame_rate=500", "run.duration=0.2"];
        let mut session = session(FALL, &[&common, changes].concat());
        session.grab(0, POINT, None).unwrap();
        session.run_until(0.15).unwrap();
        place(&session)
    };
    // Frames cut every step of the second to the length of the first.
    let (fixed, adaptive) = (pulled(&["run.h=1/500"]), pulled(&["run.h=1/50", "run.adaptive=true"]));
    // The cube has gone 40 cm; a tenth of the damping lets it swing past.
    assert!((fixed - adaptive).norm() < 1e-3, "{fixed:?} {adaptive:?}");
}

#[test]
fn what_a_hand_does_is_written_down_among_the_changes_of_the_file_in_their_order() {
    let mut scene = scene(FALL, &[]);
    for (step, g) in [(2, -5.0), (9, -3.0)] {
        scene.changes.push(ChangeEntry { step, gravity: Some([0.0, 0.0, g]), ..ChangeEntry::default() });
    }
    let mut session = Session::new(scene).unwrap();
    for step in 0..12 {
        session.grab(1, [0.01 * f64::from(step), 0.0, 0.3], None).unwrap();
        advance(&mut session, 1);
    }
    let written: Vec<ChangeEntry> = session.changes().iter().map(Into::into).collect();
    assert_eq!((&session.scene().changes, written.len()), (&written, 14));
    assert!(written.is_sorted_by_key(|change| change.step));
    assert_eq!(written[2].gravity, Some([0.0, 0.0, -5.0]), "what was due comes before what was done then");
}
