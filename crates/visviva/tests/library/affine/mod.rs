//! Affine bodies: stiff bodies of twelve coordinates are what the mechanics of rigid bodies says.

mod bounce;
mod crushed;
mod friction;
mod inertia;
mod messages;
mod mixture;
mod net;
mod pins;
mod repeatable;
mod rotation;

use crate::scenes::{intersects, scene, try_scene, world};
use nalgebra::{Matrix3, Vector3};
use visviva::model::bodies::{Model, node_of};
use visviva::scene::Built;
use visviva::simulation::Simulation;
use visviva::solve::BodiesSolver;

fn simulation<'a>(built: &Built, world: &'a mut BodiesSolver) -> Simulation<&'a mut BodiesSolver> {
    Simulation::new(world, built.start.clone(), built.integrator.build(), &built.plan, built.h).unwrap()
}

/// Centre of mass of a body `[m]`: the first node of an affine one.
fn centre(bodies: &Model, body: usize, x: &[f64]) -> Vector3<f64> {
    let nodes = bodies.bodies[body].nodes.clone();
    let mass: f64 = bodies.node_mass[nodes.clone()].iter().sum();
    nodes.map(|node| bodies.node_mass[node] * node_of(x, node)).sum::<Vector3<f64>>() / mass
}

/// A of an affine body: how its frame is deformed and turned.
fn frame(bodies: &Model, body: usize, x: &[f64]) -> Matrix3<f64> {
    let first = bodies.bodies[body].nodes.start;
    let edges = |x: &dyn Fn(usize) -> Vector3<f64>| Matrix3::from_columns(&[1, 2, 3].map(|i| x(first + i) - x(first)));
    // At rest the three edges lie along the axes.
    edges(&|node| node_of(x, node)) / (bodies.rest[first + 1] - bodies.rest[first]).norm()
}
