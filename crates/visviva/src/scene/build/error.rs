//! Why a scene cannot be built.

use crate::energy::target::TargetError;
use crate::integrate::SpecError;
use crate::laws::solid::SolidError;
use crate::mesh::{FirstFew, MeshError};
use crate::model::bodies::ModelError;
use crate::scene::check::StartContact;
use crate::solve::{EquilibriumError, SolverError};

/// What is wrong with a scene, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("{0}")]
    Value(String),
    #[error("body `{body}`: {problem}")]
    Body { body: String, problem: String },
    #[error("body `{body}`: {problem}{hint}")]
    Mesh { body: String, problem: Box<MeshError>, hint: String },
    #[error("body `{body}`: material: {problem}")]
    Material { body: String, problem: SolidError },
    #[error("pin {pin} of body `{body}`: {problem}")]
    Pin { pin: usize, body: String, problem: String },
    #[error("joint {joint} of {bodies}: {problem}")]
    Joint { joint: usize, bodies: String, problem: String },
    #[error("obstacle `{obstacle}`: {problem}")]
    Obstacle { obstacle: String, problem: String },
    #[error("{0}")]
    Contact(String),
    #[error("{0}")]
    StartContact(Box<StartContact>),
    #[error(
        "body `{body}`: {} of {total} tets are inverted at the start: {which}; deform it less, or take a law that allows it",
        which.count
    )]
    Inverted { body: String, which: FirstFew, total: usize },
    #[error("run.integrator: {0}")]
    Integrator(#[from] SpecError),
    #[error("energy: {0}")]
    Energy(#[from] TargetError),
    #[error("energy.ground = \"equilibrium\" (give joules instead): {0}")]
    Ground(#[from] EquilibriumError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Solver(#[from] SolverError),
}
