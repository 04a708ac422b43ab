//! One run as a plot sees it: its statistics, its name and its look.

use crate::args::{positive, step_label};
use crate::condition;
use anyhow::{Context, ensure};
use std::path::Path;
use visviva::run::{RunFolder, Stats};
use visviva_pictures::chart::{Dash, Series};
use visviva_pictures::colour::body_colour;

#[derive(Debug)]
pub struct Run {
    pub label: String,
    pub stats: Stats,
    /// As run.toml names it
    integrator: Option<String>,
    folder: String,
    /// How many runs before this one have the same integrator, and its place among all
    repeat: usize,
    index: usize,
}

impl Run {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        ensure!(path.exists(), "{}: there is no such folder", path.display());
        ensure!(path.is_dir(), "{}: this is a file; give the folder of a run", path.display());
        let file = path.join("stats.csv");
        ensure!(file.exists(), "{}: no stats.csv in it; give the folder of a run", path.display());
        condition::warn(&RunFolder::at(path).condition_of_rows());
        let stats = Stats::read(&file)?;
        ensure!(!stats.rows.is_empty(), "{}: no step has been written yet", file.display());
        let full = path.canonicalize().with_context(|| format!("{}: cannot be read", path.display()))?;
        let folder = full.file_name().map_or_else(|| "/".into(), |name| name.to_string_lossy().into_owned());
        // A plot needs no run.toml: what it lacks is told by the folder's name.
        let (integrator, h) =
            std::fs::read_to_string(path.join("run.toml")).map_or((None, None), |text| described(&text));
        let label = match (&integrator, h) {
            (Some(integrator), Some(h)) => format!("{integrator}, h = {} s", step_label(h)),
            (Some(integrator), None) => integrator.clone(),
            _ => folder.clone(),
        };
        Ok(Self { label, stats, integrator, folder, repeat: 0, index: 0 })
    }

    /// A curve in this run's look.
    pub fn series(&self, points: Vec<(f64, f64)>) -> Series {
        let mut series = match &self.integrator {
            Some(name) => Series::integrator(name, points),
            None => Series::line("", body_colour(self.index + 4), points),
        };
        if self.repeat > 0 {
            // The colour family says the integrator; shade and dash tell its runs apart.
            let shade = [0.4, -0.4, 0.2, -0.2][(self.repeat - 1) % 4];
            let dashes = [Dash::Dashed, Dash::Dotted, Dash::DashDot, Dash::LongDash, Dash::DashDotDot, Dash::Solid];
            let own = dashes.iter().position(|d| *d == series.dash).unwrap_or(0);
            series.colour = series.colour.shaded(shade);
            // Thinner, so that the first shows beneath.
            series.width = 1.3;
            series.dash = dashes[(own + self.repeat) % dashes.len()];
        }
        series.label.clone_from(&self.label);
        series
    }

    /// Values of a column where it applies.
    pub fn curve(&self, column: &str) -> Vec<(f64, f64)> {
        self.stats.curve(column)
    }
}

/// `run.integrator` and `run.h`, the latter as a number or as 1/120.
fn described(text: &str) -> (Option<String>, Option<f64>) {
    let Ok(table) = text.parse::<toml::Table>() else { return (None, None) };
    let run = table.get("run");
    let h = run.and_then(|run| run.get("h")).and_then(|h| match h {
        toml::Value::String(text) => positive(text).ok(),
        toml::Value::Integer(h) => positive(&h.to_string()).ok(),
        toml::Value::Float(h) => Some(*h).filter(|h| *h > 0.0 && h.is_finite()),
        _ => None,
    });
    (run.and_then(|run| run.get("integrator")?.as_str()).map(str::to_owned), h)
}

/// Gives every run a look and, where two would be called the same, its folder's name too.
pub fn tell_apart(runs: &mut [Run]) {
    let labels: Vec<String> = runs.iter().map(|run| run.label.clone()).collect();
    for k in 0..runs.len() {
        runs[k].index = k;
        runs[k].repeat = match &runs[k].integrator {
            Some(name) => runs[..k].iter().filter(|run| run.integrator.as_ref() == Some(name)).count(),
            None => 0,
        };
        if labels.iter().filter(|label| **label == labels[k]).count() > 1 {
            let folder = &runs[k].folder;
            runs[k].label = if *folder == labels[k] {
                format!("{folder} ({})", k + 1)
            } else {
                format!("{} ({folder})", labels[k])
            };
        }
    }
}
