//! OBJ files: the polygons, UVs and materials' names that the user gave.

use super::{FRAMES, QUADS, box_in, export, made_up_run, uv};

#[test]
fn polygons_uvs_and_materials_come_back_as_they_went_in() {
    let place = tempfile::tempdir().unwrap();
    let made = export(&made_up_run(place.path(), &[]), "obj", place.path()).unwrap();
    let text = std::fs::read_to_string(made.last().unwrap()).unwrap();
    let lines = |key: &str| {
        let matching = text.lines().filter_map(|line| line.strip_prefix(key)).map(str::to_owned);
        matching.collect::<Vec<String>>()
    };
    let numbers = |line: &String| line.split(' ').map(|word| word.parse::<f64>().unwrap()).collect::<Vec<f64>>();
    assert_eq!(lines("o "), ["my_box", "sheet", "floor"]);
    let points: Vec<Vec<f64>> = lines("v ").iter().map(numbers).collect();
    assert_eq!(points[..8], box_in(FRAMES - 1).iter().map(|point| point.to_vec()).collect::<Vec<_>>()[..]);
    let uvs: Vec<Vec<f64>> = lines("vt ").iter().map(numbers).collect();
    let faces = lines("f ");
    for (quad, corners) in QUADS.iter().enumerate() {
        let words: Vec<Vec<usize>> =
            faces[quad].split(' ').map(|word| word.split('/').map(|n| n.parse().unwrap()).collect()).collect();
        assert_eq!(words.iter().map(|word| word[0] as u32 - 1).collect::<Vec<_>>(), corners);
        words.iter().enumerate().for_each(|(corner, word)| assert_eq!(uvs[word[1] - 1], uv(quad, corner)));
    }
    assert_eq!((faces[6].as_str(), faces[7].as_str(), lines("l ")), ("9 10 11", "12 13 14", vec!["12 15".to_owned()]));
    assert_eq!(lines("usemtl "), ["Red_paint", "Côté", "Red_paint", "Côté"], "where it changes");
    assert_eq!(lines("mtllib "), ["materials.mtl"]);
    let library = std::fs::read_to_string(place.path().join("materials.mtl")).unwrap();
    assert!(library.starts_with("newmtl Red_paint\nKd ") && library.contains("\nnewmtl Côté\nKd "), "{library}");
}
