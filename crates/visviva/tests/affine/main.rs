//! Affine bodies: stiff bodies of twelve coordinates are what the mechanics of rigid bodies says.

mod bounce;
mod friction;
mod inertia;
mod messages;
mod mixture;
mod net;
mod pins;
mod repeatable;
mod rotation;

use nalgebra::{Matrix3, Vector3};
use visviva::contact::{BroadPhase, Point, intersection};
use visviva::model::State;
use visviva::model::bodies::{Model, node_of};
use visviva::scene::{BuildError, Built, SceneSource};
use visviva::simulation::Simulation;
use visviva::solve::BodiesSolver;
use visviva::solve::contact::surface_of;

fn try_scene(text: &str, changes: &[&str]) -> Result<Built, BuildError> {
    let text = format!("title = \"test\"\nrun = {{ h = \"1/120\", duration = 1 }}\n{text}");
    let source = SceneSource { name: "test".into(), text, folder: std::env::temp_dir() };
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    let scene = source.parse(&changes).unwrap_or_else(|e| panic!("{e}"));
    scene.build()
}

fn scene(text: &str, changes: &[&str]) -> Built {
    try_scene(text, changes).unwrap_or_else(|e| panic!("{e}"))
}

fn world(built: &Built) -> BodiesSolver {
    BodiesSolver::new(built.model.clone(), built.solver).unwrap()
}

fn simulation<'a>(built: &Built, world: &'a mut BodiesSolver) -> Simulation<&'a mut BodiesSolver> {
    Simulation::new(world, built.start.clone(), built.integrator.build(), &built.plan, built.h).unwrap()
}

/// Centre of mass of a body [m]: the first node of an affine one.
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

/// Decided by exact arithmetic, independently of distances and of collision detection.
fn intersects(bodies: &Model, state: &State) -> bool {
    let (surface, vertices) = surface_of(bodies, false, |node| bodies.mass.is_pinned(node)).unwrap();
    let points: Vec<Point> = vertices.iter().map(|vertex| vertex.of(&state.x)).collect();
    !intersection::intersections(&surface, &mut BroadPhase::default(), &points).is_empty()
}
