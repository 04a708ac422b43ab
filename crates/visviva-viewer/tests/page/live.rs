//! A run that is steered from a page, and repeated without it.

use super::client::{Client, frame, head};
use super::{recorded, source, viewer};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use visviva::Session;
use visviva::integrate::StepReport;
use visviva::run::RunFolder;
use visviva::scene::SceneSource;
use visviva::session::{Ending, Observer, ObserverError, RecordOptions};

/// Runs a folder's run.toml anew and compares every bit of every frame.
fn assert_repeats(path: &Path) {
    let again = tempfile::tempdir().unwrap();
    let scene = SceneSource::read(&path.join("run.toml")).unwrap().parse(&[]).unwrap();
    let mut session = Session::new(scene).unwrap();
    session.record(&again.path().join("run"), &RecordOptions::default()).unwrap();
    session.run().unwrap();
    let (first, second) = (RunFolder::open(path).unwrap(), RunFolder::open(&again.path().join("run")).unwrap());
    let frames = first.frames().unwrap();
    assert_eq!(frames.len(), second.frames().unwrap().len());
    for info in frames {
        assert_eq!(
            first.read_frame(info.index).unwrap(),
            second.read_frame(info.index).unwrap(),
            "frame {}",
            info.index
        );
    }
}

#[test]
fn what_a_page_changes_is_in_the_data_and_is_repeated_without_it_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let (session, path) = recorded(folder.path(), "live", &[]);
    let pilot = viewer.steer(session, &path, Arc::default(), false).unwrap();
    let mut page = Client::connect(&viewer.address());
    // Nothing flies before its orders are there, so that this test means the same on every machine.
    let run = {
        let (page, ready) = (&mut page, std::sync::mpsc::channel::<()>());
        let thread = std::thread::spawn(move || {
            ready.1.recv().unwrap();
            pilot.fly().unwrap()
        });
        page.send_only("pause", json!({ "run": "r1" }));
        std::thread::sleep(Duration::from_millis(100));
        ready.0.send(()).unwrap();
        assert!(page.answer().unwrap()["t"] == 0.0);
        thread
    };
    page.ok("step", json!({ "run": "r1", "count": 10 }));
    page.wait_for("r1", "paused");
    let before = page.ok("open", json!({ "run": "r1" }));
    assert_eq!((&before["live"], before["times"].as_array().unwrap().len()), (&json!(true), 6));
    let changed = page.ok("change", json!({ "run": "r1", "change": { "energy": { "tau": 0.05 } } }));
    assert_eq!((&changed["step"], &changed["changes"][0]["energy"]["target"]), (&json!(10), &json!("decay")));
    page.ok("change", json!({ "run": "r1", "change": { "gravity": [0.0, 0.0, -5.0] } }));
    page.ok("step", json!({ "run": "r1", "count": 5 }));
    page.wait_for("r1", "paused");
    page.ok("change", json!({ "run": "r1", "change": { "integrator": "a-search:max=1.3" } }));
    for k in 0..4 {
        page.ok("grab", json!({ "run": "r1", "vertex": 3, "point": [0.02 * f64::from(k), 0.0, 0.2] }));
        page.ok("step", json!({ "run": "r1" }));
        page.wait_for("r1", "paused");
    }
    page.ok("release", json!({ "run": "r1" }));
    page.ok("change", json!({ "run": "r1", "change": { "energy": { "curve": [[0.0, 1.0], [0.6, 0.1]] } } }));
    for (change, part) in [
        (json!({ "energy": { "tau": -1 } }), "decay time"),
        (json!({ "integrator": "bdf3" }), "unknown integrator"),
        (json!({ "mass": 1 }), "mass"),
        (json!(7), "a change is a table"),
        (json!({}), "exactly one"),
    ] {
        let words = page.ask("change", json!({ "run": "r1", "change": change })).unwrap_err();
        assert!(words.contains(part), "{words}");
    }
    let saved = page.ok("save", json!({ "run": "r1" }))["toml"].as_str().unwrap().to_owned();
    assert_eq!(source(&saved).parse(&[]).unwrap().changes.len(), 9);
    page.ok("go", json!({ "run": "r1" }));
    let summary = run.join().unwrap();
    assert_eq!(summary.ending, Ending::Completed);
    let told = page.wait_for("r1", "finished");
    assert_eq!((&told["live"], told["changes"].as_array().unwrap().len()), (&json!(false), 4));
    // The dial in the data: after 5 steps of 10 ms the target has fallen by e⁻¹ of what it was above 0 J, and with gravity.
    let targets = page.ok("stats", json!({ "run": "r1" }))["columns"]["target"].clone();
    let at = |row: usize| targets[row].as_f64().unwrap();
    assert!(at(15) < 0.6 * at(10) && at(60) < 0.2, "{} {} {}", at(10), at(15), at(60));
    let words = page.ask("pause", json!({ "run": "r1" })).unwrap_err();
    assert!(words.contains("over"), "{words}");
    assert_repeats(&path);
}

