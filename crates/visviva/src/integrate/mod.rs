//! Integrators: each is a few lines around the one implicit stage.

pub mod bdf2;
pub mod blending;
pub mod coupled_stages;
pub mod decoupled;
mod island_search;
pub mod newmark;
pub mod registry;
pub mod runge_kutta;
mod spin;
pub mod step;
pub mod symplectic;
pub mod tableau;
mod turning;

pub use registry::{IntegratorSpec, METHODS, SpecError};
pub use step::{BodyEnd, Integrator, LinearForm, Memory, Step, StepEnd, StepError, StepReport};
pub use tableau::Tableau;
