//! Run folders that were damaged since their last checkpoint: what is told, what is put back, and that nothing is lost.

use super::{FALL, advance, session};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use visviva::run::{RunFolder, Stats};
use visviva::session::{Ending, RecordOptions, Session};

/// All files of a folder by name.
pub(super) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            all.extend(files(&entry));
        } else {
            all.insert(entry.clone(), fs::read(&entry).unwrap());
        }
    }
    all
}

/// A run of 20 steps and 11 frames that was interrupted after 12, with checkpoints after 8 and 12.
fn interrupted(place: &Path) -> PathBuf {
    let folder = place.join("run");
    let mut session = session(FALL, &["run.duration=0.2", "run.by_body=true", "run.contacts=true"]);
    session.record(&folder, &RecordOptions::default()).unwrap();
    for steps in [8, 4] {
        advance(&mut session, steps);
        session.conclude(Ending::Interrupted).unwrap();
    }
    folder
}

/// What does not depend on the clock on the wall.
pub(super) fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let run = RunFolder::open(folder).unwrap();
    let mut found: Vec<(String, Vec<u8>)> = Vec::new();
    for part in ["frames", "contacts", "mesh"] {
        let inside = files(&folder.join(part)).into_iter();
        found.extend(inside.map(|(path, bytes)| (path.strip_prefix(folder).unwrap().display().to_string(), bytes)));
    }
    found.push(("bodies.csv".into(), fs::read(folder.join("bodies.csv")).unwrap()));
    let rows = Stats::read(&run.stats_path()).unwrap().rows;
    let rows = rows.into_iter().map(|row| format!("{:?}\n", visviva::run::StatsRow { wall_s: 0.0, ..row }));
    found.push(("stats.csv".into(), rows.collect::<String>().into_bytes()));
    found.retain(|(name, _)| !name.contains(".damaged"));
    found
}

/// Results of the run that was never touched.
fn untouched() -> Vec<(String, Vec<u8>)> {
    let place = tempfile::tempdir().unwrap();
    let folder = interrupted(place.path());
    Session::resume(&folder).unwrap().run().unwrap();
    results(&folder)
}

