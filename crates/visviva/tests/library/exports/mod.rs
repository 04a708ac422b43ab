//! Every format read back from its bytes, by readers that share nothing with the writers.

mod caches;
mod gltf;
mod npz;
mod obj;
mod usd;

use std::path::{Path, PathBuf};
use visviva::mesh::{Ride, Skin};
use visviva::run::export::FORMATS;
use visviva::run::{NewRun, OutputError, RunBody, RunFolder, RunMesh, ShownFrame};
use visviva_shapes::{Polygons, Uvs};

/// Of the made-up run `[1/s]`
const RATE: f64 = 50.0;
const FRAMES: usize = 4;
/// The corners of the box in the order of its user: x fastest, then y, then z
const BOX: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];
const QUADS: [[u32; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];
/// Each quad is a square of a strip: its corners have the same four coordinates in all, shifted.
fn uv(quad: usize, corner: usize) -> [f64; 2] {
    let [u, v] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]][corner];
    [(quad as f64 + u) / 8.0, v / 4.0]
}

/// A box that is simulated with its corners the other way round and shown as its user made it: quads, texture coordinates, two
/// materials. A sheet of one triangle without anything. A floor with a wire, which stands still.
fn mesh() -> RunMesh {
    let mut rest: Vec<[f64; 3]> = BOX.iter().rev().copied().collect();
    rest.extend([[3.0, 0.0, 0.0], [4.0, 0.0, 0.0], [3.0, 1.0, 0.0]]);
    rest.extend([[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 5.0]]);
    let cut = |q: [u32; 4]| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]].map(|t| t.map(|corner| 7 - corner));
    let mut triangles: Vec<[u32; 3]> = QUADS.into_iter().flat_map(cut).collect();
    triangles.extend([[8, 9, 10], [11, 12, 13]]);
    let mut polygons = Polygons::default();
    QUADS.iter().for_each(|quad| polygons.push(quad));
    let values = (0..6).flat_map(|quad| (0..4).map(move |corner| uv(quad, corner))).collect();
    let skin = Skin {
        polygons,
        uvs: Some(Uvs { values, of_corner: (0..24).collect() }),
        materials: vec!["Red paint".into(), "Côté".into()],
        material_of: vec![0, 0, 1, 0, 1, 1],
        rides: (0..8).map(|corner| Ride::on(7 - corner)).collect(),
    };
    let body = |name: &str, kind: &str, vertices, triangles, wires| RunBody {
        name: name.into(),
        vertices,
        tets: [0, 0],
        triangles,
        wires,
        kind: kind.into(),
        material: "rubber".into(),
    };
    RunMesh {
        rest,
        triangles,
        wires: vec![[11, 14]],
        bodies: vec![
            body("my box", "solid", [0, 8], [0, 12], [0, 0]),
            body("sheet", "shell", [8, 11], [12, 13], [0, 0]),
            body("floor", "obstacle", [11, 15], [13, 14], [0, 1]),
        ],
        skins: vec![Some(skin)],
        ..RunMesh::default()
    }
}

/// Where a point of the box or the sheet is in a frame; numbers that single precision holds.
fn moved([x, y, z]: [f64; 3], frame: usize) -> [f64; 3] {
    let way = frame as f64;
    [x + 0.25 * way * y, y - 0.5 * way, z + 0.125 * way * way]
}

fn box_in(frame: usize) -> Vec<[f64; 3]> {
    BOX.iter().map(|&point| moved(point, frame)).collect()
}

/// With a frame every 1/50 s, but for those left out.
fn made_up_run(place: &Path, without: &[usize]) -> RunFolder {
    let mesh = mesh();
    let run =
        RunFolder::create(&place.join("run"), false, NewRun { toml: "", mesh: &mesh, inputs: &[], history: None })
            .unwrap();
    for frame in (0..FRAMES).filter(|frame| !without.contains(frame)) {
        let x: Vec<[f64; 3]> =
            mesh.rest.iter().enumerate().map(|(k, &point)| if k < 11 { moved(point, frame) } else { point }).collect();
        let v = vec![[0.5, 0.25 * frame as f64, 0.0]; x.len()];
        let t = frame as f64 / RATE;
        run.write_frame(frame as u64, frame as u64, t, x.as_flattened(), v.as_flattened()).unwrap();
    }
    run
}

fn export(run: &RunFolder, format: &str, place: &Path) -> Result<Vec<PathBuf>, OutputError> {
    let format = FORMATS.iter().find(|known| known.name == format).unwrap();
    let frames: Vec<ShownFrame> = run.frames().unwrap().iter().map(ShownFrame::written).collect();
    run.export((format.exporter)(place).as_mut(), &frames, RATE, None, || {})
}

/// The bytes of what a format makes of the run, file by file as it names them.
fn exported(format: &str) -> Vec<(String, Vec<u8>)> {
    let place = tempfile::tempdir().unwrap();
    let made = export(&made_up_run(place.path(), &[]), format, &place.path().join("out")).unwrap();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    made.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

#[test]
fn a_format_of_one_file_takes_a_file_name_and_a_run_without_surfaces_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let run = made_up_run(place.path(), &[]);
    for (format, name) in [("usd", "a/b.usda"), ("gltf", "b.glb"), ("npz", "b.npz")] {
        let path = place.path().join(name);
        assert_eq!(export(&run, format, &path).unwrap(), [path]);
    }
    let nothing = place.path().join("nothing");
    let new = NewRun { toml: "", mesh: &RunMesh::default(), inputs: &[], history: None };
    let empty = RunFolder::create(&place.path().join("empty"), false, new).unwrap();
    empty.write_frame(0, 0, 0.0, &[], &[]).unwrap();
    for format in ["usd", "gltf", "pc2", "mdd", "npz"] {
        let refused = export(&empty, format, &nothing).unwrap_err().to_string();
        assert!(refused.contains("no surfaces to export"), "{refused}");
    }
    assert!(!nothing.exists());
}
