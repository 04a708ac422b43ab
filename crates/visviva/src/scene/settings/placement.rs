//! How a shape is put into its place.

use super::angle::{Angle, radians};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A factor on coordinates: one for all axes, or one for each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected one number or three")]
pub enum Scale {
    Uniform(f64),
    ByAxis([f64; 3]),
}

impl Scale {
    /// Along x, y and z.
    pub fn factors(self) -> [f64; 3] {
        match self {
            Scale::Uniform(factor) => [factor; 3],
            Scale::ByAxis(factors) => factors,
        }
    }
}

impl From<f64> for Scale {
    fn from(factor: f64) -> Self {
        Self::Uniform(factor)
    }
}

impl From<[f64; 3]> for Scale {
    fn from(factors: [f64; 3]) -> Self {
        Self::ByAxis(factors)
    }
}

/// Which way of a shape points up, along the scene's z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Up {
    #[serde(rename = "x")]
    X,
    #[serde(rename = "y")]
    Y,
    #[serde(rename = "z")]
    Z,
    #[serde(rename = "-x")]
    MinusX,
    #[serde(rename = "-y")]
    MinusY,
    #[serde(rename = "-z")]
    MinusZ,
}

impl Up {
    /// A point as it is when that way points up, turned by quarters, exactly.
    pub fn turned(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        match self {
            Up::X => [-z, y, x],
            Up::Y => [x, -z, y],
            Up::Z => [x, y, z],
            Up::MinusX => [z, y, -x],
            Up::MinusY => [x, z, -y],
            Up::MinusZ => [x, -y, -z],
        }
    }
}

/// A turn about an axis through the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotate {
    /// About which it turns, of any length
    pub axis: [f64; 3],
    /// `[rad]`; in a scene file also in degrees, such as `"90deg"`
    #[serde(deserialize_with = "radians")]
    #[schemars(with = "Angle")]
    pub angle: f64,
}

/// One of the three axes of coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    /// 0, 1 or 2
    pub fn index(self) -> usize {
        self as usize
    }
}
