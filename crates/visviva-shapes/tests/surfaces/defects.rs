//! Each kind of broken surface, made from a cube that is whole, gets its own words.

use super::samples::{cube, joined, moved, without};
use nalgebra::Vector3;
use visviva_shapes::{Defects, PolygonMesh, Polygons};

fn only_line(mesh: &PolygonMesh) -> String {
    let lines = Defects::of(mesh).lines();
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines[0].clone()
}

#[test]
fn nothing_is_wrong_with_a_cube() {
    let defects = Defects::of(&cube());
    assert_eq!(defects.to_string(), "6 faces in 1 part: nothing is wrong");
    assert!(defects.is_none());
    assert_eq!(defects.check_solid(), Ok(()));
    let two = joined(&cube(), &moved(cube(), [3.0, 0.0, 0.0]));
    assert_eq!(Defects::of(&two).to_string(), "12 faces in 2 parts: nothing is wrong");
}

#[test]
fn a_surface_with_a_hole_names_its_rim() {
    let open = without(cube(), &[1]);
    assert_eq!(only_line(&open), "1 hole (a rim of 4 edges, 4.000e0 m long, at (0.0, 0.0, 1.0)); close it");
    let refusal = Defects::of(&open).check_solid().unwrap_err().to_string();
    assert!(refusal.starts_with("the surface is open: 1 hole (a rim of 4 edges"), "{refusal}");
    assert!(refusal.contains("Fill Holes"), "{refusal}");
    // Opposite faces are two holes, neighbours one.
    let two = Defects::of(&without(cube(), &[0, 1])).holes;
    assert_eq!(two.iter().map(|hole| (hole.edges, hole.vertices[0])).collect::<Vec<_>>(), [(4, 0), (4, 4)]);
    let one = Defects::of(&without(cube(), &[1, 5])).holes;
    assert_eq!(one.iter().map(|hole| (hole.edges, hole.length)).collect::<Vec<_>>(), [(6, 6.0)]);
}

#[test]
fn three_faces_at_an_edge_are_named() {
    let mut fin = cube();
    fin.positions.push(Vector3::new(0.5, -1.0, -1.0));
    fin.polygons.push(&[0, 1, 8]);
    let defects = Defects::of(&fin);
    assert_eq!(
        defects.lines()[1],
        "1 edge where more than two faces meet, the first between vertices 0 and 1 near (0.5, 0.0, 0.0) \
         (faces 0, 2, 6): separate them"
    );
    assert_eq!(defects.holes[0].edges, 2, "the fin's free edges");
}

#[test]
fn cubes_that_share_a_corner_are_pinched_there() {
    let mut pair = joined(&cube(), &moved(cube(), [1.0, 1.0, 1.0]));
    // The second's first vertex becomes the first's last.
    pair.polygons.corners.iter_mut().filter(|vertex| **vertex == 8).for_each(|vertex| *vertex = 7);
    let defects = Defects::of(&pair);
    assert_eq!(
        defects.lines()[0],
        "1 vertex where parts touch in a point alone, the first 7 at (1.0, 1.0, 1.0): split it"
    );
    assert_eq!(defects.part_count, 1);
}

#[test]
fn a_flipped_face_is_found_among_its_neighbours() {
    let mut mesh = cube();
    let range = mesh.polygons.range(3);
    mesh.polygons.corners[range].reverse();
    assert_eq!(only_line(&mesh), "1 of 6 faces look the other way than their neighbours: face 3");
}

#[test]
fn a_part_that_is_inside_out_is_told_from_a_cavity() {
    let turned = |mut mesh: PolygonMesh| {
        for polygon in 0..mesh.polygons.len() {
            let range = mesh.polygons.range(polygon);
            mesh.polygons.corners[range].reverse();
        }
        mesh
    };
    assert_eq!(only_line(&turned(cube())), "1 closed part is inside out, the first around face 0");
    let mut large = cube();
    large.positions.iter_mut().for_each(|x| *x *= 5.0);
    let hollow = joined(&large, &turned(moved(cube(), [2.0, 2.0, 2.0])));
    assert!(Defects::of(&hollow).is_none(), "{}", Defects::of(&hollow));
    let beside = joined(&large, &turned(moved(cube(), [7.0, 2.0, 2.0])));
    assert_eq!(only_line(&beside), "1 closed part is inside out, the first around face 6");
}

