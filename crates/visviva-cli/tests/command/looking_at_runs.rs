//! What is made of a run: exports, plots, measures, pictures.

use super::place::text;
use super::small_scene::{run_small, small};
use std::fs;

#[test]
fn a_run_is_exported_plotted_and_measured() {
    let place = small();
    run_small(&place, "run", &[]);
    place.succeed(&["export", "run"]);
    let back = visviva::mesh::load_tet_mesh(place.path("run/vtk/solids_000005.vtu")).unwrap().mesh;
    let frame = place.run_folder("run").read_frame(5).unwrap();
    assert!(back.positions.iter().zip(&frame.x).all(|(p, x)| p.as_slice() == x), "positions come back exactly");
    assert_eq!(back.tets.len(), 162);
    let bytes = fs::read(place.path("run/vtk/solids_000005.vtu")).unwrap();
    assert!(text(&bytes).contains("energy_density"), "the folder knows the materials");

    let listed = place.succeed(&["plot", "run"]);
    assert!(listed.contains("energy.png"), "{listed}");
    for file in listed.lines() {
        assert!(fs::metadata(place.path(file)).unwrap().len() > 500, "{file}");
    }
    run_small(&place, "other", &["--integrator", "implicit-euler"]);
    let table = place.succeed(&["measure", "run", "other"]);
    assert!(table.contains("off target") && table.contains("a-search") && table.contains("implicit-euler"), "{table}");
    let rows: serde_json::Value = serde_json::from_str(&place.succeed(&["measure", "run", "--json"])).unwrap();
    assert_eq!(rows[0]["newton_iterations"], place.summary("run")["newton_iterations"]);
    // What is measured of some frames would be taken for the whole, and of none for zero.
    for frame in place.names("run/frames").iter().filter(|name| name.ends_with(".npy")).skip(2) {
        fs::remove_file(place.path("run/frames").join(frame)).unwrap();
    }
    place.fail(&["measure", "run", "--also", "cube.turns"], 1, &["run lacks its frames"]);
}

#[test]
fn a_run_is_drawn_in_every_way() {
    let place = small();
    run_small(&place, "run", &[]);
    let small = ["--size", "96x54"];
    let draw = |args: &[&str]| place.succeed(&[&["render", "run"], &small[..], args].concat());
    let begins = |file: &str, with: &[u8]| assert!(fs::read(place.path(file)).unwrap().starts_with(with), "{file}");
    const PNG: &[u8] = b"\x89PNG\r\n";
    draw(&["--sheet", "4", "--superimpose", "3", "--gif", "--png"]);
    begins("run/pictures/sheet.png", PNG);
    begins("run/pictures/superimposed.png", PNG);
    begins("run/pictures/film.gif", b"GIF89a");
    begins("run/pictures/frame-00006.png", PNG);
    let mut pictures = Vec::new();
    for field in ["body", "velocity", "energy", "displacement"] {
        let listed = draw(&["--at", "0.1", "--color-by", field, "--out", field]);
        begins(listed.trim_end(), PNG);
        pictures.push(fs::read(place.path(listed.trim_end())).unwrap());
    }
    pictures.sort();
    pictures.dedup();
    assert_eq!(pictures.len(), 4, "each field shows something else");
    for (at, is_told) in [("0.1", false), ("0.105", false), ("7", true)] {
        let output = place.visviva(&[&["render", "run", "--at", at], &small[..]].concat());
        let said = text(&output.stderr);
        assert_eq!(said.contains("the last frame, which is shown, is of t = 0.1 s"), is_told, "{at}: {said}");
    }
}

#[test]
fn measures_come_as_comma_separated_values_with_all_digits() {
    let place = small();
    run_small(&place, "run", &[]);
    let csv = place.succeed(&["measure", "run", "run", "--csv", "--also", "total.last,cube.x.mean"]);
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((lines.len(), lines[0].len()), (3, 15));
    assert!(lines.iter().all(|line| line.len() == 15), "{csv}");
    let last = place.run_folder("run").stats_path();
    let total = visviva::run::Stats::read(&last).unwrap().rows.last().unwrap().total;
    assert_eq!(lines[1][13].parse::<f64>().unwrap(), total, "to the last bit");
    let json: serde_json::Value =
        serde_json::from_str(&place.succeed(&["measure", "run", "--json", "--also", "total.last"])).unwrap();
    assert_eq!(json[0]["total.last"].as_f64(), Some(total));
    place.fail(&["measure", "run", "--also", "noize"], 2, &["did you mean `noise`?"]);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let place = small();
    run_small(&place, "run", &[]);
    let refused = |args: &[&str], code: i32, parts: &[&str]| {
        let output = place.visviva(&[&["render"], args].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        parts.iter().for_each(|part| assert!(message.contains(part), "{args:?}: {message}"));
    };
    refused(&["."], 2, &["not the folder of a run"]);
    refused(&["nowhere"], 2, &["nowhere", "no such folder"]);
    refused(&["run", "--size", "0x90"], 2, &["0x90", "area"]);
    refused(&["run", "--color-by", "heat"], 2, &["heat", "velocity"]);
    place.write("taken", "");
    refused(&["run", "--out", "taken/pictures"], 1, &["taken/pictures"]);
    fs::remove_file(place.path("run/frames/000001.npy")).unwrap();
    refused(&["run"], 1, &["[1]", "missing in the middle"]);
    fs::remove_dir_all(place.path("run/frames")).unwrap();
    fs::create_dir(place.path("run/frames")).unwrap();
    place.write("run/frames/times.csv", "frame,step,t\n");
    refused(&["run"], 1, &["no frames yet"]);
}
