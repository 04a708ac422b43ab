//! Mass, centre and inertia of affine bodies, as they move: exact for flat faces, converging for round ones.

use super::{centre, scene};
use nalgebra::{Matrix3, Rotation3, Vector3};
use std::f64::consts::PI;

const DENSITY: f64 = 700.0;
const PLACE: [f64; 3] = [0.3, -0.2, 5.0];

struct Spun {
    mass: f64,
    centre: Vector3<f64>,
    /// From the kinetic energy of spins about all axes and their sums `[kg m²]`
    by_energy: Matrix3<f64>,
    /// From angular momentum `[kg m²]`
    by_momentum: Matrix3<f64>,
}

/// A shape that spins about its place.
fn spun(shape: &str) -> Spun {
    let with_spin = |spin: Vector3<f64>| {
        let [x, y, z] = PLACE;
        let text = format!(
            "[[body]]\nname = \"it\"\nkind = \"affine\"\nmaterial = {{ youngs_modulus = 1e6, density = {DENSITY} }}\n{shape}\ntranslate = [{x}, {y}, {z}]\nvelocity = {{ angular = [{}, {}, {}], about = [{x}, {y}, {z}] }}\n",
            spin.x, spin.y, spin.z
        );
        let built = scene(&text, &[]);
        let (linear, angular) = built.model.momenta(&built.start.x, &built.start.v);
        // Symmetric shapes: their centre, and so their momentum, is exact to rounding.
        assert!(linear.norm() < 1e-12 * built.model.node_mass.iter().sum::<f64>() * spin.norm(), "{linear}");
        let energy = built.model.mass.kinetic_energy(&built.start.v);
        (built, energy, angular)
    };
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
    let built = with_spin(axes[0]).0;
    let by_energy = Matrix3::from_fn(|i, j| {
        let energy = |spin: Vector3<f64>| with_spin(spin).1;
        if i == j { 2.0 * energy(axes[i]) } else { 0.5 * (energy(axes[i] + axes[j]) - energy(axes[i] - axes[j])) }
    });
    Spun {
        mass: built.model.node_mass.iter().sum(),
        centre: centre(&built.model, 0, &built.start.x),
        by_energy,
        by_momentum: Matrix3::from_columns(&axes.map(|axis| with_spin(axis).2)),
    }
}

#[test]
fn a_turned_box_has_the_mass_and_inertia_of_a_box_to_the_last_digits() {
    let (size, axis, angle) = (Vector3::new(0.1, 0.2, 0.3), Vector3::new(1.0, 2.0, -0.5), 0.7);
    let found = spun(&format!(
        "box = {{ size = [0.1, 0.2, 0.3], cells = [2, 3, 1] }}\nrotate = {{ axis = [1, 2, -0.5], angle = {angle} }}"
    ));
    let mass = DENSITY * size.product();
    assert!((found.mass - mass).abs() < 1e-13 * mass);
    assert!((found.centre - Vector3::from(PLACE)).norm() < 1e-14);
    let squares = size.component_mul(&size);
    let own = Matrix3::from_diagonal(&(Vector3::repeat(squares.sum()) - squares)) * (mass / 12.0);
    let turn = Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(axis), angle);
    let inertia = turn * own * turn.inverse();
    // Velocities are ω × (x − c) at a distance of 5 m from the origin: a few times its rounding over 10 cm.
    for found in [found.by_energy, found.by_momentum] {
        assert!((found - inertia).norm() < 1e-12 * inertia.norm(), "{found} {inertia}");
    }
}

/// Relative errors of mass and inertia against the smooth shape's, for a shape and one of half its edges.
fn falls_by_four(coarse: &str, fine: &str, mass: f64, inertia: Vector3<f64>, within: f64) {
    let errors = [coarse, fine].map(|shape| {
        let found = spun(shape);
        assert!((found.by_energy - found.by_momentum).norm() < 1e-12 * inertia.norm());
        assert!((found.centre - Vector3::from(PLACE)).norm() < 1e-14);
        [(found.mass - mass).abs() / mass, (found.by_energy - Matrix3::from_diagonal(&inertia)).norm() / inertia.norm()]
    });
    for k in 0..2 {
        let ratio = errors[0][k] / errors[1][k];
        assert!((3.6..4.4).contains(&ratio), "{shape}: {errors:?}", shape = coarse);
        assert!(errors[1][k] < within, "{errors:?}");
    }
}

#[test]
fn a_ball_of_triangles_comes_to_that_of_the_books_with_the_square_of_its_edges() {
    let r: f64 = 0.05;
    let mass = DENSITY * 4.0 / 3.0 * PI * r.powi(3);
    let inertia = Vector3::repeat(0.4 * mass * r * r);
    let ball = |subdivisions: u32| format!("icosphere = {{ radius = {r}, subdivisions = {subdivisions} }}");
    falls_by_four(&ball(3), &ball(4), mass, inertia, 5e-3);
}

#[test]
fn so_does_a_torus() {
    let (major, minor): (f64, f64) = (0.1, 0.03);
    let mass = DENSITY * 2.0 * PI * PI * major * minor * minor;
    let [a2, b2] = [major * major, minor * minor];
    let (across, along) = (mass * (0.5 * a2 + 0.625 * b2), mass * (a2 + 0.75 * b2));
    let torus = |rings: u32, around: u32| {
        format!("torus = {{ major_radius = {major}, minor_radius = {minor}, rings = {rings}, around = {around} }}")
    };
    falls_by_four(&torus(4, 24), &torus(8, 48), mass, Vector3::new(across, across, along), 0.03);
}

#[test]
fn a_given_mass_stands_in_for_the_density() {
    let found = spun("box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }\nmass = 3.5");
    assert!((found.mass - 3.5).abs() < 1e-13);
    assert!((found.by_momentum.trace() - 3.5 * 0.01 / 2.0).abs() < 1e-13);
}
