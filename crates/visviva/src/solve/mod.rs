//! Solvers: the one implicit stage that every implicit integrator asks for, and who minimises it.
//!
//! Folders use only those above them in this list; `tests/arrows.rs` holds the order.

#[doc(hidden)] // Internals, open to the tests and benchmarks of this project.
pub use visviva_linear as linear;

pub mod contact;

pub mod elastic;

mod joints;

mod times;

mod evaluation;

mod dissipation;

mod grip;

mod hindrance;

mod island;

mod stage;

mod backend;

mod assembly;

mod settings;

mod newton;

mod rigid_change;

mod contact_losses;

mod driven_pins;

mod banded;

mod bodies;

mod equilibrium;

mod coming_to_rest;

mod parts;

mod islands;

mod bounces;

mod calming;

mod set_down;

pub use backend::{Backend, inadmissible_term};
pub use banded::BandedSolver;
pub use bodies::{BodiesSolver, SolverError, SolverMemory};
pub use coming_to_rest::{AtRest, Settling, come_to_rest};
pub use contact::{ContactForce, ContactState};
pub use dissipation::{Bounce, Corrected, DissipativeForces, LastingContact, Motion, StrainChange, Way};
pub use driven_pins::{PinMotion, PinTurn};
pub use equilibrium::{Equilibrium, EquilibriumError, equilibrium};
pub use evaluation::Evaluation;
pub use grip::Grip;
pub use hindrance::{Blocker, GivenUp, ShortStep, Stuck, Unmet};
pub use island::Island;
pub use set_down::SetDownError;
pub use settings::{NewtonSettings, SolverSettings};
pub use stage::{Frozen, SolveError, SolveReport, Stage, Taken};
pub use times::PhaseTimes;
