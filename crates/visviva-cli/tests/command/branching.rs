//! A change of mind: runs that are branched, and runs that are lengthened.

use super::place::text;
use super::small_scene::{run_small, small};

#[test]
fn a_branch_has_a_telling_name_and_says_where_it_comes_from() {
    let place = small();
    run_small(&place, "run", &["--keep-checkpoints", "0.04"]);
    assert_eq!(place.names("run/checkpoints"), ["000004.bin", "000008.bin"]);
    let set = ["--set", "energy.target=decay", "--set", "energy.tau=0.1"];
    let output = place.visviva(&[&["resume", "run", "--from", "0.05"], &set[..]].concat());
    let (said, told) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{told}");
    assert!(told.contains("checkpoint at t = 0.04 s is copied; from there"), "{told}");
    assert!(said.contains("branched from run at t = 0.05 s, with energy.target=decay, energy.tau=0.1"), "{said}");
    let name = "run-from-0.05-target-decay-tau-0.1";
    assert!(said.contains(&format!("the run is in {name}")), "{said}");
    let summary = place.summary(name);
    assert_eq!((summary["branch"]["parent"].as_str(), summary["branch"]["step"].as_u64()), (Some("run"), Some(5)));
    assert_eq!(place.stats(name)[..7], place.stats("run")[..7], "header, start and five steps");
    assert_ne!(place.stats(name)[7], place.stats("run")[7]);
    place.succeed(&["verify", name, "--strict"]);
    place.succeed(&["plot", name]);
    place.succeed(&["run", &format!("{name}/run.toml"), "-q", "--out", "again"]);
    place.assert_same(name, "again");

    // Once more without changes, and once more into the same place.
    place.succeed(&["resume", "run", "--from", "0.05", "-q", "--out", "same"]);
    place.assert_same("run", "same");
    place.fail(&["resume", "run", "--from", "0.05", "--out", "same"], 2, &["same is not empty", "--overwrite"]);
}

#[test]
fn a_finished_run_is_lengthened_in_place() {
    let place = small();
    run_small(&place, "whole", &["--duration", "0.2"]);
    run_small(&place, "run", &[]);
    place.succeed(&["resume", "run", "-q", "--duration", "0.2"]);
    place.assert_same("whole", "run");
    assert!(place.succeed(&["resume", "run"]).contains("nothing is left to do"));
    place.fail(&["resume", "run", "--duration", "0.1"], 2, &["0.1 s is too short", "t = 0.2 s"]);
}

#[test]
fn what_a_branch_may_not_set_is_refused_with_the_reason() {
    let place = small();
    run_small(&place, "run", &[]);
    let fail = |set: &str, parts: &[&str]| {
        place.fail(&["resume", "run", "--from", "0.05", "--set", set], 2, parts);
    };
    fail("run.h=1/200", &["--set run.h=1/200", "steps and frames are counted", "run the scene anew"]);
    fail("body.0.translate=[0,0,1]", &["built before the first step"]);
    fail("energy.tow=1", &["tow", "unknown"]);
    place.fail(&["resume", "run", "--set", "energy.tau=1"], 2, &["--from"]);
    place.fail(&["resume", "run", "--from", "7"], 2, &["before the end, which is at 0.1 s"]);
    place.fail(&["run", "small.toml", "--keep-checkpoints", "0"], 2, &["run.keep_checkpoints = 0"]);
    assert_eq!(place.names("."), ["run", "small.toml"]);
}
