//! The folder of a run: what is written is read, and what is damaged is named.

use std::fs;
use std::path::{Path, PathBuf};
use visviva::run::{Frame, FrameRecord, NewRun, OutputError, RunBody, RunFolder, RunMesh, StatsRow, StatsWriter};

fn mesh() -> RunMesh {
    let body = |name: &str, nodes, tets, triangles| RunBody {
        name: name.into(),
        vertices: nodes,
        tets,
        triangles,
        wires: [0; 2],
        kind: "solid".into(),
        material: "stable-neo-hookean E = 1e5 Pa".into(),
    };
    RunMesh {
        attachments: Vec::new(),
        rest: (0..8).map(|i| [f64::from(i), f64::from(i * i % 5), 0.1 * f64::from(i % 3)]).collect(),
        tets: vec![[0, 1, 2, 3], [4, 5, 6, 7]],
        triangles: vec![[0, 1, 2], [0, 2, 3], [4, 5, 6]],
        wires: vec![],
        bodies: vec![body("ball", [0, 4], [0, 1], [0, 2]), body("ø \"floor\"", [4, 8], [1, 2], [2, 3])],
        skins: vec![],
    }
}

fn create(path: &Path, overwrite: bool, toml: &str, mesh: &RunMesh) -> Result<RunFolder, OutputError> {
    RunFolder::create(path, overwrite, NewRun { toml, mesh, inputs: &[], history: None })
}

fn state(frame: u64) -> (Vec<f64>, Vec<f64>) {
    ((0..24).map(|i| f64::from(i) / 3.0 + frame as f64).collect(), vec![-0.0; 24])
}

fn write_frame(run: &RunFolder, index: u64) -> FrameRecord {
    let (x, v) = state(index);
    run.write_frame(index, 10 * index, 0.1 * index as f64, &x, &v).unwrap()
}

/// A run of some frames, every tenth step.
fn run(frames: u64) -> (tempfile::TempDir, RunFolder) {
    let place = tempfile::tempdir().unwrap();
    let run = create(&place.path().join("runs/a"), false, "[run]\nh = 0.01\n", &mesh()).unwrap();
    for index in 0..frames {
        write_frame(&run, index);
    }
    (place, run)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all.sort();
    all
}

fn indices(run: &RunFolder) -> Vec<u64> {
    run.frames().unwrap().iter().map(|f| f.index).collect()
}

#[test]
fn a_run_reads_back_as_it_was_written() {
    let (_place, run) = run(3);
    let run = RunFolder::open(run.path()).unwrap();
    assert_eq!(run.mesh().unwrap(), mesh());
    assert_eq!(run.run_toml().unwrap(), "[run]\nh = 0.01\n");
    assert_eq!(run.summary().unwrap(), None);
    run.write_summary(&serde_json::json!({"steps": 20})).unwrap();
    assert_eq!(run.summary().unwrap().unwrap()["steps"], 20);
    let frames = run.frames().unwrap();
    assert_eq!(
        frames.iter().map(|f| (f.index, f.step, f.t)).collect::<Vec<_>>(),
        [(0, 0, 0.0), (1, 10, 0.1), (2, 20, 0.2)]
    );
    let frame = run.read_frame(2).unwrap();
    assert_eq!((frame.x.as_flattened(), frame.v.as_flattened()), (&state(2).0[..], &state(2).1[..]));
    assert!(frame.v[0][0].is_sign_negative());
    assert!(run.missing_frames().unwrap().is_empty());
    assert!(files(run.path()).iter().all(|f| !f.to_string_lossy().contains("partial")));
}

#[test]
fn a_missing_frame_is_named_and_the_others_are_read() {
    let (_place, run) = run(6);
    for index in [2, 3] {
        fs::remove_file(run.frame_path(index)).unwrap();
    }
    assert_eq!(indices(&run), [0, 1, 4, 5]);
    assert_eq!(run.missing_frames().unwrap(), [2, 3]);
    assert!(run.read_frame(4).is_ok());
    let message = run.read_frame(3).unwrap_err().to_string();
    assert!(message.contains("000003.npy") && message.contains("4 frames"), "{message}");
}

