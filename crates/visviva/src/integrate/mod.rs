//! Integrators: each is a few lines around the one implicit stage.

pub mod bdf2;
pub mod blending;
pub mod coupled_stages;
pub mod decoupled;
pub mod newmark;
pub mod registry;
pub mod runge_kutta;
pub mod step;
pub mod symplectic;
pub mod tableau;

pub use registry::{IntegratorSpec, METHODS, SpecError};
pub use step::{Integrator, LinearForm, Memory, Step, StepEnd, StepError, StepReport};
pub use tableau::Tableau;
