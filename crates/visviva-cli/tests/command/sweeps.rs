//! `visviva sweep`: every point is run once, whatever happens in between, and one table tells of all.

use super::place::{Place, text};
use super::small_scene::{SMALL, small};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SWEEP: &str = r#"
scene = "small.toml"
measures = ["total.last", "cube.z.min", "newton_iterations"]
[grid]
material.rubber.youngs_modulus = [5e4, 2e5]
run.h = ["1/100", "1/50"]
"#;

/// The small scene and a sweep of four points over it.
fn place() -> Place {
    let place = small();
    place.write("four.toml", SWEEP);
    place
}

#[test]
fn a_sweep_leaves_a_run_a_point_and_one_table() {
    let place = place();
    let listed = place.succeed(&["sweep", "four.toml", "--list"]);
    assert!(listed.contains("youngs_modulus=5e4,h=1-50") && listed.contains("to run"), "{listed}");
    assert!(!place.path("sweeps").exists(), "listing writes nothing");
    place.succeed(&["sweep", "four.toml", "--jobs", "2", "--threads", "1"]);
    let header = "point,folder,material.rubber.youngs_modulus,run.h,ending,reason,total.last,cube.z.min,newton_iterations,wall_s";
    let table = place.read("sweeps/four/table.csv");
    assert_eq!(table.lines().next(), Some(header));
    let rows: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(rows.len(), 4);
    for (index, row) in rows.iter().enumerate() {
        assert!(row.starts_with(&format!("{index},")) && row.contains(",completed,,"), "{row}");
    }
    // A point is the run that the command would have made of it.
    let set = ["--set", "material.0.youngs_modulus=2e5", "--set", "run.h=1/50"];
    place.succeed(&[&["run", "small.toml", "--quiet", "--out", "alone"], &set[..]].concat());
    place.assert_same("sweeps/four/points/youngs_modulus=2e5,h=1-50", "alone");
    assert_eq!(&fs::read(place.path("sweeps/four/table.parquet")).unwrap()[..4], b"PAR1");
    let plots = place.names("sweeps/four/plots");
    assert!(
        plots.contains(&"cube.z.min-lines.png".into()) && plots.contains(&"cube.z.min-map.svg".into()),
        "{plots:?}"
    );
    let map = place.read("sweeps/four/plots/cube.z.min-map.svg");
    assert!(map.contains(">cube.z.min<"), "the scale of colours is named");
}

#[test]
fn what_is_finished_is_not_run_again_and_what_has_changed_is_only_with_leave() {
    let place = place();
    place.succeed(&["sweep", "four.toml", "--quiet", "--points", "1,3"]);
    assert_eq!(place.names("sweeps/four/points").len(), 2);
    let stamp = |point: &str| {
        fs::metadata(place.path("sweeps/four/points").join(point).join("stats.csv")).unwrap().modified().unwrap()
    };
    let points = place.names("sweeps/four/points");
    let before: Vec<_> = points.iter().map(|point| stamp(point)).collect();
    place.succeed(&["sweep", "four.toml", "--quiet"]);
    assert_eq!(points.iter().map(|point| stamp(point)).collect::<Vec<_>>(), before);
    assert_eq!(place.names("sweeps/four/points").len(), 4);

    // Another scene under the same names.
    place.write("small.toml", &SMALL.replace("duration = 0.1", "duration = 0.06"));
    place.fail(&["sweep", "four.toml", "--quiet"], 2, &["4 points", "other settings", "allow overwriting"]);
    assert_eq!(points.iter().map(|point| stamp(point)).collect::<Vec<_>>(), before);
    place.succeed(&["sweep", "four.toml", "--quiet", "--overwrite"]);
    assert_eq!(place.summary("sweeps/four/points/youngs_modulus=5e4,h=1-50")["steps"], 3);
}

#[test]
fn what_cannot_be_run_is_refused_before_anything_is_written() {
    let place = small();
    let cases = [
        ("[grid]\n\"run.hh\" = [1, 2]", "unknown field `hh`"),
        ("[grid]\n\"body.cub.height\" = [1, 2]", "did you mean `cube`?"),
        ("[grid]\n\"run.h\" = [0.1, 0.1]", "points 0 and 1 would have the same folder"),
        ("[grid]\n\"run.h\" = [\"1/50\", \"1-50\"]", "1-50"),
        ("[grid]\n\"run.h\" = 0.1", "write a list"),
        ("[list]\n\"run.h\" = [0.1, 0.2]\n\"run.duration\" = [1]", "go on together"),
        ("set = { \"run.h\" = 0.1 }\n[grid]\n\"run.h\" = [0.1, 0.2]", "[set] and in [grid]"),
        ("measures = [\"noize\"]\n[grid]\n\"run.h\" = [0.1, 0.2]", "did you mean `noise`?"),
        ("measures = [\"ball.z.max\"]\n[grid]\n\"run.h\" = [0.1, 0.2]", "the scene has `cube`"),
        ("grids = 1", "unknown field `grids`"),
        ("", "nothing is swept"),
        ("[sample]\ncount = 1000000\n[sample.over]\n\"run.h\" = { from = 0.1, to = 0.2 }", "1000000 points are more"),
    ];
    for (words, part) in cases {
        place.write("bad.toml", &format!("scene = \"small.toml\"\n{words}\n"));
        place.fail(&["sweep", "bad.toml"], 2, &["bad.toml", part]);
    }
    place.fail(&["sweep", "none.toml"], 2, &["none.toml"]);
    assert_eq!(place.names("."), ["bad.toml", "small.toml"]);

    // A folder that no sweep has made is left alone.
    place.write("one.toml", "scene = \"small.toml\"\n[grid]\n\"run.h\" = [\"1/50\"]\n");
    fs::create_dir_all(place.path("sweeps/one/points/h=1-50")).unwrap();
    place.fail(&["sweep", "one.toml", "--overwrite"], 2, &["h=1-50", "no point of this sweep"]);
    assert_eq!(place.names("sweeps/one"), ["points"]);
}

