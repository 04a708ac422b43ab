//! What schedulers, `timeout` and terminals send: a run ends with its summary, however often it is told so at once.
#![cfg(unix)]

use super::small_scene::small;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn signals_close_together_end_a_run_once_and_with_its_summary() {
    let pairs = [["-TERM", "-TERM"], ["-INT", "-TERM"], ["-HUP", "-TERM"], ["-HUP", "-HUP"]];
    for signals in pairs {
        let place = small();
        // Hundreds of steps of milliseconds.
        let scene = ["--set", "body.0.box.cells=[6,5,5]", "--h", "1/400", "--duration", "2"];
        let start = ["run", "small.toml", "--quiet", "--out", "cut"];
        let mut child = place.command(&[&start[..], &scene[..]].concat()).stderr(Stdio::null()).spawn().unwrap();
        let stats = place.path("cut/stats.csv");
        let begun = Instant::now();
        while fs::read_to_string(&stats).map_or(0, |text| text.lines().count()) < 5 {
            assert!(begun.elapsed() < Duration::from_secs(30));
            std::thread::sleep(Duration::from_millis(1));
        }
        for signal in signals {
            assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        }
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signals:?}");
        assert_eq!(place.summary("cut")["ending"]["kind"], "interrupted", "{signals:?}");
        assert!(place.run_folder("cut").condition().damage.is_empty());
    }
}

/// `nohup` is nothing but this.
#[test]
fn a_run_that_was_told_to_ignore_its_terminals_end_goes_on_to_its_own() {
    let place = small();
    let run = place.command(&["run", "small.toml", "--quiet", "--h", "1/400", "--duration", "1", "--out", "run"]);
    let mut ignoring = Command::new("sh");
    ignoring.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(run.get_program()).args(run.get_args());
    if let Some(folder) = run.get_current_dir() {
        ignoring.current_dir(folder);
    }
    let mut child = ignoring.spawn().unwrap();
    let begun = Instant::now();
    while !place.path("run/checkpoint.bin").exists() {
        assert!(begun.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(place.summary("run")["ending"]["kind"], "completed");
}

/// Schedulers repeat themselves after seconds, when a long step may still be going on.
#[test]
fn a_second_signal_in_the_middle_of_a_long_step_costs_nothing() {
    let place = small();
    // One step takes seconds: the second signal finds it unfinished.
    let scene =
        ["--set", "body.0.box.cells=[18,18,18]", "--set", "solver.linear=direct", "--h", "1/30", "--duration", "2"];
    let start = ["run", "small.toml", "--quiet", "--threads", "1", "--out", "cut"];
    let mut child =
        place.command(&[&start[..], &scene[..]].concat()).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !place.path("cut/checkpoint.bin").exists() {
        assert!(begun.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(1));
    }
    for wait in [0, 1100] {
        std::thread::sleep(Duration::from_millis(wait));
        // It may have ended by then, as it should.
        let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(place.summary("cut")["ending"]["kind"], "interrupted");
}

/// A terminal that was closed cannot be written to: the run ends all the same as it should.
#[test]
fn a_run_whose_terminal_is_gone_keeps_its_summary() {
    let place = small();
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    place.command(&["run", "small.toml", "--out", "run"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(place.summary("run")["ending"]["kind"], "completed");
}
