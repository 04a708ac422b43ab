//! The Stanford models, which are not shipped: found through VISVIVA_SHARED or next to the checkout, else skipped.

use crate::checks::{crossing, is_sound};
use nalgebra::Vector3;
use std::io::Write;
use std::path::PathBuf;
use visviva_shapes::field::TriangleField;
use visviva_shapes::stuffing::{Grading, stuff};

fn model(name: &str) -> Option<TriangleField> {
    let shared = std::env::var_os("VISVIVA_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")));
    let path = shared.join("meshes").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        // Past the test's capture of its output, so that a test that tried nothing is seen to have tried nothing.
        let advice = "set VISVIVA_SHARED to the folder that holds meshes/";
        let told = format!("skipped: {} is not here; {advice}\n", path.display());
        std::io::stderr().write_all(told.as_bytes()).unwrap();
        return None;
    };
    let numbers = |line: &str| -> Vec<f64> { line.split_whitespace().skip(1).map(|n| n.parse().unwrap()).collect() };
    let lines = |kind: &'static str| text.lines().filter(move |line| line.starts_with(kind)).map(numbers);
    let positions: Vec<Vector3<f64>> = lines("v ").map(|n| Vector3::new(n[0], n[1], n[2])).collect();
    let triangles: Vec<[u32; 3]> = lines("f ").map(|n| [0, 1, 2].map(|k| n[k] as u32 - 1)).collect();
    Some(TriangleField::new(&positions, &triangles))
}

#[test]
fn the_stanford_models_become_sound_solids() {
    for (name, cells) in [("bunny.obj", [9.0, 20.0]), ("armadillo.obj", [14.0, 22.0])] {
        let Some(field) = model(name) else { continue };
        for (cells, grading) in cells.into_iter().zip([Grading::Uniform, Grading::Graded { doublings: 2 }]) {
            let cell = field.volume().cbrt() / cells;
            let solid = stuff(&field, cell, grading).unwrap();
            is_sound(&solid, &format!("{name} in {cells}³ cells, {grading:?}"));
            assert_eq!(crossing(&solid), None, "{name} in {cells}³ cells");
        }
    }
}
