//! A ball as a scene file writes it: the keys of both lattices side by side, of which it gives one's.

use crate::scene::settings::{BallLattice, BallShape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A ball about the origin: of `shells`, or of `cells` and `layers`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "BallShape")]
pub struct BallTable {
    /// `[m]`
    radius: f64,
    /// Layers of elements from centre to surface
    #[serde(skip_serializing_if = "Option::is_none")]
    shells: Option<usize>,
    /// In place of `shells`: cells along x, y and z of a box in the ball's midst, five tets each
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<[usize; 3]>,
    /// Of cells around that box
    #[serde(skip_serializing_if = "Option::is_none")]
    layers: Option<usize>,
}

impl TryFrom<BallTable> for BallShape {
    type Error = String;

    fn try_from(BallTable { radius, shells, cells, layers }: BallTable) -> Result<Self, String> {
        let lattice = match (shells, cells, layers) {
            (Some(shells), None, None) => BallLattice::Shells(shells),
            (None, Some(cells), Some(layers)) => BallLattice::Wrapped { cells, layers },
            _ => {
                return Err("a ball has either `shells` or `cells` and `layers`: \
                            { radius = 0.05, shells = 4 } or { radius = 0.05, cells = [6, 6, 4], layers = 2 }"
                    .to_owned());
            }
        };
        Ok(Self { radius, lattice })
    }
}

impl From<BallShape> for BallTable {
    fn from(BallShape { radius, lattice }: BallShape) -> Self {
        let (shells, cells, layers) = match lattice {
            BallLattice::Shells(shells) => (Some(shells), None, None),
            BallLattice::Wrapped { cells, layers } => (None, Some(cells), Some(layers)),
        };
        Self { radius, shells, cells, layers }
    }
}
