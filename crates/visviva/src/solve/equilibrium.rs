//! The energy of bodies at rest: what decay towards the ground decays to.

use super::stage::{SolveError, Stage, World};

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EquilibriumError {
    #[error("there is no equilibrium: something falls or drifts freely; give the ground energy in joules")]
    None,
    #[error("the equilibrium was not found in {0} Newton iterations; give the ground energy in joules")]
    NotFound(usize),
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// P [J] at the nearest equilibrium that the solver finds from x, with prescribed motion as it is at time t.
pub fn equilibrium_energy(world: &mut dyn World, x: &[f64], t: f64) -> Result<f64, EquilibriumError> {
    /// A stage this long leaves inertia a part in 10⁸ of a 0.1 s vibration's.
    const LENGTH: f64 = 1e3;
    const ROUNDS: usize = 10;
    /// Farther than this from where it was [m], a body is not resting but gone.
    const GONE: f64 = 1e3;
    let mut here = x.to_vec();
    let mut found = here.clone();
    let mut iterations = 0;
    for _ in 0..ROUNDS {
        let stage = Stage {
            start: &here,
            predictor: &here,
            length: LENGTH,
            velocity_origin: &here,
            velocity_length: LENGTH,
            t,
            dissipative: false,
        };
        let report = world.minimise(&stage, &mut found)?;
        iterations += report.newton_iterations;
        if found.iter().zip(x).any(|(a, b)| (a - b).abs() > GONE) {
            return Err(EquilibriumError::None);
        }
        std::mem::swap(&mut here, &mut found);
        if report.converged {
            return Ok(report.energies.total());
        }
    }
    Err(EquilibriumError::NotFound(iterations))
}
