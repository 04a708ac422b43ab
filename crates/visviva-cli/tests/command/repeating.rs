//! Run folders that need nothing from elsewhere: repeated, resumed and looked at after the scene's files have gone.

use super::place::Place;
use super::small_scene::{TWO_TETS, with_file};
use std::fs;

/// A box with its nodes moved: the same counts, another model.
fn moved() -> String {
    assert!(TWO_TETS.contains("5 1 1 1\n"));
    TWO_TETS.replace("5 1 1 1\n", "5 1 1 1.25\n")
}

/// A scene with a mesh file in another folder, run for half its time.
fn half_run() -> Place {
    let place = Place::with("scene.toml", &with_file("meshes/two.msh"));
    fs::create_dir(place.path("meshes")).unwrap();
    place.write("meshes/two.msh", TWO_TETS);
    let set = ["--set", "energy.target=decay", "--set", "energy.tau=0.3", "--set", "energy.ground=equilibrium"];
    let set = [&set[..], &["--set", "gravity=[0,0,0]", "--h", "1/100"]].concat();
    place.succeed(&[&["run", "scene.toml", "-q", "--out", "whole"], &set[..]].concat());
    place.succeed(&[&["run", "scene.toml", "-q", "--out", "run", "--duration", "0.05"], &set[..]].concat());
    lengthen(&place);
    place
}

fn lengthen(place: &Place) {
    let toml = place.read("run/run.toml");
    assert!(toml.contains("duration = 0.05"));
    place.write("run/run.toml", &toml.replace("duration = 0.05", "duration = 0.1"));
}

#[test]
fn a_run_can_be_repeated_from_its_own_folder_wherever_that_is() {
    let place = half_run();
    place.succeed(&["run", "whole/run.toml", "-q", "--out", "again"]);
    place.assert_same("whole", "again");
    assert_eq!(place.names("again/inputs"), ["two.msh"]);
    fs::create_dir(place.path("elsewhere")).unwrap();
    fs::rename(place.path("again"), place.path("elsewhere/again")).unwrap();
    fs::remove_dir_all(place.path("meshes")).unwrap();
    place.succeed(&["run", "elsewhere/again/run.toml", "-q", "--out", "third"]);
    place.assert_same("whole", "third");
    // Over itself: its own copy is what it reads.
    place.succeed(&["run", "third/run.toml", "-q", "--out", "third", "--overwrite"]);
    place.assert_same("whole", "third");
}

#[test]
fn files_that_vanish_or_change_after_the_start_do_not_matter() {
    for altered in [None, Some(moved())] {
        let place = half_run();
        let look = |run: &str| {
            let measured = place.succeed(&["measure", run]).replace(run, "");
            place.succeed(&["export", run]);
            let exported = fs::read(place.path(run).join("vtk/solids_000005.vtu")).unwrap();
            let verified = place.succeed(&["verify", run]);
            let drawn = ["render", run, "--at", "0.1", "--color-by", "energy", "--size", "96x54"];
            let drawn = fs::read(place.path(place.succeed(&drawn).trim_end())).unwrap();
            (cells_but_the_last(&measured), exported, verified, drawn)
        };
        let wanted = look("whole");
        match altered {
            Some(mesh) => place.write("meshes/two.msh", &mesh),
            None => fs::remove_file(place.path("meshes/two.msh")).unwrap(),
        }
        // Its duration was edited.
        place.succeed(&["resume", "run", "-q", "--force"]);
        place.assert_same("whole", "run");
        assert!(look("run") == wanted);
    }
}

