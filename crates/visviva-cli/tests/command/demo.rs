//! `visviva demo` on a coarse ball and a short fall.

use super::place::Place;
use std::process::Output;

const SMALL: [&str; 4] = ["--duration", "0.7", "--shells", "2"];

fn demo(place: &Place, more: &[&str]) -> Output {
    place.visviva(&[&["demo"], &SMALL[..], more].concat())
}

#[test]
fn the_demo_leaves_runs_and_pictures_and_tells_of_them_in_four_lines() {
    let place = Place::empty();
    let output = demo(&place, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = told.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 4, "{told}");
    for (line, integrator) in lines.iter().zip(["implicit-euler", "bdf2", "a-search"]) {
        assert!(line.starts_with(integrator) && line.contains("of its drop") && line.contains("left"), "{line}");
        assert!(place.path("demo").join(integrator).join("summary.json").is_file());
    }
    assert!(lines[2].contains("100 % of the energy"), "A-search keeps it: {}", lines[2]);
    for picture in ["bounces.svg", "bounces.png", "balls.png"] {
        let size = std::fs::metadata(place.path("demo").join(picture)).unwrap().len();
        assert!(size > 1000, "{picture}: {size} bytes");
    }

    let chart = std::fs::read(place.path("demo/bounces.svg")).unwrap();
    let refused = demo(&place, &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--overwrite"));
    assert_eq!(std::fs::read(place.path("demo/bounces.svg")).unwrap(), chart, "the old demo stays");

    std::fs::write(place.path("demo/notes.txt"), "mine").unwrap();
    assert!(demo(&place, &["--overwrite"]).status.success());
    assert_eq!(std::fs::read(place.path("demo/bounces.svg")).unwrap(), chart, "the same bits again");
    assert!(place.path("demo/notes.txt").is_file(), "foreign files stay");
}

#[test]
fn a_folder_that_is_no_demo_is_not_taken() {
    let place = Place::empty();
    std::fs::create_dir_all(place.path("mine/bdf2")).unwrap();
    std::fs::write(place.path("mine/bdf2/thesis.txt"), "dear").unwrap();
    for more in [&["--out", "mine"][..], &["--out", "mine", "--overwrite"]] {
        assert_eq!(demo(&place, more).status.code(), Some(2));
        assert_eq!(std::fs::read_to_string(place.path("mine/bdf2/thesis.txt")).unwrap(), "dear");
        assert!(!place.path("mine/implicit-euler").exists(), "nothing was run");
    }
}