#[test]
fn what_a_crash_leaves_of_a_frame_is_ignored_and_written_over() {
    let (_place, run) = run(4);
    let times = run.path().join("frames/times.csv");
    let whole = fs::read(&times).unwrap();
    fs::write(run.path().join("frames/.000004.npy.partial"), b"\x93NUM").unwrap();
    for cut in 1..8 {
        fs::write(&times, &whole[..whole.len() - cut]).unwrap();
        assert_eq!(indices(&run), [0, 1, 2], "the last line is cut by {cut}");
        assert!(run.missing_frames().unwrap().is_empty());
        write_frame(&run, 3);
        assert_eq!(fs::read(&times).unwrap(), whole);
    }
}

#[test]
fn frames_after_one_that_is_gone_back_to_are_taken_off_and_written_again() {
    let (_place, run) = run(0);
    let records: Vec<FrameRecord> = (0..5).map(|index| write_frame(&run, index)).collect();
    let before = fs::read(run.path().join("frames/times.csv")).unwrap();
    run.list_frames(&records[..3]).unwrap();
    assert!(run.frame_path(3).exists(), "a list alone costs no frame");
    run.remove_frames_from(3).unwrap();
    assert_eq!(indices(&run), [0, 1, 2]);
    assert!(!run.frame_path(3).exists());
    assert_eq!((3..5).map(|index| write_frame(&run, index)).collect::<Vec<_>>(), records[3..]);
    assert_eq!(fs::read(run.path().join("frames/times.csv")).unwrap(), before);
}

#[test]
fn damaged_files_are_named() {
    let (_place, run) = run(2);
    let bytes = fs::read(run.frame_path(1)).unwrap();
    fs::write(run.frame_path(1), &bytes[..bytes.len() - 5]).unwrap();
    let message = run.read_frame(1).unwrap_err().to_string();
    assert!(message.contains("000001.npy") && message.contains("384 bytes"), "{message}");
    fs::copy(run.path().join("mesh/rest.npy"), run.frame_path(1)).unwrap();
    assert!(run.read_frame(1).unwrap_err().to_string().contains("(2, nodes, 3)"));

    let times = run.path().join("frames/times.csv");
    for (text, part) in
        [("frame,step,t\n0,0,0.0\none,10,0.1\n", "line 3"), ("hello\n", "line 1"), ("frame,step,t\n\u{0}\n", "line 2")]
    {
        fs::write(&times, text).unwrap();
        assert!(run.frames().unwrap_err().to_string().contains(part), "{text}");
    }
    fs::write(&times, b"frame,step,t\n\xff\xff\n").unwrap();
    assert!(run.frames().is_err());
    fs::write(&times, "frame,step,t\n18446744073709551614,0,0\n1,10,0.1\n").unwrap();
    assert_eq!(indices(&run), [1]);

    fs::write(run.path().join("mesh/bodies.json"), "[{\"name\": 3}]").unwrap();
    assert!(run.mesh().unwrap_err().to_string().contains("bodies.json"));
    fs::write(run.path().join("summary.json"), "{").unwrap();
    assert!(run.summary().unwrap_err().to_string().contains("summary.json"));
}

#[test]
fn a_mesh_that_contradicts_itself_is_neither_written_nor_read() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("deep/er/run");
    let mut wrong = [mesh(), mesh(), mesh()];
    wrong[0].tets[1][2] = 8;
    wrong[1].triangles[0][0] = 99;
    wrong[2].bodies[1].vertices = [4, 9];
    for (mesh, part) in wrong.iter().zip(["tet 1", "triangle 0", "floor"]) {
        let message = create(&path, false, "", mesh).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "nothing is left behind");
    }
    let (_place, run) = run(0);
    let bodies = run.path().join("mesh/bodies.json");
    let text = fs::read_to_string(&bodies).unwrap().replace("8\n", "80\n");
    fs::write(&bodies, text).unwrap();
    assert!(matches!(run.mesh(), Err(OutputError::Mesh { .. })));
}

