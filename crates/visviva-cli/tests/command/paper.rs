//! `visviva paper` and `visviva compare`: verdicts that are computed, runs that are kept by what they are.

use super::place::{Place, text};
use super::small_scene::{SMALL, small};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::time::SystemTime;

/// Claims by name, with their verdicts.
fn verdicts(place: &Place, folder: &str) -> BTreeMap<String, String> {
    let report: Value = serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap();
    let experiments = report["experiments"].as_array().unwrap().iter();
    let claims = experiments.flat_map(|experiment| experiment["claims"].as_array().unwrap());
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    claims.map(|claim| (word(&claim["id"]), word(&claim["verdict"]))).collect()
}

#[test]
fn a_broken_search_is_caught_by_the_cheapest_experiments() {
    let place = Place::empty();
    let cheapest = ["paper", "particle", "ablation-1d", "--quiet"];
    place.succeed(&[&cheapest[..], &["--out", "right"]].concat());
    place.succeed(&[&cheapest[..], &["--out", "wrong", "--fixed-alpha", "0.5"]].concat());
    let (right, wrong) = (verdicts(&place, "right"), verdicts(&place, "wrong"));
    let flipped: Vec<&String> = right.keys().filter(|claim| right[*claim] != wrong[*claim]).collect();
    assert!(flipped.len() >= 4, "{flipped:?}");
    assert_eq!((right["asearch-leaves-at-one"].as_str(), wrong["asearch-leaves-at-one"].as_str()), ("holds", "fails"));
    // What speaks of A-1 alone knows nothing of it.
    assert_eq!(wrong["a1-keeps-speed"], "holds");
    let page = place.read("right/index.html");
    assert!(
        page.contains("<svg") && page.contains("visviva paper particle --tier quick") && !page.contains("src=\"http")
    );
}

/// An experiment over the small scene, with claims that hold, fail and cannot be decided.
const OWN: &str = r#"
title = "A small box"
about = "It turns."
scene = "small.toml"
columns = ["total.last", "wall_s"]
figures = ["energy"]
picture = { moments = 2 }
[[run]]
name = "kept"
integrator = "a-search"
[[run]]
name = "lost"
integrator = "implicit-euler"
[[run]]
name = "fine"
integrator = "bdf2"
h = "1/400"
tier = "full"
[[claim]]
id = "kept-more"
says = "A-search keeps more."
check = ["{kept: total.last} > {lost: total.last}"]
remark = "It keeps {kept: total.last} J."
[[claim]]
id = "gains"
says = "Implicit Euler gains."
check = ["{lost: total.last} > 2 * {lost: total.first}"]
[[claim]]
id = "as-fine"
says = "It is as good as a fine step."
check = ["{kept: distance vs fine} < 0.1"]
[[claim]]
id = "beauty"
says = "It looks good."
undecidable = "No number tells"
"#;

fn own() -> Place {
    let place = small();
    fs::create_dir(place.path("own")).unwrap();
    place.write("own/box.toml", OWN);
    place
}

const JUDGE: [&str; 5] = ["paper", "--from", "own", "--quiet", "--out"];

#[test]
fn verdicts_follow_from_runs_and_what_is_missing_is_told() {
    let place = own();
    place.succeed(&[&JUDGE[..], &["quick"]].concat());
    let quick = verdicts(&place, "quick");
    let words =
        |of: &BTreeMap<String, String>| ["kept-more", "gains", "as-fine", "beauty"].map(|claim| of[claim].clone());
    assert_eq!(words(&quick), ["holds", "fails", "not-decidable", "not-decidable"]);
    let page = place.read("quick/index.html");
    assert!(
        page.contains("`fine` is a run of the full tier")
            && page.contains("No number tells")
            && page.contains("It keeps 0.")
    );
    let stamps = || -> Vec<SystemTime> {
        let runs = place.names("runs/cache/points");
        let stats = |run: &String| place.path("runs/cache/points").join(run).join("stats.csv");
        runs.iter().map(|run| fs::metadata(stats(run)).unwrap().modified().unwrap()).collect()
    };
    let before = stamps();
    // Frames are let go, and what was measured and drawn of them stays. The folder may lie elsewhere.
    place.succeed(&[&JUDGE[..], &["slim", "--slim"]].concat());
    assert_eq!(stamps(), before, "what is finished is not run again");
    fs::rename(place.path("runs"), place.path("moved")).unwrap();
    place.succeed(&[&JUDGE[..], &["again", "--runs", "moved/cache", "--judge-only"]].concat());
    assert_eq!(verdicts(&place, "again"), quick);
    assert!(place.read("again/index.html").contains("data:image/png"));
    assert!(!place.path("moved/cache/points").join(&place.names("moved/cache/points")[0]).join("frames").exists());
    // A picture that is gone, too, is left out.
    fs::remove_dir_all(place.path("moved/cache/pictures")).unwrap();
    place.succeed(&[&JUDGE[..], &["bare", "--runs", "moved/cache", "--judge-only"]].concat());
    assert!(!place.read("bare/index.html").contains("data:image/png"));
    assert_eq!(verdicts(&place, "bare"), quick);
}

