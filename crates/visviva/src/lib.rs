//! visviva: elastic bodies that keep their bounce.
//!
//! Elastodynamics whose energy the user directs. Positions come from implicit Euler, so that every guarantee of barrier
//! contact holds; velocities are corrected by α times a force difference, with α solved so that the energy meets its target.

pub mod solve;
