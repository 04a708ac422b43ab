//! `visviva export` on folders of runs, whole and damaged, and the same while a session goes on.

use super::made_up_run::{body, create, mesh, run};
use super::place::Place;
use std::fs;
use std::path::{Path, PathBuf};
use visviva::run::export::FORMATS;
use visviva::run::{RunFolder, RunMesh, ShownFrame};

/// What to open.
fn exported(run: &RunFolder, format: &str) -> Vec<PathBuf> {
    let format = FORMATS.iter().find(|f| f.name == format).unwrap();
    let mut exporter = (format.exporter)(&run.path().join(format.folder));
    let frames: Vec<_> = run.frames().unwrap().iter().map(ShownFrame::written).collect();
    run.export(exporter.as_mut(), &frames, 30.0, None, || {}).unwrap()
}

#[test]
fn frames_are_exported_with_their_times() {
    let place = Place::empty();
    let path = run(&place, "one", "bdf2", 7);
    place.succeed(&["export", "one", "--every", "3"]);
    let files = ["solids.pvd", "solids_000000.vtu", "solids_000003.vtu", "solids_000006.vtu"];
    assert_eq!(place.names("one/vtk"), files);
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
fn bodies_without_tets_are_exported_as_surfaces() {
    let place = Place::empty();
    let mut shells = mesh();
    shells.bodies.push(body("shell", [1, 4], [2, 2], [2, 3]));
    shells.triangles.push([1, 2, 3]);
    for (mesh, wanted) in [(shells, 2), (RunMesh { tets: vec![], bodies: vec![], ..mesh() }, 1)] {
        let path = place.path(&format!("run{wanted}"));
        let run = create(&path, "", &mesh);
        run.write_frame(0, 0, 0.0, mesh.rest.as_flattened(), &[0.0; 15]).unwrap();
        let series = exported(&run, "vtu");
        assert_eq!(series.len(), wanted);
        assert!(path.join("vtk/surfaces_000000.vtu").exists());
    }
}

#[test]
fn wires_are_exported_as_lines_of_their_own() {
    let place = Place::empty();
    let mut wired = mesh();
    wired.wires = vec![[1, 4], [4, 0], [0, 3]];
    let path = place.path("run");
    let run = create(&path, "", &wired);
    run.write_frame(0, 0, 0.0, wired.rest.as_flattened(), &[0.0; 15]).unwrap();
    let series = exported(&run, "vtu");
    assert_eq!(series, ["solids.pvd", "wires.pvd"].map(|name| path.join("vtk").join(name)));
    let bytes = fs::read(path.join("vtk/wires_000000.vtu")).unwrap();
    let raw = visviva::mesh::formats::read_raw(&bytes, Path::new("wires.vtu")).unwrap();
    assert_eq!((raw.positions.len(), raw.skipped), (5, [("lines".to_owned(), 3)].into()));
}

#[test]
fn obj_files_hold_an_object_a_body_with_its_own_vertices() {
    let place = Place::empty();
    let mut wired = mesh();
    wired.wires = vec![[1, 4], [4, 0]];
    wired.bodies[1].wires = [0, 2];
    wired.bodies[0].name = "upper half".into();
    let path = place.path("run");
    let run = create(&path, "", &wired);
    for index in 0..3 {
        let moved: Vec<f64> = wired.rest.as_flattened().iter().map(|x| x + index as f64).collect();
        run.write_frame(index, index, 0.1 * index as f64, &moved, &[0.0; 15]).unwrap();
    }
    let said = place.succeed(&["export", "run", "--format", "obj", "--every", "2"]);
    assert_eq!(said, "run/obj/frame_000000.obj\nrun/obj/frame_000002.obj\n", "the first and the last");
    assert_eq!(place.names("run/obj"), ["frame_000000.obj", "frame_000002.obj"]);
    let text = fs::read_to_string(path.join("obj/frame_000002.obj")).unwrap();
    let objects: Vec<&str> = text.lines().filter(|line| line.starts_with("o ")).collect();
    assert_eq!(objects, ["o upper_half", "o lower"]);
    // Vertices 1, 2 and 3 of the upper body, then 0, 1, 2 and 4 of the lower one.
    let lines = |key: &str| text.lines().filter(|line| line.starts_with(key)).collect::<Vec<&str>>();
    assert_eq!(lines("f "), ["f 1 2 3", "f 5 7 6"]);
    assert_eq!(lines("l "), ["l 5 7", "l 7 4"]);
    assert_eq!((lines("v ").len(), lines("v ")[6]), (7, "v 2 2 1"));
}

#[test]
fn several_formats_are_written_at_any_frame_rate() {
    let place = Place::empty();
    run(&place, "one", "bdf2", 7);
    let said = place.succeed(&["export", "one", "--to", "npz,usd", "--to", "pc2", "--fps", "40"]);
    assert_eq!(said, "one/npz/motion.npz\none/usd/motion.usda\none/pc2/upper.pc2\none/pc2/lower.pc2\n");
    let stage = place.read("one/usd/motion.usda");
    assert!(stage.contains("timeCodesPerSecond = 40\n") && stage.contains("endTimeCode = 2\n"), "{stage}");
    // At 1/40 s, halfway between two frames.
    assert!(stage.contains("1: [(1.025, 0.025, 0.025), "), "{stage}");
    place.succeed(&["export", "one", "--to", "pc2", "--fps", "100", "--every", "2", "--out", "caches"]);
    let cache = fs::read(place.path("caches/upper.pc2")).unwrap();
    assert_eq!(
        (&cache[24..28], &cache[28..32]),
        (&2f32.to_le_bytes()[..], &4i32.to_le_bytes()[..]),
        "spacing, samples"
    );
    assert_eq!(place.succeed(&["export", "one", "--to", "glb", "--out", "a/film.glb"]), "a/film.glb\n");
    place.fail(&["export", "one", "--to", "usb"], 2, &["'usb'", "a similar value exists: 'usd'"]);
    place.fail(&["export", "one", "--fps", "0"], 2, &["positive"]);
    place.fail(&["export", "one", "--fps", "24", "--no-interpolation"], 2, &["cannot be used with"]);
}

#[test]
fn damaged_runs_are_exported_as_far_as_they_go_and_named() {
    let place = Place::empty();
    let path = run(&place, "one", "bdf2", 5);
    fs::remove_file(path.join("frames/000002.npy")).unwrap();
    let output = place.visviva(&["export", "one", "--out", "elsewhere"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("frames/000002.npy is missing"));
    assert_eq!(place.names("elsewhere").len(), 5);

    let fail = |args: &[&str], code: i32, part: &str| {
        let output = place.visviva(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        assert!(message.contains(part), "{args:?}: {message}");
    };
    let frame = path.join("frames/000003.npy");
    fs::write(&frame, &fs::read(&frame).unwrap()[..150]).unwrap();
    fail(&["export", "one"], 1, "000003.npy");
    fs::remove_file(path.join("mesh/rest.npy")).unwrap();
    fail(&["export", "one"], 1, "mesh/rest.npy");
    fail(&["export", "nowhere"], 2, "nowhere: there is no such folder");
    fail(&["export", "."], 2, "not the folder of a run");
    fail(&["export", "one", "--every", "0"], 2, "0");
    run(&place, "empty", "bdf2", 0);
    for format in FORMATS {
        fail(&["export", "empty", "--to", format.name, "--fps", "24"], 1, "no frames");
    }
}

#[test]
fn a_file_of_a_kind_that_is_not_written_is_refused_with_the_name_to_give() {
    let place = Place::empty();
    run(&place, "one", "bdf2", 3);
    for (format, file, better) in [("usd", "x.usdc", "--out x.usda"), ("gltf", "x.gltf", "--out x.glb")] {
        place.fail(&["export", "one", "--to", format, "--out", file], 2, &[file, better]);
    }
    assert_eq!(place.names("."), ["one"], "nor does a folder of that name come to be");
}
