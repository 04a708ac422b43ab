//! `visviva plot` and `visviva export` on folders of runs, whole and damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use visviva::energy::alpha::AlphaOutcome;
use visviva::run::{RunBody, RunFolder, RunMesh, StatsRow, StatsWriter};
use visviva_cli::commands::export::export;

fn visviva(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_visviva")).current_dir(folder).args(args).output().unwrap()
}

fn succeed(folder: &Path, args: &[&str]) -> String {
    let output = visviva(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn body(name: &str, nodes: [usize; 2], tets: [usize; 2], triangles: [usize; 2]) -> RunBody {
    let (name, kind, material) = (name.into(), "solid".into(), "none".into());
    RunBody { name, vertices: nodes, tets, triangles, wires: [0; 2], kind, material }
}

fn mesh() -> RunMesh {
    RunMesh {
        attachments: Vec::new(),
        rest: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]],
        tets: vec![[0, 1, 2, 3], [0, 2, 1, 4]],
        triangles: vec![[1, 2, 3], [1, 4, 2]],
        wires: vec![],
        bodies: vec![body("upper", [0, 4], [0, 1], [0, 1]), body("lower", [4, 5], [1, 2], [1, 2])],
    }
}

/// A run of some steps with a frame each.
fn run(place: &Path, name: &str, integrator: &str, steps: u64) -> PathBuf {
    let path = place.join(name);
    let toml = format!("[run]\nintegrator = \"{integrator}\"\nh = \"1/100\"\n");
    let run = RunFolder::create(&path, false, &toml, &mesh()).unwrap();
    let mut stats = StatsWriter::create(&run.stats_path()).unwrap();
    let searches = integrator.starts_with("a-");
    for step in 0..steps {
        let t = step as f64 / 100.0;
        let total = if searches { 5.0 } else { 5.0 * (-t).exp() };
        let row = StatsRow {
            step,
            t,
            h: 0.01,
            kinetic: total * t.cos().powi(2),
            elastic: Some(total * t.sin().powi(2)),
            total,
            target: Some(5.0 + 1e-12 * t.sin()),
            alpha: searches.then(|| 1.0 + 0.1 * (9.0 * t).sin()),
            alpha_outcome: searches.then_some(AlphaOutcome::OnTarget),
            lz: 1.0 - 0.1 * t,
            newton: 3 + step % 4,
            converged: true,
            ..StatsRow::default()
        };
        stats.write(&row).unwrap();
        let x: Vec<f64> = mesh().rest.as_flattened().iter().map(|x| x + t).collect();
        run.write_frame(step, step, t, &x, &[0.5; 15]).unwrap();
    }
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn one_run_is_drawn_into_its_own_folder() {
    let place = tempfile::tempdir().unwrap();
    let path = run(place.path(), "one", "a-search", 200);
    let listed = succeed(place.path(), &["plot", "one"]);
    let wanted = ["alpha", "angular-momentum", "energy", "newton", "terms"];
    let wanted: Vec<String> = wanted.iter().flat_map(|w| [format!("{w}.png"), format!("{w}.svg")]).collect();
    assert_eq!(names(&path.join("plots")), wanted);
    assert_eq!(listed.lines().count(), wanted.len());
    let svg = fs::read_to_string(path.join("plots/energy.svg")).unwrap();
    assert!(svg.contains(">a-search, h = 1/100 s<") && svg.contains(">target<"), "{svg}");
}

#[test]
fn several_runs_share_a_figure_whatever_their_length() {
    let place = tempfile::tempdir().unwrap();
    run(place.path(), "a", "a-search", 120);
    run(place.path(), "b", "bdf2", 50);
    run(place.path(), "c", "bdf2", 80);
    let broken = place.path().join("c/run.toml");
    fs::write(place.path().join("b/run.toml"), "no toml at all [").unwrap();
    succeed(place.path(), &["plot", "a", "b", "c", "--what", "energy,alpha"]);
    assert_eq!(names(&place.path().join("plots")), ["alpha.png", "alpha.svg", "energy.png", "energy.svg"]);
    let svg = fs::read_to_string(place.path().join("plots/energy.svg")).unwrap();
    assert!([">a-search, h = 1/100 s<", ">b<", ">bdf2, h = 1/100 s<"].iter().all(|l| svg.contains(l)));

    // Two runs of one name are told apart by their folders; labels given have the last word.
    fs::copy(&broken, place.path().join("b/run.toml")).unwrap();
    succeed(place.path(), &["plot", "b", "c", "--what", "newton", "--out", "cost.svg"]);
    let svg = fs::read_to_string(place.path().join("cost.svg")).unwrap();
    assert!(svg.contains(">bdf2, h = 1/100 s (b)<") && svg.contains(">bdf2, h = 1/100 s (c)<"));
    succeed(place.path(), &["plot", "b", "c", "--out", "new/folder/", "--what", "terms", "--labels", "first,second"]);
    let svg = fs::read_to_string(place.path().join("new/folder/terms.svg")).unwrap();
    assert!(svg.contains(">first<") && svg.contains(">second<"));
    succeed(place.path(), &["plot", "b", "--out", "new/both", "--what", "terms,newton"]);
    assert!(place.path().join("new/both-terms.png").exists() && place.path().join("new/both-newton.svg").exists());
}

#[test]
fn a_run_that_is_still_written_is_drawn_as_far_as_it_got() {
    let place = tempfile::tempdir().unwrap();
    let path = run(place.path(), "one", "a-1", 20).join("stats.csv");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
    succeed(place.path(), &["plot", "one"]);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let place = tempfile::tempdir().unwrap();
    run(place.path(), "empty", "bdf2", 0);
    run(place.path(), "bdf2", "bdf2", 10);
    let spoiled = run(place.path(), "spoiled", "bdf2", 3).join("stats.csv");
    fs::write(&spoiled, fs::read_to_string(&spoiled).unwrap() + "what,is,this\n").unwrap();
    fs::create_dir(place.path().join("bare")).unwrap();
    let cases: [(&[&str], i32, &str); 10] = [
        (&["plot", "nowhere"], 1, "nowhere: there is no such folder"),
        (&["plot", "bdf2/stats.csv"], 1, "this is a file"),
        (&["plot", "bare"], 1, "bare: no stats.csv"),
        (&["plot", "empty"], 1, "no step"),
        (&["plot", "spoiled"], 1, "line 5: 3 cells"),
        (&["plot", "bdf2", "--what", "alpha"], 1, "alpha"),
        (&["plot"], 2, "DIR"),
        (&["plot", "bdf2", "--what", "warmth"], 2, "angular-momentum"),
        (&["plot", "bdf2", "--labels", "a,b"], 2, "2 names for 1 runs"),
        (&["plot", "bdf2", "--out", "bdf2/run.toml/x"], 1, "run.toml"),
    ];
    for (args, code, part) in cases {
        let output = visviva(place.path(), args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        assert!(message.contains(part), "{args:?}: {message}");
    }
}

#[test]
fn frames_are_exported_with_their_times() {
    let place = tempfile::tempdir().unwrap();
    let path = run(place.path(), "one", "bdf2", 7);
    succeed(place.path(), &["export", "one", "--every", "3"]);
    let files = ["solids.pvd", "solids_000000.vtu", "solids_000003.vtu", "solids_000006.vtu"];
    assert_eq!(names(&path.join("vtk")), files);
    let list = fs::read_to_string(path.join("vtk/solids.pvd")).unwrap();
    assert!(list.contains("timestep=\"0.03\"") && list.contains("file=\"solids_000003.vtu\""), "{list}");
    let back = visviva::mesh::load_tet_mesh(path.join("vtk/solids_000003.vtu")).unwrap().mesh;
    assert_eq!(back.tets, mesh().tets);
    assert!((back.positions[1].x - 1.03).abs() < 1e-15);
    let head = fs::read(path.join("vtk/solids_000003.vtu")).unwrap();
    let head = String::from_utf8_lossy(&head);
    for name in ["velocity", "displacement", "body", "TimeValue", "vtkZLibDataCompressor", "appended"] {
        assert!(head.contains(name), "{name}");
    }
}

#[test]
fn energy_density_comes_from_whoever_knows_it() {
    let place = tempfile::tempdir().unwrap();
    let run = RunFolder::open(&run(place.path(), "one", "bdf2", 2)).unwrap();
    let out = place.path().join("out");
    export(&run, &out, 1, Some(&|x| vec![x[1][0]; 2])).unwrap();
    assert!(String::from_utf8_lossy(&fs::read(out.join("solids_000001.vtu")).unwrap()).contains("energy_density"));
    let error = export(&run, &out, 1, Some(&|_| vec![0.0; 3])).unwrap_err();
    assert!(format!("{error:#}").contains("energy_density"), "{error:#}");
}

#[test]
fn bodies_without_tets_are_exported_as_surfaces() {
    let place = tempfile::tempdir().unwrap();
    let mut shells = mesh();
    shells.bodies.push(body("shell", [1, 4], [2, 2], [2, 3]));
    shells.triangles.push([1, 2, 3]);
    for (mesh, wanted) in [(shells, 2), (RunMesh { tets: vec![], bodies: vec![], ..mesh() }, 1)] {
        let path = place.path().join(format!("run{wanted}"));
        let run = RunFolder::create(&path, false, "", &mesh).unwrap();
        run.write_frame(0, 0, 0.0, mesh.rest.as_flattened(), &[0.0; 15]).unwrap();
        let series = export(&run, &path.join("vtk"), 1, None).unwrap();
        assert_eq!(series.len(), wanted);
        assert!(path.join("vtk/surfaces_000000.vtu").exists());
    }
}

#[test]
fn wires_are_exported_as_lines_of_their_own() {
    let place = tempfile::tempdir().unwrap();
    let mut wired = mesh();
    wired.wires = vec![[1, 4], [4, 0], [0, 3]];
    let path = place.path().join("run");
    let run = RunFolder::create(&path, false, "", &wired).unwrap();
    run.write_frame(0, 0, 0.0, wired.rest.as_flattened(), &[0.0; 15]).unwrap();
    let series = export(&run, &path.join("vtk"), 1, None).unwrap();
    assert_eq!(series, ["solids.pvd", "wires.pvd"].map(|name| path.join("vtk").join(name)));
    let bytes = fs::read(path.join("vtk/wires_000000.vtu")).unwrap();
    let raw = visviva::mesh::formats::read_raw(&bytes, Path::new("wires.vtu")).unwrap();
    assert_eq!((raw.positions.len(), raw.skipped), (5, [("lines".to_owned(), 3)].into()));
}

#[test]
fn obj_files_hold_an_object_a_body_with_its_own_vertices() {
    let place = tempfile::tempdir().unwrap();
    let mut wired = mesh();
    wired.wires = vec![[1, 4], [4, 0]];
    wired.bodies[1].wires = [0, 2];
    wired.bodies[0].name = "upper half".into();
    let path = place.path().join("run");
    let run = RunFolder::create(&path, false, "", &wired).unwrap();
    for index in 0..3 {
        let moved: Vec<f64> = wired.rest.as_flattened().iter().map(|x| x + index as f64).collect();
        run.write_frame(index, index, 0.1 * index as f64, &moved, &[0.0; 15]).unwrap();
    }
    let said = succeed(place.path(), &["export", "run", "--format", "obj", "--every", "2"]);
    assert!(said.contains("frame_000000.obj to") && said.contains("frame_000002.obj"), "{said}");
    assert_eq!(names(&path.join("obj")), ["frame_000000.obj", "frame_000002.obj"]);
    let text = fs::read_to_string(path.join("obj/frame_000002.obj")).unwrap();
    let objects: Vec<&str> = text.lines().filter(|line| line.starts_with("o ")).collect();
    assert_eq!(objects, ["o upper_half", "o lower"]);
    let back = visviva::mesh::load_wired_surface(path.join("obj/frame_000002.obj")).unwrap().mesh;
    // Vertices 1, 2 and 3 of the upper body, then 0, 1, 2 and 4 of the lower one.
    assert_eq!(back.surface.triangles, [[0, 1, 2], [4, 6, 5]]);
    assert_eq!(back.wires, [[4, 6], [6, 3]]);
    assert_eq!(back.surface.positions[6], nalgebra::Vector3::new(2.0, 2.0, 1.0));
}

#[test]
fn damaged_runs_are_exported_as_far_as_they_go_and_named() {
    let place = tempfile::tempdir().unwrap();
    let path = run(place.path(), "one", "bdf2", 5);
    fs::remove_file(path.join("frames/000002.npy")).unwrap();
    let output = visviva(place.path(), &["export", "one", "--out", "elsewhere"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("frames 2 are missing"));
    assert_eq!(names(&place.path().join("elsewhere")).len(), 5);

    let fail = |args: &[&str], code: i32, part: &str| {
        let output = visviva(place.path(), args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        assert!(message.contains(part), "{args:?}: {message}");
    };
    let frame = path.join("frames/000003.npy");
    fs::write(&frame, &fs::read(&frame).unwrap()[..150]).unwrap();
    fail(&["export", "one"], 1, "000003.npy");
    fs::remove_file(path.join("mesh/rest.npy")).unwrap();
    fail(&["export", "one"], 1, "mesh/rest.npy");
    fail(&["export", "nowhere"], 1, "nowhere: there is no such folder");
    fail(&["export", "."], 1, "not the folder of a run");
    fail(&["export", "one", "--every", "0"], 2, "0");
    run(place.path(), "empty", "bdf2", 0);
    fail(&["export", "empty"], 1, "no frames");
}
