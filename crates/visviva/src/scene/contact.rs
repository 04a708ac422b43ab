//! Contact in a scene: the barrier, friction μ_ab = √(μ_a μ_b) unless a pair says otherwise, and obstacles.

use super::{BoxSize, Rotate, Scale, Turn};
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
    /// The gap below which surfaces repel [m]
    pub reach: f64,
    /// Stiffness of the barrier [N/m]
    pub stiffness: f64,
    /// Coefficient of whatever has none of its own
    pub friction: f64,
    /// Sliding speed below which friction fades [m/s]
    pub friction_speed: f64,
    /// Whether a body may touch itself
    pub self_contact: bool,
}

impl Default for Contact {
    fn default() -> Self {
        let ContactSettings { reach, stiffness, friction_speed, self_contact, .. } = ContactSettings::default();
        Self { enabled: None, reach, stiffness, friction: 0.0, friction_speed, self_contact }
    }
}

/// The coefficient of friction of two bodies or obstacles, in place of the geometric mean of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionPair {
    /// Two names; the same one twice for a body's friction with itself
    pub between: [String; 2],
    pub coefficient: f64,
}

/// A surface that stands still or moves along keyframes, whatever touches it. Exactly one shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<PlaneShape>,
    /// A box centred on the origin
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub cuboid: Option<BoxSize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stairs: Option<StairsShape>,
    /// A surface mesh: OBJ, whose `l` elements are wires, or triangles of a Gmsh, VTK or VTU file; relative to the scene file
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Factor on the shape's coordinates: one number or three
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// Turn about an axis through the origin, after scaling
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotate>,
    /// Shift at last [m]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate: Option<[f64; 3]>,
    /// Coefficient of friction; `contact.friction` where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Thickness that contact gives the surface [m]: it stands out by half of it on both sides
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_thickness: Option<f64>,
    /// Keyframes [time [s], x, y, z [m]] of a shift
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shift: Vec<[f64; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
}

/// A flat floor or wall: one triangle about a square of this size, so that there is no inner edge to trip over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneShape {
    /// [m]
    #[serde(default)]
    pub point: [f64; 3],
    #[serde(default = "up")]
    pub normal: [f64; 3],
    /// Side of the square about the point [m]
    #[serde(default = "plane_size")]
    pub size: f64,
}

fn up() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

fn plane_size() -> f64 {
    10.0
}

/// Stairs that lead down along x from the origin, the first tread at z = 0, centred on y = 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StairsShape {
    pub steps: usize,
    /// Along y [m]
    pub width: f64,
    /// Of a tread [m]
    pub depth: f64,
    /// Of a riser [m]
    pub height: f64,
}
