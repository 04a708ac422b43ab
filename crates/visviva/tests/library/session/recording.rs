//! What a session writes down, and how it goes on from there.

use super::{FALL, advance, bits, session};
use std::fs;
use std::path::Path;
use visviva::run::{RunFolder, Stats};
use visviva::session::{RecordOptions, Session, SessionError};

/// All frames, and the statistics but for wall-clock time.
fn content(folder: &Path) -> (Vec<Vec<u8>>, Vec<String>) {
    let run = RunFolder::open(folder).unwrap();
    let frames = run.frames().unwrap().iter().map(|frame| fs::read(&frame.path).unwrap()).collect();
    let stats = fs::read_to_string(run.stats_path()).unwrap();
    (frames, stats.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect())
}

#[test]
fn going_back_leaves_the_folder_of_a_run_that_never_went_astray() {
    let place = tempfile::tempdir().unwrap();
    let [straight, back] = ["straight", "back"].map(|name| place.path().join(name));
    for (folder, detour) in [(&straight, false), (&back, true)] {
        let mut session = session(FALL, &["run.duration=0.2"]);
        session.record(folder, &RecordOptions::default()).unwrap();
        let start = session.checkpoint();
        advance(&mut session, 7);
        if detour {
            let here = session.checkpoint();
            session.set_gravity([0.0; 3]).unwrap();
            advance(&mut session, 9);
            assert!(fs::read_to_string(folder.join("run.toml")).unwrap().contains("[[change]]"));
            session.restore(here).unwrap();
            assert!(!fs::read_to_string(folder.join("run.toml")).unwrap().contains("[[change]]"));
            // And from the very start once more.
            session.restore(start).unwrap();
        }
        session.run().unwrap();
    }
    assert!(content(&straight) == content(&back));
}

#[test]
fn a_folder_that_a_run_is_writing_is_left_to_it() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let mut first = session(FALL, &["run.duration=0.1"]);
    first.record(&folder, &RecordOptions::default()).unwrap();
    advance(&mut first, 3);
    let overwriting = RecordOptions { overwrite: true, ..Default::default() };
    let refusals =
        [Session::resume(&folder).unwrap_err(), session(FALL, &[]).record(&folder, &overwriting).unwrap_err()];
    for refused in refusals.map(|error| error.to_string()) {
        assert!(refused.contains("another run is writing here"), "{refused}");
    }
    first.run().unwrap();
    let whole = content(&folder);
    drop(first);
    assert_eq!(Session::resume(&folder).unwrap().steps(), 10);
    assert!(content(&folder) == whole, "nothing was torn");
}

#[test]
fn a_run_that_was_cut_off_after_a_change_goes_on_with_it() {
    let place = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| place.path().join(name));
    for (folder, drops) in [(&whole, false), (&cut, true)] {
        let mut session = session(FALL, &["run.duration=0.2"]);
        session.record(folder, &RecordOptions::default()).unwrap();
        advance(&mut session, 6);
        session.set_target("decay:tau=0.1,ground=-0.5".parse().unwrap()).unwrap();
        advance(&mut session, 4);
        let before = fs::read_to_string(folder.join("run.toml")).unwrap();
        session.set_gravity([0.0, 0.0, -5.0]).unwrap();
        if drops {
            // A change comes with a checkpoint, and where run.toml was not written any more it is put right.
            drop(session);
            let toml = fs::read_to_string(folder.join("run.toml")).unwrap();
            fs::write(folder.join("run.toml"), before).unwrap();
            session = Session::resume(folder).unwrap();
            assert_eq!((session.steps(), session.changes().len()), (10, 2));
            assert_eq!(fs::read_to_string(folder.join("run.toml")).unwrap(), toml);
        }
        session.run().unwrap();
        assert_eq!(session.changes().len(), 2);
    }
    assert!(content(&whole) == content(&cut));
}

#[test]
fn changes_taken_out_of_a_folder_are_missed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let mut session = session(FALL, &["run.duration=0.2"]);
    session.record(&folder, &RecordOptions::default()).unwrap();
    advance(&mut session, 3);
    session.set_gravity([0.0, 0.0, -5.0]).unwrap();
    session.run_until(0.1).unwrap();
    session.conclude(visviva::session::Ending::Interrupted).unwrap();
    let toml = fs::read_to_string(folder.join("run.toml")).unwrap();
    fs::write(folder.join("run.toml"), toml.replace("-5.0", "-6.0")).unwrap();
    let message = Session::resume(&folder).unwrap_err().to_string();
    assert!(message.contains("run.toml was altered in line") && message.contains("-6.0"), "{message}");
    let error = Session::resume_despite_damage(&folder).unwrap_err();
    assert!(matches!(error, SessionError::OtherChanges { made: 1 }), "{error}");
    fs::write(folder.join("run.toml"), toml).unwrap();
    let resumed = Session::resume(&folder).unwrap();
    assert_eq!(bits(&resumed), bits(&session));
}