#[test]
fn a_point_that_fails_is_told_and_the_others_go_on() {
    let place = small();
    // Nothing of the body is held where the pin is looked for.
    let words = "scene = \"small.toml\"\nmeasures = [\"total.last\"]\n[grid]\n\"pin.0.plane.point\" = [[-0.05, 0, 0], [7, 0, 0], [0.05, 0, 0]]\n";
    place.write("three.toml", words);
    let said = place.fail(&["sweep", "three.toml", "--quiet"], 1, &["point 1", "failed", "1 of 3 points failed"]);
    assert!(!said.contains("point 0 ") && !said.contains("point 2 "), "{said}");
    let table = place.read("sweeps/three/table.csv");
    assert_eq!(table.matches(",completed,").count(), 2, "{table}");
    assert_eq!(place.names("sweeps/three/points").len(), 2, "no folder is left of what could not begin");
}

#[test]
fn samples_are_drawn_the_same_way_each_time() {
    let place = small();
    let words = "scene = \"small.toml\"\nset = { \"run.duration\" = 0.02 }\n[sample]\ncount = 3\nseed = 5\n[sample.over]\n\
                 \"material.rubber.youngs_modulus\" = { from = 1e4, to = 1e6, scale = \"log\" }\n\"run.integrator\" = [\"a-search\", \"bdf2\"]\n";
    place.write("drawn.toml", words);
    let list = || place.succeed(&["sweep", "drawn.toml", "--list"]);
    assert_eq!(list(), list());
    place.succeed(&["sweep", "drawn.toml", "--quiet", "--out", "out"]);
    assert_eq!(place.names("out/points"), ["s0", "s1", "s2"]);
}

#[cfg(unix)]
#[test]
fn a_sweep_that_is_killed_goes_on_to_the_same_bits() {
    let place = place();
    // Hundreds of steps of milliseconds.
    let longer = "set = { \"run.duration\" = 2, \"body.0.box.cells\" = [6, 5, 5] }\n";
    place.write("four.toml", &format!("{longer}{}", SWEEP.replace("\"1/50\"", "\"1/400\"")));
    place.succeed(&["sweep", "four.toml", "--quiet", "--out", "whole", "--points", "1"]);
    let name = "youngs_modulus=5e4,h=1-400";
    for signal in ["-KILL", "-TERM"] {
        let started = ["sweep", "four.toml", "--quiet", "--out", "cut", "--points", "1"];
        let mut child = place.command(&started).stderr(Stdio::null()).spawn().unwrap();
        let stats = place.path("cut/points").join(name).join("stats.csv");
        let count = || fs::read_to_string(&stats).map_or(0, |text| text.lines().count());
        // Rows of the first attempt are there still as the second begins, until it cuts them.
        let (begun, wanted) = (Instant::now(), count() + 20);
        while count() < wanted && child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(30));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let code = child.wait().unwrap().code();
        assert_eq!(code, if signal == "-TERM" { Some(130) } else { None });
    }
    let listed = place.succeed(&["sweep", "four.toml", "--out", "cut", "--list"]);
    assert!(listed.lines().any(|line| line.contains(name) && line.contains("begun")), "{listed}");
    place.succeed(&["sweep", "four.toml", "--quiet", "--out", "cut", "--points", "1"]);
    place.assert_same(&format!("cut/points/{name}"), &format!("whole/points/{name}"));
}

#[test]
fn slurm_is_told_to_run_what_is_left_to_warn_and_to_gather() {
    let place = place();
    let more = "[slurm]\ntime = \"00:30:00\"\nthreads = 4\nat_a_time = 8\noptions = [\"--partition=short\"]\nsetup = [\"module load rust\"]\n";
    place.write("four.toml", &format!("{SWEEP}{more}"));
    place.succeed(&["sweep", "four.toml", "--quiet", "--points", "1"]);
    place.succeed(&["sweep", "four.toml", "--slurm", "--no-submit"]);
    let array = place.read("sweeps/four/slurm/array.sh");
    for line in [
        "#SBATCH --array=0,2-3%8",
        "#SBATCH --cpus-per-task=4",
        "#SBATCH --time=00:30:00",
        "#SBATCH --signal=TERM@60",
        "#SBATCH --requeue",
        "#SBATCH --partition=short",
        "module load rust",
    ] {
        assert!(array.lines().any(|found| found == line), "{line}: {array}");
    }
    assert!(array.contains("--points \"$SLURM_ARRAY_TASK_ID\" --jobs 1 --threads 4"), "{array}");
    assert!(place.read("sweeps/four/slurm/gather.sh").contains("--gather"));
    for script in ["array.sh", "gather.sh"] {
        let checked = Command::new("bash").arg("-n").arg(place.path("sweeps/four/slurm").join(script)).output();
        // Where there is a bash.
        assert!(checked.map_or(true, |checked| checked.status.success()), "{script}");
    }
    let output = place.command(&["sweep", "four.toml", "--slurm"]).env("PATH", "/nowhere").output().unwrap();
    assert!(
        output.status.code() == Some(2) && text(&output.stderr).contains("--no-submit"),
        "{}",
        text(&output.stderr)
    );
}
