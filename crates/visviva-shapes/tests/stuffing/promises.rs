//! Order of convergence, sameness of bits, reports, and what is refused with which words.

use crate::checks::crossing;
use crate::fields::{Ball, Cuboid, Gyroid, Torus, triangle_ball};
use nalgebra::{Rotation3, Vector3};
use std::f64::consts::PI;
use visviva_shapes::field::TriangleField;
use visviva_shapes::stuffing::{Grading, StuffingError, stuff};
use visviva_shapes::{Field, Likeness, Quality, Topology};

const GRADED: Grading = Grading::Graded { doublings: 3 };

#[test]
fn the_volume_converges_at_second_order() {
    let ball = (&Ball(Vector3::new(0.03, 0.01, 0.02), 1.0) as &dyn Field, 4.0 / 3.0 * PI);
    let torus = (&Torus(1.0, 0.4) as &dyn Field, 2.0 * PI * PI * 0.16);
    for (field, exact) in [ball, torus] {
        for grading in [Grading::Uniform, GRADED] {
            let errors = [0.3, 0.15, 0.075].map(|cell| exact - stuff(field, cell, grading).unwrap().volume());
            // Two halvings; where vertices happen to fall shifts the order by a few tenths.
            let order = (errors[0] / errors[2]).log2() / 2.0;
            assert!((1.8..2.3).contains(&order), "{errors:?}: order {order}");
        }
    }
}

#[test]
fn a_box_of_whole_cells_is_met_exactly() {
    let solid = stuff(&Cuboid(Vector3::new(0.3, 0.5, 0.25), Rotation3::identity()), 0.1, Grading::Uniform).unwrap();
    assert!((solid.volume() - 0.6 * 1.0 * 0.5).abs() < 1e-12, "{}", solid.volume());
}

#[test]
fn the_boundary_does_not_cross_itself() {
    let oblique = Rotation3::from_euler_angles(0.3, 0.5, 0.7);
    let shapes: [(&dyn Field, f64); 4] = [
        (&Ball(Vector3::zeros(), 1.0), 0.35),
        (&Torus(1.0, 0.4), 0.3),
        (&Cuboid(Vector3::new(1.0, 0.8, 0.1), oblique), 0.18),
        (&Gyroid(9.0), 0.16),
    ];
    for (field, cell) in shapes {
        let solid = stuff(field, cell, Grading::Uniform).unwrap();
        assert_eq!(crossing(&solid), None);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (positions, triangles) = triangle_ball(3);
    let field = TriangleField::new(&positions, &triangles);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| stuff(&field, 0.2, GRADED).unwrap())
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn the_report_tells_counts_angles_and_distances() {
    let (positions, triangles) = triangle_ball(4);
    let surface = TriangleField::new(&positions, &triangles);
    let solid = stuff(&surface, 0.2, Grading::Uniform).unwrap();
    let quality = Quality::of(&solid);
    assert_eq!((quality.nodes, quality.tets), (solid.positions.len(), solid.tets.len()));
    assert_eq!(quality.boundary_triangles, solid.boundary().len());
    assert!(quality.inverted == 0 && quality.worst_dihedral[0] < quality.mean_dihedral[0]);
    assert!(quality.mean_dihedral[0] < 60.0 && quality.mean_dihedral[1] > 90.0);
    let likeness = Likeness::of(&solid, &surface, 0.2);
    assert!((likeness.volume_ratio - 1.0).abs() < 0.03, "{likeness:?}");
    // Chords of a sphere over a cell, its diagonal at most.
    assert!(likeness.hausdorff() < 0.2 * 0.2 * 3.0 / 8.0 && likeness.hausdorff() > 1e-4, "{likeness:?}");
    assert_eq!((likeness.solid, likeness.losses), (Topology { shells: 1, handles: Some(0) }, None));
}

/// Two balls as triangles, joined by nothing, one of them small.
fn balls(small: f64) -> TriangleField {
    let (mut positions, mut triangles) = triangle_ball(3);
    let count = positions.len() as u32;
    positions.extend(positions.clone().iter().map(|p| p * small + Vector3::x() * 3.0));
    triangles.extend(triangles.clone().iter().map(|t| t.map(|v| v + count)));
    TriangleField::new(&positions, &triangles)
}

#[test]
fn a_part_smaller_than_the_cells_is_named_with_a_cell_that_keeps_it() {
    let surface = balls(0.06);
    let solid = stuff(&surface, 0.3, Grading::Uniform).unwrap();
    let losses = Likeness::of(&solid, &surface, 0.3).losses.expect("the small ball is lost");
    let words = losses.to_string();
    assert!(words.contains("missing") && words.contains("2 pieces became 1"), "{words}");
    assert!((losses.thinnest.unwrap().0 - Vector3::x() * 3.0).norm() < 0.07);
    let solid = stuff(&surface, losses.suggested_cell, GRADED).unwrap();
    let likeness = Likeness::of(&solid, &surface, losses.suggested_cell);
    assert_eq!((likeness.solid.shells, likeness.losses), (2, None), "{}", losses.suggested_cell);
}

#[test]
fn a_shape_thinner_than_the_cells_says_so_and_the_suggestion_works() {
    let plate = Cuboid(Vector3::new(1.0, 0.8, 0.02), Rotation3::from_euler_angles(0.3, 0.5, 0.7));
    let refused = stuff(&plate, 0.2, Grading::Uniform).unwrap_err();
    let StuffingError::TooThin { thickness, suggested, .. } = refused else { panic!("{refused}") };
    assert!((thickness / 0.04 - 1.0).abs() < 0.1, "{refused}");
    let solid = stuff(&plate, suggested, Grading::Uniform).unwrap();
    assert_eq!(Topology::of(&solid.boundary()), Topology { shells: 1, handles: Some(0) });
}

struct Broken;

impl Field for Broken {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        if point.x > 0.2 { f64::NAN } else { point.norm() - 1.0 }
    }
    fn bounds(&self) -> [Vector3<f64>; 2] {
        [Vector3::repeat(-1.0), Vector3::repeat(1.0)]
    }
}

#[test]
fn what_cannot_be_filled_is_refused_in_words() {
    let ball = Ball(Vector3::zeros(), 1.0);
    let refusal = |field: &dyn Field, cell: f64| stuff(field, cell, Grading::Uniform).unwrap_err();
    assert!(matches!(refusal(&ball, 0.0), StuffingError::Cell(_)));
    assert!(matches!(refusal(&ball, f64::NAN), StuffingError::Cell(_)));
    assert!(matches!(refusal(&Broken, 0.1), StuffingError::NotFinite { .. }));
    assert!(matches!(refusal(&TriangleField::new(&[], &[]), 0.1), StuffingError::Box { .. }));
    assert!(refusal(&ball, 0.01).to_string().contains("about 51 million"), "{}", refusal(&ball, 0.01));
    for cell in [0.01, 1e-4, 1e-9] {
        let refused = refusal(&ball, cell);
        let StuffingError::TooMany { tets, suggested, .. } = refused else { panic!("{refused}") };
        let expected = 12.0 * 4.0 / 3.0 * PI / cell.powi(3);
        assert!((tets / expected).log2().abs() < 1.5 && suggested > 0.01 && suggested < 0.05, "{refused}");
    }
}