#[test]
fn a_scene_run_for_longer_than_it_says_lasts_longer() {
    let place = tempfile::tempdir().unwrap();
    let [first, again] = ["first", "again"].map(|name| place.path().join(name));
    let mut session = session(FALL, &["run.duration=0.05"]);
    session.record(&first, &RecordOptions::default()).unwrap();
    session.run_until(0.1).unwrap();
    session.set_gravity([0.0; 3]).unwrap();
    session.run_until(0.12).unwrap();
    session.run().unwrap();
    let mut repeated = Session::new(RunFolder::open(&first).unwrap().scene().unwrap()).unwrap();
    repeated.record(&again, &RecordOptions::default()).unwrap();
    repeated.run().unwrap();
    assert_eq!(repeated.steps(), 12);
    assert!(content(&first) == content(&again));
}

#[test]
fn recording_begins_at_the_start() {
    let place = tempfile::tempdir().unwrap();
    let mut session = session(FALL, &[]);
    advance(&mut session, 2);
    let error = session.record(&place.path().join("run"), &RecordOptions::default()).unwrap_err();
    assert!(matches!(error, SessionError::UnderWay { steps: 2 }), "{error}");
    assert!(!place.path().join("run").exists());
}

#[test]
fn the_summary_adds_up_what_the_statistics_say_also_of_a_resumed_run() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let mut session = session(FALL, &["run.duration=0.2"]);
    session.record(&folder, &RecordOptions::default()).unwrap();
    session.run_until(0.08).unwrap();
    let before = session.conclude(visviva::session::Ending::Interrupted).unwrap();
    let summary = Session::resume(&folder).unwrap().run().unwrap();
    let rows = Stats::read(&folder.join("stats.csv")).unwrap().rows;
    let steps = &rows[1..];
    let tally = summary.tally;
    assert_eq!((tally.steps, tally.newton_iterations), (20, steps.iter().map(|row| row.newton).sum()));
    assert_eq!(tally.friction_loss, steps.iter().map(|row| row.friction_loss).sum::<f64>());
    assert_eq!(tally.step_wall_s, steps.iter().map(|row| row.wall_s).sum::<f64>());
    assert_eq!(tally.greatest_energy, rows.iter().map(|row| row.total).fold(f64::NEG_INFINITY, f64::max));
    let (then, now) = (before.phases_s, summary.phases_s);
    assert!(then.evaluate > 0.0 && now.evaluate > then.evaluate && now.linear > then.linear, "{then:?} {now:?}");
}

#[test]
fn statistics_that_cannot_be_read_are_named_and_never_counted_as_zeros() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let mut session = session(FALL, &["run.duration=0.2"]);
    session.record(&folder, &RecordOptions::default()).unwrap();
    session.run_until(0.05).unwrap();
    session.conclude(visviva::session::Ending::Interrupted).unwrap();
    let path = folder.join("stats.csv");
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let spoiled = whole.replacen(lines[3], "what,is,this", 1);
    let cut = lines[..4].join("\n") + "\n";
    // The checkpoint before is at the start: what was cut is computed again, unless that one is gone too.
    fs::remove_file(folder.join("checkpoint.previous.bin")).unwrap();
    let cases = [(spoiled.as_str(), "line 4"), (&cut, "end at step 2"), (lines[0], "is cut")];
    for (text, part) in cases {
        fs::write(&path, text).unwrap();
        let message = Session::resume(&folder).unwrap_err().to_string();
        assert!(message.contains("stats.csv") && message.contains(part), "{message}");
    }
    fs::write(&path, &whole).unwrap();
    Session::resume(&folder).unwrap().run().unwrap();
}

#[test]
fn rows_by_body_add_up_to_the_statistics_and_are_resumed_with_them() {
    let place = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| place.path().join(name));
    let second = "\n[[body]]\nname = \"ball\"\nmaterial = { youngs_modulus = 1e5 }\nball = { radius = 0.03, shells = 2 }\n\
                  translate = [0, 0, 0.1375]\n";
    for (folder, drops) in [(&whole, false), (&cut, true)] {
        let mut session = session(&format!("{FALL}{second}"), &["run.duration=0.1", "run.by_body=true"]);
        session.record(folder, &RecordOptions::default()).unwrap();
        if drops {
            advance(&mut session, 4);
            drop(session);
            session = Session::resume(folder).unwrap();
        }
        session.run().unwrap();
    }
    let text = fs::read_to_string(whole.join("bodies.csv")).unwrap();
    assert_eq!(text, fs::read_to_string(cut.join("bodies.csv")).unwrap());
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let stats = Stats::read(&whole.join("stats.csv")).unwrap();
    assert_eq!(rows.len(), 2 * stats.rows.len());
    for column in ["kinetic", "elastic", "gravity", "barrier", "friction_loss", "damping_loss", "work", "pz", "lx"] {
        let at = header.iter().position(|name| *name == column).unwrap();
        let most = stats.curve(column).iter().fold(0.0f64, |most, (_, value)| most.max(value.abs()));
        for (pair, row) in rows.chunks(2).zip(&stats.rows) {
            let sum: f64 = pair.iter().map(|cells| cells[at].parse::<f64>().unwrap()).sum();
            // Rounding of some hundred terms.
            assert!((sum - row.number(column).unwrap()).abs() <= 1e-12 * most.max(1.0), "{column}, step {}", row.step);
        }
    }
}