#[test]
fn a_report_is_made_in_pieces_and_keeps_what_is_not_named() {
    let place = own();
    place.write("own/twin.toml", &OWN.replace("A small box", "Its twin").replace("id = \"", "id = \"twin-"));
    place.succeed(&[&JUDGE[..], &["page"]].concat());
    let report = || -> Value { serde_json::from_str(&place.read("page/report.json")).unwrap() };
    let (whole, page) = (report(), place.read("page/index.html"));
    let section =
        |page: &str| page.split_once("<section id=\"box\">").unwrap().1.split("</section>").next().unwrap().to_owned();
    // With no runs at hand only what is named is judged anew.
    let again = [&JUDGE[..], &["page", "--judge-only", "--runs", "none", "--keep", "twin"]].concat();
    place.succeed(&again);
    let merged = report();
    assert_eq!(merged["experiments"][0], whole["experiments"][0]);
    assert_eq!(merged["holds"], 1, "of the box, and none of its twin, whose runs are not there");
    assert_eq!(merged["run_s"], whole["experiments"][0]["run_s"]);
    let kept = section(&place.read("page/index.html"));
    assert!(kept.contains("<svg") && kept.contains("data:image/png"));
    assert_eq!(kept, section(&page));
    let full = [&again[..], &["--tier", "full"]].concat();
    place.fail(&full, 2, &["page/report.json", "of the quick tier", "--keep"]);
    place.fail(&[&JUDGE[..], &["nowhere", "--judge-only", "--keep", "twin"]].concat(), 2, &["nowhere/report.json"]);
    assert_eq!(report(), merged);
}

/// All runs that are there, whose names begin so, ended with a full disk.
fn fill_the_disk(place: &Place, begin: &str) {
    for run in place.names("runs/cache/points").iter().filter(|run| run.starts_with(begin)) {
        let path = place.path("runs/cache/points").join(run).join("summary.json");
        let mut summary: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        summary["ending"] = serde_json::json!({ "kind": "failed", "reason": "the disk is full" });
        fs::write(&path, summary.to_string()).unwrap();
    }
}

