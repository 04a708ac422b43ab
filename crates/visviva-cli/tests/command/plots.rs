//! `visviva plot` on folders of runs, whole and damaged.

use super::made_up_run::run;
use super::place::Place;
use std::fs;

#[test]
fn one_run_is_drawn_into_its_own_folder() {
    let place = Place::empty();
    let path = run(&place, "one", "a-search", 200);
    let listed = place.succeed(&["plot", "one"]);
    let wanted = ["alpha", "angular-momentum", "energy", "newton", "terms"];
    let wanted: Vec<String> = wanted.iter().flat_map(|w| [format!("{w}.png"), format!("{w}.svg")]).collect();
    assert_eq!(place.names("one/plots"), wanted);
    assert_eq!(listed.lines().count(), wanted.len());
    let svg = fs::read_to_string(path.join("plots/energy.svg")).unwrap();
    assert!(svg.contains(">a-search, h = 1/100 s<") && svg.contains(">target<"), "{svg}");
}

#[test]
fn several_runs_share_a_figure_whatever_their_length() {
    let place = Place::empty();
    run(&place, "a", "a-search", 120);
    run(&place, "b", "bdf2", 50);
    run(&place, "c", "bdf2", 80);
    let broken = place.path("c/run.toml");
    fs::write(place.path("b/run.toml"), "no toml at all [").unwrap();
    place.succeed(&["plot", "a", "b", "c", "--what", "energy,alpha"]);
    assert_eq!(place.names("plots"), ["alpha.png", "alpha.svg", "energy.png", "energy.svg"]);
    let svg = place.read("plots/energy.svg");
    assert!([">a-search, h = 1/100 s<", ">b<", ">bdf2, h = 1/100 s<"].iter().all(|l| svg.contains(l)));

    // Two runs of one name are told apart by their folders; labels given have the last word.
    fs::copy(&broken, place.path("b/run.toml")).unwrap();
    place.succeed(&["plot", "b", "c", "--what", "newton", "--out", "cost.svg"]);
    let svg = place.read("cost.svg");
    assert!(svg.contains(">bdf2, h = 1/100 s (b)<") && svg.contains(">bdf2, h = 1/100 s (c)<"));
    place.succeed(&["plot", "b", "c", "--out", "new/folder/", "--what", "terms", "--labels", "first,second"]);
    let svg = place.read("new/folder/terms.svg");
    assert!(svg.contains(">first<") && svg.contains(">second<"));
    place.succeed(&["plot", "b", "--out", "new/both", "--what", "terms,newton"]);
    assert!(place.path("new/both-terms.png").exists() && place.path("new/both-newton.svg").exists());
}

#[test]
fn twenty_runs_are_told_apart_by_a_scale_of_colours() {
    let place = Place::empty();
    let names: Vec<String> = (0..20).map(|k| format!("run-{k}")).collect();
    for (k, name) in names.iter().enumerate() {
        let path = run(&place, name, if k % 2 == 0 { "a-search" } else { "bdf2" }, 30);
        let toml = fs::read_to_string(path.join("run.toml")).unwrap();
        let stiffness = 1e4 * 1.5f64.powi(k as i32);
        let more = format!(
            "{toml}[[material]]\nname = \"rubber\"\nyoungs_modulus = {stiffness}\n[[body]]\nname = \"b\"\nmaterial = \"rubber\"\n"
        );
        fs::write(path.join("run.toml"), more).unwrap();
    }
    let dirs: Vec<&str> = names.iter().map(String::as_str).collect();
    let by = ["--what", "energy", "--by", "body.b.material.youngs_modulus", "--out", "all.svg"];
    place.succeed(&[&["plot"], &dirs[..], &by[..]].concat());
    let svg = place.read("all.svg");
    assert!(svg.contains(">body.b.material.youngs_modulus<"), "the scale has its name");
    assert!(dirs.iter().all(|name| !svg.contains(*name)) && !svg.contains(">a-search"), "there is no legend of runs");
    // Words have a legend, an entry each.
    place.succeed(
        &[&["plot"], &dirs[..], &["--what", "energy", "--by", "run.integrator", "--out", "words.svg"]].concat(),
    );
    let svg = place.read("words.svg");
    assert_eq!((svg.matches(">a-search<").count(), svg.matches(">bdf2<").count()), (1, 1));
    place.fail(&["plot", "run-0", "--by", "run.x"], 2, &["run-0", "no such key"]);
}

#[test]
fn a_run_that_is_still_written_is_drawn_as_far_as_it_got() {
    let place = Place::empty();
    let path = run(&place, "one", "a-1", 20).join("stats.csv");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
    place.succeed(&["plot", "one"]);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let place = Place::empty();
    run(&place, "empty", "bdf2", 0);
    run(&place, "bdf2", "bdf2", 10);
    let spoiled = run(&place, "spoiled", "bdf2", 3).join("stats.csv");
    fs::write(&spoiled, fs::read_to_string(&spoiled).unwrap() + "what,is,this\n").unwrap();
    fs::create_dir(place.path("bare")).unwrap();
    let cases: [(&[&str], i32, &str); 10] = [
        (&["plot", "nowhere"], 2, "nowhere: there is no such folder"),
        (&["plot", "bdf2/stats.csv"], 2, "this is a file"),
        (&["plot", "bare"], 2, "bare: no stats.csv"),
        (&["plot", "empty"], 1, "no step"),
        (&["plot", "spoiled"], 1, "line 5: 3 cells"),
        (&["plot", "bdf2", "--what", "alpha"], 1, "alpha"),
        (&["plot"], 2, "DIR"),
        (&["plot", "bdf2", "--what", "warmth"], 2, "angular-momentum"),
        (&["plot", "bdf2", "--labels", "a,b"], 2, "2 names for 1 runs"),
        (&["plot", "bdf2", "--out", "bdf2/run.toml/x"], 1, "run.toml"),
    ];
    for (args, code, part) in cases {
        let output = place.visviva(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        assert!(message.contains(part), "{args:?}: {message}");
    }
}
