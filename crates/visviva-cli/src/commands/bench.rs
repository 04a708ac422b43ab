//! `visviva bench`: the paper's scenes timed beside the paper's own figures (Xeon w5-2445 and RTX A1000).

use crate::failure::{OrUsage, Usage};
use crate::gallery;
use crate::runner::{self, Ending, RunOptions};
use crate::table::Table;
use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Gallery scenes; by default those that need no file
    scenes: Vec<String>,
    #[arg(long, default_value = "a-search")]
    integrator: String,
    /// Simulate only so long [s]; the paper's figures are then scaled
    #[arg(long)]
    duration: Option<String>,
    /// Change any key of the scenes
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print machine-readable results
    #[arg(long)]
    json: bool,
}

/// The paper's table: seconds and Newton iterations of A-search, and the time it simulated [s].
const PAPER: &[(&str, f64, u64, f64)] = &[
    ("rotating-cube-soft", 27.6, 902, 10.0),
    ("rotating-cube-stiff", 43.8, 1500, 10.0),
    ("twisted-bar", 113.5, 947, 10.0),
    ("suspended-armadillo", 1458.7, 1870, 10.0),
    ("bouncing-ball-soft", 75.0, 2681, 10.0),
    ("bouncing-ball-medium", 68.3, 1683, 10.0),
    ("bouncing-ball-stiff", 94.2, 2391, 10.0),
    ("dice-roll", 326.6, 4659, 6.0),
];

impl BenchArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global()?;
        }
        let known: Vec<&str> =
            PAPER.iter().map(|p| p.0).filter(|n| gallery::SCENES.iter().any(|s| s.name == *n)).collect();
        if let Some(unknown) = self.scenes.iter().find(|s| !known.contains(&s.as_str())) {
            return Err(Usage(format!("no figures for `{unknown}`; there are for {}", known.join(", "))).into());
        }
        let chosen: Vec<&str> = match self.scenes.is_empty() {
            false => self.scenes.iter().map(String::as_str).collect(),
            true => known.into_iter().filter(|name| *name != "suspended-armadillo").collect(),
        };
        let header = [
            "scene",
            "nodes",
            "seconds",
            "paper",
            "Newton",
            "paper",
            "ms/step",
            "evaluate",
            "assemble",
            "linear",
            "line search",
            "MiB",
            "",
        ];
        let mut table = Table::new(header);
        let mut rows = Vec::new();
        for name in chosen {
            let (_, paper_seconds, paper_newton, paper_time) =
                PAPER.iter().find(|p| p.0 == name).context("listed above")?;
            let source = gallery::find(name).or_usage()?;
            let mut assignments = vec![format!("run.integrator={}", self.integrator)];
            assignments.extend(self.duration.iter().map(|d| format!("run.duration={d}")));
            assignments.extend(self.set.iter().cloned());
            let scene = source.parse(&assignments).or_usage()?;
            let built = scene.build(&source).or_usage()?;
            let share = scene.run.duration.value / paper_time;
            let folder = tempfile::tempdir().context("no place for a run")?;
            let options = RunOptions {
                folder: folder.path().join("run"),
                overwrite: false,
                quiet: self.json,
                stop: Arc::new(AtomicBool::new(false)),
            };
            let s = runner::run(&source, scene, built, &options)?;
            let seconds = |x: f64| format!("{x:.2}");
            let mut remarks = Vec::new();
            if let Ending::Failed(reason) = &s.ending {
                remarks.push(reason.clone());
            }
            if s.unconverged_steps > 0 {
                remarks.push(format!("{} steps unconverged", s.unconverged_steps));
            }
            table.row([
                name.to_owned(),
                s.nodes.to_string(),
                seconds(s.step_wall_s),
                seconds(paper_seconds * share),
                s.newton_iterations.to_string(),
                format!("{:.0}", *paper_newton as f64 * share),
                format!("{:.1}", 1e3 * s.step_wall_s / s.steps.max(1) as f64),
                seconds(s.phases_s.evaluate),
                seconds(s.phases_s.assemble),
                seconds(s.phases_s.linear),
                seconds(s.phases_s.line_search),
                s.peak_memory_mib.map_or(String::new(), |m| format!("{m:.0}")),
                remarks.join("; "),
            ]);
            rows.push(serde_json::json!({ "scene": name, "paper_seconds": paper_seconds * share,
                "paper_newton_iterations": *paper_newton as f64 * share, "summary": s }));
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&rows)?);
        } else {
            println!(
                "{} on {} threads; the paper's figures are of A-search\n",
                self.integrator,
                rayon::current_num_threads()
            );
            print!("{table}");
        }
        Ok(())
    }
}
