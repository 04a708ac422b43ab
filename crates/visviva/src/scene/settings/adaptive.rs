//! Steps whose lengths are found under way.

use super::{Number, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether steps are shortened where the motion asks for it, and how far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected true, false, or a table with min, max, tolerance")]
pub enum Adaptive {
    Plain(bool),
    Within(AdaptiveSteps),
}

/// How far steps may be shortened and lengthened, and when they are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AdaptiveSteps {
    /// The shortest step `[s]`; by default a sixteenth of `h`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Number>,
    /// The longest step `[s]`; by default `h`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Number>,
    /// The part of the motion's energy that a step may itself lose or gain
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
}

/// The same in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepBounds {
    /// The length of the first step `[s]`
    pub first: f64,
    /// `[s]`
    pub min: f64,
    pub max: f64,
    /// Of the motion's energy
    pub tolerance: f64,
}

/// Where a table gives none.
const TOLERANCE: f64 = 0.02;

impl Run {
    /// Where steps are adaptive.
    pub fn step_bounds(&self) -> Option<StepBounds> {
        let (h, plain) = (self.h.value, AdaptiveSteps::default());
        let given = match self.adaptive.as_ref()? {
            Adaptive::Plain(true) => &plain,
            Adaptive::Plain(false) => return None,
            Adaptive::Within(given) => given,
        };
        let value = |number: &Option<Number>, or: f64| number.as_ref().map_or(or, |number| number.value);
        let (min, max) = (value(&given.min, h / 16.0), value(&given.max, h));
        Some(StepBounds { first: h, min, max, tolerance: given.tolerance.unwrap_or(TOLERANCE) })
    }
}