/// The last one is of wall-clock time.
fn cells_but_the_last(table: &str) -> Vec<String> {
    let row = table.lines().last().unwrap();
    row.split_whitespace().rev().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_copy_that_was_altered_is_refused_with_both_hashes() {
    let place = half_run();
    place.write("run/inputs/two.msh", &moved());
    place.fail(&["resume", "run", "-q"], 1, &["inputs/two.msh was altered", "--force"]);
    let said = place.fail(&["resume", "run", "-q", "--force"], 1, &["checkpoint", "hash", "Put them back"]);
    let is_hash = |word: &&str| word.len() == 16 && word.chars().all(|c| c.is_ascii_hexdigit());
    let words = said.split(|c: char| !c.is_alphanumeric());
    let mut hashes: Vec<&str> = words.filter(is_hash).collect();
    hashes.dedup();
    assert_eq!(hashes.len(), 2, "{said}");
    place.fail(&["measure", "run"], 1, &["run", "vertex 4 at", "Put it back"]);
    // What it can do without is exported all the same.
    let output = place.visviva(&["export", "run"]);
    assert!(output.status.success());
    assert!(super::place::text(&output.stderr).contains("warning: no energy density"));
    place.write("run/inputs/two.msh", TWO_TETS);
    place.succeed(&["resume", "run", "-q", "--force"]);
    place.assert_same("whole", "run");
}

#[test]
fn two_files_of_one_name_are_both_kept_and_a_stand_in_stays_one() {
    let scene = with_file("a/two.msh");
    let second = "\n[[body]]\nname = \"other\"\nmaterial = \"rubber\"\nfile = \"b/two.msh\"\ntranslate = [5, 0, 0]\n\
                  [[body]]\nname = \"third\"\nmaterial = \"rubber\"\nfile = \"c/two.msh\"\nfile_optional = true\n\
                  box = { size = [1, 1, 1], cells = [1, 1, 1] }\ntranslate = [-5, 0, 0]\n";
    let place = Place::with("scene.toml", &format!("{scene}{second}"));
    for (folder, mesh) in [("a", TWO_TETS.to_owned()), ("b", moved())] {
        fs::create_dir(place.path(folder)).unwrap();
        place.write(&format!("{folder}/two.msh"), &mesh);
    }
    place.succeed(&["run", "scene.toml", "-q", "--out", "run"]);
    assert_eq!(place.names("run/inputs"), ["two-2.msh", "two.msh"]);
    assert_eq!(place.read("run/inputs/two-2.msh"), moved());
    // The file that was not there then is there now: the run is repeated as it was.
    fs::create_dir(place.path("c")).unwrap();
    place.write("c/two.msh", TWO_TETS);
    place.succeed(&["run", "run/run.toml", "-q", "--out", "again"]);
    place.assert_same("run", "again");
}

#[test]
fn what_is_not_a_runs_copy_is_not_overwritten() {
    let place = half_run();
    place.write("run/inputs/notes.txt", "mine");
    place.succeed(&["run", "scene.toml", "-q", "--out", "run", "--overwrite"]);
    assert_eq!(place.names("run/inputs"), ["notes.txt", "two.msh"]);
    place.write("run/inputs/other.msh", "mine");
    fs::rename(place.path("meshes/two.msh"), place.path("meshes/other.msh")).unwrap();
    place.write("scene.toml", &with_file("meshes/other.msh"));
    let overwrite = ["run", "scene.toml", "-q", "--out", "run", "--overwrite"];
    place.fail(&overwrite, 1, &["inputs/other.msh", "not overwritten"]);
    assert_eq!(place.read("run/inputs/other.msh"), "mine");
    assert!(place.path("run/inputs/two.msh").exists(), "the old run is whole");
}

#[test]
fn an_old_folder_without_copies_says_what_it_lacks() {
    let place = half_run();
    // As earlier versions wrote it: absolute names, no copies, a checkpoint that knows no files.
    for checkpoint in ["run/checkpoint.bin", "run/checkpoint.previous.bin"] {
        fs::remove_file(place.path(checkpoint)).unwrap();
    }
    let absolute = place.path("meshes/two.msh").display().to_string();
    let toml = place.read("run/run.toml").replace("inputs/two.msh", &absolute);
    place.write("run/run.toml", &toml);
    fs::remove_dir_all(place.path("run/inputs")).unwrap();
    place.succeed(&["measure", "run"]);
    fs::rename(place.path("meshes"), place.path("gone")).unwrap();
    place.fail(&["measure", "run"], 1, &["two.msh", "earlier version", "no copies", "run the scene again"]);
    place.succeed(&["verify", "run"]);
    place.succeed(&["render", "run", "--at", "0", "--size", "96x54"]);
}