#[test]
fn a_moebius_strip_has_one_side_and_bounds_no_solid() {
    let count = 12;
    let mut strip = PolygonMesh::default();
    for k in 0..count {
        let (turn, twist) = (std::f64::consts::TAU / f64::from(count) * f64::from(k), 0.5);
        for side in [-0.3, 0.3] {
            let (s, c) = (twist * turn).sin_cos();
            let radius = 1.0 + side * c;
            strip.positions.push(Vector3::new(radius * turn.cos(), radius * turn.sin(), side * s));
        }
        let [a, b] = [2 * k, 2 * k + 1];
        let [c, d] = if k + 1 == count { [1, 0] } else { [2 * k + 2, 2 * k + 3] };
        strip.polygons.push(&[a as u32, b as u32, d as u32, c as u32]);
    }
    let defects = Defects::of(&strip);
    assert_eq!(defects.one_sided, [0]);
    assert_eq!(defects.holes.iter().map(|hole| hole.edges).collect::<Vec<_>>(), [24]);
    let refusal = defects.check_solid().unwrap_err().to_string();
    assert!(refusal.contains("around face 0 has only one side"), "{refusal}");
}

#[test]
fn faces_that_are_there_twice_are_named_whichever_way_round() {
    for again in [[3, 7, 5, 1], [1, 5, 7, 3]] {
        let mut mesh = cube();
        mesh.polygons.push(&again);
        let lines = Defects::of(&mesh).lines();
        let told =
            lines.iter().any(|line| line == "1 face more than once, the first 6, which has the corners of face 5");
        assert!(told, "{lines:?}");
    }
}

#[test]
fn faces_without_area_and_doubled_vertices_are_named() {
    let mut mesh = cube();
    mesh.positions.extend([Vector3::new(0.5, 0.0, 0.0), Vector3::new(1.0, 1.0, 1.0)]);
    mesh.polygons.push(&[0, 8, 1]);
    let lines = Defects::of(&mesh).lines();
    assert!(lines.contains(&"no area: face 6".to_owned()), "{lines:?}");
    let doubled = "1 vertex lies where another does, the first two are 7 and 9: merge them";
    assert!(lines.contains(&doubled.to_owned()), "{lines:?}");
}

#[test]
fn a_surface_that_goes_through_itself_names_two_faces_and_the_place() {
    let pair = joined(&cube(), &moved(cube(), [0.5, 0.5, 0.5]));
    let defects = Defects::of(&pair);
    assert!(defects.are_crossings_all);
    // Three faces of each cube go through three of the other, and each through the two that are not its own kind.
    assert_eq!(defects.crossings.len(), 6);
    assert_eq!(only_line(&pair).split(" near ").next().unwrap(), "6 pairs of faces cross, the first faces 1 and 8");
    for crossing in &defects.crossings {
        let inside = crossing.at.iter().all(|&c| (0.5..=1.0).contains(&c));
        assert!(inside, "{:?}", crossing.at);
    }
    let apart = joined(&cube(), &moved(cube(), [1.0 + 1e-15, 0.5, 0.5]));
    assert!(Defects::of(&apart).is_none());
}

#[test]
fn crossings_among_many_faces_are_those_of_all_pairs() {
    // Planes of a jungle gym: every x-plane crosses every y-plane, in strips of 40 faces.
    let mut mesh = PolygonMesh::default();
    let strip = |mesh: &mut PolygonMesh, point: &dyn Fn(f64, f64) -> Vector3<f64>| {
        for k in 0..=40 {
            let first = mesh.positions.len() as u32;
            mesh.positions.extend([point(f64::from(k) + 0.3, 0.0), point(f64::from(k) + 0.3, 1.0)]);
            if k > 0 {
                mesh.polygons.push(&[first - 2, first, first + 1, first - 1]);
            }
        }
    };
    for plane in 0..10 {
        let at = 4.0 * f64::from(plane);
        strip(&mut mesh, &|u, z| Vector3::new(at, u, z));
        strip(&mut mesh, &|u, z| Vector3::new(u, at, z));
    }
    let defects = Defects::of(&mesh);
    // Planes at 0 lie before the others' first points.
    assert_eq!((defects.crossings.len(), defects.are_crossings_all), (9 * 9, true));
    assert_eq!(defects.part_count, 20);
}

#[test]
fn a_fan_of_very_many_faces_comes_to_an_end() {
    let mut fan = PolygonMesh { positions: vec![Vector3::z()], ..PolygonMesh::default() };
    let count = 3000;
    for k in 0..count {
        let turn = std::f64::consts::TAU * f64::from(k) / f64::from(count);
        fan.positions.push(Vector3::new(turn.cos(), turn.sin(), 0.0));
    }
    let mut rim = Polygons::default();
    (1..=count as u32).for_each(|k| rim.push(&[0, k, k % count as u32 + 1]));
    fan.polygons = rim;
    let defects = Defects::of(&fan);
    assert_eq!((defects.holes.len(), defects.holes[0].edges, defects.crossings.len()), (1, 3000, 0));
    assert!(!defects.are_crossings_all);
}
