//! Angles as users write them: a number of radians, or degrees as "90deg". Scenes keep radians.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// An angle, and whether it was given in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scene) struct Angle {
    /// `[rad]`
    pub radians: f64,
    pub in_degrees: bool,
}

/// An angle a second `[rad/s]`.
pub(super) struct AngularSpeed(f64);

/// How a text ends that is an angle in degrees.
const DEGREES: [&str; 2] = ["deg", "°"];
const DEGREES_A_SECOND: [&str; 2] = ["deg/s", "°/s"];

/// Reads a number, or a text with one of these endings.
struct AngleVisitor {
    endings: [&'static str; 2],
    expecting: &'static str,
}

impl Visitor<'_> for AngleVisitor {
    type Value = Angle;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_f64<E: de::Error>(self, radians: f64) -> Result<Angle, E> {
        Ok(Angle { radians, in_degrees: false })
    }

    fn visit_i64<E: de::Error>(self, radians: i64) -> Result<Angle, E> {
        self.visit_f64(radians as f64)
    }

    fn visit_u64<E: de::Error>(self, radians: u64) -> Result<Angle, E> {
        self.visit_f64(radians as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Angle, E> {
        let number =
            self.endings.iter().find_map(|ending| text.trim().strip_suffix(ending)?.trim().parse::<f64>().ok());
        match number {
            Some(degrees) => Ok(Angle { radians: degrees.to_radians(), in_degrees: true }),
            None => Err(E::custom(format!("`{text}` is no angle: expected {}", self.expecting))),
        }
    }
}

impl<'de> Deserialize<'de> for Angle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expecting = "a number of radians, or degrees such as \"90deg\"";
        deserializer.deserialize_any(AngleVisitor { endings: DEGREES, expecting })
    }
}

impl<'de> Deserialize<'de> for AngularSpeed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expecting = "a number of radians a second, or degrees such as \"90deg/s\"";
        let visitor = AngleVisitor { endings: DEGREES_A_SECOND, expecting };
        deserializer.deserialize_any(visitor).map(|angle| Self(angle.radians))
    }
}

/// `[rad]`
pub(super) fn radians<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Angle::deserialize(deserializer).map(|angle| angle.radians)
}

/// Keyframes of time `[s]` and angle `[rad]`.
pub(super) fn keyframes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(f64, f64)>, D::Error> {
    let keys = Vec::<(f64, Angle)>::deserialize(deserializer)?;
    Ok(keys.into_iter().map(|(time, angle)| (time, angle.radians)).collect())
}

/// `[rad/s]`
pub(super) fn angular_speed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    AngularSpeed::deserialize(deserializer).map(|speed| Some(speed.0))
}

/// About x, y and z `[rad/s]`.
pub(super) fn angular_velocity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f64; 3], D::Error> {
    <[AngularSpeed; 3]>::deserialize(deserializer).map(|speeds| speeds.map(|speed| speed.0))
}

impl JsonSchema for Angle {
    fn schema_name() -> Cow<'static, str> {
        "Angle".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "number" }, { "type": "string", "pattern": "^[^a-z°]+ *(deg|°)$" }] })
    }
}

impl JsonSchema for AngularSpeed {
    fn schema_name() -> Cow<'static, str> {
        "AngularSpeed".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "number" }, { "type": "string", "pattern": "^[^a-z°]+ *(deg|°)/s$" }] })
    }
}

/// Of three speeds.
pub(super) fn angular_velocity_schema(generator: &mut SchemaGenerator) -> Schema {
    let speed = AngularSpeed::json_schema(generator);
    json_schema!({ "type": "array", "items": speed, "minItems": 3, "maxItems": 3 })
}
