//! One scheme of exit codes for all commands, as `--help` and the README tell it.

use super::small_scene::{run_small, small};
use std::path::Path;

#[test]
fn the_same_kind_of_failure_has_the_same_code_in_every_command() {
    let place = small();
    run_small(&place, "run", &["--duration", "0.02"]);
    let reading: [&[&str]; 6] = [&["resume"], &["render"], &["plot"], &["measure"], &["verify"], &["export"]];
    for verb in reading {
        place.fail(&[verb, &["nowhere"]].concat(), 2, &["no such folder"]);
        place.fail(&[verb, &["run", "--no-such-flag"]].concat(), 2, &["--no-such-flag"]);
    }
    for verb in ["run", "check", "bench", "sweep", "mesh"] {
        place.fail(&[verb, "nowhere.toml"], 2, &["nowhere.toml"]);
    }
    // What was written and is damaged is a failure of the work.
    std::fs::write(place.path("run/stats.csv"), "what,is,this\n1,2,3\n").unwrap();
    for verb in ["plot", "measure", "resume"] {
        place.fail(&[verb, "run"], 1, &["stats.csv"]);
    }
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let help = place.succeed(&["--help"]);
    for code in ["0", "1", "2", "3", "130"] {
        assert!(readme.contains(&format!("| {code} |")), "README: {code}");
        assert!(help.lines().any(|line| line.trim_start().starts_with(&format!("{code} "))), "--help: {code}");
    }
}
