//! Flat faces have no favourites: neither the diagonal of a face nor, with weights by area, the mesh is felt.

use crate::scenes::{scene, world};
use visviva::scene::Built;
use visviva::simulation::Simulation;
use visviva::solve::Backend;

/// A stiff block that comes to rest on a table's diagonal.
const TABLE: &str = r#"
solver = { tolerance = 1e-8, gap_tolerance = 1e-8 }
[[body]]
name = "block"
kind = "affine"
material = { youngs_modulus = 1e8 }
box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0.05, 0.0503, 0.0509]
[[obstacle]]
name = "table"
box = { size = [2, 2, 0.2] }
translate = [0, 0, -0.1]
"#;

/// Heights of the lowest vertices of the first body after these steps of implicit Euler `[m]`.
fn gaps(built: &Built, steps: usize) -> Vec<f64> {
    let mut world = world(built);
    let mut simulation =
        Simulation::new(&mut world, built.start.clone(), built.integrator.build(), &built.plan, built.h).unwrap();
    (0..steps).for_each(|_| assert!(simulation.step().unwrap().solve.converged));
    let vertices = built.model.at_vertices(&simulation.state.x);
    let body = &built.model.bodies[0];
    let lowest = vertices[body.vertices.clone()].iter().map(|v| v.z).fold(f64::INFINITY, f64::min);
    let own = vertices[body.vertices.clone()].iter().map(|v| v.z);
    own.filter(|z| z - lowest < 0.005).collect()
}

#[test]
fn a_block_on_the_diagonal_of_a_table_stands_level() {
    let built = scene(TABLE, &["run.integrator=implicit-euler", "run.h=1/20"]);
    let found = gaps(&built, 80);
    assert_eq!(found.len(), 4);
    // κ b′(d) = mg/4 at d = 912.3 µm; Newton stops within 1e-8 of a gap, and implicit Euler has come to rest.
    let bearing = |d: f64| 1e5 * (2.0 * (d - 1e-3) * (d / 1e-3).ln() + (d - 1e-3).powi(2) / d);
    for gap in found {
        assert!((gap - 912e-6).abs() < 1e-6, "{gap}");
        assert!((4.0 * bearing(gap) / 9.8 - 1.0).abs() < 1e-4, "{gap}: {} N", bearing(gap));
    }
}

#[test]
fn sliding_across_a_diagonal_costs_no_energy() {
    let built = scene(TABLE, &[]);
    let mut world = world(&built);
    let mut energies = Vec::new();
    for step in 0..200 {
        // Level, at a height of 0.9 mm, across the diagonal of the table and along it.
        let mut x = built.start.x.clone();
        let body = built.model.bodies[0].nodes.clone();
        for node in body {
            x[3 * node] += 1e-4 * f64::from(step) - 0.01;
            x[3 * node + 1] -= 3e-5 * f64::from(step);
        }
        energies.push(world.evaluation(&x).energies.as_slice()[2]);
    }
    let (least, most) = energies.iter().fold((f64::INFINITY, 0.0f64), |(l, m), &e| (l.min(e), m.max(e)));
    // Rounding of a gap of 0.9 mm between coordinates of 1 m.
    assert!(least > 0.0 && most - least < 1e-10 * most, "{least} {most}");
}

#[test]
fn with_weights_by_area_a_finer_mesh_rests_at_the_same_gap() {
    let resting = |cells: usize, weights: &str| {
        let changes = [
            "run.integrator=implicit-euler",
            "run.h=1/20",
            "contact.stiffness=1e4",
            &format!("contact.weights={weights}"),
            &format!("body.0.box.cells=[{cells},{cells},1]"),
            "body.0.box.size=[0.2,0.2,0.01]",
            "body.0.translate=[0.0,0.0,0.0059]",
        ];
        let found = gaps(&scene(TABLE, &changes), 60);
        1e-3 - found.iter().sum::<f64>() / found.len() as f64
    };
    let change = |weights: &str| resting(12, weights) / resting(6, weights);
    // The barrier's force grows with the square of the depth: four times the vertices, half the depth.
    let (none, area) = (change("none"), change("area"));
    assert!(none < 0.65, "{none}");
    // What is left is the rim, whose vertices stand for the sides as well.
    assert!((0.98..1.04).contains(&area), "{area}");
}

#[test]
fn forces_with_weights_by_area_are_the_slope_of_the_energy() {
    let built = scene(
        TABLE,
        &[
            "contact.weights=area",
            "body.0.box.cells=[2,2,2]",
            "body.0.rotate={axis=[1,2,3],angle=0.02}",
            "body.0.translate=[0.05,0.0503,0.0513]",
        ],
    );
    let mut world = world(&built);
    let at = world.evaluation(&built.start.x);
    assert!(at.contact_state().active_pairs > 0);
    let mut g = vec![0.0; at.x.len()];
    world.gradient(&at, &mut g);
    let size = g.iter().fold(0.0f64, |most, g| most.max(g.abs()));
    for i in 0..12 {
        let value = |step: f64| {
            let mut x = built.start.x.clone();
            x[i] += step;
            world_energy(&built, &x)
        };
        let slope = (value(1e-7) - value(-1e-7)) / 2e-7;
        // Second order in a step of a ten-thousandth of the reach, and rounding of the energy over it.
        assert!((slope - g[i]).abs() < 1e-5 * size, "{i}: {slope} {}", g[i]);
    }
}

fn world_energy(built: &Built, x: &[f64]) -> f64 {
    world(built).evaluation(x).energies.total()
}
