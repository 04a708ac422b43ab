//! Forces and pins that a program gives step by step: what they do to motion and books, and where they end.

use super::{FALL, SWING, advance, bits, session};
use nalgebra::{Unit, Vector3};
use visviva::energy::AlphaOutcome;
use visviva::session::{PinMotion, PinTurn, Session, SessionError};

/// The same force on every node `[N]`.
fn on_all(session: &Session, force: [f64; 3]) -> Vec<f64> {
    force.repeat(session.positions().len() / 3)
}

fn shift(x: f64, y: f64, z: f64) -> PinMotion {
    PinMotion { shift: Vector3::new(x, y, z), turn: None }
}

#[test]
fn a_push_gives_a_free_body_its_impulse_and_the_books_its_work() {
    for integrator in ["a-search", "a-1", "implicit-euler", "trapezoidal", "newmark"] {
        let alone = ["gravity=[0,0,0]", "contact.enabled=false", "body.0.velocity.angular=[0,0,0]"];
        let change = format!("run.integrator={integrator}");
        let changes: Vec<&str> = alone.into_iter().chain([change.as_str()]).collect();
        let mut session = session(FALL, &changes);
        let body = session.model().bodies[0].nodes.len() as f64;
        let (before, mut work) = (session.row().clone(), 0.0);
        for _ in 0..5 {
            let forces = on_all(&session, [0.0, 0.002, 0.0]);
            session.push(&forces).unwrap();
            advance(&mut session, 1);
            work += session.row().work;
            assert!(session.row().ledger_residual.abs() < 1e-12, "{integrator}: {:?}", session.row());
        }
        let impulse = 0.002 * body * 5.0 * session.clock().h;
        // Newton leaves a part of 1e-7 of a node's way at most.
        assert!((session.row().py - before.py - impulse).abs() < 1e-6 * impulse, "{integrator}: {:?}", session.row());
        let way: f64 = session.parts().iter().map(|part| part.exchange.work).sum();
        assert!((way - session.row().work).abs() < 1e-12, "the books by body agree");
        let mass: f64 = session.model().node_mass.iter().sum();
        let gained = 0.5 * impulse * impulse / mass;
        // Euler's positions go half a step's way too far or too short: a fifth of the work over five steps.
        assert!((work - gained).abs() < 0.21 * gained, "{integrator}: {work} of {gained} J");
        advance(&mut session, 1);
        assert_eq!(session.row().work, 0.0, "a push lasts one step");
        assert!((session.row().py - before.py - impulse).abs() < 1e-6 * impulse, "{integrator}");
    }
}

#[test]
fn a_search_meets_the_level_that_a_push_has_raised() {
    let mut session = session(SWING, &[]);
    let (start, mut work, mut met) = (session.energies().wanted, 0.0, 0);
    for step in 0..16 {
        let forces = on_all(&session, [0.0, 0.01 * (step as f64).sin(), 0.005]);
        session.push(&forces).unwrap();
        advance(&mut session, 1);
        let (row, energies) = (session.row(), session.energies());
        work += row.work;
        // Some 0.02 J; sums of 16 rows.
        assert!((energies.wanted - start - work).abs() < 1e-15, "{energies:?}");
        if row.alpha_outcome == Some(AlphaOutcome::OnTarget) {
            assert!((energies.total - energies.wanted).abs() < 1e-15, "{energies:?}");
            met += 1;
        }
    }
    assert!(work.abs() > 1e-4 && met > 4, "{work} J, met in {met} steps");
}

#[test]
fn a_pin_goes_where_a_program_sends_it_and_stays_there() {
    let mut session = session(SWING, &["gravity=[0,0,0]"]);
    let pinned = session.model().pins[0].node;
    let place = |session: &Session| Vector3::from_column_slice(&session.positions()[3 * pinned..3 * pinned + 3]);
    let (start, at_start) = (place(&session), session.checkpoint());
    session.move_pin(0, shift(0.0, 0.0, 0.004)).unwrap();
    advance(&mut session, 1);
    assert!((place(&session) - start - Vector3::new(0.0, 0.0, 0.004)).norm() < 1e-15);
    assert!(session.row().work > 0.0, "it drags the bar along");
    advance(&mut session, 3);
    assert!((place(&session) - start - Vector3::new(0.0, 0.0, 0.004)).norm() < 1e-15);
    let turn = PinTurn { axis: Unit::new_normalize(Vector3::x()), centre: place(&session), angle: 0.1 };
    session.move_pin(0, PinMotion { shift: Vector3::zeros(), turn: Some(turn) }).unwrap();
    let moved = session.checkpoint();
    advance(&mut session, 2);
    assert!((place(&session) - start - Vector3::new(0.0, 0.0, 0.004)).norm() < 1e-12, "it is the centre");
    session.restore(moved).unwrap();
    advance(&mut session, 1);
    assert!((place(&session) - start - Vector3::new(0.0, 0.0, 0.004)).norm() < 1e-15, "it stays where it was then");
    session.restore(at_start).unwrap();
    advance(&mut session, 1);
    assert_eq!(place(&session), start, "before the first move it was where the scene has it");
}

