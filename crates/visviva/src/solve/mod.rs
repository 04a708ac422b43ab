//! Solvers: the one implicit stage that every implicit integrator asks for, and Newton's method behind it.

pub mod banded;
mod bodies_stage;
pub mod bodies_world;
mod borrowed_world;
pub mod contact;
mod contact_stencil;
mod curved_steps;
mod directions;
pub mod elastic;
pub mod equilibrium;
mod gap_model;
mod held_surfaces;
pub mod linear;
mod mean_motion;
mod moving_pins;
pub mod newton;
mod rayleigh;
mod rigid_start;
mod settled;
pub mod stage;

pub use banded::BandedWorld;
pub use bodies_world::{BodiesWorld, PhaseTimes, SolverSettings, WorldError, WorldMemory};
pub use contact::ContactForce;
pub use newton::{Newton, NewtonSettings};
pub use stage::{ContactState, DissipativeForces, SolveError, SolveReport, Stage, World};
