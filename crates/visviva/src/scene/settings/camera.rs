//! Where pictures are taken from.

use super::angle::{Angle, radians};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An eye, where it looks, and how wide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// `[m]`
    pub eye: [f64; 3],
    /// `[m]`
    pub target: [f64; 3],
    /// What is up in the picture
    #[serde(default = "default_up")]
    pub up: [f64; 3],
    /// Vertical opening angle `[rad]`; in a scene file also in degrees, such as `"35deg"`
    #[serde(default = "default_field_of_view", deserialize_with = "radians")]
    #[schemars(with = "Angle")]
    pub field_of_view: f64,
}

fn default_up() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

fn default_field_of_view() -> f64 {
    0.6
}

impl Camera {
    /// From the eye towards the target `[m]`, z being up.
    pub fn new(eye: [f64; 3], target: [f64; 3]) -> Self {
        Self { eye, target, up: default_up(), field_of_view: default_field_of_view() }
    }
}
