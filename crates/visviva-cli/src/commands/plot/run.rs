//! One run as a plot sees it: its statistics, its name and its look.

use crate::args::step_label;
use crate::condition;
use crate::failure::Usage;
use anyhow::{Context, ensure};
use std::path::Path;
use visviva::run::{RunFolder, Stats};
use visviva_pictures::chart::{Dash, Series};
use visviva_pictures::colour::{Colour, body_colour};
use visviva_sweep::keys::{as_number, look_up};

#[derive(Debug)]
pub struct Run {
    pub label: String,
    pub stats: Stats,
    /// As run.toml names it
    integrator: Option<String>,
    pub folder: String,
    /// What it was run with, where it says so
    pub scene: toml::Table,
    /// Where colours tell a parameter
    pub colour: Option<Colour>,
    /// Where a scale of colours tells the runs apart
    pub is_listed: bool,
    /// How many runs before this one have the same integrator, and its place among all
    repeat: usize,
    index: usize,
}

impl Run {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let file = path.join("stats.csv");
        let problem = match (path.exists(), path.is_dir(), file.exists()) {
            (false, ..) => "there is no such folder",
            (_, false, _) => "this is a file; give the folder of a run",
            (.., false) => "no stats.csv in it; give the folder of a run",
            _ => "",
        };
        if !problem.is_empty() {
            return Err(Usage(format!("{}: {problem}", path.display())).into());
        }
        condition::warn(&RunFolder::at(path).condition_of_rows());
        let stats = Stats::read(&file)?;
        ensure!(!stats.rows.is_empty(), "{}: no step has been written yet", file.display());
        let full = path.canonicalize().with_context(|| format!("{}: cannot be read", path.display()))?;
        let folder = full.file_name().map_or_else(|| "/".into(), |name| name.to_string_lossy().into_owned());
        // A plot needs no run.toml: what it lacks is told by the folder's name.
        let text = std::fs::read_to_string(path.join("run.toml")).unwrap_or_default();
        let scene = text.parse::<toml::Table>().unwrap_or_default();
        let (integrator, h) = described(&scene);
        let label = match (&integrator, h) {
            (Some(integrator), Some(h)) => format!("{integrator}, h = {} s", step_label(h)),
            (Some(integrator), None) => integrator.clone(),
            _ => folder.clone(),
        };
        Ok(Self { label, stats, integrator, folder, scene, colour: None, is_listed: true, repeat: 0, index: 0 })
    }

    /// A curve in this run's look.
    pub fn series(&self, points: Vec<(f64, f64)>) -> Series {
        if let Some(colour) = self.colour {
            return Series { in_legend: self.is_listed, ..Series::line(self.label.clone(), colour, points).width(1.4) };
        }
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
fn described(scene: &toml::Table) -> (Option<String>, Option<f64>) {
    let run = scene.get("run");
    let h = look_up(scene, "run.h").and_then(as_number).filter(|h| *h > 0.0 && h.is_finite());
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