#[test]
fn a_page_starts_a_scene_pauses_steps_and_stops_it() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, log) = viewer(folder.path());
    let mut page = Client::connect(&viewer.address());
    let set = json!({ "run.h": "1/50", "body.0.material.youngs_modulus": 2e5 });
    let run =
        page.ok("start", json!({ "scene": "fall", "set": set, "paused": true }))["run"].as_str().unwrap().to_owned();
    let told = page.wait_for(&run, "paused");
    assert_eq!((&told["h"], &told["name"]), (&json!(0.02), &json!("fall-a-search")));
    page.ok("step", json!({ "run": run }));
    page.wait_for(&run, "paused");
    let now = page.binary("now", json!({ "run": run }));
    let (t, seen) = frame(&now, 26);
    assert_eq!((head(&now)[2], t), (u32::MAX, 0.02));
    assert!(seen.iter().all(|x| x[2] > 0.0), "{seen:?}");
    let slow = page.ok("pace", json!({ "run": run, "speed": 0.5 }));
    assert_eq!(slow["step"], 1);
    let begun = Instant::now();
    page.ok("go", json!({ "run": run }));
    page.wait_for(&run, "finished");
    // 0.58 s at half the speed of the clock.
    assert!(begun.elapsed() > Duration::from_millis(1000), "{:?}", begun.elapsed());
    let progress: Vec<_> = page.events.iter().filter(|event| event["event"] == "progress").collect();
    assert!(progress.iter().any(|event| event["state"] == "running"), "{progress:?}");

    let second = page.ok("start", json!({ "scene": "fall", "paused": true }))["run"].as_str().unwrap().to_owned();
    page.ok("stop", json!({ "run": second }));
    let told = page.wait_for(&second, "finished");
    assert_eq!(told["name"], "fall-a-search-2");
    let words = page.ask("start", json!({ "scene": "fall", "set": { "run.h": "-1" } })).unwrap_err();
    assert!(words.contains("run.h"), "{words}");
    std::thread::sleep(Duration::from_millis(100));
    assert!(log.lock().unwrap().iter().any(|line| line.contains("visviva resume")));
}

#[test]
fn a_branch_leaves_a_run_at_a_checkpoint_with_another_wish() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let (mut session, path) = recorded(folder.path(), "fall", &["run.keep_checkpoints=0.1"]);
    session.run().unwrap();
    viewer.show(&path).unwrap();
    let mut page = Client::connect(&viewer.address());
    let change = json!({ "energy": { "target": "decay", "tau": 0.02 } });
    let run =
        page.ok("branch", json!({ "run": "r1", "index": 15, "change": change }))["run"].as_str().unwrap().to_owned();
    let told = page.wait_for(&run, "finished");
    assert_eq!((&told["name"], told["times"].as_array().unwrap().len()), (&json!("fall-from-0.3"), 31));
    let total = |page: &mut Client, run: &str| page.ok("stats", json!({ "run": run }))["columns"]["target"].clone();
    let (parent, branch) = (total(&mut page, "r1"), total(&mut page, &run));
    assert_eq!(parent[30], branch[30]);
    assert!(branch[60].as_f64().unwrap() < 0.5 * parent[60].as_f64().unwrap(), "{} {}", branch[60], parent[60]);
    let words = page.ask("branch", json!({ "run": "r1", "t": 0.3, "change": { "run": { "h": 1 } } })).unwrap_err();
    assert!(words.contains("a branch may change"), "{words}");
    assert!(page.ask("branch", json!({ "run": "r1" })).unwrap_err().contains("where to branch"));
    assert_repeats(&folder.path().join("fall-from-0.3"));
}

