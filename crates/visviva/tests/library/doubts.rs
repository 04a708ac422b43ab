//! What is legal but hardly meant is warned of, and what is usual is not.

use nalgebra::Vector3;
use visviva::mesh::TetMesh;
use visviva::scene::{Axis, Body, Deformation, Material, Scene};

fn warnings(body: Body) -> String {
    Scene::new("doubtful").body(body).build().unwrap().warnings.join("\n")
}

fn cube() -> Body {
    Body::cuboid([0.1; 3], [1; 3]).named("cube")
}

#[track_caller]
fn warned(body: Body, parts: &[&str]) {
    let told = warnings(body);
    parts.iter().for_each(|part| assert!(told.contains(part), "`{part}` is missing in: {told}"));
}

#[test]
fn a_usual_body_raises_no_doubt() {
    let steel = Material::new(2.1e11).density(7850.0);
    assert_eq!(warnings(cube().material(steel).rotate([0.0, 0.0, 1.0], 3.1).at([0.0, 0.0, 50.0])), "");
    assert_eq!(warnings(cube().deform(Deformation::twist(Axis::X, -0.05..0.05, 0.5))), "");
}

#[test]
fn degrees_are_known_by_their_size() {
    warned(
        cube().rotate([0.0, 0.0, 1.0], 90.0),
        &["body `cube`: rotate.angle = 90 rad is 14.3 turns", "90° would be 1.5708"],
    );
}

#[test]
fn matter_that_does_not_exist_is_named() {
    warned(cube().material(Material::new(1e5).density(7.85e6)), &["density = 7850000 kg/m³", "osmium"]);
    warned(cube().material(Material::new(2.1e14)), &["youngs_modulus = 210000000000000 Pa", "steel"]);
    warned(cube().material(Material::new(0.1)), &["youngs_modulus = 0.1 Pa"]);
}

#[test]
fn a_place_far_from_the_origin_costs_digits() {
    warned(cube().at([0.0, 3e5, 0.0]), &["body `cube`: it is 173 mm large and 3.00e5 m away from the origin"]);
}

/// Points of a tet at the origin, and of others.
fn tets(more: &[[f64; 3]], tets: &[[u32; 4]]) -> Body {
    let corner = [[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    let positions = corner.iter().chain(more).map(|x| Vector3::from(*x)).collect();
    Body::tets(TetMesh { positions, tets: tets.to_vec() }).named("odd")
}

#[test]
fn slivers_and_pinches_are_shown_with_their_place() {
    let below = [[0.03, 0.03, -2e-5]];
    warned(
        tets(&below, &[[0, 1, 2, 3], [0, 2, 1, 4]]),
        &["body `odd`: tet 1 at (0.0325, 0.0325, -0.0000) is a sliver"],
    );
    let opposite = [[-0.1, 0.0, 0.0], [0.0, -0.1, 0.0], [0.0, 0.0, -0.1]];
    warned(
        tets(&opposite, &[[0, 1, 2, 3], [0, 5, 4, 6]]),
        &["its surface is pinched at node 0 at (0.0000, 0.0000, 0.0000)"],
    );
    let beside = [[-0.1, 0.0, 0.0], [0.0, -0.1, 0.0]];
    warned(tets(&beside, &[[0, 1, 2, 3], [0, 4, 5, 3]]), &["more than two triangles", "the edge from node 0 to 3"]);
}
