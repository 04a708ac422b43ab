//! Which nodes of a body a pin means.

use super::JointAxis;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where nodes are, compared with the start position, or which they are.
#[derive(Debug, Clone, PartialEq)]
pub enum Region {
    /// Inside a box
    Box(BoxRegion),
    /// On a plane
    Plane(Plane),
    /// On the side of a plane that its normal points to
    Halfspace(Plane),
    /// Inside a sphere
    Sphere(Sphere),
    /// On a segment
    Edge(Edge),
    /// On the rim of a shell
    Rim,
    /// By their numbers in the body
    Nodes(Vec<usize>),
    /// One point of an affine body, about which it turns
    Point([f64; 3]),
    /// An axis of an affine body, about which it turns
    Axis(JointAxis),
}

/// A box along the axes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxRegion {
    /// `[m]`
    pub min: [f64; 3],
    /// `[m]`
    pub max: [f64; 3],
}

/// A plane through a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// `[m]`
    pub point: [f64; 3],
    /// At right angles to the plane, of any length
    pub normal: [f64; 3],
}

/// A ball of space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// `[m]`
    pub centre: [f64; 3],
    /// `[m]`
    pub radius: f64,
}

/// A segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// `[m]`
    pub from: [f64; 3],
    /// `[m]`
    pub to: [f64; 3],
}
