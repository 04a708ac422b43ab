//! Solvers: the one implicit stage that every implicit integrator asks for, and Newton's method behind it.

pub mod banded;
pub mod linear;
pub mod newton;
pub mod stage;

pub use banded::BandedWorld;
pub use newton::{Newton, NewtonSettings};
pub use stage::{DissipativeForces, SolveError, SolveReport, Stage, World};
