//! Frames at even times, where steps do not fall on them.

use super::place::text;
use super::small_scene::{run_small, small};

#[test]
fn check_says_where_frames_do_not_fall_on_steps() {
    let place = small();
    let report = |set: &[&str]| place.succeed(&[&["check", "small.toml"], set].concat());
    assert!(!report(&[]).contains("even times"));
    let uneven = report(&["--set", "run.frame_rate=30"]);
    assert!(
        uneven.contains("30 a second do not fall on steps of 1/100 s") && uneven.contains("nearest step"),
        "{uneven}"
    );
    let long = report(&["--set", "run.frame_rate=300"]);
    assert!(long.contains("longer than a frame"), "{long}");
}

#[test]
fn exports_and_films_are_at_even_times_and_marked_and_the_frames_themselves_keep_theirs() {
    let place = small();
    run_small(&place, "run", &["--set", "run.frame_rate=30"]);
    let times: Vec<f64> = place.run_folder("run").frames().unwrap().iter().map(|frame| frame.t).collect();
    assert_eq!(times, [0.0, 0.03, 0.07, 0.1], "the nearest steps, at their exact times");

    let output = place.visviva(&["export", "run", "--format", "obj"]);
    let said = text(&output.stderr);
    assert!(said.contains("2 of 4 frames are interpolated") && said.contains("for the eye"), "{said}");
    let first_line =
        |frame: usize| place.read(&format!("run/obj/frame_{frame:06}.obj")).lines().next().unwrap().to_owned();
    assert_eq!(first_line(0), "# t = 0 s, metres, z up");
    assert!(first_line(1).starts_with("# t = 0.0333") && first_line(1).ends_with("interpolated between two frames"));
    place.succeed(&["export", "run", "--out", "vtk"]);
    let marked = |frame: usize| {
        let bytes = std::fs::read(place.path(&format!("vtk/solids_{frame:06}.vtu"))).unwrap();
        text(&bytes).contains("Name=\"interpolated\"")
    };
    assert_eq!([0, 1, 2, 3].map(marked), [false, true, true, false]);

    let output = place.visviva(&["export", "run", "--format", "obj", "--out", "exact", "--no-interpolation"]);
    assert_eq!(text(&output.stderr), "");
    assert!(place.read("exact/frame_000001.obj").starts_with("# t = 0.03 s, metres, z up\n"));

    let film = ["render", "run", "--png", "--size", "64x36", "--out", "film"];
    assert!(text(&place.visviva(&film).stderr).contains("2 of 4 frames are interpolated"));
    assert!(!text(&place.visviva(&[&film[..], &["--no-interpolation"]].concat()).stderr).contains("interpolated"));
}
