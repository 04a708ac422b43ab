//! STL files of both kinds.

use super::samples::octahedron;
use super::{faces, read, refusal, survives_damage};
use nalgebra::Vector3;
use visviva_shapes::PolygonMesh;
use visviva_shapes::formats::stl::FORMAT;

fn soup(mesh: &PolygonMesh) -> Vec<[Vector3<f64>; 3]> {
    mesh.triangulate().triangles.iter().map(|t| t.map(|i| mesh.positions[i as usize])).collect()
}

fn binary(mesh: &PolygonMesh, title: &str) -> Vec<u8> {
    let mut bytes = title.as_bytes().to_vec();
    bytes.resize(80, 0);
    bytes.extend((mesh.polygons.len() as u32).to_le_bytes());
    for corners in soup(mesh) {
        bytes.extend([0; 12]);
        bytes.extend(corners.iter().flat_map(|x| x.iter()).flat_map(|&c| (c as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn text(mesh: &PolygonMesh, name: &str) -> String {
    let mut text = format!("solid {name}\n");
    for corners in soup(mesh) {
        text += " facet normal 0 0 1\n  outer loop\n";
        corners.iter().for_each(|x| text += &format!("   vertex {:?} {:?} {:?}\n", x.x, x.y, x.z));
        text += "  endloop\n endfacet\n";
    }
    text + &format!("endsolid {name}\n")
}

#[test]
fn text_and_binary_give_back_the_joined_surface() {
    let mesh = octahedron();
    let shouted = text(&mesh, "a ball").to_uppercase().replace('\n', "\r\n");
    let files = [binary(&mesh, "made by hand"), binary(&mesh, "solid"), text(&mesh, "a ball").into(), shouted.into()];
    for (data, name) in files.iter().zip(["", "", "a ball", "A BALL"]) {
        let [read] = &read(FORMAT, data).meshes[..] else { panic!() };
        assert_eq!((read.positions.len(), read.name.as_str()), (6, name));
        assert_eq!(soup(read), soup(&mesh));
    }
}

#[test]
fn closed_solids_are_objects_and_open_ones_patches_of_one_surface() {
    let (first, mut second) = (octahedron(), octahedron());
    second.positions.iter_mut().for_each(|x| x.x += 2.0);
    let two = read(FORMAT, text(&first, "one") + &text(&second, "two")).meshes;
    assert_eq!(two.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    assert!(two.iter().all(|mesh| mesh.positions.len() == 6));
    let mut halves = [octahedron(), octahedron()];
    let faces = |range: std::ops::Range<usize>| (range).map(|k| octahedron().triangulate().triangles[k]);
    halves[0].polygons = faces(0..4).collect();
    halves[1].polygons = faces(4..8).collect();
    let one = read(FORMAT, text(&halves[0], "upper") + &text(&halves[1], "lower")).meshes;
    assert_eq!((one.len(), one[0].positions.len(), one[0].polygons.len()), (1, 6, 8));
}

#[test]
fn signed_zeros_join_and_closed_needles_are_counted() {
    let facet = |x: &str| format!("facet normal nan 0 0 outer loop {x} endloop endfacet\n");
    let first = facet("vertex 0 0 0 vertex 1 0 0 vertex 0 1 0");
    let second = facet("vertex -0 0 0 vertex 0 1 -0 vertex 0 0 1e0");
    let needle = facet("vertex 0 0 0 vertex 1 0 0 vertex 1 0 0");
    let objects = read(FORMAT, format!("solid\n{first}endsolid\nsolid two\n{second}{needle}endsolid two"));
    let [mesh] = &objects.meshes[..] else { panic!() };
    assert_eq!((mesh.positions.len(), faces(mesh)), (4, vec![vec![0, 1, 2], vec![0, 2, 3]]));
    assert_eq!(objects.skipped.into_values().collect::<Vec<_>>(), [1]);
}

#[test]
fn bad_files_are_refused_with_their_place() {
    let mesh = octahedron();
    let whole = binary(&mesh, "solid");
    let short = refusal(FORMAT, &whole[..84 + 50 * 7 + 11]);
    assert!(short.starts_with("byte 445: the file ends where triangle 7 of 8 should be"), "{short}");
    let long = refusal(FORMAT, [whole.clone(), vec![0; 100]].concat());
    assert_eq!(long, "byte 80: the count of triangles in the header says 8, but there are 10");
    let mut spoiled = whole.clone();
    spoiled[84 + 50 * 3 + 16..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(refusal(FORMAT, &spoiled), "byte 250: expected a finite coordinate in triangle 3, found NaN");
    assert!(refusal(FORMAT, &whole[..60]).contains("ends where the header"));
    assert!(refusal(FORMAT, b"").contains("ends where the header"));

    let whole = text(&mesh, "a ball");
    let cut = refusal(FORMAT, whole.strip_suffix("endsolid a ball\n").unwrap());
    assert!(cut.starts_with("line 58: the file ends where `facet` or `endsolid` should be"), "{cut}");
    let nan = refusal(FORMAT, whole.replacen("vertex ", "vertex nan ", 1));
    assert_eq!(nan, "line 4: expected a finite coordinate, found NaN");
    let four = refusal(FORMAT, whole.replacen("  endloop", "   vertex 1 2 3\n  endloop", 1));
    assert_eq!(four, "line 7: expected `endloop`, found \"vertex\"");
    let two = refusal(FORMAT, whole.replacen("vertex ", "vertex x", 1));
    assert!(two.starts_with("line 4: expected a coordinate, found"), "{two}");
}

#[test]
fn damage_is_survived_and_noticed() {
    survives_damage(FORMAT, &binary(&octahedron(), "solid"), 0);
    survives_damage(FORMAT, text(&octahedron(), "a ball").as_bytes(), 16);
}
