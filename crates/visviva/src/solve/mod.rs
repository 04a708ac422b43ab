//! Solvers: the one implicit stage that every implicit integrator asks for, and Newton's method behind it.

pub mod banded;
pub mod bodies_world;
pub mod elastic;
pub mod linear;
pub mod newton;
mod rayleigh;
pub mod stage;

pub use banded::BandedWorld;
pub use bodies_world::{BodiesWorld, PhaseTimes, SolverSettings};
pub use newton::{Newton, NewtonSettings};
pub use stage::{DissipativeForces, SolveError, SolveReport, Stage, World};
