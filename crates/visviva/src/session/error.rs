//! Why a session cannot begin, go on or be changed.

use super::{BranchError, ObserverError};
use crate::energy::target::TargetError;
use crate::integrate::StepError;
use crate::model::path::PathError;
use crate::run::OutputError;
use crate::scene::BuildError;
use crate::simulation::StartError;
use crate::solve::linear::LinearError;
use crate::solve::{SolveError, SolverError};

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Solver(#[from] SolverError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Step(#[from] StepError),
    #[error(
        "`{body}` has not moved in the {steps} steps before t = {t:.4} s although it should, for no step is safe: {gap}too near for \
         numbers to resolve. Take a shorter step (run.h), a longer contact.reach, or another integrator (run.integrator); \
         bodies that are thrown hard at each other may need a larger contact.stiffness"
    )]
    Frozen { body: String, steps: u32, t: f64, gap: String },
    #[error("gravity = {0:?} is not finite")]
    Gravity([f64; 3]),
    #[error("forces: {found} numbers, where {wanted} are needed, three a node")]
    PushCount { found: usize, wanted: usize },
    #[error("forces: node {node} is pushed by {force} N, which is no finite number")]
    PushNotFinite { node: usize, force: f64 },
    #[error("pin {pin}: the scene has {count} of them, counted from 0")]
    NoSuchPin { pin: usize, count: usize },
    #[error("pin {pin}: shift, centre and angle of its motion must be finite")]
    PinNotFinite { pin: usize },
    #[error("pin {pin}: {problem}")]
    PinMotion { pin: usize, problem: PathError },
    #[error("vertex {vertex} cannot be grabbed: {why}")]
    Grab { vertex: u32, why: String },
    #[error("the energy wanted: {0}")]
    Target(#[from] TargetError),
    #[error(
        "the checkpoint is of a model with the hash {saved:016x}, and the scene gives one with {built:016x}: its files, its \
         settings or the program are others. Put them back as they were, or run the scene anew"
    )]
    OtherModel { saved: u64, built: u64 },
    #[error(
        "the checkpoint was made after {made} changes which are not the first ones of run.toml: put its [[change]] entries \
         back as they were, or run the scene anew"
    )]
    OtherChanges { made: usize },
    #[error(
        "run.toml now says another run.h, run.adaptive or run.frame_rate: a run keeps those to its end. Put them back, or run the scene anew"
    )]
    OtherSteps,
    #[error(transparent)]
    Branch(#[from] BranchError),
    #[error(
        "a duration of {duration} s is too short: the run has come to t = {needed} s, or is to change there. Give a longer one"
    )]
    TooShort { duration: f64, needed: f64 },
    #[error("what the solver remembers cannot be restored: {0}")]
    Memory(#[from] LinearError),
    #[error(
        "a run is recorded from its start on, and this session has done {steps} steps: record before the first one"
    )]
    UnderWay { steps: u64 },
    #[error("the scene cannot be written down: {0}")]
    Unwritable(#[from] toml::ser::Error),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("{0}")]
    Observer(ObserverError),
}

impl SessionError {
    /// Whether what is asked for must be another, not the place or the time.
    pub fn is_about_the_scene(&self) -> bool {
        matches!(self, Self::Build(_) | Self::Branch(_) | Self::TooShort { .. })
    }

    /// With what may help. A way that is blocked says itself what to do; other steps that fail have to do with their length.
    pub fn with_advice(&self) -> String {
        match self {
            Self::Step(StepError::Solve(SolveError::Blocked { .. })) => self.to_string(),
            Self::Step(_) => format!("{self}. Take a shorter step (run.h) or another integrator (run.integrator)"),
            _ => self.to_string(),
        }
    }
}
