//! What every implicit integrator asks for: minimise ½‖x − x̂‖²_m + s² (P(x) + P_n(x)), and what is frozen for the step.

use super::dissipation::{DissipativeForces, StrainChange};
use super::evaluation::Evaluation;
use super::hindrance::{ShortStep, Stuck};
use super::linear::LinearError;
use crate::model::Energies;
use std::any::Any;

/// One implicit stage. Its minimiser satisfies x = x̂ − s² m⁻¹ (∇P(x) + ∇P_n(x)).
#[derive(Debug, Clone, Copy)]
pub struct Stage<'a> {
    /// Where Newton starts: the start of the step
    pub start: &'a Evaluation,
    /// x̂ `[m]`
    pub predictor: &'a [f64],
    /// s `[s]`
    pub length: f64,
    /// The stage's velocity is (x − origin)/velocity_length: what dissipation acts on
    pub velocity_origin: &'a [f64],
    pub velocity_length: f64,
    /// Strains where the velocity comes from; none where nothing is viscous
    pub strain_origin: &'a [f64],
    /// Time of the stage `[s]`: where prescribed motion is then
    pub t: f64,
    /// Dissipation as it is frozen for the step; none where it does not act in this stage
    pub frozen: Option<&'a Frozen>,
}

impl Stage<'_> {
    /// How strains change on the way to a position of the stage.
    pub fn strain_change(&self) -> StrainChange<'_> {
        StrainChange::Since { strains: self.strain_origin, length: self.velocity_length }
    }
}

/// Dissipation R(v) as it is frozen for one step: what a backend makes for itself and alone can read, held by who steps.
#[derive(Debug, Default)]
pub struct Frozen {
    content: Option<Box<dyn Any + Send>>,
}

impl Frozen {
    /// To be filled anew; keeps its buffers from step to step.
    pub fn content_mut<T: Any + Send + Default>(&mut self) -> &mut T {
        if !self.content.as_ref().is_some_and(|content| content.is::<T>()) {
            self.content = Some(Box::new(T::default()));
        }
        self.content.as_mut().and_then(|content| content.downcast_mut()).expect("it was made with this type")
    }

    /// None where nothing was frozen, or by another backend.
    pub fn content<T: Any>(&self) -> Option<&T> {
        self.content.as_ref().and_then(|content| content.downcast_ref())
    }
}

/// A step that was taken: its two ends, and the dissipation it was taken with.
#[derive(Debug, Clone, Copy)]
pub struct Taken<'a> {
    pub from: &'a Evaluation,
    pub to: &'a Evaluation,
    pub frozen: &'a Frozen,
    /// Its length `[s]`
    pub h: f64,
    /// The mean of the step
    pub forces: &'a DissipativeForces,
}

/// How a stage was solved. An unconverged one is reported, never hidden.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveReport {
    pub newton_iterations: usize,
    pub linear_iterations: usize,
    /// How often the line search halved a step
    pub halvings: usize,
    pub converged: bool,
    /// None where every step was taken whole
    pub shortest_step: Option<ShortStep>,
    /// Of an unconverged one
    pub stuck: Option<Stuck>,
    /// Potential energy by term at the solution `[J]`
    pub energies: Energies,
}

impl SolveReport {
    /// Of a step that had nothing to solve.
    pub fn explicit(energies: Energies) -> Self {
        Self {
            newton_iterations: 0,
            linear_iterations: 0,
            halvings: 0,
            converged: true,
            shortest_step: None,
            stuck: None,
            energies,
        }
    }

    /// The report of two solves one after the other, the second one's energies being the last.
    pub fn then(self, next: Self) -> Self {
        Self {
            newton_iterations: self.newton_iterations + next.newton_iterations,
            linear_iterations: self.linear_iterations + next.linear_iterations,
            halvings: self.halvings + next.halvings,
            converged: self.converged && next.converged,
            shortest_step: ShortStep::shorter(self.shortest_step, next.shortest_step),
            stuck: next.stuck.or(self.stuck),
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
