//! How a run folder came to be.

use crate::readable::moment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a run folder came to be.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Provenance {
    /// Of the program
    pub version: String,
    /// Of the run; results do not depend on it
    pub threads: usize,
    /// The scene's path or gallery name
    pub scene: String,
    /// Where it left another run
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchPoint>,
}

/// Where a run left another one, and with what.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BranchPoint {
    /// Of the run that it left: what came before is that run's
    pub parent: String,
    /// So many steps were done
    pub step: u64,
    /// `[s]`
    pub time: f64,
    /// What was set, as `path.to.key=value`
    pub set: Vec<String>,
}

impl BranchPoint {
    /// In a line.
    pub fn in_words(&self) -> String {
        let Self { parent, time, set, .. } = self;
        let with = if set.is_empty() { String::new() } else { format!(", with {}", set.join(", ")) };
        let time = moment(*time);
        format!("branched from {parent} at t = {time} s{with}: what came before is a copy of that run")
    }
}
