//! How surfaces touch: the barrier, and friction μ_ab = √(μ_a μ_b) unless a pair says otherwise.

use crate::model::ContactSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How surfaces touch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Contact {
    /// By default on where there is an obstacle, a second body, or self-contact
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// The gap below which surfaces repel `[m]`
    pub reach: f64,
    /// Stiffness of the barrier `[N/m]`
    pub stiffness: f64,
    /// Coefficient of whatever has none of its own
    pub friction: f64,
    /// Sliding speed below which friction fades `[m/s]`
    pub friction_speed: f64,
    /// Whether bodies may touch themselves; by default shells and solids of several parts do, where their triangles are higher than twice `reach`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_contact: Option<bool>,
}

impl Default for Contact {
    fn default() -> Self {
        let ContactSettings { reach, stiffness, friction_speed, .. } = ContactSettings::default();
        Self { enabled: None, reach, stiffness, friction: 0.0, friction_speed, self_contact: None }
    }
}

/// The coefficient of friction of two bodies or obstacles, in place of the geometric mean of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionPair {
    /// Two names; the same one twice for a body's friction with itself
    pub between: [String; 2],
    /// Theirs
    pub coefficient: f64,
}
