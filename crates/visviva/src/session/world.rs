//! All that a session asks of bodies in space beyond what it asks of any world.

use super::Phases;
use crate::simulation::Simulation;
use crate::solve::{BodiesWorld, ContactForce, ContactState, PhaseTimes, World};
use nalgebra::Vector3;

pub type Bodies = BodiesWorld;

/// Potential energies by the names of statistics [J].
pub fn energy_of(world: &Bodies, energies: &[f64], name: &str) -> Option<f64> {
    world.terms().iter().position(|term| *term == name).and_then(|i| energies.get(i).copied())
}

/// Where the last step ended; nothing where nothing can touch.
pub fn contact_state(world: &Bodies) -> Option<ContactState> {
    world.model().contact.as_ref().map(|_| world.contact_state())
}

/// At the present position, friction at the mean velocity of the last step: what it was solved with.
pub fn contact_forces(simulation: &mut Simulation<Bodies>) -> Vec<ContactForce> {
    let h = simulation.clock().h;
    let x = &simulation.state.x;
    let mean: Option<Vec<f64>> =
        simulation.step_start().map(|start| x.iter().zip(start).map(|(x1, x0)| (x1 - x0) / h).collect());
    simulation.world.contact_forces(&simulation.state.x, mean.as_deref())
}

/// Changes gravity; returns by how much it changed [m/s²], and the potential energy at x [J].
pub fn set_gravity(world: &mut Bodies, gravity: [f64; 3], x: &[f64]) -> (Vector3<f64>, f64) {
    let model = world.model();
    let difference = Vector3::from(gravity) - model.gravity;
    let nodes = model.node_mass.iter().zip(x.chunks_exact(3));
    let energy = -nodes.map(|(m, x)| m * difference.dot(&Vector3::new(x[0], x[1], x[2]))).sum::<f64>();
    world.set_gravity(gravity.into());
    (difference, energy)
}

impl From<PhaseTimes> for Phases {
    fn from(times: PhaseTimes) -> Self {
        Self {
            evaluate: times.evaluate.as_secs_f64(),
            assemble: times.assemble.as_secs_f64(),
            linear: times.linear.as_secs_f64(),
            line_search: times.line_search.as_secs_f64(),
            broad_phase: times.broad_phase.as_secs_f64(),
            ccd: times.ccd.as_secs_f64(),
        }
    }
}
