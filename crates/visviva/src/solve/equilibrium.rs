//! Bodies at rest: where they come to stand, and the energy they have there.

use super::backend::Backend;
use super::evaluation::Evaluation;
use super::stage::{SolveError, Stage};

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EquilibriumError {
    #[error("there is no equilibrium: something falls or drifts freely")]
    None,
    #[error("no equilibrium was found in {0} Newton iterations")]
    NotFound(usize),
    #[error("the bodies did not come to rest within {0} s; something rolls or rocks on")]
    Restless(f64),
    #[error("the search for it was interrupted")]
    Interrupted,
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// An equilibrium: its position and its potential energy `[J]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    pub x: Vec<f64>,
    pub energy: f64,
}

/// The equilibrium that the solver finds from x, with prescribed motion as it is at time t.
pub fn equilibrium(backend: &mut dyn Backend, x: &[f64], t: f64) -> Result<Equilibrium, EquilibriumError> {
    /// A stage this long leaves inertia a part in 10⁸ of a 0.1 s vibration's.
    const LENGTH: f64 = 1e3;
    const ROUNDS: usize = 10;
    /// Farther than this from where it was `[m]`, a body is not resting but gone.
    const GONE: f64 = 1e3;
    let mut here = backend.evaluation(x);
    let mut found = Evaluation::default();
    let mut iterations = 0;
    for _ in 0..ROUNDS {
        let stage = Stage {
            start: &here,
            predictor: &here.x,
            length: LENGTH,
            velocity_origin: &here.x,
            velocity_length: LENGTH,
            strain_origin: &[],
            t,
            frozen: None,
        };
        let report = backend.minimise(&stage, &mut found)?;
        iterations += report.newton_iterations;
        if found.x.iter().zip(x).any(|(a, b)| (a - b).abs() > GONE) {
            return Err(EquilibriumError::None);
        }
        std::mem::swap(&mut here, &mut found);
        if report.converged {
            return Ok(Equilibrium { x: here.x, energy: report.energies.total() });
        }
    }
    Err(EquilibriumError::NotFound(iterations))
}