/// Two tets, and beside them an obstacle of three wires whose second one goes through the first tet when `lift` is 0.
fn wired(lift: f64) -> RunMesh {
    let mut mesh = mesh();
    mesh.rest = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    mesh.rest.extend(mesh.rest.clone().iter().map(|x| [x[0] + 5.0, x[1], x[2]]));
    mesh.triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2], [4, 6, 5], [4, 5, 7], [5, 6, 7], [4, 7, 6]];
    mesh.bodies[0].triangles = [0, 4];
    mesh.bodies[1].triangles = [4, 8];
    for (y, z) in [(-0.5, 0.1), (0.2, 0.2 + lift), (0.1, -0.5)] {
        mesh.wires.push([mesh.rest.len() as u32, mesh.rest.len() as u32 + 1]);
        mesh.rest.extend([[-1.0, y, z], [3.0, y, z]]);
    }
    let (vertices, kind) = ([8, 14], "obstacle".into());
    let material = String::new();
    let body =
        RunBody { name: "fence".into(), vertices, tets: [2; 2], triangles: [8; 2], wires: [0, 3], kind, material };
    mesh.bodies.push(body);
    mesh
}

#[test]
fn wires_are_read_back_and_folders_without_them_still_open() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("run");
    let with = create(&path, false, "", &wired(0.0)).unwrap();
    assert_eq!(with.mesh().unwrap(), wired(0.0));
    let file = path.join("mesh/wires.npy");
    fs::write(&file, fs::read(path.join("mesh/triangles.npy")).unwrap()).unwrap();
    assert!(with.mesh().unwrap_err().to_string().contains("wires.npy"));
    // A run without wires leaves none of an earlier one's behind.
    let without = create(&path, true, "", &mesh()).unwrap();
    assert!(!file.exists());
    let bodies = path.join("mesh/bodies.json");
    let text = fs::read_to_string(&bodies).unwrap();
    let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
    old.as_array_mut()
        .unwrap()
        .iter_mut()
        .for_each(|body| drop(body.as_object_mut().unwrap().remove("wires").unwrap()));
    fs::write(&bodies, old.to_string()).unwrap();
    assert_eq!(without.mesh().unwrap(), mesh());

    let mut wrong = [wired(0.0), wired(0.0)];
    wrong[0].wires[2][1] = 14;
    wrong[1].bodies[2].wires = [0, 4];
    for (mesh, part) in wrong.iter().zip(["wire 2", "wires 0 to 4 of 3"]) {
        let message = create(&place.path().join("b"), false, "", mesh).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_wire_through_a_body_is_found_and_one_beside_or_inside_is_told_apart() {
    let faults = |mesh: &RunMesh| {
        let frame = Frame { x: mesh.rest.clone(), v: vec![[0.0; 3]; mesh.rest.len()] };
        mesh.faults(&frame).unwrap()
    };
    let through = faults(&wired(0.0));
    // In through the side at x = 0, out through the slanted one.
    assert_eq!(through.wire_crossings, [[1, 2], [1, 3]]);
    assert!(through.swallowed_wires.is_empty());
    let beside = faults(&wired(0.6 + 1e-12));
    assert!(beside.wire_crossings.is_empty() && beside.swallowed_wires.is_empty(), "{beside:?}");

    let mut inside = wired(0.0);
    inside.rest[10] = [0.1, 0.1, 0.1];
    inside.rest[11] = [0.2, 0.2, 0.3];
    let found = faults(&inside);
    assert_eq!((found.wire_crossings.len(), found.swallowed_wires), (0, vec![[1, 0]]));
    // A body's own wires are held where they are.
    for mut own in [wired(0.0), inside] {
        own.bodies[0].wires = [0, 3];
        own.bodies[2].wires = [0, 0];
        let found = faults(&own);
        assert!(found.wire_crossings.is_empty() && found.swallowed_wires.is_empty(), "{found:?}");
    }
}

#[test]
fn opening_says_what_is_wrong() {
    let (place, run) = run(1);
    assert!(matches!(RunFolder::open(&place.path().join("nowhere")), Err(OutputError::NoSuchFolder { .. })));
    assert!(matches!(RunFolder::open(place.path()), Err(OutputError::NotARunFolder { .. })));
    assert!(matches!(RunFolder::open(&run.path().join("run.toml")), Err(OutputError::NotAFolder { .. })));
    fs::remove_file(run.path().join("mesh/tets.npy")).unwrap();
    let message = RunFolder::open(run.path()).unwrap_err().to_string();
    assert!(message.contains("mesh/tets.npy"), "{message}");
}

#[test]
fn a_folder_in_use_is_refused_unless_it_may_be_overwritten() {
    let (_place, run) = run(3);
    let before = files(run.path());
    assert!(matches!(create(run.path(), false, "", &mesh()), Err(OutputError::NotEmpty { .. })));
    assert_eq!(files(run.path()), before);

    // An impossible new run costs nothing of the old one.
    let mut wrong = mesh();
    wrong.tets[0][0] = 77;
    assert!(create(run.path(), true, "", &wrong).is_err());
    assert_eq!(files(run.path()), before);

    // Foreign files stay, also within a run's own folders.
    let foreign =
        ["notes.txt", "frames/first.png", "mesh/original.obj", "plots/energy.svg"].map(|f| run.path().join(f));
    fs::create_dir(run.path().join("plots")).unwrap();
    foreign.iter().for_each(|f| fs::write(f, "mine").unwrap());
    fs::write(run.path().join("checkpoint.bin"), "old").unwrap();
    fs::write(run.path().join(".checkpoint.bin.partial"), "old").unwrap();
    let new = create(run.path(), true, "new", &mesh()).unwrap();
    assert!(foreign.iter().all(|f| fs::read_to_string(f).unwrap() == "mine"));
    assert!(new.frames().unwrap().is_empty() && new.run_toml().unwrap() == "new");
    assert_eq!(files(run.path()).len(), 7 + foreign.len());
}

#[test]
fn a_folder_that_is_not_a_runs_is_never_overwritten() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("thesis.tex"), "years of work").unwrap();
    fs::write(place.path().join("stats.csv"), "someone else's").unwrap();
    let message = create(place.path(), true, "", &mesh()).unwrap_err().to_string();
    assert!(message.contains("thesis.tex"), "{message}");
    assert_eq!(files(place.path()).len(), 2);
    let file = place.path().join("thesis.tex");
    assert!(matches!(create(&file, true, "", &mesh()), Err(OutputError::NotAFolder { .. })));
    let below = create(&file.join("run"), true, "", &mesh()).unwrap_err().to_string();
    assert!(below.contains("thesis.tex"), "{below}");

    // What is left of a run without its run.toml may give way; an empty folder is as good as none.
    fs::remove_file(file).unwrap();
    assert!(create(place.path(), true, "", &mesh()).is_ok());
    let empty = tempfile::tempdir().unwrap();
    assert!(create(empty.path(), false, "", &mesh()).is_ok());
}

#[test]
#[cfg(unix)]
fn a_link_is_not_followed_when_files_are_removed() {
    let (place, run) = run(2);
    let elsewhere = place.path().join("elsewhere");
    fs::rename(run.path().join("frames"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, run.path().join("frames")).unwrap();
    assert!(RunFolder::open(run.path()).is_ok());
    assert!(matches!(create(run.path(), true, "", &mesh()), Err(OutputError::Foreign { .. })));
    assert_eq!(files(&elsewhere).len(), 3);
}

#[test]
fn statistics_are_added_where_the_folder_keeps_them() {
    let (_place, run) = run(0);
    assert!(visviva::run::Stats::read(&run.stats_path()).unwrap().rows.is_empty());
    let (mut writer, last) = StatsWriter::resume(&run.stats_path(), 0).unwrap();
    assert_eq!(last, None);
    writer.write(&StatsRow { step: 1, t: 0.1, ..StatsRow::default() }).unwrap();
    assert_eq!(visviva::run::Stats::read(&run.stats_path()).unwrap().rows[0].step, 1);
}
