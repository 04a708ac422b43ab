//! Shapes against closed forms, and what meshing takes for granted of every field: slopes, bounds, blends.

use super::*;
use crate::field::Field;
use nalgebra::{Similarity3, Vector3};

fn at(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

const CONE: RoundCone =
    RoundCone { ends: [Vector3::new(-0.4, 0.1, 0.0), Vector3::new(0.5, 0.3, 0.6)], radii: [0.35, 0.1] };
const EGG: Ellipsoid = Ellipsoid { semi_axes: Vector3::new(0.9, 0.3, 0.5) };
const BRICK: Cuboid = Cuboid { half_sides: Vector3::new(0.5, 0.3, 0.2), rounding: 0.0 };
const BALL: Sphere = Sphere { centre: Vector3::new(0.45, 0.2, 0.1), radius: 0.4 };

/// One field of every kind.
fn every_kind() -> Vec<(&'static str, Box<dyn Field>)> {
    let place = Similarity3::new(at(0.3, -0.2, 0.1), at(0.4, 0.7, -0.3), 1.3);
    vec![
        ("sphere", Box::new(BALL)),
        ("box", Box::new(BRICK)),
        ("rounded box", Box::new(Cuboid { rounding: 0.15, ..BRICK })),
        ("ellipsoid", Box::new(EGG)),
        ("thin ellipsoid", Box::new(Ellipsoid { semi_axes: at(0.6, 0.6, 0.05) })),
        ("round cone", Box::new(CONE)),
        ("a cone that is one ball", Box::new(RoundCone { radii: [0.2, 1.5], ..CONE })),
        ("torus", Box::new(Torus { radius: 0.5, tube: 0.2 })),
        ("cylinder", Box::new(Cylinder { radius: 0.3, half_length: 0.6 })),
        ("placed", Box::new(Placed::new(EGG, place))),
        ("union", Box::new(Combined::union(BRICK, BALL, 0.0))),
        ("blend", Box::new(Combined::union(BRICK, BALL, 0.2))),
        ("intersection", Box::new(Combined::intersection(BRICK, BALL, 0.05))),
        ("difference", Box::new(Combined::difference(BRICK, BALL, 0.1))),
    ]
}

/// Evenly spread points of a cube of side 3 about the origin (Halton 1960).
fn spread(count: usize) -> impl Iterator<Item = Vector3<f64>> {
    let digit_mirror = |mut k: usize, base: usize| {
        let (mut value, mut place) = (0.0, 1.0);
        while k > 0 {
            place /= base as f64;
            value += place * (k % base) as f64;
            k /= base;
        }
        value
    };
    (1..=count).map(move |k| [2, 3, 5].map(|base| 3.0 * digit_mirror(k, base) - 1.5).into())
}

#[test]
fn distances_are_those_of_closed_forms() {
    let capsule = RoundCone::capsule([at(0.0, 0.0, 0.0), at(0.0, 0.0, 1.0)], 0.25);
    let torus = Torus { radius: 0.5, tube: 0.2 };
    let can = Cylinder { radius: 0.3, half_length: 0.6 };
    let cases: [(&dyn Field, Vector3<f64>, f64); 14] = [
        (&BALL, at(0.45, 0.2, 1.1), 0.6),
        (&BALL, at(0.45, 0.3, 0.1), -0.3),
        (&BRICK, at(0.8, 0.7, 0.1), 0.5),
        (&BRICK, at(0.1, 0.0, -0.15), -0.05),
        (&Cuboid { rounding: 0.2, ..BRICK }, at(0.7, 0.5, 0.0), 0.4 * 2f64.sqrt() - 0.2),
        (&capsule, at(0.65, 0.0, 0.5), 0.4),
        (&capsule, at(0.3, 0.0, 1.4), 0.25),
        (&torus, at(0.0, 0.9, 0.3), 0.3),
        (&torus, at(0.0, 0.0, 0.0), 0.3),
        (&can, at(0.0, 0.7, 0.9), 0.5),
        (&can, at(0.0, 0.1, 0.5), -0.1),
        (&EGG, at(0.0, 0.0, 0.0), -0.3),
        (&EGG, at(-2.0, 0.0, 0.0), 1.1),
        (&Placed::new(capsule, Similarity3::new(at(0.0, 0.0, 1.0), at(0.0, 0.0, 0.0), 2.0)), at(0.8, 0.0, 2.0), 0.3),
    ];
    for (case, (field, point, expected)) in cases.into_iter().enumerate() {
        let distance = field.distance(&point);
        assert!((distance - expected).abs() < 1e-12, "case {case}: {distance} for {expected}");
    }
}

#[test]
fn an_ellipsoid_is_as_far_as_its_normals_reach() {
    for direction in spread(2000) {
        let on_sphere = direction.normalize();
        let surface = EGG.semi_axes.component_mul(&on_sphere);
        let normal = on_sphere.component_div(&EGG.semi_axes).normalize();
        // Its sharpest curvature has the radius 0.3²/0.9 = 0.1 m: deeper, another point is nearer.
        for reach in [-0.09, -1e-6, 0.0, 1e-6, 0.2, 3.0] {
            let distance = EGG.distance(&(surface + normal * reach));
            assert!((distance - reach).abs() < 1e-10, "{distance} for {reach} m along the normal at {surface}");
        }
    }
}

#[test]
fn a_round_cone_is_the_nearest_of_its_balls() {
    for point in spread(500) {
        let balls = (0..=2000).map(|k| {
            let along = k as f64 / 2000.0;
            (point - CONE.ends[0].lerp(&CONE.ends[1], along)).norm() - (0.35 + (0.1 - 0.35) * along)
        });
        let nearest = balls.fold(f64::INFINITY, f64::min);
        let distance = CONE.distance(&point);
        // Balls stand half a millimetre apart and distances are flat at their least.
        assert!(distance <= nearest + 1e-12 && nearest - distance < 1e-6, "{distance}, by its balls {nearest}");
    }
}

#[test]
fn no_distance_grows_faster_than_a_metre_per_metre() {
    for (name, field) in every_kind() {
        let points: Vec<_> = spread(3000).collect();
        for pair in points.windows(2) {
            for step in [1e-4, 1e-2, 1.0] {
                let other = pair[0] + (pair[1] - pair[0]) * step;
                let change = field.distance(&pair[0]) - field.distance(&other);
                assert!(change.abs() <= (pair[0] - other).norm() + 1e-10, "{name} at {}", pair[0]);
            }
        }
    }
}

#[test]
fn bounds_hold_every_shape_and_stand_off_by_less_than_three_percent() {
    const STEPS: usize = 60;
    for (name, field) in every_kind() {
        let [low, high] = field.bounds();
        let size = high - low;
        let holds = |p: &Vector3<f64>| (0..3).all(|c| p[c] >= low[c] && p[c] <= high[c]);
        assert!(spread(20_000).all(|p| field.distance(&p) > 0.0 || holds(&p)), "{name}");
        for (axis, end) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
            // Two percent behind the face the shape is met between samples that stand 1/60 apart.
            let inset = low[axis] + size[axis] * if end == 0 { 0.02 } else { 0.98 };
            let samples = (0..=STEPS).flat_map(|i| (0..=STEPS).map(move |k| [i, k].map(|n| n as f64 / STEPS as f64)));
            let least = samples
                .map(|[i, k]| {
                    let mut point = low;
                    point[axis] = inset;
                    point[(axis + 1) % 3] += i * size[(axis + 1) % 3];
                    point[(axis + 2) % 3] += k * size[(axis + 2) % 3];
                    field.distance(&point)
                })
                .fold(f64::INFINITY, f64::min);
            assert!(least < 0.71 * size.max() / STEPS as f64, "{name}, axis {axis}, end {end}: {least}");
        }
    }
}