#[test]
fn a_hand_out_of_all_bounds_is_refused_in_words_and_the_run_goes_on_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let (session, path) = recorded(folder.path(), "live", &[]);
    let pilot = viewer.steer(session, &path, Arc::default(), true).unwrap();
    let run = std::thread::spawn(move || pilot.fly().unwrap());
    let mut page = Client::connect(&viewer.address());
    for (more, part) in [
        (json!({ "point": [1e300, 0.0, 0.0] }), "grab.point"),
        (json!({ "point": [0.0, 0.0, 0.1], "stiffness": 1e300 }), "grab.stiffness"),
        (json!({ "point": [0.0, 1e5, 0.0] }), "take it nearer"),
    ] {
        let mut ask = json!({ "run": "r1", "vertex": 3 });
        ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let words = page.ask("grab", ask).unwrap_err();
        assert!(words.contains(part), "{words}");
        page.ok("step", json!({ "run": "r1" }));
    }
    page.ok("go", json!({ "run": "r1" }));
    assert_eq!(run.join().unwrap().ending, Ending::Completed);
    assert_repeats(&path);
}

#[test]
fn the_hardest_pull_that_is_let_through_ends_no_run() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let (session, path) = recorded(folder.path(), "live", &["run.duration=0.1"]);
    let pilot = viewer.steer(session, &path, Arc::default(), true).unwrap();
    let run = std::thread::spawn(move || pilot.fly().unwrap());
    let mut page = Client::connect(&viewer.address());
    // 10 m away, with four million newtons on a kilogram, upwards and then down through the ground.
    for z in [10.0, -10.0] {
        page.ok("grab", json!({ "run": "r1", "vertex": 3, "point": [0.0, 0.0, z], "stiffness": 4e5 }));
        page.ok("step", json!({ "run": "r1" }));
        page.wait_for("r1", "paused");
    }
    page.ok("go", json!({ "run": "r1" }));
    assert_eq!(run.join().unwrap().ending, Ending::Completed);
    assert_repeats(&path);
}

#[test]
fn a_hand_that_makes_a_step_fail_lets_go_and_the_run_goes_on_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    // An explicit method, which has nothing to hold against such a pull: the cube would be inside out after one step. By itself it flies well.
    let (session, path) = recorded(folder.path(), "live", &["run.integrator=rk4", "run.h=1/1000", "run.duration=0.02"]);
    let pilot = viewer.steer(session, &path, Arc::default(), true).unwrap();
    let run = std::thread::spawn(move || pilot.fly().unwrap());
    let mut page = Client::connect(&viewer.address());
    page.ok("step", json!({ "run": "r1", "count": 2 }));
    page.ok("grab", json!({ "run": "r1", "vertex": 3, "point": [0.0, 0.0, 10.0], "stiffness": 4e5 }));
    page.ok("go", json!({ "run": "r1" }));
    let summary = run.join().unwrap();
    assert_eq!((summary.ending, summary.tally.steps), (Ending::Completed, 20));
    let made = SceneSource::read(&path.join("run.toml")).unwrap().parse(&[]).unwrap().changes;
    assert_eq!(
        made.iter().map(|change| change.step).collect::<Vec<_>>(),
        [made[0].step; 2],
        "taken and let go at once"
    );
    assert_repeats(&path);
}

/// Falls over at a step.
struct Clumsy;

impl Observer for Clumsy {
    fn step(&mut self, session: &Session, _: &StepReport) -> Result<(), ObserverError> {
        assert!(session.steps() < 3, "as this test wants it");
        Ok(())
    }
}

#[test]
fn a_run_that_falls_over_is_told_as_failed_and_nobody_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let (mut session, path) = recorded(folder.path(), "live", &[]);
    session.observe(Clumsy).unwrap();
    let pilot = viewer.steer(session, &path, Arc::default(), false).unwrap();
    let mut page = Client::connect(&viewer.address());
    assert!(std::thread::spawn(move || pilot.fly()).join().is_err());
    let told = page.wait_for("r1", "failed");
    assert_eq!(told["live"], false);
    assert!(page.ask("pause", json!({ "run": "r1" })).unwrap_err().contains("over"));
    viewer.finish();
}
