//! The energy a user asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The energy wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Energy {
    pub target: TargetKind,
    /// E-folding time of `decay` [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tau: Option<f64>,
    /// What `decay` and `schedule` decay towards: joules, or "equilibrium" for the energy of the bodies at rest
    pub ground: Ground,
    /// `schedule`: [time [s], τ [s]] pairs, each holding from its time on
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<(f64, f64)>,
    /// `curve`: [time [s], fraction of the start energy]; `curve-joules`: [time [s], energy [J]]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<(f64, f64)>,
    /// The target starts at this times the start energy
    pub start_scale: f64,
}

impl Default for Energy {
    fn default() -> Self {
        Self {
            target: TargetKind::Conserve,
            tau: None,
            ground: Ground::Joules(0.0),
            schedule: Vec::new(),
            curve: Vec::new(),
            start_scale: 1.0,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    #[default]
    Conserve,
    Decay,
    Schedule,
    Curve,
    CurveJoules,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Ground {
    Joules(f64),
    Named(NamedGround),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NamedGround {
    Equilibrium,
}
