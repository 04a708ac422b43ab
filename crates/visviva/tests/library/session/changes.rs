//! Changes under way: what they do to energy and motion, and that they are repeated to the same bits.

use super::{FALL, SWING, advance, bits, scene, session};
use visviva::energy::Target;
use visviva::scene::ChangeEntry;
use visviva::session::{Change, Session, SessionError};

fn target(text: &str) -> Target {
    text.parse().unwrap()
}

#[test]
fn a_target_changed_under_way_starts_from_the_present_level() {
    let mut session = session(SWING, &["energy.target=decay", "energy.tau=0.5"]);
    advance(&mut session, 6);
    let before = session.energies().wanted;
    session.set_target(Target::Conserve).unwrap();
    assert_eq!(session.energies().wanted, before);
    advance(&mut session, 6);
    // A bar without friction or moving pins: the level is kept to the bit.
    assert_eq!(session.energies().wanted, before);
    session.set_target(target("decay:tau=0.25,ground=-1")).unwrap();
    advance(&mut session, 15);
    let expected = -1.0 + (before + 1.0) * (-1.0f64).exp();
    // After 15 steps of 1/60 s one τ has passed; each multiplies once, with an ulp of error.
    assert!((session.energies().wanted - expected).abs() < 1e-14 * before.abs().max(1.0));
}

#[test]
fn a_change_of_gravity_neither_takes_nor_gives_energy() {
    for integrator in ["a-search", "trapezoidal", "newmark", "bdf2"] {
        let mut session = session(FALL, &[&format!("run.integrator={integrator}"), "contact.enabled=false"]);
        advance(&mut session, 4);
        let (x, v, before) = (session.positions().to_vec(), session.velocities().to_vec(), session.energies());
        session.set_gravity([1.0, 0.0, 3.0]).unwrap();
        let after = session.energies();
        assert!(x == session.positions() && v == session.velocities());
        let moved = after.gravity - before.gravity;
        let of_masses = |v: &[f64], axis: usize| -> f64 {
            let model = session.model();
            model.node_mass.iter().zip(v.chunks_exact(3)).map(|(m, v)| m * v[axis]).sum()
        };
        let expected = -(of_masses(&x, 0) + 12.8 * of_masses(&x, 2));
        // Sums of 27 nodes in two orders.
        assert!((moved - expected).abs() < 1e-13, "{moved} {expected}");
        assert!(
            (after.total - before.total - moved).abs() < 1e-14 && (after.wanted - before.wanted - moved).abs() < 1e-14
        );
        let momentum = [0, 1, 2].map(|axis| of_masses(&v, axis));
        let mass: f64 = session.model().node_mass.iter().sum();
        advance(&mut session, 1);
        let h = session.clock().h;
        let model = session.model();
        let (now, _) = model.momenta(session.positions(), session.velocities());
        let gained = [now.x - momentum[0], now.y - momentum[1], now.z - momentum[2]].map(|p| p / (mass * h));
        // Nothing touches: what a free body gains in a step is the new gravity alone, for every method that knows the
        // acceleration at the step's start. BDF2 looks a step further back, where the old one held.
        let wanted = if integrator == "bdf2" { None } else { Some([1.0, 0.0, 3.0]) };
        if let Some(wanted) = wanted {
            assert!((0..3).all(|k| (gained[k] - wanted[k]).abs() < 1e-6), "{integrator}: {gained:?}");
        }
    }
}

#[test]
fn another_integrator_takes_over_and_the_same_one_keeps_its_memory() {
    let mut one = session(SWING, &[]);
    let mut other = session(SWING, &[]);
    advance(&mut one, 5);
    advance(&mut other, 5);
    // The same method with the bounds it has anyway: as if nothing had been said.
    one.set_integrator("a-search:min=0,max=1.1".parse().unwrap()).unwrap();
    advance(&mut one, 5);
    advance(&mut other, 5);
    assert_eq!(bits(&one), bits(&other));
    one.set_integrator("bdf2".parse().unwrap()).unwrap();
    advance(&mut one, 5);
    assert_eq!(one.integrator().name(), "bdf2");
    assert!(one.row().alpha.is_none());
    one.set_integrator("a-search".parse().unwrap()).unwrap();
    advance(&mut one, 1);
    assert!(one.row().alpha.is_some());
}

