//! PLY files of all three kinds.

use super::samples::cube;
use super::{faces, read, refusal, survives_damage};
use visviva_shapes::formats::ply::FORMAT;

/// The cube with a normal, texture coordinates and a colour at each vertex, a flag at each face, an element that nobody knows
/// and an edge: as text, or binary with either end first.
fn file(kind: &str) -> Vec<u8> {
    let mut out = format!(
        "ply\nformat {kind} 1.0\ncomment made by hand\nobj_info none\nelement vertex 8\nproperty double x\n\
         property float nx\nproperty float y\nproperty double z\nproperty uchar red\nproperty float s\nproperty float t\n\
         element material 2\nproperty list ushort short codes\nelement face 6\nproperty uchar flag\n\
         property list uint8 uint32 vertex_indices\nelement edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n"
    )
    .into_bytes();
    let (text, big) = (kind == "ascii", kind == "binary_big_endian");
    let mut put = |value: f64, size: usize, is_real: bool| {
        let mut bytes = match (is_real, size) {
            (true, 4) => (value as f32).to_be_bytes().to_vec(),
            (true, _) => value.to_be_bytes().to_vec(),
            (false, _) => (value as i64).to_be_bytes()[8 - size..].to_vec(),
        };
        if text {
            bytes = format!("{value} ").into();
        } else if !big {
            bytes.reverse();
        }
        out.extend(bytes);
    };
    let mut record = |values: &[(f64, usize, bool)]| {
        values.iter().for_each(|&(value, size, is_real)| put(value, size, is_real));
        if text {
            // A newline that no number sees.
            put(f64::NAN, 0, false);
        }
    };
    for x in &cube().positions {
        let (a, b) = ((true, 8), (true, 4));
        let values = [(x.x, a), (9.0, b), (x.y, b), (x.z, a), (255.0, (false, 1)), (x.x / 2.0, b), (x.y / 4.0, b)];
        record(&values.map(|(value, (is_real, size))| (value, size, is_real)));
    }
    record(&[(0.0, 2, false)]);
    record(&[(2.0, 2, false), (-7.0, 2, false), (300.0, 2, false)]);
    for corners in cube().polygons.iter() {
        let mut values = vec![(1.0, 1, false), (4.0, 1, false)];
        values.extend(corners.iter().map(|&vertex| (f64::from(vertex), 4, false)));
        record(&values);
    }
    record(&[(0.0, 4, false), (7.0, 4, false)]);
    String::from_utf8(out.clone()).map_or(out, |text| text.replace("NaN ", "\n").into_bytes())
}

#[test]
fn all_kinds_give_the_same_polygons_and_texture() {
    for kind in ["ascii", "binary_little_endian", "binary_big_endian"] {
        let [mesh] = &read(FORMAT, file(kind)).meshes[..] else { panic!() };
        assert_eq!((&mesh.positions, faces(mesh)), (&cube().positions, faces(&cube())), "{kind}");
        let uvs = mesh.uvs.as_ref().unwrap();
        assert_eq!((uvs.values[3], &uvs.of_corner), ([0.5, 0.25], &mesh.polygons.corners));
        assert_eq!(mesh.lines, [[0, 7]]);
    }
    let crlf = String::from_utf8(file("ascii")).unwrap().replace('\n', "\r\n");
    assert_eq!(read(FORMAT, crlf), read(FORMAT, file("ascii")));
}

#[test]
fn texture_of_corners_is_kept_where_faces_have_it() {
    let text = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                element face 2\nproperty list uchar int vertex_index\nproperty list uchar float texcoord\nend_header\n\
                0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0 0 1 0 0.5 1\n3 2 1 0 0\n";
    let mesh = read(FORMAT, text).meshes.remove(0);
    let uvs = mesh.uvs.unwrap();
    assert_eq!((uvs.of_corner.len(), uvs.values[2], uvs.values[5]), (6, [0.5, 1.0], [0.0, 0.0]));
}

#[test]
fn bad_files_are_refused_with_their_place() {
    let whole = String::from_utf8(file("ascii")).unwrap();
    let said = |from: &str, to: &str| refusal(FORMAT, whole.replacen(from, to, 1));
    assert_eq!(
        said("ascii 1.0", "utf8 1.0").split(", found").next().unwrap(),
        "line 2: expected ascii, binary_little_endian or binary_big_endian"
    );
    let lying = said("vertex 8", "vertex 4294967295");
    assert_eq!(lying, "line 30: expected nx, found the end of the line");
    assert_eq!(said("vertex 8", "vertex -8"), "line 5: expected a number of elements, found \"-8\"");
    assert_eq!(
        said("property double x", "property quad x"),
        "line 6: expected a number type such as float, found \"quad\""
    );
    assert_eq!(
        said("property double x", "property double a"),
        "line 1: expected a property x of the vertices, found none in the header"
    );
    assert_eq!(said("1 4 0 2 3 1 ", "1 4 0 2 3 8 "), "line 32: face 0 refers to node 8, which the file does not hold");
    assert_eq!(said("1 4 0 2 3 1 ", "1 4 0 2 3 "), "line 32: expected vertex_indices, found the end of the line");
    assert_eq!(said("1 4 0 2 3 1 ", "1 2 0 2 "), "line 32: expected at least three corners, found 2");
    assert!(refusal(FORMAT, &whole[..whole.len() - 10]).contains("truncated"));
    let mut lying = file("binary_little_endian");
    let cut = lying.len() - 5;
    lying.truncate(cut);
    assert!(refusal(FORMAT, &lying).contains("the file ends where vertex1 should be"));
    let empty = "ply\nformat ascii 1.0\nelement nothing 18446744073709551615\nend_header\n";
    assert!(read(FORMAT, empty).meshes[0].polygons.is_empty(), "records without properties take no time");
    let no_places = "ply\nformat ascii 1.0\nelement vertex 3\nelement face 1\nproperty list uchar int vertex_indices\n\
                     end_header\n3 0 1 2\n";
    assert!(refusal(FORMAT, no_places.as_bytes()).contains("a property x of the vertices"));
    let twice = "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\n\
                 element vertex 0\nproperty float x\nend_header\n";
    assert!(refusal(FORMAT, twice.as_bytes()).contains("vertex again"));
}

#[test]
fn damage_is_survived_and_noticed() {
    survives_damage(FORMAT, &file("ascii"), 4);
    survives_damage(FORMAT, &file("binary_big_endian"), 0);
}