pub(super) fn spoil(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn what_was_altered_is_named_and_nothing_is_touched() {
    let parts = [
        "run.toml",
        "mesh/triangles.npy",
        "mesh/bodies.json",
        "stats.csv",
        "bodies.csv",
        "frames/times.csv",
        "frames/000003.npy",
        "contacts/000003.npy",
    ];
    for part in parts {
        let place = tempfile::tempdir().unwrap();
        let folder = interrupted(place.path());
        spoil(&folder.join(part));
        let before = files(&folder);
        let message = Session::resume(&folder).unwrap_err().to_string();
        assert!(message.contains(&format!("{part} was altered")) && message.contains("--force"), "{part}: {message}");
        assert!(files(&folder) == before, "{part}");
        let condition = RunFolder::open(&folder).unwrap().condition();
        assert!(condition.damage.iter().any(|damage| damage.file == part), "{part}: {condition:?}");
    }
}

#[test]
fn what_is_missing_is_put_back_and_the_run_comes_out_the_same() {
    let untouched = untouched();
    // Put back from the checkpoint or the scene; or computed again from the checkpoint before.
    let parts = [
        ("run.toml", "put back from the checkpoint"),
        ("mesh/tets.npy", "put back from the scene"),
        ("frames/times.csv", "put back from the checkpoint"),
        ("frames/000006.npy", "after step 8"),
        ("contacts/000005.npy", "after step 8"),
        ("checkpoint.bin", "after step 8"),
    ];
    for (part, note) in parts {
        let place = tempfile::tempdir().unwrap();
        let folder = interrupted(place.path());
        fs::remove_file(folder.join(part)).unwrap();
        let mut session = Session::resume(&folder).unwrap();
        let said = session.warnings().join("\n");
        assert!(
            said.contains(part) && said.contains(note) || part == "checkpoint.bin" && said.contains(note),
            "{part}: {said}"
        );
        session.run().unwrap();
        assert!(results(&folder) == untouched, "{part}");
        assert!(RunFolder::open(&folder).unwrap().condition().damage.is_empty(), "{part}");
    }
}

#[test]
fn a_list_of_frames_that_was_cut_costs_no_frame() {
    let untouched = untouched();
    for lines in 0..6 {
        let place = tempfile::tempdir().unwrap();
        let folder = interrupted(place.path());
        let times = folder.join("frames/times.csv");
        let text = fs::read_to_string(&times).unwrap();
        let cut: String = text.split_inclusive('\n').take(lines).collect();
        fs::write(&times, format!("{cut}{}", if lines == 3 { "2,4,0." } else { "" })).unwrap();
        let condition = RunFolder::open(&folder).unwrap().condition();
        assert!(condition.damage.iter().any(|damage| damage.file == "frames/times.csv"), "{condition:?}");
        let frames =
            || files(&folder.join("frames")).into_iter().filter(|(path, _)| *path != times).collect::<Vec<_>>();
        let before = frames();
        let mut session = Session::resume(&folder).unwrap();
        assert!(session.warnings()[0].contains("times.csv"), "{:?}", session.warnings());
        assert!(frames() == before);
        session.run().unwrap();
        assert!(results(&folder) == untouched, "{lines} lines were left");
    }
}

#[test]
fn rows_that_were_cut_are_computed_again_where_a_checkpoint_stands_before_them() {
    let untouched = untouched();
    for (rows, resumes) in [(13, true), (10, true), (9, false), (2, false)] {
        for part in ["stats.csv", "bodies.csv"] {
            let place = tempfile::tempdir().unwrap();
            let folder = interrupted(place.path());
            let path = folder.join(part);
            let text = fs::read_to_string(&path).unwrap();
            let cut: String = text.split_inclusive('\n').take(rows).collect();
            fs::write(&path, cut).unwrap();
            match Session::resume(&folder) {
                Ok(mut session) => {
                    assert!(resumes, "{part}: {rows} lines are too few");
                    assert!(session.warnings()[0].contains(&format!("{part} is cut")), "{:?}", session.warnings());
                    session.run().unwrap();
                    assert!(results(&folder) == untouched, "{part}, {rows} lines");
                }
                Err(error) => assert!(!resumes && error.to_string().contains(&format!("{part} is cut")), "{error}"),
            }
        }
    }
}

#[test]
fn a_row_that_stands_twice_at_the_end_is_cut_with_what_came_after_the_checkpoint() {
    let untouched = untouched();
    for part in ["stats.csv", "bodies.csv"] {
        let place = tempfile::tempdir().unwrap();
        let folder = interrupted(place.path());
        let text = fs::read_to_string(folder.join(part)).unwrap();
        fs::write(folder.join(part), format!("{text}{}\n", text.lines().last().unwrap())).unwrap();
        Session::resume(&folder).unwrap().run().unwrap();
        assert!(results(&folder) == untouched, "{part}");
    }
}

#[test]
fn the_older_checkpoint_serves_where_the_newer_is_damaged() {
    let untouched = untouched();
    let place = tempfile::tempdir().unwrap();
    let folder = interrupted(place.path());
    spoil(&folder.join("checkpoint.bin"));
    let mut session = Session::resume(&folder).unwrap();
    let said = session.warnings().join("\n");
    assert!(said.contains("checkpoint.bin") && said.contains("damaged") && said.contains("after step 8"), "{said}");
    assert_eq!(session.steps(), 8);
    session.run().unwrap();
    assert!(results(&folder) == untouched);
    assert!(folder.join("checkpoint.bin.damaged").is_file());

    for part in ["checkpoint.bin", "checkpoint.previous.bin"] {
        spoil(&folder.join(part));
    }
    let before = files(&folder);
    let message = Session::resume(&folder).unwrap_err().to_string();
    assert!(message.contains("checkpoint.bin") && message.contains("damaged"), "{message}");
    assert!(files(&folder) == before);
}

#[test]
fn a_run_goes_on_despite_damage_where_that_is_asked_for_and_keeps_what_it_replaces() {
    let parts =
        [("mesh/triangles.npy", true), ("frames/times.csv", true), ("stats.csv", true), ("frames/000002.npy", false)];
    for (part, replaced) in parts {
        let place = tempfile::tempdir().unwrap();
        let folder = interrupted(place.path());
        spoil(&folder.join(part));
        let spoiled = fs::read(folder.join(part)).unwrap();
        let mut session = Session::resume_despite_damage(&folder).unwrap();
        assert!(session.warnings().iter().any(|said| said.contains(part)), "{part}: {:?}", session.warnings());
        session.run().unwrap();
        let kept = folder.join(format!("{part}.damaged"));
        assert_eq!(fs::read(if replaced { kept } else { folder.join(part) }).unwrap(), spoiled, "{part}");
        let damage = RunFolder::open(&folder).unwrap().condition().damage;
        assert_eq!(damage.iter().any(|damage| damage.file == part), !replaced, "{part}: {damage:?}");
    }
    // An altered scene goes on as long as its bodies are the same: longer, say.
    let place = tempfile::tempdir().unwrap();
    let folder = interrupted(place.path());
    let toml = fs::read_to_string(folder.join("run.toml")).unwrap();
    fs::write(folder.join("run.toml"), toml.replace("duration = 0.2", "duration = 0.25")).unwrap();
    assert!(Session::resume(&folder).is_err());
    let summary = Session::resume_despite_damage(&folder).unwrap().run().unwrap();
    assert_eq!(summary.tally.steps, 25);
    assert!(RunFolder::open(&folder).unwrap().condition().damage.is_empty());
    fs::write(folder.join("run.toml"), toml.replace("1/100", "1/400")).unwrap();
    let message = Session::resume_despite_damage(&folder).unwrap_err().to_string();
    assert!(message.contains("run.h"), "{message}");
    fs::write(folder.join("run.toml"), toml.replace("youngs_modulus = ", "youngs_modulus = 1")).unwrap();
    let message = Session::resume_despite_damage(&folder).unwrap_err().to_string();
    assert!(message.contains("hash"), "{message}");
}

#[test]
fn a_checkpoint_of_another_version_says_what_to_do() {
    let place = tempfile::tempdir().unwrap();
    let folder = interrupted(place.path());
    for name in ["checkpoint.bin", "checkpoint.previous.bin"] {
        let mut bytes = fs::read(folder.join(name)).unwrap();
        bytes[8] = 2;
        fs::write(folder.join(name), bytes).unwrap();
    }
    let message = Session::resume(&folder).unwrap_err().to_string();
    assert!(message.contains("version 2") && message.contains("run the scene anew"), "{message}");
}

#[test]
fn frames_and_rows_that_do_not_fit_together_are_told() {
    let place = tempfile::tempdir().unwrap();
    let folder = interrupted(place.path());
    for checkpoint in ["checkpoint.bin", "checkpoint.previous.bin"] {
        fs::remove_file(folder.join(checkpoint)).unwrap();
    }
    let told = |part: &str, wanted: &str, spoil: &dyn Fn(&str) -> String| {
        let path = folder.join(part);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, spoil(&whole)).unwrap();
        let run = RunFolder::open(&folder).unwrap();
        let said: Vec<String> = run.condition().damage.iter().map(ToString::to_string).collect();
        assert!(said.iter().any(|said| said.contains(wanted)), "{part}: {said:?}");
        assert!(!part.contains("stats") || !run.condition_of_rows().damage.is_empty());
        fs::write(&path, whole).unwrap();
    };
    let first = |count: usize| move |text: &str| text.split_inclusive('\n').take(count).collect::<String>();
    told("frames/times.csv", "000005.npy is not listed", &first(4));
    told("frames/times.csv", "000099.npy is missing", &|text| format!("{text}99,198,1.98\n100,200,2.0\n"));
    told("stats.csv", "frames have more steps than rows", &first(5));
    let without =
        |text: &str| text.split_inclusive('\n').enumerate().filter(|(k, _)| *k != 4).map(|(_, line)| line).collect();
    told("stats.csv", "after the row of step 2 comes that of step 4", &without);
    let run = RunFolder::open(&folder).unwrap().condition();
    assert!(run.damage.is_empty() && run.notes[0].contains("no checkpoint"), "{run:?}");
}