#[test]
fn what_is_steered_goes_on_from_a_checkpoint_to_the_same_bits() {
    for integrator in ["a-search", "trapezoidal"] {
        let mut session = session(SWING, &[&format!("run.integrator={integrator}")]);
        let steer = |session: &mut Session| {
            let forces: Vec<f64> = session.velocities().iter().map(|v| 0.01 - 0.02 * v).collect();
            session.push(&forces).unwrap();
            session.move_pin(0, shift(0.0, 1e-3, 0.0)).unwrap();
            advance(session, 1);
        };
        (0..4).for_each(|_| steer(&mut session));
        let middle = session.checkpoint();
        (0..4).for_each(|_| steer(&mut session));
        let first = bits(&session);
        session.restore(middle).unwrap();
        (0..4).for_each(|_| steer(&mut session));
        assert_eq!(bits(&session), first, "{integrator}");
    }
}

#[test]
fn what_cannot_push_or_move_is_refused_and_nothing_is_changed() {
    let mut session = session(SWING, &[]);
    let count = session.positions().len();
    assert!(matches!(session.push(&[0.0; 3]), Err(SessionError::PushCount { found: 3, wanted }) if wanted == count));
    let mut forces = vec![0.0; count];
    forces[7] = f64::NAN;
    assert!(session.push(&forces).unwrap_err().to_string().contains("node 2 is pushed by NaN"));
    assert!(session.move_pin(1, shift(0.0, 0.0, 0.0)).unwrap_err().to_string().contains("has 1 of them"));
    assert!(matches!(session.move_pin(0, shift(0.0, f64::INFINITY, 0.0)), Err(SessionError::PinNotFinite { pin: 0 })));
    let mut untouched = super::session(SWING, &[]);
    advance(&mut session, 3);
    advance(&mut untouched, 3);
    assert_eq!(bits(&session), bits(&untouched));
    assert_eq!(session.summary(visviva::session::Ending::Completed).tally.steered_steps, 0);
}

#[test]
fn the_summary_says_that_a_program_steered() {
    let mut session = session(SWING, &[]);
    let forces = on_all(&session, [0.0, 0.0, 0.1]);
    session.push(&forces).unwrap();
    advance(&mut session, 2);
    let summary = session.summary(visviva::session::Ending::Completed);
    assert_eq!(summary.tally.steered_steps, 1);
    assert!(
        summary.warnings.iter().any(|warning| warning.contains("in 1 steps a program pushed")),
        "{:?}",
        summary.warnings
    );
}

#[test]
fn stiffness_blocks_are_the_matrix_that_bends_the_forces() {
    let mut session = session(SWING, &["gravity=[0,0,0]"]);
    let count = session.positions().len();
    let d: Vec<f64> = (0..count).map(|i| 1e-7 * (i as f64).sin()).collect();
    let mut product = vec![0.0; count];
    for ([a, b], block) in session.stiffness() {
        for k in 0..9 {
            product[3 * a as usize + k % 3] += block[k] * d[3 * b as usize + k / 3];
        }
    }
    let norm = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
    // At rest every translation is free of force, and whatever bends is not.
    let mut moved = vec![0.0; count];
    for ([a, _], block) in session.stiffness() {
        (0..3).for_each(|c| moved[3 * a as usize + c] += block[c] + block[3 + c] + block[6 + c]);
    }
    assert!(norm(&moved) < 1e-9 * norm(&product) / 1e-7, "{} {}", norm(&moved), norm(&product));
    let energy: f64 = 0.5 * product.iter().zip(&d).map(|(p, d)| p * d).sum::<f64>();
    assert!(energy > 0.0);
}
