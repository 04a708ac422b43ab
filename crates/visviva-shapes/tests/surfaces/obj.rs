//! OBJ files as Blender, ZBrush, 3ds Max and people write them.

use super::{faces, read, refusal, survives_damage};
use visviva_shapes::Uvs;
use visviva_shapes::formats::obj::FORMAT;

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn polygons_keep_corners_texture_materials_and_lines() {
    let text = format!(
        "# made by hand\nmtllib a.mtl\no Plate #1\n{SQUARE}v 2 0 0 0.5 0.5 0.5\nvt 0 0\nvt 1 0\nvt 1 1 0\nvt 0.25\n\
         vn 0 0 1\nf -5/1/1 2/2/1 3/3/1 4/4/1 # a quad\nusemtl red paint\nf 2//1 5//1 3//1\nusemtl blue\ns off\nl 1 4 5\n"
    );
    for text in
        [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{text}"), text.replace(" 3/3/1", " \\\n 3/3/1")]
    {
        let objects = read(FORMAT, &text);
        let [mesh] = &objects.meshes[..] else { panic!("{objects:?}") };
        assert_eq!((mesh.name.as_str(), mesh.positions.len()), ("Plate #1", 5));
        assert_eq!(faces(mesh), [vec![0, 1, 2, 3], vec![1, 4, 2]]);
        let values = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.25, 0.0], [0.0, 0.0]];
        assert_eq!(mesh.uvs, Some(Uvs { values, of_corner: vec![0, 1, 2, 3, 4, 4, 4] }));
        assert_eq!(
            (&mesh.materials[..], &mesh.material_of[..]),
            (&["red paint".to_owned(), String::new()][..], &[1, 0][..])
        );
        assert_eq!(mesh.lines, [[0, 3], [3, 4]]);
        assert!(objects.skipped.is_empty());
    }
}

#[test]
fn each_object_has_its_own_vertices_and_texture() {
    let text = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nvt 0 0\nusemtl x\nf 1/1 2/1 3/1\n\
                o b\nv 0 0 1\nv 1 0 1\nv 0 1 1\nusemtl y\nf -3 -2 -1\nusemtl x\nf 5 7 6\no empty\n";
    let meshes = read(FORMAT, text).meshes;
    assert_eq!(meshes.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let [a, b] = &meshes[..] else { panic!() };
    assert_eq!((faces(a), a.positions.len()), (vec![vec![0, 1, 2]], 4), "its loose vertex stays with it");
    assert_eq!((faces(b), b.positions.len()), (vec![vec![0, 1, 2], vec![0, 2, 1]], 3));
    assert!(a.uvs.is_some() && b.uvs.is_none());
    assert_eq!((&b.materials[..], &b.material_of[..]), (&["x".to_owned(), "y".to_owned()][..], &[1, 0][..]));
    assert_eq!(b.positions[0].z, 1.0);
}

#[test]
fn groups_are_objects_only_where_none_is_named_and_they_share_no_vertex() {
    let apart =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\ng one\nf 1 2 3\ng two\nf 4 5 6\ng one\nf 1 3 2\n";
    let names = |text: &str| read(FORMAT, text).meshes.into_iter().map(|mesh| mesh.name).collect::<Vec<_>>();
    assert_eq!(names(apart), ["one", "two"]);
    assert_eq!(read(FORMAT, apart).meshes[0].polygons.len(), 2);
    assert_eq!(names(&apart.replace("4 5 6", "4 5 1")), [""]);
    assert_eq!(names(&format!("o whole\n{apart}")), ["whole"]);
}

#[test]
fn what_is_no_face_is_refused_with_its_line() {
    let said = |line: &str| refusal(FORMAT, format!("{SQUARE}{line}\n"));
    assert_eq!(said("f 1 2"), "line 5: expected at least three corners, found \"2\"");
    assert_eq!(said("f 1 2 9"), "line 5: face 0 refers to node 9, which the file does not hold");
    assert_eq!(said("f 1 2 \\\n-7"), "line 5: face 0 refers to node -7, which the file does not hold");
    assert_eq!(said("f 1 2 x"), "line 5: expected a vertex number, found \"x\"");
    assert_eq!(said("v 1 2"), "line 5: expected a coordinate, found the end of the line");
    assert_eq!(said("v 1 nan 2"), "line 5: expected a finite coordinate, found \"nan\"");
    assert_eq!(said("f 1/a 2 3"), "line 5: expected the number of a texture coordinate, found \"1/a\"");
    let missing = read(FORMAT, format!("{SQUARE}f 1/1 2/2 3/3\np 1\n"));
    let skipped: Vec<_> = missing.skipped.into_iter().collect();
    assert_eq!(skipped, [("points", 1), ("texture coordinates that the file does not hold", 3)]);
    assert_eq!(missing.meshes[0].uvs, None);
}

#[test]
fn damage_is_survived() {
    let text = format!("o a\n{SQUARE}vt 0 0\nusemtl x\nf 1/1 2 -2/-1\\\n4\ng b\nl 1 2\n");
    survives_damage(FORMAT, text.as_bytes(), text.len());
}
