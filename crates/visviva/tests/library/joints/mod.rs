//! Joints of stiff bodies and pins at a point or an axis: what the mechanics of rigid bodies says of them.

mod books;
mod double_pendulum;
mod gyroscope;
mod hit;
mod messages;
mod motor;
mod pendulum;
mod repeatable;
mod slider_crank;

use crate::scenes::{intersects, refusal, scene, world};
use nalgebra::Vector3;
use visviva::integrate::StepReport;
use visviva::model::bodies::{Model, node_of};
use visviva::scene::Built;
use visviva::simulation::Simulation;
use visviva::solve::BodiesSolver;

fn simulation(built: &Built) -> Simulation<BodiesSolver> {
    Simulation::new(world(built), built.start.clone(), built.integrator.build(), &built.plan, built.h).unwrap()
}

/// Steps until a time `[s]`; every step converges, and no joint opens by more than a tenth of a micrometre.
fn run(
    built: &Built,
    until: f64,
    mut look: impl FnMut(&Simulation<BodiesSolver>, &StepReport),
) -> Simulation<BodiesSolver> {
    let mut simulation = simulation(built);
    for step in 0..(until / built.h).round() as usize {
        let report = simulation.step().unwrap();
        assert!(report.solve.converged, "{step}: {:?}", report.solve.stuck);
        let gap = widest_gap(&built.model, &simulation.state.x);
        assert!(gap < 1e-7, "{step}: {gap}");
        look(&simulation, &report);
    }
    simulation
}

/// Centre of mass of a body `[m]`
fn centre(model: &Model, body: usize, x: &[f64]) -> Vector3<f64> {
    let nodes = model.bodies[body].nodes.clone();
    let mass: f64 = model.node_mass[nodes.clone()].iter().sum();
    nodes.map(|node| model.node_mass[node] * node_of(x, node)).sum::<Vector3<f64>>() / mass
}

/// The widest gap of all joints `[m]`
fn widest_gap(model: &Model, x: &[f64]) -> f64 {
    model.joints.iter().map(|joint| joint.gap(x)).fold(0.0, f64::max)
}

/// A stiff box in its place, with more keys.
fn block(name: &str, size: [f64; 3], at: [f64; 3], more: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nkind = \"affine\"\nmaterial = {{ youngs_modulus = 1e10 }}\n\
         box = {{ size = {size:?}, cells = [1, 1, 1] }}\ntranslate = {at:?}\n{more}\n"
    )
}

/// A rod of 0.5 m and 4 × 4 cm, turned from hanging down by an angle about y, with one end at a place in the plane y = 0.
fn rod(name: &str, end: [f64; 2], angle: f64) -> String {
    let turn = format!("rotate = {{ axis = [0, 1, 0], angle = {angle} }}");
    block(name, [0.04, 0.04, 0.5], [end[0] - 0.25 * angle.sin(), 0.0, end[1] - 0.25 * angle.cos()], &turn)
}

/// A hinge about y in the plane y = 0.
fn hinge(bodies: &str, at: [f64; 2]) -> String {
    format!("[[joint]]\nbodies = [{bodies}]\nhinge = {{ at = [{}, 0, {}], axis = [0, 1, 0] }}\n", at[0], at[1])
}

/// Of a rod about its middle, per mass `[m²]`
const ROD_INERTIA: f64 = (0.25 + 0.0016) / 12.0;
