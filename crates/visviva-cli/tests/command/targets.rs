//! Energies wanted as users say them: half-lives, rest at a time, drawn curves, on the command line and in scenes.

use super::place::{Place, text};
use super::small_scene::{SMALL, small};

/// The `target` column of a run, with the times beside it.
fn wanted(place: &Place, run: &str) -> Vec<(f64, f64)> {
    let rows = place.stats(run);
    let names: Vec<&str> = rows[0].split(',').collect();
    let column = |name: &str| names.iter().position(|n| *n == name).unwrap();
    let (t, target) = (column("t"), column("target"));
    let cell = |row: &str, at: usize| row.split(',').nth(at).unwrap().parse::<f64>().unwrap();
    rows[1..].iter().map(|row| (cell(row, t), cell(row, target))).collect()
}

#[test]
fn a_half_life_halves_and_rest_comes_at_its_time() {
    let place = small();
    place.succeed(&["run", "small.toml", "-q", "--out", "half", "--target", "decay:half_life=0.05,ground=-1"]);
    let levels = wanted(&place, "half");
    let above = |at: usize| levels[at].1 + 1.0;
    assert!((above(5) / above(0) - 0.5).abs() < 1e-12 && (above(10) / above(0) - 0.25).abs() < 1e-12, "{levels:?}");

    let set = ["--set", "energy.target=rest", "--set", "energy.rest_at=0.08", "--set", "energy.ground=equilibrium"];
    place.succeed(&[&["run", "small.toml", "-q", "--out", "rest"], &set[..]].concat());
    let levels = wanted(&place, "rest");
    let (start, end) = (levels[0].1, levels[10].1);
    assert!((levels[8].1 - end).abs() < 1e-12 * start.abs(), "{levels:?}");
    assert!(levels.windows(2).all(|two| two[1].1 <= two[0].1), "{levels:?}");
    assert!((levels[4].1 - 0.5 * (start + end)).abs() < 1e-9 * start, "{levels:?}");
    let again = place.read("rest/run.toml");
    assert!(again.contains("rest_at = 0.08") && !again.contains("equilibrium"), "{again}");
}

#[test]
fn a_drawn_energy_comes_from_a_file_and_the_run_keeps_it() {
    let place = small();
    place.write("drawn.csv", "time,energy\n0,1,ease-out\n0.04,0.5,hold\n0.08,0.25\n");
    let set = ["--set", "energy.target=curve", "--set", "energy.curve_file=drawn.csv"];
    place.succeed(&[&["run", "small.toml", "-q", "--out", "run"], &set[..]].concat());
    let levels = wanted(&place, "run");
    for (step, fraction) in [(0, 1.0), (2, 0.625), (4, 0.5), (7, 0.5), (8, 0.25), (10, 0.25)] {
        assert!((levels[step].1 / levels[0].1 - fraction).abs() < 1e-9, "{step}: {levels:?}");
    }
    std::fs::remove_file(place.path("drawn.csv")).unwrap();
    place.succeed(&["run", "run/run.toml", "-q", "--out", "again"]);
    place.assert_same("run", "again");
}

#[test]
fn a_change_under_way_begins_to_come_to_rest_when_it_is_made() {
    let change = "[[change]]\nstep = 4\nenergy = { target = \"rest\", rest_at = 0.08, ground = -1 }\n";
    let place = Place::with("small.toml", &format!("{SMALL}\n{change}"));
    place.succeed(&["run", "small.toml", "-q", "--out", "run"]);
    let levels = wanted(&place, "run");
    assert_eq!(levels[4].1, levels[0].1);
    assert!((levels[6].1 - 0.5 * (levels[4].1 - 1.0)).abs() < 1e-9, "half of the way in half the time: {levels:?}");
    assert_eq!(levels[8].1, -1.0);
}

#[test]
fn impossible_wishes_are_refused_and_doubtful_ones_are_told() {
    let place = small();
    place.write("bad.csv", "0,1\n0.1,x\n");
    let cases: [(&[&str], &[&str]); 10] = [
        (&["--target", "decay:half_life=0"], &["τ = 0 s", "positive"]),
        (&["--target", "dekay"], &["`dekay`", "not understood", "rest:at=2.5"]),
        (
            &["--set", "energy.target=decay", "--set", "energy.tau=1", "--set", "energy.half_life=1"],
            &["tau or half_life"],
        ),
        (&["--set", "energy.target=rest"], &["energy.rest_at is missing", "rest_at = 2.5"]),
        (&["--set", "energy.target=rest", "--set", "energy.rest_at=-1"], &["rest at t = -1 s"]),
        (
            &["--set", "energy.target=curve", "--set", "energy.curve_file=none.csv"],
            &["energy.curve_file", "cannot read"],
        ),
        (
            &["--set", "energy.target=curve", "--set", "energy.curve_file=bad.csv"],
            &["bad.csv:2", "`x` is not a number"],
        ),
        (
            &["--set", "energy.target=curve", "--set", "energy.curve=[[0,1,\"bounce\"]]"],
            &["energy.curve", "ease-in", "hold"],
        ),
        (
            &["--set", "energy.target=curve", "--set", "energy.curve=[[0,1]]", "--set", "energy.curve_file=bad.csv"],
            &["curve or curve_file, not both"],
        ),
        (&["--set", "energy.rest_at=nan"], &["energy.rest_at holds nan"]),
    ];
    for (arguments, parts) in cases {
        let output = place.visviva(&[&["check", "small.toml"], arguments].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` is missing in: {message}"));
    }
    let report = place.succeed(&["check", "small.toml", "--set", "energy.rest_at=3"]);
    assert!(report.contains("energy.rest_at is given, but target = \"conserve\" does not use it"), "{report}");
    let report = place.succeed(&["check", "small.toml", "--target", "rest:at=3"]);
    assert!(report.contains("energy.rest_at = 3 s lies after the end of the run"), "{report}");
}
