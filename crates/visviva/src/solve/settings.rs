//! How bodies in space are solved for.

use super::linear::Choice;
use super::newton::NewtonSettings;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SolverSettings {
    pub newton: NewtonSettings,
    pub linear: Choice,
    /// Relative residual at which conjugate gradients stop
    pub linear_tolerance: f64,
}
