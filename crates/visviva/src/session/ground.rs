//! The energy of bodies at rest, where a target decays towards it.

use super::SessionError;
use super::bodies::Bodies;
use crate::energy::Target;
use crate::scene::{Built, Ground, Scene};
use crate::solve::equilibrium;

/// [J]
pub fn ground_energy(built: &Built) -> Result<f64, SessionError> {
    // With a solver of its own: what it learns here must not change the run's bits.
    let mut solver = Bodies::new(built.model.clone(), built.solver)?;
    Ok(equilibrium(&mut solver, &built.start.x, 0.0).map_err(SessionError::Ground)?.energy)
}

/// Finds it and writes it down.
pub fn resolve(scene: &mut Scene, built: &mut Built) -> Result<(), SessionError> {
    let found = ground_energy(built)?;
    scene.energy.ground = Ground::Joules(found);
    if let Target::Decay { ground, .. } | Target::Schedule { ground, .. } = &mut built.plan.target {
        *ground = found;
    }
    built.ground_at_equilibrium = false;
    Ok(())
}
