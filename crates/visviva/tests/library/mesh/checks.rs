//! What validation finds and names, and what it puts right.

use nalgebra::Vector3;
use visviva::mesh::generate::{ball, cuboid};
use visviva::mesh::{MeshError, TetMesh, TriMesh, Warning};

fn single() -> TetMesh {
    TetMesh { positions: vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()], tets: vec![[0, 1, 2, 3]] }
}

#[test]
fn the_boundary_of_one_tet_is_its_four_outward_faces() {
    let boundary = single().boundary();
    assert_eq!(boundary.triangles, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]);
    assert_eq!(boundary.edges, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    assert_eq!(boundary.nodes, [0, 1, 2, 3]);
}

#[test]
fn a_wholly_left_handed_mesh_is_flipped_with_a_warning() {
    let mut mesh = cuboid(Vector3::repeat(1.0), [2; 3]).unwrap();
    mesh.tets.iter_mut().for_each(|t| t.swap(0, 1));
    assert_eq!(mesh.validate().unwrap(), [Warning::Flipped { tets: 48 }]);
    assert!((mesh.volume() - 1.0).abs() < 1e-14);
    assert_eq!(mesh.validate().unwrap(), []);
}

#[test]
fn tets_with_swapped_nodes_are_put_right_with_a_warning_and_are_no_fold() {
    let whole = cuboid(Vector3::repeat(1.0), [2; 3]).unwrap();
    let mut mesh = whole.clone();
    for t in [3, 9, 20, 33] {
        mesh.tets[t].swap(0, 1);
    }
    let warnings = mesh.validate().unwrap();
    let text = warnings[0].to_string();
    assert!(
        text.starts_with("4 of 48 tets listed their nodes the other way round") && text.ends_with("3, 9, 20, …"),
        "{text}"
    );
    assert_eq!(mesh.boundary().nodes, whole.boundary().nodes);
    assert!((mesh.volume() - 1.0).abs() < 1e-14);
}

#[test]
fn a_fold_names_the_inverted_tets_and_their_count() {
    let mut mesh = cuboid(Vector3::repeat(1.0), [2; 3]).unwrap();
    // The middle node goes out through a side: the tets on that side turn over.
    let middle = mesh.positions.iter().position(|x| x.norm() < 1e-12).unwrap();
    mesh.positions[middle].x = 0.7;
    let error = mesh.validate().unwrap_err();
    assert!(matches!(&error, MeshError::Inverted { total: 48, .. }), "{error}");
    assert!(error.to_string().contains("the mesh folds"), "{error}");
}

#[test]
fn each_fault_is_named_with_its_element() {
    let mut mesh = single();
    mesh.tets.push([0, 1, 2, 4]);
    let error = mesh.validate().unwrap_err();
    assert!(matches!(error, MeshError::IndexOutOfRange { element: 1, node: 4, node_count: 4, .. }), "{error}");

    let mut mesh = single();
    mesh.tets.push([0, 1, 1, 2]);
    assert!(matches!(mesh.validate(), Err(MeshError::RepeatedNode { element: 1, .. })));

    let mut mesh = single();
    mesh.positions[2].y = f64::NAN;
    assert!(matches!(mesh.validate(), Err(MeshError::NotFinite { node: 2, .. })));

    let mut mesh = single();
    mesh.positions[3] = Vector3::new(0.3, 0.3, 0.0);
    let error = mesh.validate().unwrap_err();
    assert!(error.to_string().starts_with("1 of 1 tets have no extent: 0"), "{error}");

    let mut mesh = single();
    mesh.positions.push(Vector3::z());
    let error = mesh.validate().unwrap_err();
    assert!(error.to_string().starts_with("1 nodes belong to no tet: 4"), "{error}");

    let mut mesh = single();
    mesh.tets.push([1, 2, 0, 3]);
    assert!(matches!(mesh.validate(), Err(MeshError::Overlap { tets: [0, 1], .. })));

    assert!(matches!(TetMesh::default().validate(), Err(MeshError::Empty { what: "nodes" })));
    assert!(matches!(TriMesh::default().validate(), Err(MeshError::Empty { what: "nodes" })));
    let mut mesh = single();
    mesh.tets.clear();
    assert!(matches!(mesh.validate(), Err(MeshError::Empty { what: "tets" })));
    let flat =
        TriMesh { positions: vec![Vector3::zeros(), Vector3::x(), 2.0 * Vector3::x()], triangles: vec![[0, 1, 2]] };
    assert!(matches!(flat.validate(), Err(MeshError::Degenerate { .. })));
}

#[test]
fn removing_isolated_nodes_keeps_the_shape() {
    let whole = ball(1.0, 2).unwrap();
    let mut mesh = whole.clone();
    mesh.positions.insert(0, Vector3::repeat(9.0));
    mesh.positions.push(Vector3::repeat(9.0));
    mesh.tets.as_flattened_mut().iter_mut().for_each(|i| *i += 1);
    assert_eq!(mesh.remove_isolated(), [0, whole.positions.len() + 1]);
    assert_eq!(mesh, whole);
}

#[test]
fn slivers_far_from_the_origin_are_not_taken_for_flat() {
    let mut mesh = single();
    mesh.positions[3] = Vector3::new(0.3, 0.3, 1e-6);
    mesh.translate(Vector3::repeat(100.0)).unwrap();
    assert_eq!(mesh.validate().unwrap(), []);
}

#[test]
fn quality_of_a_regular_tet_is_known() {
    let positions =
        [[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]].map(|p: [i32; 3]| Vector3::from(p.map(f64::from)));
    let mut mesh = TetMesh { positions: positions.to_vec(), tets: vec![[0, 1, 2, 3]] };
    mesh.validate().unwrap();
    let q = mesh.quality();
    let exact = (1f64 / 3.0).acos().to_degrees();
    assert!((q.min_dihedral.0 - exact).abs() < 1e-12 && (q.max_dihedral.0 - exact).abs() < 1e-12);
    assert!((q.volume - 8.0 / 3.0).abs() < 1e-14);
    assert!((q.shortest_edge.0 - 8f64.sqrt()).abs() < 1e-14);
    assert_eq!(q.bounds, [Vector3::repeat(-1.0), Vector3::repeat(1.0)]);
}

#[test]
fn transforms_move_and_mirror_without_inverting() {
    let mut mesh = single();
    mesh.scale(Vector3::new(-2.0, 3.0, 4.0)).unwrap();
    assert_eq!(mesh.validate().unwrap(), []);
    assert!((mesh.volume() - 4.0).abs() < 1e-14);
    mesh.rotate(Vector3::z() * 7.0, std::f64::consts::FRAC_PI_2).unwrap();
    assert!((mesh.positions[1] - Vector3::new(0.0, -2.0, 0.0)).norm() < 1e-14);
    mesh.translate(Vector3::x()).unwrap();
    assert!((mesh.positions[0] - Vector3::x()).norm() < 1e-14);
    assert!(mesh.scale(Vector3::new(1.0, 0.0, 1.0)).is_err());
    assert!(mesh.rotate(Vector3::zeros(), 1.0).is_err());
    assert!(mesh.translate(Vector3::new(f64::INFINITY, 0.0, 0.0)).is_err());
}
