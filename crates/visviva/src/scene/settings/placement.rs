//! How a shape is put into its place.

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

/// A turn about an axis through the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotate {
    /// About which it turns, of any length
    pub axis: [f64; 3],
    /// `[rad]`
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
