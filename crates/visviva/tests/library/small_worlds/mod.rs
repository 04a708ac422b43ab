//! The integrators on worlds small enough to have theory: every claim here is a published or closed-form one.

mod amplification;
mod bounce;
mod collision_table;
mod conservation;
mod derivatives;
mod failures;
mod order;

use visviva::energy::EnergyPlan;
use visviva::integrate::IntegratorSpec;
use visviva::model::{Dissipation, Mass, Path, Potential, State};
use visviva::simulation::Simulation;
use visviva::solve::{BandedSolver, NewtonSettings};

fn spec(text: &str) -> IntegratorSpec {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

/// A tightly solved world of nodes on a line.
fn world(
    masses: Vec<f64>,
    potentials: Vec<Box<dyn Potential>>,
    dissipations: Vec<Box<dyn Dissipation>>,
    pins: Vec<(usize, Path)>,
) -> BandedSolver {
    let pinned = pins.iter().map(|(node, _)| *node).collect();
    let mass = Mass::new(1, masses, Vec::new(), pinned).unwrap();
    let settings = NewtonSettings { displacement: 1e-13, gap: 1e-10, stretch: 1e-10, max_iterations: 200 };
    BandedSolver::new(mass, potentials, dissipations, pins, settings)
}

fn simulate<'a>(
    world: &'a mut BandedSolver,
    state: State,
    integrator: &str,
    plan: &EnergyPlan,
    h: f64,
) -> Simulation<&'a mut BandedSolver> {
    Simulation::new(world, state, spec(integrator).build(), plan, h).unwrap()
}
