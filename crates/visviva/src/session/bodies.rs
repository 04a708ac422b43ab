//! All that a session asks of bodies in space beyond what it asks of any backend.

use super::Phases;
use crate::simulation::Simulation;
use crate::solve::{Backend, BodiesSolver, ContactForce, ContactState, Motion, PhaseTimes};
use nalgebra::Vector3;

pub type Bodies = BodiesSolver;

/// Potential energy at the present position by its name in statistics `[J]`; nothing where there is none of the kind.
pub fn energy_of(simulation: &Simulation<Bodies>, name: &str) -> Option<f64> {
    let terms = simulation.backend.terms().iter();
    terms.zip(simulation.evaluation().energies.as_slice()).find(|(term, _)| **term == name).map(|(_, energy)| *energy)
}

/// At the present position; nothing where nothing can touch.
pub fn contact_state(simulation: &Simulation<Bodies>) -> Option<ContactState> {
    simulation.backend.model().contact.as_ref().map(|_| simulation.evaluation().contact_state())
}

/// At the present position, losses at the mean velocity of the last step: what it was solved with.
pub fn contact_forces(simulation: &Simulation<Bodies>) -> Vec<ContactForce> {
    let h = simulation.clock().h;
    let taken = simulation.taken();
    let mean = taken.map(|step| step.to.x.iter().zip(&step.from.x).map(|(x1, x0)| (x1 - x0) / h).collect::<Vec<f64>>());
    let lossy = taken.zip(mean.as_deref());
    let lossy = lossy.map(|(step, v)| (step.frozen, Motion { x: &step.to.x, v, length: h, strain_rates: &[] }));
    simulation.backend.contact_forces(simulation.evaluation(), lossy)
}

/// ∇²P at the present position.
pub fn stiffness(simulation: &mut Simulation<Bodies>) -> Vec<([u32; 2], [f64; 9])> {
    let here = simulation.evaluation().clone();
    simulation.backend.stiffness(&here)
}

/// Changes gravity `[m/s²]`, and all that remembers the old one; returns the change of potential energy `[J]`.
pub fn change_gravity(simulation: &mut Simulation<Bodies>, gravity: [f64; 3]) -> f64 {
    let model = simulation.backend.model();
    let difference = Vector3::from(gravity) - model.gravity;
    let nodes = model.node_mass.iter().zip(simulation.state.x.chunks_exact(3));
    let energy = -nodes.map(|(m, x)| m * difference.dot(&Vector3::new(x[0], x[1], x[2]))).sum::<f64>();
    simulation.backend.set_gravity(gravity.into());
    simulation.follow_gravity(difference.as_slice(), energy);
    energy
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
