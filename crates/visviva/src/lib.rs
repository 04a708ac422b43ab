//! visviva: elastic bodies that keep their bounce.
//!
//! Elastodynamics whose energy the user directs. Positions come from implicit Euler, so that every guarantee of barrier
//! contact holds; velocities are corrected by α times a force difference, with α solved so that the energy meets its target.
//!
//! Modules use only those above them in this list.

pub mod math;

pub mod mesh;

pub mod laws;

pub mod model;

pub mod contact;

pub mod solve;

pub mod energy;

pub mod integrate;

pub mod simulation;

pub mod scene;

pub mod run;

pub mod session;

pub mod study;

pub use session::Session;
