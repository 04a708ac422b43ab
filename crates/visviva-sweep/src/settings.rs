//! What a sweep file says.

use serde::{Deserialize, Serialize};
use toml::Table;

/// A sweep file, or the same in code.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepSettings {
    /// A scene file, relative to the sweep file, or the name of a gallery scene
    pub scene: String,
    /// The sweep's folder, relative to where the command runs
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// What every run gathers, by name: `noise`, `total.last`, `ball.z.max`
    #[serde(default)]
    pub measures: Vec<String>,
    /// Keys that all points have
    #[serde(default)]
    pub set: Table,
    /// Keys of which every combination is a point
    #[serde(default)]
    pub grid: Table,
    /// Keys that go on together, row by row
    #[serde(default)]
    pub list: Table,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleSettings>,
    #[serde(default)]
    pub slurm: SlurmSettings,
}

/// Keys whose values are drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleSettings {
    #[serde(default)]
    pub method: Method,
    pub count: usize,
    /// Another one draws other samples
    #[serde(default)]
    pub seed: u64,
    pub over: Table,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// One sample in each of `count` slices of every key
    #[default]
    LatinHypercube,
    /// Each independent of all others
    Random,
}

/// What a cluster is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SlurmSettings {
    /// Of one task, such as `"02:00:00"`; a point that needs longer goes on in the next one
    pub time: String,
    /// Cores of a task
    pub threads: usize,
    /// Tasks that run at the same time; all that the cluster gives, where it is left out
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_a_time: Option<usize>,
    /// Further options of sbatch, such as `"--partition=short"`
    pub options: Vec<String>,
    /// Lines before the work, such as `"module load visviva"`
    pub setup: Vec<String>,
}

impl Default for SlurmSettings {
    fn default() -> Self {
        Self { time: "01:00:00".into(), threads: 1, at_a_time: None, options: Vec::new(), setup: Vec::new() }
    }
}
