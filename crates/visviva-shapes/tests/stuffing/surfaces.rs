//! Distances of triangles, and of triangles with small defects.

use crate::fields::triangle_ball;
use nalgebra::Vector3;
use visviva_shapes::Field;
use visviva_shapes::field::TriangleField;
use visviva_shapes::stuffing::{Grading, stuff};

/// Points in all directions at some distance from the origin.
fn shell(radius: f64) -> Vec<Vector3<f64>> {
    triangle_ball(2).0.into_iter().map(|p| (p + Vector3::new(0.01, -0.02, 0.03)).normalize() * radius).collect()
}

#[test]
fn the_distance_is_that_of_the_nearest_triangle_with_its_sign() {
    let (positions, triangles) = triangle_ball(4);
    let field = TriangleField::new(&positions, &triangles);
    let middle = |t: &[u32; 3]| t.iter().map(|&v| positions[v as usize]).sum::<Vector3<f64>>() / 3.0;
    let deepest = triangles.iter().map(|t| 1.0 - middle(t).norm()).fold(0.0, f64::max);
    for radius in [0.1, 0.7, 0.95, 1.05, 1.3, 4.0] {
        for point in shell(radius) {
            // Triangles with their corners on the sphere lie inside it, deepest at their middle.
            assert!((-1e-12..=deepest).contains(&(field.distance(&point) - (radius - 1.0))));
            // One or none, within what moments of first order leave out.
            let turns = if radius < 1.0 { 1.0 } else { 0.0 };
            assert!((field.winding(&point) - turns).abs() < 0.06, "{}", field.winding(&point));
        }
    }
    let nearest = field.nearest(&Vector3::new(0.0, 0.0, 3.0)).unwrap();
    assert!((nearest.point - Vector3::z()).norm() < 1e-12 && nearest.distance == 2.0);
    assert!(triangles[nearest.triangle as usize].contains(&4));
}

#[test]
fn a_hole_and_flipped_triangles_do_not_turn_the_sign() {
    let (positions, mut triangles) = triangle_ball(4);
    triangles.drain(40..44);
    for flipped in [100, 101, 500, 900] {
        triangles[flipped].swap(0, 1);
    }
    let field = TriangleField::new(&positions, &triangles);
    for (radius, sign) in [(0.3, -1.0), (0.9, -1.0), (1.1, 1.0), (2.0, 1.0)] {
        assert!(shell(radius).iter().all(|point| field.distance(point) * sign > 0.0));
    }
    let whole = triangle_ball(4);
    let whole = TriangleField::new(&whole.0, &whole.1).volume();
    let solid = stuff(&field, 0.15, Grading::Uniform).unwrap();
    crate::checks::is_sound(&solid, "a ball with a hole");
    assert!((solid.volume() / whole - 1.0).abs() < 0.01, "{}", solid.volume());
}

#[test]
fn a_surface_that_faces_inwards_is_filled_all_the_same() {
    let (positions, mut triangles) = triangle_ball(3);
    let outwards = stuff(&TriangleField::new(&positions, &triangles), 0.3, Grading::Uniform).unwrap();
    triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    let inwards = stuff(&TriangleField::new(&positions, &triangles), 0.3, Grading::Uniform).unwrap();
    assert!((outwards.volume() - inwards.volume()).abs() < 1e-9);
}
