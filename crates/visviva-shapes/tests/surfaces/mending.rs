//! What mending makes whole, what it leaves, and what it says.

use super::samples::{cube, joined, moved, without};
use super::{faces, read};
use nalgebra::Vector3;
use visviva_shapes::formats::obj;
use visviva_shapes::{Mended, PolygonMesh, Polygons};

fn notes(mended: &Mended) -> Vec<String> {
    mended.notes.iter().map(|note| note.to_string()).collect()
}

/// Each face with vertices of its own, as programs write that split them at normals.
fn torn(mesh: &PolygonMesh) -> PolygonMesh {
    let mut torn = PolygonMesh::default();
    for corners in mesh.polygons.iter() {
        let first = torn.positions.len() as u32;
        torn.positions.extend(corners.iter().map(|&vertex| mesh.positions[vertex as usize]));
        torn.polygons.push(&(first..torn.positions.len() as u32).collect::<Vec<_>>());
    }
    torn
}

#[test]
fn a_whole_surface_stays_as_it_is() {
    let mended = cube().mend();
    assert_eq!((&mended.mesh, notes(&mended).len()), (&cube(), 0));
    assert_eq!(mended.vertex_of, (0..8).collect::<Vec<_>>());
}

#[test]
fn torn_faces_are_joined_and_every_vertex_is_found_again() {
    let torn = torn(&cube());
    assert_eq!(torn.mend().defects().to_string(), "6 faces in 1 part: nothing is wrong");
    let mended = torn.mend();
    assert_eq!(notes(&mended), ["merged 16 vertices with others at the same point"]);
    assert_eq!(mended.mesh.positions.len(), 8);
    for (original, &vertex) in torn.positions.iter().zip(&mended.vertex_of) {
        assert_eq!(*original, mended.mesh.positions[vertex as usize]);
    }
}

#[test]
fn cracks_close_and_small_faces_of_a_closed_surface_stay() {
    let mut cracked = torn(&cube());
    (0..).zip(&mut cracked.positions).for_each(|(k, x)| x.x += 1e-8 * f64::from(k));
    let mended = cracked.mend();
    assert_eq!(notes(&mended), ["closed cracks: merged 16 vertices on open edges with others within 1.7e-6 m"]);
    assert!(mended.defects().is_none(), "{}", mended.defects());
    let mut small = cube();
    small.positions.iter_mut().for_each(|x| *x *= 1e-8);
    let mended = joined(&cube(), &moved(small, [5.0, 0.0, 0.0])).mend();
    assert_eq!((mended.mesh.positions.len(), mended.notes.len()), (16, 0));
}

#[test]
fn faces_without_extent_go_unless_they_hold_others_together() {
    let mut mesh = cube();
    mesh.polygons.push(&[0, 1, 0]);
    mesh.polygons.push(&[3, 3, 3]);
    let mended = mesh.mend();
    assert_eq!(notes(&mended), ["dropped 2 faces: 6, 7 (no area)"]);
    assert_eq!((mended.polygon_of.len(), mended.defects().is_none()), (6, true));

    // A vertex on the edge 0–1 that only one of its two faces has: the sliver between is what closes the surface.
    let mut sliver = without(cube(), &[0]);
    sliver.positions.push(Vector3::new(0.5, 0.0, 0.0));
    sliver.polygons.push(&[0, 2, 3, 1, 8]);
    sliver.polygons.push(&[0, 8, 1]);
    let mended = sliver.mend();
    assert_eq!((notes(&mended).len(), mended.mesh.polygons.len()), (0, 7));
    assert!(mended.defects().holes.is_empty() && mended.defects().check_solid().is_ok());
}

#[test]
fn faces_that_are_there_twice_go() {
    let mut mesh = cube();
    mesh.polygons.push(&[3, 7, 5, 1]);
    mesh.polygons.push(&[1, 5, 7, 3]);
    let mended = mesh.mend();
    assert_eq!(notes(&mended), ["dropped 2 faces: 6, 7 (there already)"]);
    assert!(mended.defects().is_none());
}

#[test]
fn faces_turn_the_way_of_their_neighbours_and_parts_outward() {
    for flipped in [vec![3], vec![0, 1, 2, 3, 4, 5], vec![1, 2, 3, 4, 5]] {
        let mut mesh = cube();
        for &polygon in &flipped {
            let range = mesh.polygons.range(polygon);
            mesh.polygons.corners[range].reverse();
        }
        let mended = mesh.mend();
        assert!(mended.defects().is_none(), "{flipped:?}: {}", mended.defects());
        let said = match flipped.len() {
            1 => vec!["turned 1 face: 3 (they looked the other way than their neighbours)"],
            6 => vec!["turned 1 part that was inside out outward"],
            _ => vec![
                "turned 1 face: 0 (they looked the other way than their neighbours)",
                "turned 1 part that was inside out outward",
            ],
        };
        assert_eq!(notes(&mended), said);
    }
}

#[test]
fn what_is_left_is_told_with_the_numbers_of_the_file() {
    let text = "v 9 9 9\nv 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 3 3 4\nf 3 5 4\nf 3 4 6\nf 4 5 6\n";
    let mended = read(obj::FORMAT, text).meshes[0].mend();
    assert_eq!(mended.polygon_of, [1, 2, 3]);
    assert_eq!(faces(&mended.mesh)[0], [1, 3, 2]);
    let holes = mended.defects().holes;
    assert_eq!((holes.len(), &holes[0].vertices[..]), (1, &[2, 5, 4][..]));
}

#[test]
fn an_open_or_empty_surface_comes_to_an_end_without_being_closed() {
    let open = without(cube(), &[2]).mend();
    assert_eq!((open.mesh.polygons.len(), open.defects().holes.len()), (5, 1));
    let empty =
        PolygonMesh { positions: vec![Vector3::zeros(); 3], polygons: Polygons::default(), ..Default::default() };
    let refusal = empty.mend().defects().check_solid().unwrap_err().to_string();
    assert_eq!(refusal, "the surface has no faces");
}
