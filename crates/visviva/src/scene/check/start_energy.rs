//! A start whose energy is a number: masses, speeds and forces may each be possible and too large together.

use crate::model::State;
use crate::model::bodies::{Model, node_of};
use crate::scene::BuildError;

/// Refuses a start whose kinetic or gravitational energy, or its square, is too large for a number.
pub fn start_energy(model: &Model, start: &State) -> Result<(), BuildError> {
    let heights =
        model.node_mass.iter().enumerate().map(|(node, mass)| mass * model.gravity.dot(&node_of(&start.x, node)));
    let energies = [("kinetic", model.mass.kinetic_energy(&start.v)), ("gravitational", heights.sum())];
    match energies.into_iter().find(|(_, energy)| !(energy * energy).is_finite()) {
        Some((kind, energy)) => Err(BuildError::Value(format!(
            "the {kind} energy of the start is {energy:e} J, which is too large to compute with; look at masses, velocities, places \
             and gravity"
        ))),
        None => Ok(()),
    }
}
