//! A number that may be written as a fraction: 0.0333 or "1/30".

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// A number that keeps the way it was written, so that a resolved scene reads as the one it came from.
///
/// ```
/// use visviva::scene::Number;
///
/// assert_eq!(Number::from("1/120").value, 1.0 / 120.0);
/// assert!("a hundredth".parse::<Number>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    pub value: f64,
    text: Option<String>,
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self { value, text: None }
    }
}

impl From<&str> for Number {
    /// What is no number becomes NaN, which no scene is built with; the message shows the text.
    fn from(text: &str) -> Self {
        text.parse().unwrap_or_else(|_| Self { value: f64::NAN, text: Some(text.to_owned()) })
    }
}

impl Number {
    /// What is wrong with a text that was to be a number.
    pub(in crate::scene) fn problem(&self) -> Option<String> {
        self.text.as_ref()?.parse::<Self>().err()
    }
}

impl std::str::FromStr for Number {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let fail = || format!("`{text}` is not a number: write 0.01 or \"1/120\"");
        let parse = |part: &str| part.trim().parse::<f64>().map_err(|_| fail());
        match text.split_once('/') {
            None => Ok(Self { value: parse(text)?, text: None }),
            Some((above, below)) => Ok(Self { value: parse(above)? / parse(below)?, text: Some(text.to_owned()) }),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number, or a fraction such as \"1/120\"")
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
                Ok(value.into())
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
                Ok((value as f64).into())
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
                Ok((value as f64).into())
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.text {
            Some(text) => serializer.serialize_str(text),
            None => serializer.serialize_f64(self.value),
        }
    }
}

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "number" }, { "type": "string", "pattern": "^[^/]+/[^/]+$" }] })
    }
}
