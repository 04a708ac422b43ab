//! `visviva mesh`: a closed surface filled with tets.

use crate::place::Place;
use visviva::mesh::{generate, load_tet_mesh, write_mesh};

fn place_with_ball() -> Place {
    let place = Place::empty();
    write_mesh(place.path("ball.obj"), &generate::icosphere(0.1, 3).unwrap().into()).unwrap();
    place
}

#[test]
fn a_surface_is_filled_reported_on_drawn_and_written() {
    let place = place_with_ball();
    let said = place.succeed(&["mesh", "ball.obj", "--cells", "10", "--out", "ball.msh", "--picture", "ball.png"]);
    for part in ["tets", "between faces of a tet", "% of what the surface encloses", "ball.msh", "ball.png"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let mesh = load_tet_mesh(place.path("ball.msh")).unwrap().mesh;
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((mesh.volume() / ball - 1.0).abs() < 0.03, "{}", mesh.volume());
    assert!(std::fs::read(place.path("ball.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn the_report_is_also_json() {
    let place = place_with_ball();
    let rows: serde_json::Value =
        serde_json::from_str(&place.succeed(&["mesh", "ball.obj", "--cell", "0.02", "--json"])).unwrap();
    let row = &rows[0];
    assert_eq!(row["inverted"], 0);
    assert!(row["worst_dihedral_degrees"][0].as_f64().unwrap() > 10.7, "{row}");
    // The distance of an inscribed polyhedron goes with the square of the cell.
    assert!(row["surface_to_solid"].as_f64().unwrap() < 0.2 * 0.02, "{row}");
}

#[test]
fn what_cannot_be_filled_says_why_and_leaves_nothing() {
    let place = place_with_ball();
    let open = place.read("ball.obj");
    place.write("open.obj", &open[..open.trim_end().rfind('\n').unwrap()]);
    place.fail(&["mesh", "open.obj", "--out", "x.msh"], 2, &["open.obj", "the surface is open", "3 edges"]);
    place.fail(&["mesh", "ball.obj", "--cell", "1e-6", "--out", "x.msh"], 2, &["tetrahedra", "try"]);
    place.fail(&["mesh", "ball.obj", "--cell", "-1", "--out", "x.msh"], 2, &["must be a positive number"]);
    place.fail(&["mesh", "none.obj"], 2, &["none.obj", "no such file"]);
    place.succeed(&["mesh", "ball.obj", "--out", "ball.msh"]);
    place.fail(&["mesh", "ball.msh", "--out", "x.msh"], 2, &["holds tets already"]);
    assert!(!place.path("x.msh").exists());
}
