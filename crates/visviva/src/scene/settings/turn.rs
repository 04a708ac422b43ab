//! How pins and obstacles turn.

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
    /// Keyframes `[time [s], angle [rad]]`
    pub angle: Vec<(f64, f64)>,
}
