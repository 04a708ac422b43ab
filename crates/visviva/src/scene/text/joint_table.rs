//! A joint as a scene file writes it: the keys of all kinds side by side, of which it gives one.

use super::the_only;
use crate::scene::settings::{Joint, JointAxis, JointMotion, JointPoint, Motor};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A joint of an affine body with another one, with an obstacle, or with the world. Exactly one kind.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Joint")]
pub struct JointTable {
    /// The body that moves, and the body or obstacle it is fastened to; the world where that is not given
    #[schemars(length(min = 1, max = 2))]
    bodies: Vec<String>,
    /// It turns about a point
    #[serde(skip_serializing_if = "Option::is_none")]
    ball: Option<JointPoint>,
    /// It turns about an axis
    #[serde(skip_serializing_if = "Option::is_none")]
    hinge: Option<JointAxis>,
    /// It slides along an axis and does not turn
    #[serde(skip_serializing_if = "Option::is_none")]
    slider: Option<JointAxis>,
    /// It does not move
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fixed: bool,
    /// What drives a hinge or a slider
    #[serde(skip_serializing_if = "Option::is_none")]
    motor: Option<Motor>,
    /// Whether the two may touch each other
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    contact: bool,
}

pub(super) const KEYS: [&str; 4] = ["ball", "hinge", "slider", "fixed"];

impl TryFrom<JointTable> for Joint {
    type Error = String;

    fn try_from(table: JointTable) -> Result<Self, String> {
        let named = table.bodies.join("` and `");
        let kinds = [
            table.ball.map(JointMotion::Ball),
            table.hinge.map(JointMotion::Hinge),
            table.slider.map(JointMotion::Slider),
            table.fixed.then_some(JointMotion::Fixed),
        ];
        let motion = the_only(kinds.into_iter().flatten().collect(), "kinds of joint", &KEYS)
            .map_err(|e| format!("joint of `{named}`: {e}"))?;
        let mut names = table.bodies.into_iter();
        let (Some(body), other, None) = (names.next(), names.next(), names.next()) else {
            return Err(format!("joint of `{named}`: bodies names one body, or two"));
        };
        Ok(Self { body, other, motion, motor: table.motor, contact: table.contact })
    }
}

impl From<Joint> for JointTable {
    fn from(joint: Joint) -> Self {
        let Joint { body, other, motion, motor, contact } = joint;
        let bodies = [body].into_iter().chain(other).collect();
        let mut table = Self { bodies, motor, contact, ..Self::default() };
        match motion {
            JointMotion::Ball(point) => table.ball = Some(point),
            JointMotion::Hinge(axis) => table.hinge = Some(axis),
            JointMotion::Slider(axis) => table.slider = Some(axis),
            JointMotion::Fixed => table.fixed = true,
        }
        table
    }
}
