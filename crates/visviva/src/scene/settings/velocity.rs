//! How a body moves at the start.

use super::Axis;
use super::angle::{angular_velocity, angular_velocity_schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// v = linear + angular × (x − about) + ramp + drum
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StartVelocity {
    /// `[m/s]`
    pub linear: [f64; 3],
    /// `[rad/s]`; in a scene file also in degrees, such as `"90deg/s"`
    #[serde(deserialize_with = "angular_velocity")]
    #[schemars(schema_with = "angular_velocity_schema")]
    pub angular: [f64; 3],
    /// A point of the axis of rotation `[m]`
    pub about: [f64; 3],
    /// A velocity that grows along an axis
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ramp: Option<Ramp>,
    /// A mode of a drum in the plane z = 0
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drum: Option<DrumMode>,
}

/// v_z = speed · J_m(j_mn r/R) cos mφ, scaled so that its greatest value is `speed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrumMode {
    /// R `[m]`
    pub radius: f64,
    /// m
    pub nodal_diameters: u32,
    /// n, the rim included
    pub nodal_circles: u32,
    /// `[m/s]`
    pub speed: f64,
}

/// A velocity that grows linearly along an axis, from zero at `from` to its full value at `to` and beyond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// Along which it grows
    pub axis: Axis,
    /// Coordinate along the axis `[m]`
    pub from: f64,
    /// `[m]`
    pub to: f64,
    /// `[m/s]`
    pub velocity: [f64; 3],
}
