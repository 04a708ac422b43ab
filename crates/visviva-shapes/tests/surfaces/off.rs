//! OFF files with and without what nobody needs.

use super::{faces, read, refusal, survives_damage};
use visviva_shapes::formats::off::FORMAT;

const PLAIN: &str = "OFF\n# a square and a triangle\n5 2 6\n0 0 0\n1 0 0\n1 1 0\n0 1 0 # the last of the square\n\n2 0 0\n4 0 1 2 3\n3 1 4 2\n";

#[test]
fn words_colours_normals_and_comments_make_no_difference() {
    let mesh = read(FORMAT, PLAIN).meshes.remove(0);
    assert_eq!((mesh.positions.len(), faces(&mesh)), (5, vec![vec![0, 1, 2, 3], vec![1, 4, 2]]));
    let behind = PLAIN.replace("OFF\n# a square and a triangle\n", "OFF ");
    let glued = behind.replace("OFF ", "OFF");
    let coloured =
        PLAIN.replace("OFF", "COFF").replace(" 0\n", " 0 255 0 0 255\n").replace("1 4 2\n", "1 4 2 0.5 0.5 0.5\n");
    let normals = PLAIN.replace("OFF", "NOFF").replace("0 0 0\n", "0 0 0 0 0 1\n");
    let nameless = PLAIN.replace("OFF\n", "");
    for text in [behind, glued, coloured, normals, nameless, PLAIN.replace('\n', "\r\n")] {
        assert_eq!(read(FORMAT, &text).meshes[0], mesh, "{text}");
        assert!((FORMAT.sniff)(text.as_bytes()) != text.starts_with('#'), "{text}");
    }
    assert!(!(FORMAT.sniff)(b"OFFICE\n") && !(FORMAT.sniff)(b"v 0 0 0\n"));
}

#[test]
fn bad_files_are_refused_with_their_place() {
    let said = |from: &str, to: &str| refusal(FORMAT, PLAIN.replacen(from, to, 1));
    assert_eq!(said("5 2 6", "5"), "line 3: expected the count of faces, found the end of the line");
    assert_eq!(said("1 1 0", "1 x 0"), "line 6: expected a coordinate, found \"x\"");
    assert_eq!(said("1 1 0", "1 inf 0"), "line 6: expected a finite coordinate, found inf");
    assert_eq!(said("3 1 4 2", "3 1 5 2"), "line 11: face 1 refers to node 5, which the file does not hold");
    assert_eq!(said("3 1 4 2", "4 1 4 2"), "line 11: expected a vertex number, found the end of the line");
    assert_eq!(said("3 1 4 2", "2 1 4"), "line 11: expected at least three corners, found 2");
    assert!(said("5 2 6", "5 3 6").contains("the file ends where face 2 of 3 should be"));
    let lying = said("5 2 6", "4000000000 4000000000 6");
    assert!(lying.contains("the file ends where vertex 7 of 4000000000 should be"), "{lying}");
    assert!(said("OFF", "4OFF").contains("is not supported: export text with three coordinates"));
    assert!(said("OFF", "OFF BINARY").contains("is not supported"));
}

#[test]
fn damage_is_survived_and_noticed() {
    survives_damage(FORMAT, PLAIN.as_bytes(), 3);
}
