//! How stiff bodies hang together.

use super::angle::{Angle, AngularSpeed, angular_speed, keyframes};
use crate::scene::text::JointTable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A joint of an affine body with another one, with an obstacle, or with the world. The two do not touch each other.
///
/// ```
/// use visviva::scene::{Joint, Motor};
///
/// let shoulder = Joint::of("arm").hinge([0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
/// let elbow = Joint::of("hand").hinge([0.5, 0.0, 1.0], [0.0, 1.0, 0.0]).with("arm").motor(Motor::speed(2.0).at_most(5.0));
/// # let _ = (shoulder, elbow);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "JointTable", into = "JointTable")]
pub struct Joint {
    /// The body that moves
    pub body: String,
    /// With respect to which body or obstacle; the world where there is none
    pub other: Option<String>,
    pub motion: JointMotion,
    pub motor: Option<Motor>,
    /// Whether the two may touch each other
    pub contact: bool,
}

/// What motion a joint leaves.
#[derive(Debug, Clone, PartialEq)]
pub enum JointMotion {
    /// It turns about a point
    Ball(JointPoint),
    /// It turns about an axis
    Hinge(JointAxis),
    /// It slides along an axis and does not turn
    Slider(JointAxis),
    /// None
    Fixed,
}

/// Where a ball joint is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointPoint {
    /// At the start `[m]`
    pub at: [f64; 3],
}

/// An axis through a point, that goes along with the second body.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointAxis {
    /// A point of the axis at the start `[m]`
    pub at: [f64; 3],
    /// Its direction, of any length
    pub axis: [f64; 3],
}

/// What drives a hinge or a slider: at a speed, or along keyframes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// Of a hinge `[rad/s]`, or such as `"90deg/s"`; of a slider `[m/s]`
    #[serde(default, deserialize_with = "angular_speed", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<AngularSpeed>")]
    pub speed: Option<f64>,
    /// Of a hinge: keyframes `[time [s], angle [rad]]`; in a scene file angles also in degrees, such as `"90deg"`
    #[serde(default, deserialize_with = "keyframes", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<(f64, Angle)>")]
    pub angle: Vec<(f64, f64)>,
    /// Of a slider: keyframes `[time [s], way [m]]`
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<(f64, f64)>,
    /// Of a hinge with a speed: the most it turns with `[N m]`; without it whatever it takes
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_torque: Option<f64>,
    /// Of a slider with a speed: the most it pushes with `[N]`; without it whatever it takes
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_force: Option<f64>,
}

impl Motor {
    /// At a speed, of a hinge `[rad/s]`, of a slider `[m/s]`.
    pub fn speed(speed: f64) -> Self {
        Self { speed: Some(speed), ..Self::default() }
    }

    /// Along keyframes (time `[s]`, angle `[rad]`), of a hinge.
    pub fn angle(keys: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { angle: keys.into(), ..Self::default() }
    }

    /// Along keyframes (time `[s]`, way `[m]`), of a slider.
    pub fn way(keys: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { way: keys.into(), ..Self::default() }
    }

    /// Of a hinge: with no more than this `[N m]`.
    pub fn at_most(mut self, torque: f64) -> Self {
        self.max_torque = Some(torque);
        self
    }

    /// Of a slider: with no more than this `[N]`.
    pub fn pushing_at_most(mut self, force: f64) -> Self {
        self.max_force = Some(force);
        self
    }
}

impl Joint {
    /// A joint of the body of this name, still to be chosen.
    pub fn of(body: impl Into<String>) -> JointOf {
        JointOf(body.into())
    }

    /// With another body or an obstacle, in place of the world.
    pub fn with(mut self, other: impl Into<String>) -> Self {
        self.other = Some(other.into());
        self
    }

    /// Driven by a motor.
    pub fn motor(mut self, motor: Motor) -> Self {
        self.motor = Some(motor);
        self
    }

    /// The two may touch each other.
    pub fn touching(mut self) -> Self {
        self.contact = true;
        self
    }
}

/// A body whose joint is to be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct JointOf(String);

impl JointOf {
    fn moving(self, motion: JointMotion) -> Joint {
        Joint { body: self.0, other: None, motion, motor: None, contact: false }
    }

    /// It turns about a point `[m]`.
    pub fn ball(self, at: [f64; 3]) -> Joint {
        self.moving(JointMotion::Ball(JointPoint { at }))
    }

    /// It turns about an axis through a point `[m]`.
    pub fn hinge(self, at: [f64; 3], axis: [f64; 3]) -> Joint {
        self.moving(JointMotion::Hinge(JointAxis { at, axis }))
    }

    /// It slides along an axis through a point `[m]`.
    pub fn slider(self, at: [f64; 3], axis: [f64; 3]) -> Joint {
        self.moving(JointMotion::Slider(JointAxis { at, axis }))
    }

    /// It does not move.
    pub fn fixed(self) -> Joint {
        self.moving(JointMotion::Fixed)
    }
}
