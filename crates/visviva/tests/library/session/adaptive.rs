//! Steps whose lengths are found under way: frames at their times, energies as at fixed steps, the same bits again.

use super::damaged::results;
use super::{FALL, SWING, advance, bits, session};
use std::path::Path;
use visviva::run::{RunFolder, Stats};
use visviva::session::{Branch, Ending, RecordOptions, Session};

/// A soft ball thrown at a rough floor, 1 m/s along it and 2 m/s down, that leaves it 0.03 s after it came.
const ROUGH: &str = r#"
title = "A ball is thrown at a rough floor"
run = { h = "1/60", duration = 0.15, frame_rate = 60 }
gravity = [0, 0, 0]
contact = { friction = 0.5 }

[[body]]
name = "ball"
material = { youngs_modulus = 1e5 }
ball = { radius = 0.05, shells = 2 }
translate = [0, 0, 0.08]
velocity = { linear = [1, 0, -2] }

[[obstacle]]
name = "floor"
plane = { size = 4 }
"#;

fn recorded(text: &str, asked: &[&str], folder: &Path) -> Vec<visviva::run::StatsRow> {
    let mut session = session(text, asked);
    session.record(folder, &RecordOptions::default()).unwrap();
    session.run().unwrap();
    Stats::read(&RunFolder::open(folder).unwrap().stats_path()).unwrap().rows
}

#[test]
fn frames_are_at_their_exact_times_and_steps_within_their_bounds() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let rows = recorded(FALL, &["run.h=1/60", "run.adaptive={min=\"1/500\"}", "run.frame_rate=30"], &folder);
    let frames = RunFolder::open(&folder).unwrap().frames().unwrap();
    assert_eq!(frames.len(), 10);
    for frame in &frames {
        assert_eq!(frame.t, frame.index as f64 / 30.0);
        assert_eq!(rows[frame.step as usize].t, frame.t);
    }
    assert!(rows[1..].iter().all(|row| row.h <= 1.0 / 60.0 + 1e-12), "none is longer than h");
    assert!(rows[1..].iter().any(|row| row.h < 1.0 / 200.0), "the fall onto the ground asks for short ones");
    // Landing on frames halves a step at most.
    assert!(rows[1..].iter().all(|row| row.h > 0.5 / 500.0), "{rows:?}");
    assert!((rows.last().unwrap().t - 0.3).abs() < 1e-12);
}

/// The largest part of the motion's energy by which a run missed its target.
fn worst(text: &str, asked: &[&str]) -> f64 {
    let off = session(text, asked).run().unwrap().off_target;
    off.iter().map(|off| off.worst.abs()).fold(0.0, f64::max)
}

#[test]
fn the_energy_is_nearer_to_its_target_than_at_steps_of_the_longest_length() {
    for (text, h) in [(SWING, "1/60"), (FALL, "1/60")] {
        let fixed = worst(text, &[&format!("run.h={h}")]);
        let adaptive = worst(text, &[&format!("run.h={h}"), "run.adaptive={tolerance=0.005}"]);
        println!("fixed {fixed:.3}, adaptive {adaptive:.3}");
        assert!(adaptive < 0.7 * fixed, "fixed {fixed}, adaptive {adaptive}");
    }
}

#[test]
fn a_run_with_adaptive_steps_goes_on_branches_and_is_repeated_to_the_same_bits() {
    let place = tempfile::tempdir().unwrap();
    let [whole, cut, out] = ["whole", "cut", "branch"].map(|name| place.path().join(name));
    let asked =
        ["run.adaptive=true", "run.h=1/60", "run.by_body=true", "run.contacts=true", "run.keep_checkpoints=0.1"];
    recorded(FALL, &asked, &whole);
    let mut interrupted = session(FALL, &asked);
    interrupted.record(&cut, &RecordOptions::default()).unwrap();
    advance(&mut interrupted, 9);
    interrupted.conclude(Ending::Interrupted).unwrap();
    advance(&mut interrupted, 4);
    drop(interrupted);
    Session::resume(&cut).unwrap().run().unwrap();
    assert!(results(&cut) == results(&whole));

    let branch = Branch { from: 0.2, ..Branch::default() };
    let mut branched = Session::branch(&whole, &branch, &out, &RecordOptions::default()).unwrap();
    assert!(branched.session.time() > 0.09, "{:?}", branched.notes);
    branched.session.run().unwrap();
    assert!(results(&out) == results(&whole));

    let mut back = session(FALL, &asked);
    advance(&mut back, 8);
    let saved = back.checkpoint();
    advance(&mut back, 6);
    let there = bits(&back);
    back.restore(saved).unwrap();
    advance(&mut back, 6);
    assert_eq!(bits(&back), there);
}

#[test]
fn a_lengthened_run_with_adaptive_steps_has_the_bits_of_a_long_one() {
    let place = tempfile::tempdir().unwrap();
    let [whole, longer] = ["whole", "longer"].map(|name| place.path().join(name));
    let asked = ["run.adaptive=true", "run.by_body=true", "run.contacts=true"];
    recorded(FALL, &[&asked[..], &["run.duration=0.15"]].concat(), &longer);
    recorded(FALL, &asked, &whole);
    let mut session = Session::resume(&longer).unwrap();
    session.set_duration(0.3.into()).unwrap();
    session.run().unwrap();
    assert!(results(&longer) == results(&whole));
}

/// After SDIRK2 at 1/3840 s: speeds along and off the floor, and that of the surface by spin `[m/s]`.
const TRUTH: [f64; 3] = [0.4061, 1.8258, 0.4380];

/// Steps, Newton iterations, and how far speeds and spin after the bounce are from the truth `[m/s]`.
fn bounce(asked: &[&str]) -> (u64, u64, f64) {
    let mut session = session(ROUGH, asked);
    let tally = session.run().unwrap().tally;
    let (model, x, v) = (session.model(), session.positions(), session.velocities());
    let (p, l) = model.momenta(x, v);
    let mass: f64 = model.node_mass.iter().sum();
    let centre = |k: usize| model.node_mass.iter().zip(x.chunks_exact(3)).map(|(m, x)| m * x[k]).sum::<f64>() / mass;
    let spin = l.y - (centre(2) * p.x - centre(0) * p.z);
    let found = [p.x / mass, p.z / mass, spin / (mass * 0.05)];
    let error = found.iter().zip(TRUTH).map(|(found, truth)| (found - truth).powi(2)).sum::<f64>().sqrt();
    (tally.steps, tally.newton_iterations, error)
}

#[test]
fn a_bounce_on_a_rough_floor_takes_fewer_steps_than_one_length_would_for_the_same_accuracy() {
    // Measured: A-search 44 steps and 0.045 m/s against 72 and 0.12, BDF2 22 and 0.041 against 72 and 0.053.
    for integrator in ["a-search", "bdf2"] {
        let method = format!("run.integrator={integrator}");
        let (fixed_steps, fixed_newton, fixed) = bounce(&[&method, "run.h=1/480"]);
        let (steps, newton, adaptive) = bounce(&[&method, "run.adaptive={min=\"1/1920\",tolerance=0.05}"]);
        assert!(adaptive < fixed, "{integrator}: {adaptive} against {fixed} m/s");
        assert!(
            3 * steps < 2 * fixed_steps && newton < fixed_newton,
            "{integrator}: {steps} against {fixed_steps} steps"
        );
    }
}
