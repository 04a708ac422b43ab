//! Studies and tables, and mistakes on the command line.

use serde_json::Value;
use std::process::{Command, Output};

fn visviva(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_visviva")).args(args).output().unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = visviva(args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_collision_study_prints_the_promised_json() {
    let rows = json(&[
        "study",
        "collision-1d",
        "--json",
        "--h",
        "1/30,1/300",
        "--integrators",
        "bdf2,a-search,implicit-euler",
    ]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 4 * 2 * 3);
    let find = |case: &str, integrator: &str, h: f64| {
        let matches = |r: &&Value| {
            r["case"] == case && r["integrator"] == integrator && (r["h"].as_f64().unwrap() - h).abs() < 1e-12
        };
        rows.iter().find(matches).unwrap()
    };
    let row = find("stiff", "a-search", 1.0 / 30.0);
    assert!((row["final_velocity"].as_f64().unwrap() - 1.0).abs() < 2e-3);
    assert_eq!(row["paper"], 0.999);
    assert_eq!(find("soft", "implicit-euler", 1.0 / 300.0)["paper"], Value::Null);
    assert_eq!(find("damped-soft", "bdf2", 1.0 / 30.0)["outcome"]["kind"], "completed");
}

#[test]
fn every_study_prints_json() {
    let quick: [&[&str]; 4] = [
        &["study", "particle", "--json", "--phases", "0.5"],
        &["study", "stability", "--json", "--points", "3"],
        &["study", "spectrum", "--json", "--h", "1/30", "--cases", "soft"],
        &["study", "ablation", "--json", "--h", "1/300"],
    ];
    for args in quick {
        assert!(!json(args).as_array().unwrap().is_empty(), "{args:?}");
    }
    assert!(json(&["integrators", "--json"]).as_array().unwrap().len() > 15);
}

#[test]
fn an_out_folder_receives_tables_and_plots() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/er");
    let output =
        visviva(&["study", "collision-1d", "--h", "1/30,1/60", "--cases", "soft", "--out", out.to_str().unwrap()]);
    assert!(output.status.success());
    for file in
        ["collision-1d.csv", "collision-1d.json", "final-velocity.svg", "final-velocity.png", "space-time-soft.png"]
    {
        assert!(std::fs::metadata(out.join(file)).unwrap().len() > 100, "{file}");
    }
    let csv = std::fs::read_to_string(out.join("collision-1d.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * 3);
    assert!(std::fs::read_dir(&out).unwrap().all(|e| !e.unwrap().file_name().to_string_lossy().contains("partial")));
}

#[test]
fn mistakes_are_answered_with_what_is_allowed_and_exit_code_two() {
    let cases: [(&[&str], &[&str]); 12] = [
        (&["study", "collision"], &["collision", "collision-1d, particle, stability"]),
        (&["study", "collision-1d", "--integrators", "a-serch"], &["a-serch", "a-search"]),
        (&["study", "collision-1d", "--cases", "hard"], &["hard", "soft, medium, stiff"]),
        (&["study", "collision-1d", "--h", "0"], &["h = 0"]),
        (&["study", "collision-1d", "--h=-0.1"], &["h = -0.1"]),
        (&["study", "collision-1d", "--h", "1/x"], &["1/x", "1/120"]),
        (&["study", "collision-1d", "--h", "7"], &["h = 7", "duration"]),
        (&["study", "collision-1d", "--integrators", "a-search:min=1.2"], &["[1.2, 1.1]"]),
        (&["study", "collision-1d", "--target", "curve:0=1,2=1,1=0.5"], &["t = 1 s", "sort"]),
        (&["study", "collision-1d", "--target", "decay:tau=0"], &["τ = 0"]),
        (&["study", "particle", "--phases", "2"], &["β = 2", "[0, 1]"]),
        (&["study", "stability", "--integrators", "a-search"], &["a-search", "fixed α"]),
    ];
    for (args, parts) in cases {
        let output = visviva(args);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?}");
        for part in parts {
            assert!(message.contains(part), "{args:?}: {message}");
        }
    }
}

#[test]
fn a_failed_run_is_shown_and_not_hidden() {
    let output =
        visviva(&["study", "collision-1d", "--integrators", "explicit-euler", "--h", "1/30", "--cases", "stiff"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("failed") && text.contains("stopped at t ="), "{text}");
}

#[test]
fn an_unwritable_folder_is_a_failure_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("taken");
    std::fs::write(&file, "x").unwrap();
    let output = visviva(&["study", "particle", "--phases", "0.5", "--out", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("taken"));
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    use std::io::Read;
    let mut child = Command::new(env!("CARGO_BIN_EXE_visviva"))
        .args(["study", "stability", "--json", "--points", "2000"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // A reader that goes away after one byte, as `head -c 1` does.
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
