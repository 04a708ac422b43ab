//! The documentation of scene files is true and complete.

use super::small_scene::small;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use visviva::run::stats::COLUMNS;

#[test]
fn the_schema_of_the_documentation_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene.schema.json");
    let place = small();
    let current = place.succeed(&["schema"]);
    let written = fs::read_to_string(path).unwrap();
    assert!(written == current, "write it anew: visviva schema > docs/scene.schema.json");
}

#[test]
fn the_documented_example_is_sound_and_every_key_is_explained() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    let reference = fs::read_to_string(path).unwrap();
    let example = reference.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let place = small();
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
fn the_documented_everyday_materials_are_those_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    let reference = fs::read_to_string(path).unwrap();
    let table = reference.split("### Everyday materials").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let documented: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let rows: Vec<serde_json::Value> = serde_json::from_str(&small().succeed(&["materials", "--json"])).unwrap();
    assert_eq!(documented.len(), rows.len());
    for (cells, row) in documented.iter().zip(&rows) {
        assert_eq!(cells[0].trim_matches('`'), row["name"]);
        let keys =
            ["youngs_modulus", "poisson_ratio", "density", "thickness", "bending_modulus", "friction", "restitution"];
        for (key, cell) in keys.iter().zip(&cells[1..]) {
            assert_eq!(cell.parse::<f64>().ok(), row[key].as_f64(), "{}: {key}", row["name"]);
        }
        assert_eq!(cells[8], row["about"]);
    }
}
