//! The one verb of every implicit integrator: minimise ½‖x − x̂‖²_m + s² (P(x) + P_n(x)).
//!
//! A world stands for bodies, forces and the solver behind them; integrators see nothing else of it.

use super::linear::LinearError;
use crate::model::{Energies, Mass};

/// One implicit stage. Its minimiser satisfies x = x̂ − s² m⁻¹ (∇P(x) + ∇P_n(x)).
#[derive(Debug, Clone, Copy)]
pub struct Stage<'a> {
    /// Where Newton starts: the position at the start of the step [m]
    pub start: &'a [f64],
    /// x̂ [m]
    pub predictor: &'a [f64],
    /// s [s]
    pub length: f64,
    /// The stage's velocity is (x − origin)/velocity_length: what dissipation acts on
    pub velocity_origin: &'a [f64],
    pub velocity_length: f64,
    /// Time of the stage [s]: where prescribed motion is then
    pub t: f64,
    /// Whether dissipation acts in this stage
    pub dissipative: bool,
}

/// How a stage was solved. An unconverged one is reported, never hidden.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveReport {
    pub newton_iterations: usize,
    pub linear_iterations: usize,
    /// How often the line search halved a step
    pub halvings: usize,
    pub converged: bool,
    /// Potential energy by term at the solution [J]
    pub energies: Energies,
}

impl SolveReport {
    /// Of a step that had nothing to solve.
    pub fn explicit(energies: Energies) -> Self {
        Self { newton_iterations: 0, linear_iterations: 0, halvings: 0, converged: true, energies }
    }

    /// The report of two solves one after the other, the second one's energies being the last.
    pub fn then(self, next: Self) -> Self {
        Self {
            newton_iterations: self.newton_iterations + next.newton_iterations,
            linear_iterations: self.linear_iterations + next.linear_iterations,
            halvings: self.halvings + next.halvings,
            converged: self.converged && next.converged,
            energies: next.energies,
        }
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolveError {
    #[error(
        "the {term} energy is infinite where the solve starts: the position is inadmissible (inverted or penetrating)"
    )]
    InadmissibleStart { term: &'static str },
    #[error("not a number appeared in {what}")]
    NotFinite { what: &'static str },
    #[error("the linear system is not positive definite at coordinate {coordinate}")]
    NotPositiveDefinite { coordinate: usize },
    #[error(
        "at t = {t:.6} s `{mover}` cannot move on: it cannot move through `{other}`, which has nowhere to go; give it another way, or `{other}` room"
    )]
    Blocked { mover: String, other: String, t: f64 },
    #[error(
        "at t = {t} s pinned nodes cannot move on: an element would invert; move them more slowly or take smaller steps"
    )]
    PinsBlocked { t: f64 },
    #[error(transparent)]
    Linear(#[from] LinearError),
}

/// Contact at the position evaluated last.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactState {
    pub active_pairs: usize,
    /// Of the active pairs [m]
    pub min_distance: Option<f64>,
}

/// Dissipative forces by cause [N], as gradients of the dissipation function: the force on the body is minus this.
#[derive(Debug, Clone, Default)]
pub struct DissipativeForces {
    pub friction: Vec<f64>,
    pub damping: Vec<f64>,
}

impl DissipativeForces {
    pub fn reset(&mut self, coordinate_count: usize) {
        for force in [&mut self.friction, &mut self.damping] {
            force.clear();
            force.resize(coordinate_count, 0.0);
        }
    }
}

/// What an integrator may ask of bodies and forces.
pub trait World {
    fn mass(&self) -> &Mass;
    /// Names of the potential energy terms, in the order of `Energies`.
    fn terms(&self) -> &[&'static str];
    /// Freezes dissipation at the start of a step.
    fn begin_step(&mut self, x0: &[f64]);
    fn has_dissipation(&self) -> bool;
    /// Puts the coordinates that move by themselves where they are at time t.
    fn prescribe(&self, t: f64, x: &mut [f64]);
    /// Whether what moves by itself may go from time t0 to t1 [s]: not through what is held.
    fn check_motion(&mut self, _t0: f64, _t1: f64) -> Result<(), SolveError> {
        Ok(())
    }
    /// P(x) by term [J], +∞ where inadmissible.
    fn energies(&mut self, x: &[f64]) -> Energies;
    /// g ← ∇P(x) [N], on pinned nodes too.
    fn gradient(&mut self, x: &[f64], g: &mut [f64]);
    /// forces ← forces + weight ∇R(v), R being the dissipation function frozen by `begin_step`.
    fn add_dissipation(&mut self, v: &[f64], weight: f64, forces: &mut DissipativeForces);
    /// Work that prescribed motion does on the rest while it goes from x0 to x1 [J].
    fn boundary_work(&mut self, x0: &[f64], x1: &[f64]) -> f64;
    /// out ← K d, K the stiffness ∇²P(x) as the solver projects it.
    fn stiffness_product(&mut self, x: &[f64], d: &[f64], out: &mut [f64]);
    /// The largest admissible part of the step dx, at most 1.
    fn largest_step(&mut self, x: &[f64], dx: &[f64]) -> f64;
    /// Contact at the position evaluated last, which after a step is its end.
    fn contact_state(&self) -> ContactState {
        ContactState::default()
    }
    /// Minimises the stage; x receives the solution.
    fn minimise(&mut self, stage: &Stage<'_>, x: &mut [f64]) -> Result<SolveReport, SolveError>;
}

/// Names the first infinite or undefined term.
pub fn inadmissible_term(energies: &Energies, terms: &[&'static str]) -> Option<&'static str> {
    energies.as_slice().iter().zip(terms).find(|(e, _)| !e.is_finite()).map(|(_, term)| *term)
}
