//! Branches of a run: from any kept checkpoint, into a folder of their own, to the bits of a run that never branched.

use super::damaged::{files, results, spoil};
use super::{FALL, session};
use std::fs;
use std::path::{Path, PathBuf};
use visviva::run::RunFolder;
use visviva::scene::SceneSource;
use visviva::session::{Branch, Branched, RecordOptions, Session};

/// Twenty steps and eleven frames, with checkpoints kept after 6, 12 and 18.
fn parent(place: &Path) -> PathBuf {
    let folder = place.join("parent");
    let asked = ["run.duration=0.2", "run.by_body=true", "run.contacts=true", "run.keep_checkpoints=0.06"];
    let mut session = session(FALL, &asked);
    session.record(&folder, &RecordOptions::default()).unwrap();
    session.run().unwrap();
    folder
}

fn branch(parent: &Path, from: f64, set: &[&str], force: bool) -> Result<Branched, String> {
    let set = set.iter().map(|&assignment| assignment.to_owned()).collect();
    let branch = Branch { from, set, duration: None, despite_damage: force };
    let out = parent.with_file_name(format!("branch-{from}"));
    Session::branch(parent, &branch, &out, &RecordOptions { overwrite: true, ..Default::default() })
        .map_err(|error| error.to_string())
}

#[test]
fn a_branch_that_changes_nothing_is_the_run_itself_and_leaves_it_untouched() {
    let place = tempfile::tempdir().unwrap();
    let parent = parent(place.path());
    let kept: Vec<u64> = RunFolder::at(&parent).kept_checkpoints().unwrap().iter().map(|(step, _)| *step).collect();
    assert_eq!(kept, [18, 12, 6]);
    let before = files(&parent);
    for (from, begins, note) in [
        (0.03, 0, "from the start to there it is computed again (steps: 3)"),
        (0.12, 12, "all up to t = 0.12 s is copied"),
        (0.15, 12, "again (steps: 3)"),
        (0.0, 0, "at the start"),
    ] {
        let Branched { mut session, notes, .. } = branch(&parent, from, &[], false).unwrap();
        assert_eq!(session.steps(), begins, "{notes:?}");
        assert!(notes.last().unwrap().contains(note), "{notes:?}");
        let summary = session.run().unwrap();
        assert_eq!(summary.tally.steps, 20);
        assert_eq!(summary.branch.map(|branch| branch.time), Some(from));
        let out = parent.with_file_name(format!("branch-{from}"));
        assert!(results(&out) == results(&parent), "from {from}");
        assert!(RunFolder::open(&out).unwrap().condition().damage.is_empty());
    }
    assert!(files(&parent) == before, "the parent is only read");
}

#[test]
fn what_a_branch_sets_holds_from_there_on_and_its_scene_repeats_it() {
    let place = tempfile::tempdir().unwrap();
    let parent = parent(place.path());
    let set = ["energy.target=decay", "energy.tau=0.05", "energy.ground=-0.5", "gravity=[0,0,-2]"];
    let Branched { mut session, .. } = branch(&parent, 0.07, &set, false).unwrap();
    session.run().unwrap();
    let out = parent.with_file_name("branch-0.07");
    let (ours, theirs) = (results(&out), results(&parent));
    let same = |name: &str| ours.iter().find(|(file, _)| file == name) == theirs.iter().find(|(file, _)| file == name);
    assert!(same("frames/000003.npy") && !same("frames/000004.npy"), "steps 6 and 8, and the branch after 7");
    // The same from nothing but its run.toml, and cut short in the middle.
    let source = SceneSource::read(&out.join("run.toml")).unwrap();
    let mut again = Session::new(source.parse(&[]).unwrap()).unwrap();
    let repeated = place.path().join("repeated");
    again.record(&repeated, &RecordOptions::default()).unwrap();
    again.run_until(0.1).unwrap();
    drop(again);
    let mut resumed = Session::resume(&repeated).unwrap();
    assert!(resumed.run().unwrap().branch.is_none(), "a run of its own");
    assert!(results(&repeated) == ours);
}

