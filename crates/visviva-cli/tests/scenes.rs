//! Scenes as a user meets them: run, check, resume, draw and measure, and what is said when something is wrong.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use visviva::run::RunFolder;
use visviva::run::stats::COLUMNS;
use visviva_cli::gallery::SCENES;

/// 64 nodes, ten steps, six frames.
const SMALL: &str = r#"
title = "Small box"

[run]
h = "1/100"
duration = 0.1
frame_rate = 50

[[material]]
name = "rubber"
law = "corotated"
youngs_modulus = 1e5

[[body]]
name = "cube"
material = "rubber"
box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }
velocity = { angular = [0, 5, 0] }

[[pin]]
body = "cube"
plane = { point = [-0.05, 0, 0], normal = [1, 0, 0] }
"#;

/// Two tets, in Gmsh's format 2.2; nodes on lines 6 to 10, tets on lines 14 and 15.
const TWO_TETS: &str = "$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
$EndNodes
$Elements
2
1 4 2 0 1 1 2 3 4
2 4 2 0 1 2 3 4 5
$EndElements
";

/// A folder of its own with the small scene in it.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("small.toml", SMALL);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_visviva"));
        command.current_dir(self.0.path()).args(args);
        command
    }

    fn visviva(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What it printed on standard output.
    fn succeed(&self, args: &[&str]) -> String {
        let output = self.visviva(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Runs the small scene quietly into a folder.
    fn run(&self, out: &str, more: &[&str]) {
        self.succeed(&[&["run", "small.toml", "--quiet", "--out", out], more].concat());
    }

    fn frames(&self, run: &str) -> Vec<Vec<u8>> {
        let frames = RunFolder::open(&self.path(run)).unwrap().frames().unwrap();
        frames.iter().map(|frame| fs::read(&frame.path).unwrap()).collect()
    }

    /// All cells of stats.csv but those of wall-clock time.
    fn stats(&self, run: &str) -> Vec<String> {
        assert_eq!(COLUMNS.last(), Some(&"wall_s"));
        let text = fs::read_to_string(self.path(run).join("stats.csv")).unwrap();
        text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect()
    }

    fn summary(&self, run: &str) -> serde_json::Value {
        RunFolder::open(&self.path(run)).unwrap().summary().unwrap().unwrap()
    }

    /// Bit for bit.
    fn assert_same(&self, a: &str, b: &str) {
        assert_eq!(self.stats(a), self.stats(b), "{a} against {b}");
        assert!(self.frames(a) == self.frames(b), "frames of {a} against {b}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_scene_runs_into_a_folder_that_tells_all() {
    let place = Place::new();
    let output = place.visviva(&["run", "small.toml", "--out", "deep/run"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("10 steps to t = 0.1000 s"));
    assert!(text(&output.stdout).contains("the run is in deep/run"));
    // Not on a terminal: whole lines, no bar.
    let progress = text(&output.stderr);
    assert!(progress.trim_end().ends_with("s left") && progress.starts_with("100 %"), "{progress}");
    assert!(!progress.contains(['\r', '\u{1b}']), "{progress:?}");

    for part in ["run.toml", "stats.csv", "summary.json", "checkpoint.bin", "mesh/rest.npy", "frames/times.csv"] {
        assert!(place.path("deep/run").join(part).is_file(), "{part}");
    }
    let frames = place.frames("deep/run");
    assert_eq!(frames.len(), 6, "0.1 s at 50 frames a second, the start included");
    assert!(frames[0].starts_with(b"\x93NUMPY\x01\x00"));
    let header = text(&frames[5][10..128]);
    assert!(header.contains("'descr': '<f8', 'fortran_order': False, 'shape': (2, 64, 3)"), "{header}");
    assert_eq!(frames[5].len(), 128 + 2 * 64 * 3 * 8);
    let rows = place.stats("deep/run");
    assert_eq!(rows.len(), 12, "a header, the start and ten steps");
    let summary = place.summary("deep/run");
    assert_eq!(summary["ending"]["kind"], "completed");
    assert_eq!((summary["steps"].as_u64(), summary["frames"].as_u64()), (Some(10), Some(6)));
}

#[test]
fn a_quiet_run_prints_nothing() {
    let place = Place::new();
    let output = place.visviva(&["run", "small.toml", "--quiet"]);
    assert!(output.status.success());
    assert_eq!((text(&output.stdout), text(&output.stderr)), (String::new(), String::new()));
    assert!(place.path("runs/small-a-search/run.toml").is_file(), "the folder is named by scene and integrator");
}

#[test]
fn check_tells_about_a_scene_and_leaves_nothing() {
    let place = Place::new();
    let report = place.succeed(&["check", "small.toml"]);
    for part in ["Small box", "cube", "162", "pinned nodes     16", "h = 1/100 s", "the scene is sound"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 1, "only the scene is there");
    let energy = ["--set", "energy.target=decay", "--set", "energy.tau=1", "--set", "energy.ground=equilibrium"];
    let report = place.succeed(&[&["check", "small.toml"], &energy[..]].concat());
    assert!(report.contains("ground energy") && report.contains("at rest"), "{report}");
}

#[test]
fn results_do_not_depend_on_threads() {
    let place = Place::new();
    // More than a chunk of elements, so that threads share the work.
    let cells = ["--set", "body.0.box.cells=[8,6,6]"];
    place.run("one", &[&cells[..], &["--threads", "1"]].concat());
    place.run("two", &[&cells[..], &["--threads", "2"]].concat());
    place.assert_same("one", "two");
    assert_eq!(place.summary("two")["threads"], 2);
    // Contact is looked for in parallel while the scene is built: the number must be set before.
    let drop = ["run", "bouncing-ball-stiff", "--duration", "0.01", "--quiet", "--threads", "1", "--out", "drop"];
    place.succeed(&drop);
}

#[test]
fn threads_can_be_chosen_for_a_scene_in_contact() {
    let place = Place::new();
    let coarse = ["--set", "body.0.ball.shells=2", "--duration", "1/60"];
    let args = [&["run", "bouncing-ball-medium", "--threads", "1", "--quiet"][..], &coarse].concat();
    place.succeed(&args);
}

#[test]
fn a_run_can_be_repeated_from_its_own_description() {
    let place = Place::new();
    fs::create_dir(place.path("meshes")).unwrap();
    place.write("meshes/two.msh", TWO_TETS);
    place.write("scene.toml", &with_file("meshes/two.msh"));
    let set = ["--set", "energy.target=decay", "--set", "energy.tau=0.3", "--set", "energy.ground=equilibrium"];
    let set = [&set[..], &["--set", "gravity=[0,0,0]", "--h", "1/60"]].concat();
    place.succeed(&[&["run", "scene.toml", "-q", "--out", "first"], &set[..]].concat());
    // From another folder: file names in it are absolute.
    fs::create_dir(place.path("elsewhere")).unwrap();
    fs::copy(place.path("first/run.toml"), place.path("elsewhere/again.toml")).unwrap();
    place.succeed(&["run", "elsewhere/again.toml", "-q", "--out", "second"]);
    place.assert_same("first", "second");
    place.succeed(&["run", "first/run.toml", "-q", "--out", "third"]);
    place.assert_same("first", "third");
}

#[test]
fn the_command_line_changes_a_scene() {
    let place = Place::new();
    place.run("run", &["--integrator", "bdf2", "--h", "1/60", "--set", "run.duration=0.2", "--set", "title=Other"]);
    let scene = fs::read_to_string(place.path("run/run.toml")).unwrap();
    for part in ["title = \"Other\"", "integrator = \"bdf2\"", "h = \"1/60\"", "duration = 0.2"] {
        assert!(scene.contains(part), "{part}: {scene}");
    }
    assert_eq!(place.summary("run")["steps"], 12, "0.2 s in steps of 1/60 s");
    // The longer spelling of the same changes.
    place.run(
        "same",
        &["--set", "run.integrator=bdf2", "--set", "run.h=1/60", "--duration", "0.2", "--set", "title=Other"],
    );
    place.assert_same("run", "same");
}

#[test]
fn a_folder_in_use_is_kept_unless_overwriting_is_asked_for() {
    let place = Place::new();
    place.run("run", &[]);
    let before = place.stats("run");
    let output = place.visviva(&["run", "small.toml", "--out", "run", "--integrator", "bdf2"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("run is not empty") && message.contains("--overwrite"), "{message}");
    assert_eq!(place.stats("run"), before);
    place.run("run", &["--integrator", "bdf2", "--overwrite"]);
    assert_ne!(place.stats("run"), before);

    fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/thesis.txt", "not a run");
    let output = place.visviva(&["run", "small.toml", "--out", "mine", "--overwrite"]);
    assert!(!output.status.success() && text(&output.stderr).contains("thesis.txt"), "{}", text(&output.stderr));
    assert_eq!(fs::read_dir(place.path("mine")).unwrap().count(), 1);
}

/// Ctrl-C in the middle, as a terminal sends it.
#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on_to_the_same_bits() {
    let place = Place::new();
    // Long enough that it can be interrupted: hundreds of steps of milliseconds.
    let scene = ["--set", "body.0.box.cells=[6,5,5]", "--h", "1/400", "--duration", "1"];
    let start = ["run", "small.toml", "--quiet", "--out", "cut"];
    let mut child = place.command(&[&start[..], &scene[..]].concat()).stderr(Stdio::piped()).spawn().unwrap();
    let stats = place.path("cut/stats.csv");
    let rows = || fs::read_to_string(&stats).map_or(0, |text| text.lines().count());
    let begun = Instant::now();
    while rows() < 25 && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    assert!(sent.success());
    assert_eq!(status.code(), Some(130));
    let done = place.summary("cut");
    assert_eq!(done["ending"]["kind"], "interrupted");
    let steps = done["steps"].as_u64().unwrap();
    assert!((24..400).contains(&steps), "interrupted after {steps} steps");

    // What a crash leaves behind beyond the checkpoint: half a row and a frame without a time.
    let mut torn = fs::read(&stats).unwrap();
    torn.extend_from_slice(b"999,1.5,0.0");
    fs::write(&stats, torn).unwrap();
    fs::write(place.path("cut/frames/000049.npy"), b"half").unwrap();

    place.succeed(&["resume", "cut", "--quiet", "--threads", "1"]);
    place.succeed(&[&["run", "small.toml", "--quiet", "--out", "whole"], &scene[..]].concat());
    place.assert_same("whole", "cut");
    assert_eq!(place.summary("cut")["ending"]["kind"], "completed");

    // A run that is over stays as it is, its times too.
    let summary = || fs::read(place.path("cut/summary.json")).unwrap();
    let before = summary();
    place.succeed(&["resume", "cut", "--quiet"]);
    place.assert_same("whole", "cut");
    assert_eq!(summary(), before);
}

#[test]
fn what_cannot_go_on_is_said() {
    let place = Place::new();
    place.run("run", &[]);
    let fail = |args: &[&str], parts: &[&str]| {
        let output = place.visviva(args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {message}");
        assert!(parts.iter().all(|part| message.contains(part)), "{args:?}: {message}");
    };
    fail(&["resume", "nowhere"], &["nowhere", "no such folder"]);
    fail(&["resume", "."], &["not the folder of a run"]);
    let checkpoint = place.path("run/checkpoint.bin");
    let bytes = fs::read(&checkpoint).unwrap();
    fs::write(&checkpoint, &bytes[..bytes.len() / 2]).unwrap();
    fail(&["resume", "run"], &["checkpoint.bin", "truncated"]);
    fs::remove_file(checkpoint).unwrap();
    fail(&["resume", "run"], &["checkpoint.bin"]);
    fs::remove_file(place.path("run/mesh/tets.npy")).unwrap();
    fail(&["resume", "run"], &["lacks its mesh/tets.npy"]);
}

#[test]
fn a_frame_takes_at_most_60_bytes_a_node() {
    let place = Place::new();
    place.run("run", &["--set", "body.0.box.cells=[10,10,10]", "--duration", "0.02"]);
    let folder = place.path("run/frames");
    let size: u64 = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    let (nodes, frames) = (11 * 11 * 11, place.frames("run").len() as u64);
    assert_eq!(frames, 2);
    assert!(size <= 60 * nodes * frames, "{size} bytes for {frames} frames of {nodes} nodes");
}

#[test]
fn a_run_is_exported_plotted_and_measured() {
    let place = Place::new();
    place.run("run", &[]);
    place.succeed(&["export", "run"]);
    let back = visviva::mesh::load_tet_mesh(place.path("run/vtk/solids_000005.vtu")).unwrap().mesh;
    let frame = RunFolder::open(&place.path("run")).unwrap().read_frame(5).unwrap();
    assert!(back.positions.iter().zip(&frame.x).all(|(p, x)| p.as_slice() == x), "positions come back exactly");
    assert_eq!(back.tets.len(), 162);

    let listed = place.succeed(&["plot", "run"]);
    assert!(listed.contains("energy.png"), "{listed}");
    for file in listed.lines() {
        assert!(fs::metadata(place.path(file)).unwrap().len() > 500, "{file}");
    }
    place.run("other", &["--integrator", "implicit-euler"]);
    let table = place.succeed(&["measure", "run", "other"]);
    assert!(table.contains("off target") && table.contains("a-search") && table.contains("implicit-euler"), "{table}");
    let rows: serde_json::Value = serde_json::from_str(&place.succeed(&["measure", "run", "--json"])).unwrap();
    assert_eq!(rows[0]["newton_iterations"], place.summary("run")["newton_iterations"]);
}

#[test]
fn a_run_is_drawn_in_every_way() {
    let place = Place::new();
    place.run("run", &[]);
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
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let place = Place::new();
    place.run("run", &[]);
    let refused = |args: &[&str], code: i32, parts: &[&str]| {
        let output = place.visviva(&[&["render"], args].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        parts.iter().for_each(|part| assert!(message.contains(part), "{args:?}: {message}"));
    };
    refused(&["."], 1, &["not the folder of a run"]);
    refused(&["nowhere"], 1, &["nowhere", "no such folder"]);
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

#[test]
fn gallery_scenes_parse_and_build() {
    for scene in SCENES {
        let source = scene.source();
        let parsed = source.parse(&[]).unwrap_or_else(|e| panic!("{}: {e}", scene.name));
        assert!(!parsed.title.is_empty() && parsed.description.contains("Expect"), "{}", scene.name);
        assert!(scene.text.starts_with("#:schema ../docs/scene.schema.json\n"), "{}: editors need it", scene.name);
        let mut changes = Vec::new();
        if let Some(file) = parsed.bodies.iter().find_map(|body| body.mesh_file()) {
            let shared = std::env::var_os("VISVIVA_SHARED").map(PathBuf::from);
            let shared = shared.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
            let mesh = shared.join("meshes").join(file);
            if !mesh.is_file() {
                println!("skipped {}: its mesh is not there ({})", scene.name, mesh.display());
                continue;
            }
            changes.push(format!("body.0.file={}", mesh.display()));
        }
        if !parsed.releases.is_empty() {
            // The start is a solved equilibrium: coarser, it takes a blink.
            changes.push("body.0.box.cells=[6,4,3]".to_owned());
        }
        let built = source.parse(&changes).unwrap().build().unwrap_or_else(|e| panic!("{}: {e}", scene.name));
        assert!(!built.model.pins.is_empty() || built.model.bodies.len() > 1, "{}", scene.name);
    }
}

#[test]
fn the_schema_of_the_documentation_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene.schema.json");
    let place = Place::new();
    let current = place.succeed(&["schema"]);
    assert_eq!(fs::read_to_string(path).unwrap(), current, "write it anew: visviva schema > docs/scene.schema.json");
}

#[test]
fn the_documented_example_is_sound_and_every_key_is_explained() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    let reference = fs::read_to_string(path).unwrap();
    let example = reference.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let place = Place::new();
    place.write("example.toml", example);
    let report = place.succeed(&["check", "example.toml"]);
    assert!(report.contains("the scene is sound"), "{report}");

    // Words in code between single back quotes: prose alone explains nothing.
    let rows = reference.lines().filter(|line| line.starts_with('|'));
    let code = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let words: HashSet<&str> = code.flat_map(|code| code.split(|c: char| c != '_' && !c.is_alphanumeric())).collect();
    let schema: serde_json::Value = serde_json::from_str(&place.succeed(&["schema"])).unwrap();
    let tables = [&schema].into_iter().chain(schema["$defs"].as_object().unwrap().values());
    let keys = tables.filter_map(|table| table["properties"].as_object()).flat_map(|keys| keys.keys());
    for key in keys.map(String::as_str).chain(COLUMNS.iter().copied()) {
        assert!(words.contains(key), "docs/scenes.md says nothing about `{key}`");
    }
}

#[test]
fn a_gallery_scene_serves_as_a_beginning() {
    let place = Place::new();
    for scene in SCENES.iter().filter(|scene| !scene.text.contains("file = ")) {
        place.write("mine.toml", &place.succeed(&["scenes", scene.name, "--toml"]));
        let shapes = [
            ("box", "cells=[4,4,4]"),
            ("ball", "shells=3"),
            ("torus", "around=24"),
            ("chain_net", "segments=[12,4]"),
            ("icosphere", "subdivisions=1"),
            ("disc", "rings=8"),
        ];
        let shape = shapes.iter().find(|(shape, _)| scene.text.contains(&format!("\n{shape} = {{")));
        let (shape, coarse) = shape.unwrap_or_else(|| panic!("{}: none of the shapes known here", scene.name));
        let coarse = &format!("body.0.{shape}.{coarse}");
        place.succeed(&["check", "mine.toml", "--set", coarse]);
    }
    let output = place.visviva(&["scenes", "twisted-bra"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("twisted-bar"));
}

/// The small scene with one part replaced.
fn edited(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from}");
    SMALL.replacen(from, to, 1)
}

/// The small scene with a mesh from a file, without pins.
fn with_file(file: &str) -> String {
    let shape = "box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }";
    let scene = edited(shape, &format!("file = \"{file}\""));
    scene.split("[[pin]]").next().unwrap().to_owned()
}

/// Run and check refuse the scene with this code and these words, and leave nothing behind.
fn refused(place: &Place, scene: &str, set: &[&str], code: i32, parts: &[&str]) {
    let changes: Vec<&str> = set.iter().flat_map(|s| ["--set", *s]).collect();
    for verb in [&["run", scene, "--out", "out/run"][..], &["check", scene]] {
        let output = place.visviva(&[verb, &changes[..]].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{verb:?} {set:?}: {message}");
        assert!(message.starts_with("error: ") && message.trim_end().lines().count() == 1, "{message}");
        for part in parts {
            assert!(message.contains(part), "{verb:?} {set:?}: `{part}` is not in: {message}");
        }
        assert!(!place.path("out").exists(), "{verb:?} {set:?} left a folder");
    }
}

#[test]
fn a_scene_that_cannot_be_read_is_refused_with_its_place() {
    let place = Place::new();
    refused(&place, "nowhere.toml", &[], 2, &["nowhere.toml", "no such file", "twisted-bar"]);
    refused(&place, ".", &[], 2, &["cannot read ."]);
    let cases: [(String, &[&str]); 8] = [
        (edited("title = \"Small box\"", "title = \"Small box"), &["bad.toml:2:", "string"]),
        (edited("[run]", "[run"), &["bad.toml:4:"]),
        (edited("youngs_modulus", "young_modulus"), &["bad.toml:12:1", "did you mean `youngs_modulus`?"]),
        (edited("frame_rate = 50", "frame_rates = 50"), &["bad.toml:7:1", "did you mean `frame_rate`?"]),
        (edited("duration = 0.1\n", ""), &["bad.toml:4:1", "duration"]),
        (edited("h = \"1/100\"", "h = \"a hundredth\""), &["bad.toml:5:5", "a hundredth", "\"1/120\""]),
        (edited("cells = [3, 3, 3]", "cells = [3, 3]"), &["bad.toml:17:"]),
        (edited("cells = [3, 3, 3]", "cells = [3, 3, -3]"), &["bad.toml:17:"]),
    ];
    for (scene, parts) in cases {
        place.write("bad.toml", &scene);
        refused(&place, "bad.toml", &[], 2, parts);
    }
}

#[test]
fn impossible_values_are_refused_with_what_is_allowed() {
    let place = Place::new();
    let cases: [(&[&str], &[&str]); 30] = [
        (&["material.0.law=rubbery"], &["cube", "rubbery", "neo-hookean"]),
        (&["run.integrator=bdf3"], &["run.integrator", "bdf3", "bdf2"]),
        (&["run.integrator=a-search:most=2"], &["run.integrator", "most", "max"]),
        (&["material.0.density=-1"], &["cube", "density = -1", "positive"]),
        (&["material.0.youngs_modulus=0"], &["cube", "Young's modulus", "positive"]),
        (&["material.0.poisson_ratio=0.5"], &["cube", "between -1 and 0.5", "0.5"]),
        (&["material.0.damping_mass=-1"], &["cube", "damping_mass = -1"]),
        (&["run.h=0"], &["run.h = 0", "positive"]),
        (&["run.h=1/0"], &["run.h", "finite"]),
        (&["run.duration=0"], &["run.duration = 0", "positive"]),
        (&["run.h=1"], &["run.h = 1 s", "longer than run.duration = 0.1 s", "shorter step"]),
        (&["run.frame_rate=0"], &["run.frame_rate = 0"]),
        (&["solver.linear_tolerance=1"], &["solver.linear_tolerance = 1", "below 1"]),
        (&["gravity=[0,0,nan]"], &["gravity", "not finite"]),
        (&["pin=[]", "body=[]"], &["no [[body]]", "at least one"]),
        (&["body.0.ball={radius=1,shells=2}"], &["cube", "2 shapes", "exactly one of box"]),
        (&["body.0.box.cells=[0,1,1]"], &["cube", "cells along x", "at least 1"]),
        (&["body.0.box.size=[1,-1,1]"], &["cube", "-1"]),
        (&["body.0.material=steel"], &["cube", "no [[material]] is called `steel`", "rubber"]),
        (&["pin.0.plane.point=[9,0,0]"], &["pin 0 of body `cube`", "selects no node", "visviva check"]),
        (&["pin.0.plane.normal=[0,0,0]"], &["pin 0 of body `cube`", "normal must not be zero"]),
        (&["pin.0.body=cub"], &["pin 0", "`cub`", "there are: cube"]),
        (&["energy.target=curve", "energy.curve=[[1,1],[0,1]]"], &["energy.curve", "keyframe 1", "sort"]),
        (&["energy.target=curve"], &["energy.curve", "no keyframes"]),
        (&["energy.target=decay"], &["energy.tau is missing", "tau = 5"]),
        (&["energy.target=schedule"], &["energy.schedule is missing", "schedule = [["]),
        (&["energy.target=decay", "energy.tau=0"], &["energy", "τ = 0 s", "positive"]),
        (
            &["energy.target=decay", "energy.tau=1", "energy.ground=equilibrium", "pin=[]"],
            &["energy.ground", "no equilibrium", "joules"],
        ),
        (
            &["body.0.velocity={ramp={axis=\"x\",from=0,to=0,velocity=[1,0,0]}}"],
            &["cube", "velocity.ramp", "must differ"],
        ),
        (&["camera={eye=[0,0,1],target=[0,0,0]}"], &["camera", "up"]),
    ];
    for (set, parts) in cases {
        refused(&place, "small.toml", set, 2, parts);
    }
}

#[test]
fn changes_to_keys_that_are_not_there_are_refused() {
    let place = Place::new();
    let cases: [(&str, &[&str]); 7] = [
        ("run.hh=1", &["--set run.hh=1", "unknown field `hh`", "did you mean `h`?"]),
        ("runs.h=1", &["--set runs.h=1", "did you mean `run`?"]),
        ("energy.target=decays", &["energy.target", "did you mean `decay`?"]),
        ("body.3.name=a", &["body.3.name", "index 3, but there are 1"]),
        ("body.cube.name=a", &["body.cube.name", "`cube` must be an index"]),
        ("title.x=a", &["title.x", "not a table"]),
        ("title", &["--set title", "path.to.key=value"]),
    ];
    for (set, parts) in cases {
        refused(&place, "small.toml", &[set], 2, parts);
    }
}

#[test]
fn bad_meshes_are_refused_with_the_file_and_the_element() {
    let place = Place::new();
    place.write("bad.toml", &with_file("bad.msh"));
    refused(&place, "bad.toml", &[], 2, &["cube", "bad.msh", "scene file's folder"]);
    refused(&place, "bad.toml", &["body.0.file_hint=buy one"], 2, &["bad.msh", "(buy one)"]);
    let replaced = |from: &str, to: &str| {
        assert!(TWO_TETS.contains(from), "{from}");
        TWO_TETS.replacen(from, to, 1)
    };
    let cases: [(String, &[&str]); 11] = [
        (TWO_TETS[..110].to_owned(), &["truncated"]),
        (replaced("$Nodes\n5", "$Nodes\n7"), &["line 11", "$EndNodes"]),
        (replaced("$Elements\n2", "$Elements\n1"), &["line 15", "$EndElements"]),
        (replaced("1 1 2 3 4\n", "1 1 2 3 9\n"), &["line 14", "node 9"]),
        (replaced("3 0 1 0", "3 0 nan 0"), &["node 2", "not finite"]),
        (replaced("4 0 0 1\n", "4 1 1 0\n"), &["1 of 2 tets have no extent: 0", "remesh"]),
        (replaced("1 1 2 3 4\n", "1 1 3 2 4\n"), &["1 of 2 tets are inverted: 0", "remesh"]),
        (
            replaced("2 4 2 0 1 2 3 4 5", "2 11 2 0 1 1 2 3 4 5 1 2 3 4 5"),
            &["line 15", "higher order", "ElementOrder = 1"],
        ),
        (replaced("1 1 2 3 4\n", "1 1 2 3 3\n"), &["tet 0", "twice"]),
        ("solid of no known format".to_owned(), &["not recognised", ".msh"]),
        (String::new(), &["bad.msh"]),
    ];
    for (mesh, parts) in cases {
        place.write("bad.msh", &mesh);
        refused(&place, "bad.toml", &[], 2, &[&["cube", "bad.msh"], parts].concat());
    }
}

#[test]
fn meshes_that_can_be_put_right_run_with_a_warning() {
    let place = Place::new();
    place.write("scene.toml", &with_file("mesh.msh"));
    let left_handed = TWO_TETS.replace("1 1 2 3 4\n", "1 1 3 2 4\n").replace("1 2 3 4 5\n", "1 3 2 4 5\n");
    let lonely = TWO_TETS.replace("$Nodes\n5", "$Nodes\n6").replace("5 1 1 1\n", "5 1 1 1\n6 9 9 9\n");
    for (out, mesh, warning) in
        [("flipped", left_handed, "all 2 tets were left-handed"), ("fewer", lonely, "no element")]
    {
        place.write("mesh.msh", &mesh);
        let output = place.visviva(&["run", "scene.toml", "-q", "--out", out]);
        let message = text(&output.stderr);
        assert!(output.status.success(), "{message}");
        assert!(message.starts_with("warning: body `cube`: ") && message.contains(warning), "{message}");
        assert_eq!(place.summary(out)["nodes"], 5);
    }
}

#[test]
fn a_start_that_is_inside_out_is_refused_with_its_elements() {
    let place = Place::new();
    // Half a turn within one layer of cells.
    let twist = "body.0.deform=[{kind=\"twist\",axis=\"x\",from=-0.01,to=0.01,amount=3.1}]";
    let parts = ["small.toml", "body `cube`", "of 162 tets are inverted at the start", "deform it less"];
    refused(&place, "small.toml", &["material.0.law=neo-hookean", twist], 2, &parts);
    place.run("corotated", &["--set", twist]);
}

#[test]
fn an_output_folder_that_cannot_be_written_is_named() {
    let place = Place::new();
    for (out, parts) in [("small.toml", ["small.toml", "this is a file"]), ("small.toml/run", ["small.toml/run", ""])] {
        let output = place.visviva(&["run", "small.toml", "--out", out]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 1);
}

#[test]
fn a_run_that_fails_keeps_what_was_done_and_says_why() {
    let place = Place::new();
    // Implicit midpoint solves for the middle of a step and throws its end into inversion.
    let violent = ["--set", "material.0.law=neo-hookean", "--set", "body.0.velocity={angular=[0,400,0]}"];
    let how = ["--integrator", "implicit-midpoint", "--h", "1/30", "--duration", "2"];
    let output = place.visviva(&[&["run", "small.toml", "--out", "run"], &violent[..], &how[..]].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    for part in ["error: the run stopped after t = 0.", "elastic energy is infinite", "--h", "is in run"] {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    let summary = place.summary("run");
    assert_eq!(summary["ending"]["kind"], "failed");
    assert!(summary["ending"]["reason"].as_str().unwrap().contains("infinite"));
    let steps = summary["steps"].as_u64().unwrap();
    assert!((1..60).contains(&steps), "half way: {steps} steps");
    assert_eq!(place.stats("run").len() as u64, steps + 2, "a header, the start and the steps");
    assert_eq!(place.frames("run").len() as u64, summary["frames"].as_u64().unwrap());
    place.succeed(&["plot", "run"]);
}

/// A file system of a few kilobytes, gone with this.
struct TinyDisk(PathBuf);

impl TinyDisk {
    fn mount(at: PathBuf) -> Option<Self> {
        fs::create_dir(&at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=200k", "visviva-test"]).arg(&at).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Self(at))
    }

    fn grow(&self) {
        let status = Command::new("mount").args(["-o", "remount,size=20m"]).arg(&self.0).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_called_one_and_the_run_goes_on_once_there_is_room() {
    let place = Place::new();
    let Some(disk) = TinyDisk::mount(place.path("disk")) else {
        println!("skipped: mounting a small file system is not allowed here");
        return;
    };
    // A frame of 216 nodes takes 10 kB: fifty do not fit.
    let scene = ["--set", "body.0.box.cells=[5,5,5]", "--duration", "1", "--quiet"];
    let output = place.visviva(&[&["run", "small.toml", "--out", "disk/run"], &scene[..]].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("disk/run/") && message.contains("the disk is full"), "{message}");
    let frames = place.frames("disk/run").len();
    assert!((2..51).contains(&frames), "{frames} frames were kept");
    place.succeed(&["measure", "disk/run"]);

    disk.grow();
    place.succeed(&["resume", "disk/run", "--quiet"]);
    place.succeed(&[&["run", "small.toml", "--out", "whole"], &scene[..]].concat());
    place.assert_same("whole", "disk/run");
}
