//! The Stanford models, which are not shipped: found through VISVIVA_SHARED or next to the checkout, else skipped.

use std::io::Write;
use std::path::PathBuf;
use visviva::mesh::{load_tet_mesh, load_tri_mesh};

fn model(name: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("VISVIVA_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")));
    let path = shared.join("meshes").join(name);
    if !path.exists() {
        // Past the test's capture of its output, so that a test that tried nothing is seen to have tried nothing.
        let advice = "set VISVIVA_SHARED to the folder that holds meshes/";
        writeln!(std::io::stderr(), "skipped: {} is not here; {advice}", path.display()).unwrap();
    }
    path.exists().then_some(path)
}

#[test]
fn the_stanford_models_load_with_their_counts_and_angles() {
    let models = [
        ("armadillo.msh", [27183, 113480, 30000], 14.0),
        ("bunny.msh", [8551, 35691, 9036], 15.0),
        ("bunny-slivers.msh", [4670, 19379, 6266], 0.23),
    ];
    for (name, counts, angle) in models {
        let Some(path) = model(name) else { continue };
        let loaded = load_tet_mesh(&path).unwrap();
        let mesh = loaded.mesh;
        println!("{name}: {:?} {:?}", loaded.warnings, mesh.quality());
        assert_eq!([mesh.positions.len(), mesh.tets.len(), mesh.boundary().triangles.len()], counts);
        assert!((mesh.quality().min_dihedral.0 / angle - 1.0).abs() < 0.08);
    }
    for (name, faces) in [("armadillo.obj", 30000), ("bunny.obj", 3590)] {
        let Some(path) = model(name) else { continue };
        assert_eq!(load_tri_mesh(&path).unwrap().mesh.triangles.len(), faces);
    }
}