#[test]
fn a_damaged_parent_costs_copies_but_no_bits() {
    for (part, begins, refused) in [
        ("checkpoints/000012.bin", 6, false),
        ("frames/000005.npy", 6, true),
        ("frames/000008.npy", 12, true),
        ("stats.csv", 12, true),
        ("checkpoint.bin", 12, false),
    ] {
        let place = tempfile::tempdir().unwrap();
        let parent = parent(place.path());
        let whole = results(&parent);
        spoil(&parent.join(part));
        let damage = RunFolder::open(&parent).unwrap().condition();
        let told = damage.damage.iter().map(|damage| damage.file.clone()).chain(damage.notes.clone());
        assert!(told.collect::<Vec<_>>().join(" ").contains(part), "{part}: {damage:?}");
        if refused {
            let message = branch(&parent, 0.15, &[], false).unwrap_err();
            assert!(message.contains(&format!("{part} was altered")) && message.contains("--force"), "{message}");
        }
        let Branched { mut session, .. } = branch(&parent, 0.15, &[], refused).unwrap();
        assert_eq!(session.steps(), begins, "{part}");
        session.run().unwrap();
        assert!(results(&parent.with_file_name("branch-0.15")) == whole, "{part}");
    }
}

#[test]
fn what_is_missing_is_computed_again() {
    let place = tempfile::tempdir().unwrap();
    let parent = parent(place.path());
    let whole = results(&parent);
    for part in ["frames/000005.npy", "frames/times.csv", "mesh/tets.npy", "run.toml", "checkpoint.bin"] {
        fs::remove_file(parent.join(part)).unwrap();
    }
    let Branched { mut session, .. } = branch(&parent, 0.15, &[], false).unwrap();
    assert_eq!(session.steps(), 6, "frame 5 is of step 10");
    session.run().unwrap();
    assert!(results(&parent.with_file_name("branch-0.15")) == whole);
}

#[test]
fn impossible_branches_are_refused_and_leave_nothing() {
    let place = tempfile::tempdir().unwrap();
    let parent = parent(place.path());
    let refuse = |from: f64, set: &[&str], part: &str| {
        let message = branch(&parent, from, set, false).unwrap_err();
        assert!(message.contains(part), "{message}");
    };
    refuse(0.2, &[], "before the end, which is at 0.2 s");
    refuse(-1.0, &[], "0 or later");
    refuse(0.1, &["body.0.material.youngs_modulus=1e6"], "built before the first step");
    refuse(0.1, &["energy.target=decay"], "energy.tau is missing");
    let branch = Branch { from: 0.1, ..Default::default() };
    let overwrite = RecordOptions { overwrite: true, ..Default::default() };
    let onto_itself = Session::branch(&parent, &branch, &parent, &overwrite).unwrap_err().to_string();
    assert!(onto_itself.contains("the run itself"), "{onto_itself}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "the parent alone");
}

#[test]
fn a_finished_run_that_is_lengthened_is_the_run_that_was_asked_for_at_once() {
    let place = tempfile::tempdir().unwrap();
    let parent = parent(place.path());
    let longer = place.path().join("longer");
    let mut short = session(FALL, &["run.duration=0.08", "run.by_body=true", "run.contacts=true"]);
    short.record(&longer, &RecordOptions::default()).unwrap();
    short.run().unwrap();
    drop(short);
    let mut resumed = Session::resume(&longer).unwrap();
    let message = resumed.set_duration(0.05.into()).unwrap_err().to_string();
    assert!(message.contains("0.05 s is too short") && message.contains("0.08"), "{message}");
    resumed.set_duration("1/5".into()).unwrap();
    resumed.run_until(0.1).unwrap();
    drop(resumed);
    // Nobody need say it again.
    Session::resume(&longer).unwrap().run().unwrap();
    assert!(results(&longer) == results(&parent));
    assert!(fs::read_to_string(longer.join("run.toml")).unwrap().contains("duration = \"1/5\""));
}

#[test]
fn kept_checkpoints_that_belong_to_what_was_given_up_go_with_it() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let mut session = session(FALL, &["run.keep_checkpoints=0.05"]);
    session.record(&folder, &RecordOptions::default()).unwrap();
    session.run_until(0.06).unwrap();
    let here = session.checkpoint();
    session.run_until(0.16).unwrap();
    let kept = || RunFolder::at(&folder).kept_checkpoints().unwrap().len();
    assert_eq!(kept(), 3);
    session.restore(here).unwrap();
    assert_eq!(kept(), 1);
    session.conclude(visviva::session::Ending::Interrupted).unwrap();
    let mut next = super::session(FALL, &[]);
    next.record(&folder, &RecordOptions { overwrite: true, ..Default::default() }).unwrap();
    assert_eq!(kept(), 0, "an overwritten run's are its own files");
}
