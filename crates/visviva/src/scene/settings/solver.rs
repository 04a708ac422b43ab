//! How a user has equations solved.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How equations are solved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Solver {
    /// Newton stops when its longest node displacement falls below this times h `[m/s]`
    pub tolerance: f64,
    /// … and leaves of no contact's force more wrong than this part of the largest on its body
    pub gap_tolerance: f64,
    /// Newton iterations a solve
    pub max_iterations: usize,
    /// How linear systems are solved: whichever costs less, by factorisation, or by conjugate gradients
    pub linear: LinearKind,
    /// Relative residual of conjugate gradients
    pub linear_tolerance: f64,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            tolerance: 0.01,
            gap_tolerance: 1e-3,
            max_iterations: 100,
            linear: LinearKind::Auto,
            linear_tolerance: 1e-3,
        }
    }
}

/// How linear systems are solved: by size, by factorisation, or by conjugate gradients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LinearKind {
    #[default]
    Auto,
    Direct,
    Iterative,
}