#[test]
fn a_blend_adds_material_near_the_seam_alone() {
    let radius = 0.2;
    let (sharp, blend) = (Combined::union(BRICK, BALL, 0.0), Combined::union(BRICK, BALL, radius));
    let mut added = 0;
    for point in spread(20_000) {
        let (before, after) = (sharp.distance(&point), blend.distance(&point));
        assert!(after <= before && before - after <= radius / 6.0 + 1e-15);
        if (BRICK.distance(&point) - BALL.distance(&point)).abs() >= radius {
            assert_eq!(before, after, "away from the seam, at {point}");
        }
        added += (before > 0.0 && after <= 0.0) as usize;
    }
    assert!(added > 0, "the crease is filled");
}

#[test]
fn a_blend_has_no_crease() {
    let (balls, step) = ([-0.5, 0.5].map(|x| Sphere { centre: at(x, 0.0, 0.0), radius: 0.6 }), 1e-4);
    let bend = |field: &dyn Field, x: f64| {
        let [left, middle, right] = [x - step, x, x + step].map(|x| field.distance(&at(x, 0.5, 0.0)));
        (left - 2.0 * middle + right).abs() / (step * step)
    };
    let steepest = |field: &dyn Field| (0..4000).map(|k| bend(field, k as f64 * 5e-5 - 0.1)).fold(0.0, f64::max);
    let radius = 0.1;
    // Its curvature is the cubic's 1/radius times the slopes' difference squared, 2 at most, and the balls' own.
    assert!(steepest(&Combined::union(balls[0], balls[1], radius)) < 4.0 / radius);
    assert!(steepest(&Combined::union(balls[0], balls[1], 0.0)) > 0.5 / step, "without one there is a crease");
}

#[test]
fn shapes_that_do_not_meet_have_an_empty_intersection_and_bounds_still() {
    let far = Sphere { centre: at(5.0, 0.0, 0.0), radius: 0.2 };
    let empty = Combined::intersection(BALL, far, 0.0);
    assert!(spread(100).all(|p| empty.distance(&p) > 0.0));
    assert!(empty.bounds().iter().all(|corner| corner.iter().all(|x| x.is_finite())));
}