#[test]
fn nothing_is_claimed_of_a_run_that_stopped_and_the_exit_code_tells() {
    let place = own();
    place.succeed(&[&JUDGE[..], &["right"]].concat());
    fill_the_disk(&place, "");
    let told = ["stopped before their end: box kept; box lost", "--retry"];
    place.fail(&[&JUDGE[..], &["stopped", "--judge-only"]].concat(), 3, &told);
    let stopped = verdicts(&place, "stopped");
    assert!(stopped.values().all(|verdict| verdict == "not-decidable"), "{stopped:?}");
    assert!(place.read("stopped/index.html").contains("stopped before its end: the disk is full"));
    place.fail(&[&JUDGE[..], &["stopped"]].concat(), 3, &told);
    place.fail(&["paper", "--from", "own", "--quiet", "--runs-only"], 3, &told);
    // Where a claim asks whether they fail, they may.
    let asks = "[[claim]]\nid = \"ends\"\nsays = \"\"\ncheck = [\"{kept: failed} + {lost: failed} > 1.5\"]\n";
    place.write("own/box.toml", &format!("{OWN}{asks}"));
    place.succeed(&[&JUDGE[..], &["asked"]].concat());
    assert_eq!(verdicts(&place, "asked")["ends"], "holds");
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_runs() {
    let place = own();
    place.write("page", "mine");
    for out in ["page", "page/below"] {
        place.fail(&[&JUDGE[..], &[out]].concat(), 2, &["--out", "page is a file", "name a folder"]);
        place.fail(&["compare", "small.toml", "--with", "bdf2", "--out", out], 2, &["page is a file"]);
    }
    assert!(!place.path("runs").exists() && place.read("page") == "mine");
}

#[cfg(unix)]
#[test]
fn a_signal_is_told_from_the_end_of_the_time() {
    let place = own();
    place.write("small.toml", &SMALL.replace("duration = 0.1", "duration = 1000"));
    let args = ["paper", "--from", "own", "--quiet", "--limit", "600", "--jobs", "1"];
    let mut child = place.command(&args).stderr(std::process::Stdio::null()).spawn().unwrap();
    let begun = std::time::Instant::now();
    while !place.path("runs/cache/points").exists() {
        assert!(begun.elapsed().as_secs() < 30);
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!place.path("paper").exists(), "nothing is judged");
}

#[test]
fn runs_from_another_machine_are_taken_whatever_their_threads() {
    let there = own();
    there.succeed(&[&JUDGE[..], &["report", "--threads", "2", "--jobs", "1"]].concat());
    // One of them was still going on.
    let lost = there.names("runs/cache/points").into_iter().find(|run| run.contains("implicit-euler")).unwrap();
    let summary = there.path("runs/cache/points").join(&lost).join("summary.json");
    fs::remove_file(summary).unwrap();
    let here = own();
    fs::create_dir(here.path("brought")).unwrap();
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .args([there.path("runs/cache"), here.path("brought/cache")])
        .status()
        .unwrap();
    assert!(copied.success());
    drop(there);
    let modified = |run: &str| {
        let stats = here.path("brought/cache/points").join(run).join("stats.csv");
        fs::metadata(stats).unwrap().modified().unwrap()
    };
    let kept = here.names("brought/cache/points").into_iter().find(|run| run.contains("a-search")).unwrap();
    let before = modified(&kept);
    here.succeed(&[&JUDGE[..], &["report", "--runs", "brought/cache", "--threads", "1"]].concat());
    assert_eq!(modified(&kept), before, "what is finished is not run again");
    assert_eq!(verdicts(&here, "report")["kept-more"], "holds");
    assert_eq!(here.names("brought/cache/points").len(), 2);
}

#[test]
fn runs_that_were_cut_say_so_and_go_on() {
    let place = own();
    // No second is left for anything.
    place.succeed(&[&JUDGE[..], &["cut", "--limit", "0", "--jobs", "1"]].concat());
    let cut = verdicts(&place, "cut");
    assert!(cut.values().all(|verdict| verdict == "not-decidable"), "{cut:?}");
    place.succeed(&[&JUDGE[..], &["whole"]].concat());
    assert_eq!(verdicts(&place, "whole")["kept-more"], "holds");
}

#[test]
fn runs_of_another_program_are_neither_taken_nor_lost_unasked() {
    let place = own();
    place.succeed(&[&JUDGE[..], &["first"]].concat());
    for name in place.names("runs/cache/identities") {
        place.write(&format!("runs/cache/identities/{name}"), r#"{"identity":"0000000000000001"}"#);
    }
    let told = ["2 runs", "another version", "--overwrite", "--older", "--runs"];
    place.fail(&[&JUDGE[..], &["second"]].concat(), 2, &told);
    assert!(!place.path("second").exists());
    fs::remove_dir_all(place.path("runs/cache/values")).unwrap();
    place.succeed(&[&JUDGE[..], &["second", "--older"]].concat());
    assert!(place.read("second/index.html").contains("run by another version of the program"));
    // What is measured of them is known to be theirs.
    for name in place.names("runs/cache/values") {
        let known: Value = serde_json::from_str(&place.read(&format!("runs/cache/values/{name}"))).unwrap();
        assert_eq!(known["content"]["identity"], 1, "{known}");
    }
    place.succeed(&[&JUDGE[..], &["third", "--overwrite"]].concat());
    assert!(!place.read("third/index.html").contains("another version"));
}

#[test]
fn mistakes_are_told_before_anything_runs() {
    let place = own();
    place.fail(&["paper", "membran"], 2, &["`membran`", "did you mean `membrane`"]);
    place.fail(&["paper", "--tier", "huge"], 2, &["huge", "quick and full"]);
    place.fail(&["paper", "--from", "nowhere"], 2, &["nowhere"]);
    place.write("own/box.toml", &OWN.replace("\"a-search\"", "\"a-serch\""));
    place.fail(&["paper", "--from", "own"], 2, &["box", "`kept`", "did you mean `a-search`"]);
    place.write("own/box.toml", OWN);
    place.write(
        "small.toml",
        &SMALL.replace("box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }", "file = \"lost.msh\""),
    );
    let output = place.visviva(&[&JUDGE[..], &["out"]].concat());
    assert!(text(&output.stderr).contains("lost.msh"), "{}", text(&output.stderr));
    assert!(!place.path("runs/cache/points").exists(), "nothing is left of what could not begin");
}

#[test]
fn a_scene_is_compared_with_several_methods_on_one_page() {
    let place = small();
    let compare =
        ["compare", "small.toml", "--with", "a-search", "--with", "bdf2@1/200", "--reference", "bdf2@1/400", "--quiet"];
    let said = place.succeed(&compare);
    for part in ["a-search", "bdf2@1/200", "bdf2@1/400", "1/400", "distance [m]", "compare/small/index.html"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let page = place.read("compare/small/index.html");
    assert!(page.contains("Distance from the reference") && page.contains("--reference bdf2@1/400"));
    let report: Value = serde_json::from_str(&place.read("compare/small/report.json")).unwrap();
    assert_eq!(report["experiments"][0]["runs"].as_array().unwrap().len(), 3);
    place.fail(&["compare", "small.toml", "--with", "a-serch"], 2, &["a-serch", "a-search"]);
    place.fail(&["compare", "smal.toml", "--with", "bdf2"], 2, &["smal.toml"]);
    place.fail(&["compare", "small.toml", "--with", "bdf2", "--equal-time", "bdf2"], 2, &["another method"]);
}

#[test]
fn a_step_is_found_at_which_another_method_takes_as_long() {
    let place = small();
    let compare = ["compare", "small.toml", "--with", "implicit-euler", "--equal-time", "a-search@1/400", "--quiet"];
    place.succeed(&compare);
    let report: Value = serde_json::from_str(&place.read("compare/small/report.json")).unwrap();
    let runs = report["experiments"][0]["runs"].as_array().unwrap();
    let found = runs.iter().find(|run| run["name"] == "implicit-euler, as long as a-search@1/400").unwrap();
    // Frames lie at the same times: a step is a part of 1/50 s.
    let h = found["h"].as_str().unwrap();
    let parts: f64 = h.strip_prefix("1/").unwrap_or("50").parse().unwrap();
    assert!(parts % 50.0 == 0.0 && parts > 50.0, "{h}");
    assert!(found["note"].as_str().unwrap().contains("times as long as a-search@1/400"), "{found}");
    // A run that stopped took no time that could be compared.
    fs::remove_dir_all(place.path("runs/cache/steps")).unwrap();
    fill_the_disk(&place, "small-a-search");
    place.fail(&compare, 3, &["the run it is to take as long as stopped: the disk is full"]);
}

#[test]
fn the_gallery_runs_anew_what_was_run_with_other_settings() {
    let place = Place::empty();
    let gallery = |set: &str| {
        let draw = [
            "gallery",
            "rotating-cube-soft",
            "--integrators",
            "a-search",
            "--out",
            "pictures",
            "--moments",
            "2",
            "--quiet",
        ];
        let coarse = ["--set", "body.0.box.cells=[2,2,2]", "--set", "run.duration=0.2", "--set", set];
        place.succeed(&[&draw[..], &coarse[..]].concat());
        place.names("runs/cache/points").len()
    };
    assert_eq!(gallery("run.h=1/30"), 1);
    assert_eq!(gallery("run.h=1/30"), 1);
    assert_eq!(gallery("run.h=1/60"), 2);
}
