//! A body repeated in a grid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Copies of a body in a grid, the first in the body's own place. Each is a body of its own, named `name.0-0-0` and so on.
///
/// ```
/// use visviva::scene::{Array, Body, Scene};
///
/// let blocks = Body::cuboid([0.02; 3], [1; 3]).named("blocks").array(Array::new([2, 1, 3], 0.03));
/// let built = Scene::new("Six blocks").body(blocks).build()?;
/// assert_eq!(built.model.bodies[5].name, "blocks.1-0-2");
/// # Ok::<(), visviva::scene::BuildError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// Copies along x, y and z
    pub counts: [usize; 3],
    /// From each copy to the next `[m]`: one number or three
    pub spacing: Spacing,
    /// Each copy is shifted at random by up to this along each axis `[m]`
    #[serde(default, skip_serializing_if = "is_zero")]
    pub jitter: f64,
    /// `random`: each copy is turned at random about its middle
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<CopyTurn>,
    /// Another one gives other random shifts and turns
    #[serde(default, skip_serializing_if = "is_first_seed")]
    pub seed: u32,
}

/// How copies are turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CopyTurn {
    /// All directions are equally likely
    Random,
}

/// From each copy to the next `[m]`: the same along all axes, or one for each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected one number or three")]
pub enum Spacing {
    Even(f64),
    ByAxis([f64; 3]),
}

fn is_zero(jitter: &f64) -> bool {
    *jitter == 0.0
}

fn is_first_seed(seed: &u32) -> bool {
    *seed == 0
}

impl Array {
    /// So many copies along x, y and z, this far from each other `[m]`.
    pub fn new(counts: [usize; 3], spacing: impl Into<Spacing>) -> Self {
        Self { counts, spacing: spacing.into(), jitter: 0.0, turn: None, seed: 0 }
    }

    /// Each copy is shifted at random by up to this along each axis `[m]`.
    pub fn jitter(mut self, jitter: f64) -> Self {
        self.jitter = jitter;
        self
    }

    /// Each copy is turned at random about its middle.
    pub fn random_turns(mut self) -> Self {
        self.turn = Some(CopyTurn::Random);
        self
    }

    /// Another seed gives other random shifts and turns.
    pub fn seed(mut self, seed: u32) -> Self {
        self.seed = seed;
        self
    }
}

impl Spacing {
    /// Along x, y and z `[m]`
    pub fn along(self) -> [f64; 3] {
        match self {
            Spacing::Even(spacing) => [spacing; 3],
            Spacing::ByAxis(spacings) => spacings,
        }
    }
}

impl From<f64> for Spacing {
    fn from(spacing: f64) -> Self {
        Self::Even(spacing)
    }
}

impl From<[f64; 3]> for Spacing {
    fn from(spacings: [f64; 3]) -> Self {
        Self::ByAxis(spacings)
    }
}
