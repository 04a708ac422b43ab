//! How surfaces touch: the barrier, friction and restitution, √(c_a c_b) of two surfaces unless a pair says otherwise.

use crate::model::{ContactSettings, ContactWeights};
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
    /// e of whatever has none of its own, from 0 to 1: a stiff body leaves a contact with about this part of its speed or more
    pub restitution: f64,
    /// Speed below which friction and the loss of contacts fade `[m/s]`
    pub friction_speed: f64,
    /// Whether bodies may touch themselves; by default shells and solids of several parts do, where their triangles are higher than twice `reach`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_contact: Option<bool>,
    /// `none`: each pair of primitives counts as one; `area`: by the surface it stands for, and `stiffness` is that of 1 cm²
    pub weights: ContactWeights,
}

impl Default for Contact {
    fn default() -> Self {
        let ContactSettings { reach, stiffness, friction_speed, weights, .. } = ContactSettings::default();
        let restitution = ContactSettings::RESTITUTION;
        let self_contact = None;
        Self { enabled: None, reach, stiffness, friction: 0.0, restitution, friction_speed, self_contact, weights }
    }
}

/// The coefficient of friction or restitution of two bodies or obstacles, in place of the geometric mean of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairCoefficient {
    /// Two names; the same one twice for a body with itself
    pub between: [String; 2],
    /// Theirs
    pub coefficient: f64,
}
