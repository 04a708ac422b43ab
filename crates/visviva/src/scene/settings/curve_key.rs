//! A keyframe of a drawn energy, as a scene writes it.

use crate::model::Easing;
use crate::model::path::Keyframe;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[time [s], value]`, or `[time [s], value, "ease-in"]` with the way it goes on to the next keyframe.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected [time, value] or [time, value, \"ease-in\"] (linear, ease-in, ease-out, ease-in-out or hold)"
)]
pub enum CurveKey {
    Plain(f64, f64),
    Eased(f64, f64, Easing),
}

impl CurveKey {
    /// `default` is what it goes on with where it does not say.
    pub fn keyframe(self, default: Easing) -> Keyframe {
        match self {
            Self::Plain(time, value) => (time, value, default),
            Self::Eased(time, value, easing) => (time, value, easing),
        }
    }
}

impl From<(f64, f64)> for CurveKey {
    fn from((time, value): (f64, f64)) -> Self {
        Self::Plain(time, value)
    }
}

impl From<Keyframe> for CurveKey {
    fn from((time, value, easing): Keyframe) -> Self {
        if easing == Easing::Linear { Self::Plain(time, value) } else { Self::Eased(time, value, easing) }
    }
}
