//! How a scene is run.

use super::{Adaptive, Number};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the scene is run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Name and parameters, such as `a-search` or `a-search:max=1.2`; `visviva integrators` lists them
    #[serde(default = "default_integrator")]
    pub integrator: String,
    /// Time step `[s]`: a number, or a fraction such as "1/120"
    pub h: Number,
    /// Whether steps are shortened where the motion asks for it: true, or bounds
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<Adaptive>,
    /// Simulated time `[s]`
    pub duration: Number,
    /// Frames written per simulated second
    #[serde(default = "default_frame_rate")]
    pub frame_rate: f64,
    /// Whether contact points and forces are written with every frame
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contacts: bool,
    /// Whether energies, losses, work and momenta of each body are written as well, into bodies.csv
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_body: bool,
    /// Checkpoints are kept so often, in simulated time `[s]`, for branches to begin from
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_checkpoints: Option<f64>,
}

fn default_integrator() -> String {
    "a-search".to_owned()
}

fn default_frame_rate() -> f64 {
    30.0
}

impl Run {
    /// How many steps the duration takes, all of the length h.
    pub fn step_count(&self) -> u64 {
        (self.duration.value / self.h.value).round().max(1.0) as u64
    }

    /// Steps between two frames; below one where a step is longer than a frame.
    pub fn steps_a_frame(&self) -> f64 {
        1.0 / (self.frame_rate * self.h.value)
    }
}

impl Default for Run {
    /// A second in steps of 1/120 s; a scene file must give both.
    fn default() -> Self {
        Self {
            integrator: default_integrator(),
            h: "1/120".into(),
            adaptive: None,
            duration: 1.0.into(),
            frame_rate: default_frame_rate(),
            contacts: false,
            by_body: false,
            keep_checkpoints: None,
        }
    }
}
