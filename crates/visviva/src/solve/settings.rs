//! When Newton stops, and who solves its linear systems.

use super::linear::Choice;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SolverSettings {
    pub newton: NewtonSettings,
    pub linear: Choice,
    /// Relative residual at which conjugate gradients stop
    pub linear_tolerance: f64,
}

/// When Newton stops.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewtonSettings {
    /// Longest displacement of a node in one Newton step `[m]`
    pub displacement: f64,
    /// Largest part of a contact's force that a step may leave wrong; a displacement test alone can stop at a gap that is still closing
    pub gap: f64,
    /// Largest relative change of a stretch
    pub stretch: f64,
    pub max_iterations: usize,
}

impl NewtonSettings {
    /// The tolerance of the small worlds, where nothing may hide behind the solver.
    pub const TIGHT: Self = Self { displacement: 1e-10, gap: 1e-4, stretch: 1e-3, max_iterations: 200 };
}
