//! A deformation as a scene file writes it: its amount may be an angle in degrees.

use crate::scene::settings::{Angle, Axis, Deformation, DeformationKind};
use schemars::JsonSchema;
use serde::Deserialize;

/// A deformation of the start position along an axis, growing from zero at `from` to its full value at `to`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Deformation")]
pub struct DeformationTable {
    /// What is done
    kind: DeformationKind,
    /// Along which it grows
    axis: Axis,
    /// Coordinate along the axis `[m]`
    from: f64,
    /// `[m]`
    to: f64,
    /// Full angle of `twist` and `bend`, in `[rad]` or such as `"90deg"`, or the factor of `stretch`
    amount: Angle,
    /// `bend`: the axis towards which it bends
    towards: Option<Axis>,
}

impl TryFrom<DeformationTable> for Deformation {
    type Error = String;

    fn try_from(table: DeformationTable) -> Result<Self, String> {
        let DeformationTable { kind, axis, from, to, amount, towards } = table;
        if amount.in_degrees && kind == DeformationKind::Stretch {
            return Err("deform: the amount of a stretch is a factor, such as 1.2, and no angle".into());
        }
        Ok(Self { kind, axis, from, to, amount: amount.radians, towards })
    }
}
