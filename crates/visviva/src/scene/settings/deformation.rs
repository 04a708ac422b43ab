//! How a body is deformed at the start.

use super::Axis;
use crate::scene::text::DeformationTable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A deformation of the start position along an axis, growing from zero at `from` to its full value at `to`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "DeformationTable")]
#[schemars(into = "DeformationTable")]
pub struct Deformation {
    pub kind: DeformationKind,
    /// Along which it grows
    pub axis: Axis,
    /// Coordinate along the axis `[m]`
    pub from: f64,
    /// `[m]`
    pub to: f64,
    /// Full angle of `twist` and `bend` `[rad]`, or the factor of `stretch`
    pub amount: f64,
    /// `bend`: the axis towards which it bends
    #[serde(skip_serializing_if = "Option::is_none")]
    pub towards: Option<Axis>,
}

/// What is done along the axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeformationKind {
    Twist,
    Bend,
    Stretch,
}

impl Deformation {
    /// Turns cross sections about the axis, by `angle` `[rad]` at the end of the range `[m]`.
    pub fn twist(axis: Axis, range: Range<f64>, angle: f64) -> Self {
        Self::new(DeformationKind::Twist, axis, range, angle)
    }

    /// Bends the axis towards another, by `angle` `[rad]` over the range `[m]`.
    pub fn bend(axis: Axis, towards: Axis, range: Range<f64>, angle: f64) -> Self {
        Self { towards: Some(towards), ..Self::new(DeformationKind::Bend, axis, range, angle) }
    }

    /// Makes the range `[m]` longer by a factor.
    pub fn stretch(axis: Axis, range: Range<f64>, factor: f64) -> Self {
        Self::new(DeformationKind::Stretch, axis, range, factor)
    }

    fn new(kind: DeformationKind, axis: Axis, range: Range<f64>, amount: f64) -> Self {
        Self { kind, axis, from: range.start, to: range.end, amount, towards: None }
    }
}
