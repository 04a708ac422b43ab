//! Thin shells against what is known of them without this code: drums, beams, the heavy elastica, and contact that holds.

mod contact;
mod drum;
mod grid;
mod invariance;
mod strip;
mod unrolling;

use crate::scenes::scene;
use visviva::math::vector::dot;
use visviva::model::State;
use visviva::scene::Built;
use visviva::simulation::Simulation;
use visviva::solve::{Backend, BodiesSolver, Evaluation, Stage};

/// With a direct solver, to the Newton tolerance `[m]` that a test wants.
fn exact_world(built: &Built, displacement: f64) -> BodiesSolver {
    let mut settings = built.solver;
    settings.newton.displacement = displacement;
    settings.newton.max_iterations = 500;
    settings.linear = visviva::solve::linear::Choice::Direct;
    BodiesSolver::new(built.model.clone(), settings).unwrap()
}

fn simulation<'a>(built: &Built, world: &'a mut BodiesSolver, state: State) -> Simulation<&'a mut BodiesSolver> {
    Simulation::new(world, state, built.integrator.build(), &built.plan, built.h).unwrap()
}

/// The angular frequency `[rad/s]` of the slowest mode that has part in a small displacement from the equilibrium x.
///
/// Power iteration: a stage of length s from the predictor x + d ends at x + (m + s²K)⁻¹ m d; the frequency is the Rayleigh
/// quotient of the exact stiffness. Modes of other symmetries than d enter by rounding alone.
fn slowest_frequency(built: &Built, x: &[f64], shape: &[f64], size: f64, guess: f64) -> f64 {
    let mut world = exact_world(built, 1e-9 * size);
    let s = 10.0 / guess;
    let mut d = shape.to_vec();
    let (start, mut end) = (world.evaluation(x), Evaluation::default());
    for _ in 0..4 {
        let largest = d.iter().fold(0.0, |most: f64, d| most.max(d.abs()));
        let predictor: Vec<f64> =
            x.iter().zip(&d).map(|(x, d)| x + (1.0 + s * s * guess * guess) * size / largest * d).collect();
        let stage = Stage {
            start: &start,
            predictor: &predictor,
            length: s,
            velocity_origin: x,
            velocity_length: s,
            strain_origin: &[],
            t: 0.0,
            frozen: None,
        };
        let report = world.minimise(&stage, &mut end).unwrap();
        assert!(report.converged, "{report:?}");
        d = end.x.iter().zip(x).map(|(a, b)| a - b).collect();
    }
    let (mut force, mut inertia) = (vec![0.0; d.len()], vec![0.0; d.len()]);
    world.stiffness_product(&start, &d, &mut force);
    world.mass().apply(&d, &mut inertia);
    (dot(&d, &force) / dot(&d, &inertia)).sqrt()
}