/// Six changes of all kinds over thirty steps.
fn steered(text: &str) -> Session {
    let mut session = session(text, &[]);
    advance(&mut session, 3);
    session.set_target(target("decay:tau=0.2,ground=-0.5")).unwrap();
    session.set_gravity([2.0, 0.0, -12.0]).unwrap();
    advance(&mut session, 7);
    session.set_integrator("bdf2".parse().unwrap()).unwrap();
    advance(&mut session, 5);
    session.set_gravity([0.0, 0.0, -9.8]).unwrap();
    session.set_integrator("a-search:max=1.3".parse().unwrap()).unwrap();
    advance(&mut session, 5);
    session.set_target(target("curve:0=1,0.3=0.7")).unwrap();
    advance(&mut session, 10);
    session
}

#[test]
fn what_was_changed_under_way_is_repeated_from_the_scene_to_the_same_bits() {
    for text in [FALL, SWING] {
        let steered = steered(text);
        let written = toml::to_string(steered.scene()).unwrap();
        let steps: Vec<u64> = steered.changes().iter().map(|change| change.step).collect();
        assert_eq!(steps, [3, 3, 10, 15, 15, 20]);
        let mut repeated = session(&written, &[]);
        advance(&mut repeated, 30);
        assert_eq!(bits(&repeated), bits(&steered));
    }
}

#[test]
fn a_checkpoint_carries_the_changes_made_and_those_to_come() {
    let mut scheduled = scene(FALL, &[]);
    let later = ChangeEntry { step: 12, gravity: Some([0.0, 0.0, -3.0]), ..ChangeEntry::default() };
    scheduled.changes.push(later);
    let mut session = Session::new(scheduled.clone()).unwrap();
    advance(&mut session, 5);
    session.set_target(target("decay:tau=0.1,ground=-0.5")).unwrap();
    advance(&mut session, 3);
    let saved = session.checkpoint();
    assert_eq!(saved.steps(), 8);
    advance(&mut session, 12);
    let whole = bits(&session);
    assert_eq!(session.changes().iter().map(|c| c.step).collect::<Vec<_>>(), [5, 12]);

    // Back in the same session, after another change that is undone with the rest.
    session.set_integrator("implicit-euler".parse().unwrap()).unwrap();
    advance(&mut session, 2);
    session.restore(saved.clone()).unwrap();
    assert_eq!((session.steps(), session.integrator().name()), (8, "a-search"));
    assert_eq!(session.checkpoint(), saved);
    advance(&mut session, 12);
    assert_eq!(bits(&session), whole);

    // Forth in a new one.
    let mut other = Session::new(scheduled).unwrap();
    other.restore(saved).unwrap();
    advance(&mut other, 12);
    assert_eq!(bits(&other), whole);
}

#[test]
fn a_checkpoint_of_another_model_is_refused_with_both_hashes() {
    let saved = session(FALL, &[]).checkpoint();
    let mut other = session(FALL, &["body.0.translate=[0,0,0.0551]"]);
    let before = other.checkpoint();
    let error = other.restore(saved).unwrap_err();
    let SessionError::OtherModel { saved, built } = error else { panic!("{error}") };
    assert_ne!(saved, built);
    let message = error.to_string();
    assert!(message.contains(&format!("{saved:016x}")) && message.contains(&format!("{built:016x}")), "{message}");
    assert_eq!(other.checkpoint(), before, "nothing happened");
}

#[test]
fn impossible_changes_are_refused_and_change_nothing() {
    let mut session = session(FALL, &[]);
    advance(&mut session, 2);
    let before = session.checkpoint();
    let error = session.set_gravity([0.0, f64::NAN, 0.0]).unwrap_err().to_string();
    assert!(error.contains("gravity") && error.contains("not finite"), "{error}");
    let wrong = Change::Target(Target::Decay { tau: 0.0, ground: 0.0 });
    let error = session.change(wrong).unwrap_err().to_string();
    assert!(error.contains("τ = 0"), "{error}");
    assert_eq!(session.checkpoint(), before);
}
