//! How pins and obstacles turn.

use super::angle::{Angle, keyframes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A turn about an axis through a centre, keyframed in time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// About which it turns, of any length
    pub axis: [f64; 3],
    /// `[m]`
    pub centre: [f64; 3],
    /// Keyframes `[time [s], angle [rad]]`; in a scene file angles also in degrees, such as `"90deg"`
    #[serde(deserialize_with = "keyframes")]
    #[schemars(with = "Vec<(f64, Angle)>")]
    pub angle: Vec<(f64, f64)>,
}
