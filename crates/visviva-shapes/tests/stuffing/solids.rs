//! Shapes of all kinds become sound solids, uniform and graded.

use crate::checks::{crossing, is_sound};
use crate::fields::{Ball, Both, Cuboid, Gyroid, Torus, triangle_ball};
use nalgebra::{Rotation3, Vector3};
use visviva_shapes::field::TriangleField;
use visviva_shapes::models::{BLUEPRINTS, by_name};
use visviva_shapes::stuffing::{Grading, stuff};
use visviva_shapes::{Field, Topology};

const GRADED: Grading = Grading::Graded { doublings: 3 };

fn shapes() -> Vec<(&'static str, Box<dyn Field>, f64)> {
    let straight = Rotation3::identity();
    let oblique = Rotation3::from_euler_angles(0.3, 0.5, 0.7);
    let ball = |x: f64, r: f64| Ball(Vector3::new(x, 0.1, 0.2), r);
    let (positions, triangles) = triangle_ball(3);
    vec![
        ("ball", Box::new(ball(0.3, 1.0)), 0.17),
        ("cube", Box::new(Cuboid(Vector3::repeat(0.5), straight)), 0.1),
        ("cube between planes", Box::new(Cuboid(Vector3::repeat(0.537), straight)), 0.1),
        ("oblique cuboid", Box::new(Cuboid(Vector3::new(0.5, 0.3, 0.7), oblique)), 0.11),
        ("torus", Box::new(Torus(1.0, 0.35)), 0.14),
        ("plate", Box::new(Cuboid(Vector3::new(1.0, 0.8, 0.06), straight)), 0.1),
        ("oblique plate", Box::new(Cuboid(Vector3::new(0.7, 0.6, 0.07), oblique)), 0.08),
        ("two balls", Box::new(Both(ball(0.0, 0.5), ball(0.8, 0.45))), 0.1),
        ("balls apart", Box::new(Both(ball(0.0, 0.5), ball(1.02, 0.45))), 0.1),
        ("triangles", Box::new(TriangleField::new(&positions, &triangles)), 0.17),
    ]
}

#[test]
fn every_shape_becomes_a_sound_solid() {
    for (what, field, cell) in shapes() {
        for grading in [Grading::Uniform, GRADED] {
            let solid = stuff(field.as_ref(), cell, grading).unwrap();
            is_sound(&solid, &format!("{what}, {grading:?}"));
        }
    }
}

/// Walls as thin as the cells leave parts that touch in single vertices and edges; these are resolved.
#[test]
fn parts_that_would_touch_are_parted() {
    let oblique = Rotation3::from_euler_angles(0.3, 0.5, 0.7);
    for cell in [0.12, 0.14, 0.16] {
        for grading in [Grading::Uniform, GRADED] {
            is_sound(&stuff(&Gyroid(9.0), cell, grading).unwrap(), &format!("gyroid {cell}, {grading:?}"));
        }
        let plate = Cuboid(Vector3::new(1.0, 0.8, 0.06), oblique);
        is_sound(&stuff(&plate, cell, Grading::Uniform).unwrap(), &format!("thin plate {cell}"));
    }
}

#[test]
fn the_models_become_sound_solids_in_one_piece() {
    for blueprint in BLUEPRINTS {
        let model = by_name(blueprint.name).unwrap();
        for (cells, grading) in [(2.0, Grading::Uniform), (1.0, GRADED)] {
            let what = format!("{} in {cells} times its cells", blueprint.name);
            let solid = stuff(&model, cells * blueprint.cell, grading).unwrap();
            is_sound(&solid, &what);
            assert_eq!(crossing(&solid), None, "{what}");
            if cells == 1.0 {
                assert_eq!(Topology::of(&solid.boundary()), Topology { shells: 1, handles: Some(0) }, "{what}");
            }
        }
    }
}
