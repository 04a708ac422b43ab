//! Short runs of every gallery scene with every family of integrators keep their bits from version to version.
//!
//! `hashes.txt` holds what was recorded on one platform: elsewhere mathematical functions and vector units round differently,
//! and the test says so and passes. After a change that is meant to change results, VISVIVA_RECORD=1 writes the file anew.

mod platform;
mod scenes;

use rayon::prelude::*;
use scenes::Case;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use xxhash_rust::xxh3::Xxh3;

/// One of each family: their code differs, their tables do not matter.
const INTEGRATORS: [&str; 11] = [
    "symplectic-euler",
    "rk4",
    "implicit-euler",
    "trapezoidal",
    "newmark",
    "bdf2",
    "sdirk2",
    "blending",
    "a-1",
    "a-search",
    "decoupled-sdirk2-large:alpha=search",
];
/// The clock's column, and those that describe contact where a step ends: not results that later steps depend on.
const NOT_HASHED: [&str; 3] = ["wall_s", "active_pairs", "min_distance"];

fn recorded_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/same_bits/hashes.txt")
}

/// Steps, frames and how the run ended.
fn hash_of_run(case: &Case, integrator: &str, folder: &Path) -> String {
    let program = std::env::var_os("VISVIVA_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_visviva").into());
    let mut command = Command::new(program);
    command.arg("run").arg(&case.scene).args(["--integrator", integrator, "-q", "--threads", "1", "--out"]).arg(folder);
    command.args(["--h", &case.h, "--duration", &case.duration()]);
    command.args(["--set", &format!("run.frame_rate={}", case.frame_rate())]);
    for change in &case.changes {
        command.args(["--set", change]);
    }
    let output = command.stdout(Stdio::null()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let stats = std::fs::read_to_string(folder.join("stats.csv"));
    let stats = stats.unwrap_or_else(|e| panic!("{} with {integrator}: {e}\n{message}", case.name));
    let mut hash = Xxh3::new();
    let kept: Vec<bool> =
        stats.lines().next().unwrap().split(',').map(|column| !NOT_HASHED.contains(&column)).collect();
    for line in stats.lines() {
        for (cell, _) in line.split(',').zip(&kept).filter(|&(_, &kept)| kept) {
            hash.update(cell.as_bytes());
            hash.update(b",");
        }
    }
    let mut frames: Vec<PathBuf> =
        std::fs::read_dir(folder.join("frames")).unwrap().map(|e| e.unwrap().path()).collect();
    frames.retain(|path| path.extension().is_some_and(|ending| ending == "npy"));
    frames.sort();
    frames.iter().for_each(|path| hash.update(&std::fs::read(path).unwrap()));
    format!(
        "{:016x} {} frames, {}",
        hash.digest(),
        frames.len(),
        if output.status.success() { "ended" } else { "failed" }
    )
}

#[test]
fn short_runs_of_every_scene_with_every_family_have_the_bits_they_had() {
    let recording = std::env::var_os("VISVIVA_RECORD").is_some();
    let file = recorded_file();
    let recorded = std::fs::read_to_string(&file).unwrap_or_default();
    let here = platform::fingerprint();
    if !recording && recorded.lines().next() != Some(here.as_str()) {
        println!("skipped: these bits were recorded on another platform than {here}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cases = scenes::cases(folder.path());
    let runs: Vec<(&Case, &str)> =
        cases.iter().flat_map(|case| case.integrators().iter().map(move |&integrator| (case, integrator))).collect();
    let of_run = |(k, (case, integrator)): (usize, &(&Case, &str))| {
        let place = folder.path().join(k.to_string());
        (format!("{} {integrator}", case.name), hash_of_run(case, integrator, &place))
    };
    let hashes: BTreeMap<String, String> = runs.par_iter().enumerate().map(of_run).collect();
    if recording {
        let lines = hashes.iter().map(|(run, hash)| format!("{run}: {hash}\n"));
        let text: String = [format!("{here}\n")].into_iter().chain(lines).collect();
        std::fs::write(&file, text).unwrap();
        return;
    }
    let before: BTreeMap<&str, &str> = recorded.lines().skip(1).filter_map(|line| line.split_once(": ")).collect();
    assert_eq!(before.len(), hashes.len(), "as many runs as were recorded");
    let changed: Vec<_> =
        hashes.iter().filter(|(run, hash)| before.get(run.as_str()) != Some(&hash.as_str())).collect();
    assert!(changed.is_empty(), "{} of {} runs changed: {changed:#?}", changed.len(), hashes.len());
}
