//! Which nodes are held or moved.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Nodes of a body that are held, or moved along keyframes. Exactly one way to choose them. An affine body is held as a whole
/// where any of its vertices is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    pub body: String,
    /// Nodes inside a box of the start position
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub inside: Option<BoxRegion>,
    /// Nodes on a plane
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<Plane>,
    /// Nodes on the side of a plane that its normal points to
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halfspace: Option<Plane>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sphere: Option<Sphere>,
    /// Nodes on a segment
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
    /// Nodes on the rim of a shell
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rim: bool,
    /// Node indices of the body
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<usize>,
    /// How near a node must lie to a plane or an edge [m]; by default a millionth of the body's size
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Keyframes [time [s], x, y, z [m]] of a shift
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shift: Vec<[f64; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxRegion {
    /// [m]
    pub min: [f64; 3],
    /// [m]
    pub max: [f64; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// [m]
    pub point: [f64; 3],
    pub normal: [f64; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// [m]
    pub centre: [f64; 3],
    /// [m]
    pub radius: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// [m]
    pub from: [f64; 3],
    /// [m]
    pub to: [f64; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    pub axis: [f64; 3],
    /// [m]
    pub centre: [f64; 3],
    /// Keyframes [time [s], angle [rad]]
    pub angle: Vec<(f64, f64)>,
}
