//! Points embedded in a solid go where its nodes go.

use crate::fields::{Ball, triangle_ball};
use nalgebra::{Matrix3, Vector3};
use visviva_shapes::stuffing::{Grading, stuff};
use visviva_shapes::{Solid, embed};

fn ball() -> Solid {
    stuff(&Ball(Vector3::zeros(), 1.0), 0.2, Grading::Uniform).unwrap()
}

#[test]
fn points_inside_and_outside_are_reproduced_and_move_affinely() {
    let solid = ball();
    let (mut points, _) = triangle_ball(3);
    points.extend(points.clone().iter().map(|p| p * 0.4));
    let embedded = embed(&solid, &points);
    assert_eq!(embedded.len(), points.len());
    let matrix = Matrix3::new(1.1, 0.2, -0.3, 0.1, 0.7, 0.4, -0.2, 0.5, 1.3);
    let moved = |p: &Vector3<f64>| matrix * p + Vector3::new(3.0, -2.0, 1.0);
    let moved_nodes: Vec<Vector3<f64>> = solid.positions.iter().map(moved).collect();
    for (point, embedded) in points.iter().zip(&embedded) {
        // Coordinates near 1, weights near 1, tets of good shape: some tens of roundings.
        assert!((embedded.position(&solid.positions) - point).norm() < 1e-14);
        assert!((embedded.position(&moved_nodes) - moved(point)).norm() < 1e-13);
        assert!((embedded.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        // Faces are chords: a point of the sphere lies at most (0.2)²/8 beyond them, a small part of a tet's height.
        assert!(embedded.weights.iter().all(|&weight| weight > -0.2), "{:?}", embedded.weights);
        assert!(point.norm() > 0.9 || embedded.weights.iter().all(|&weight| weight > -1e-12));
    }
}

#[test]
fn a_point_far_outside_takes_a_tet_that_faces_it() {
    let solid = ball();
    let point = Vector3::new(0.0, 0.0, 3.0);
    let embedded = embed(&solid, &[point])[0];
    assert!(embedded.nodes.iter().all(|&node| solid.positions[node as usize].z > 0.7));
    assert!((embedded.position(&solid.positions) - point).norm() < 1e-13);
}
