//! `visviva paper`: the paper's experiments run, measured and judged.

use super::kept_runs::{RunsArgs, StoppedRuns, by_blame, check_out};
use super::plot;
use crate::failure::OrUsage;
use crate::gallery;
use crate::table::Table;
use anyhow::bail;
use std::path::{Path, PathBuf};
use std::time::Instant;
use visviva::readable::duration;
use visviva::run::drum::ModeNumbers;
use visviva_paper::report::{Report, ReportOptions};
use visviva_paper::{Cache, Experiment, Job, Judge, Plan, Tier};
use visviva_pictures::chart::Figure;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Runs are kept by what they are: scene, integrator, step and program. What is finished is not run again, and what was
interrupted goes on with the same command. The folder of runs may be copied from another machine."
)]
pub struct PaperArgs {
    /// Experiments (`--list` has their names); by default all
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// quick takes minutes, with coarser bodies and shorter runs; full takes hours, with the paper's parameters
    #[arg(long, default_value = "quick")]
    tier: Tier,
    /// Where the page and its JSON go
    #[arg(long, value_name = "DIR", default_value = "paper")]
    out: PathBuf,
    #[command(flatten)]
    runs: RunsArgs,
    /// Experiments of your own: the TOML files of this folder (docs/paper/README.md says what they hold)
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// List experiments, or with names their runs: what each takes on one core, and how many claims need it
    #[arg(long)]
    list: bool,
    /// Only run, and judge nothing
    #[arg(long)]
    runs_only: bool,
    /// Only judge what is there, and run nothing
    #[arg(long, conflicts_with = "runs_only")]
    judge_only: bool,
    /// Let go of the frames of judged runs, which take most of the room; what was measured and drawn stays
    #[arg(long, conflicts_with = "runs_only")]
    slim: bool,
    /// Experiments that are not named stay as the report in --out has them: a report in pieces
    #[arg(long, requires = "experiments", conflicts_with = "runs_only")]
    keep: bool,
    /// For tests of the verdicts: A-search with this α in place of the one it searches for
    #[arg(long, hide = true)]
    fixed_alpha: Option<f64>,
}

/// Figures by name, for pages.
pub fn draw(
    name: &str,
    folders: &[PathBuf],
    labels: &[String],
    reference: Option<&Path>,
) -> Result<Option<Figure>, String> {
    let drawn = match (name, reference) {
        ("distance", None) => Ok(None),
        ("distance", Some(reference)) => plot::distance_figure(folders, labels, reference).map(Some),
        ("drum", _) => plot::drum_figure(folders, labels, ModeNumbers { diameters: 2, circles: 1 }).map(Some),
        _ => plot::figure(name, folders, labels),
    };
    // Frames may have been let go: then there is nothing to draw from them.
    match drawn {
        Err(_) if matches!(name, "distance" | "drum" | "height") => Ok(None),
        other => other.map_err(|error| format!("figure {name}: {error:#}")),
    }
}

impl PaperArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let begun = Instant::now();
        let all = match &self.from {
            Some(folder) => Experiment::of_folder(folder).or_usage()?,
            None => Experiment::of_paper().or_usage()?,
        };
        Experiment::check_names(&all, &self.experiments).or_usage()?;
        // Claims may speak of runs of experiments that are not asked for: all are planned.
        let plan = Plan::new(all, self.tier, &gallery::find, self.fixed_alpha).map_err(by_blame)?;
        let cache = self.runs.cache();
        if self.list {
            print!(
                "{}",
                if self.experiments.is_empty() { experiments(&plan) } else { self.runs_in_words(&plan, &cache) }
            );
            return Ok(());
        }
        if !self.runs_only {
            check_out(&self.out)?;
        }
        let stopped = match self.judge_only {
            true => StoppedRuns::of(&plan, &cache, &self.experiments),
            false => self.runs.carry_out(&plan, &cache, &self.experiments)?,
        };
        if !self.runs_only {
            self.judge(&plan, &cache, begun)?;
        }
        stopped.told()
    }

    fn judge(&self, plan: &Plan, cache: &Cache, begun: Instant) -> anyhow::Result<()> {
        let named = self.experiments.iter().map(|name| format!(" {name}")).collect::<String>();
        let judge = Judge::new(plan, cache);
        let options = ReportOptions {
            title: "Energy-Controllable Time Integration for Elastodynamic Contact: what holds".to_owned(),
            command: format!(
                "visviva paper{named} --tier {}{}",
                self.tier.name(),
                if self.keep { " --keep" } else { "" }
            ),
            experiment_command: Some("visviva paper".to_owned()),
            wall_s: begun.elapsed().as_secs_f64(),
            kept: self.keep.then_some(self.out.as_path()),
            draw: &draw,
            reference: None,
        };
        let report = Report::new(&judge, &self.experiments, &options).map_err(by_blame)?;
        if self.slim {
            for job in plan.jobs.iter().filter(|job| self.is_chosen(job)) {
                if let Ok(run) = judge.values.ready(job) {
                    cache.drop_frames(&run)?;
                }
            }
        }
        let mut table = Table::new(["verdict", "claim", "reason"]);
        for claim in report.experiments.iter().flat_map(|experiment| &experiment.claims) {
            table.row([claim.verdict.in_words(), &claim.id, &claim.reason]);
        }
        print!("{table}");
        let Report { holds, fails, not_decidable, .. } = report;
        println!("\n{holds} hold, {fails} fail, {not_decidable} are not decidable at the {} tier", self.tier.name());
        for path in report.write(&self.out)? {
            println!("{}", path.display());
        }
        if report.experiments.is_empty() {
            bail!("there was nothing to judge");
        }
        Ok(())
    }

    fn is_chosen(&self, job: &Job) -> bool {
        self.experiments.is_empty() || self.experiments.contains(&job.experiment)
    }

    /// Those first of which a second of work decides most.
    fn runs_in_words(&self, plan: &Plan, cache: &Cache) -> Table {
        let mut rows: Vec<(f64, [String; 6])> = Vec::new();
        for job in plan.jobs.iter().filter(|job| job.is_wanted && self.is_chosen(job)) {
            let (claims, seconds) = (plan.claims_of(job), job.settings.cost(self.tier));
            let standing = if job.is_done(cache) { "finished" } else { "to run" };
            let step = job.settings.step(self.tier).cloned().unwrap_or_default();
            let cells = [
                job.experiment.clone(),
                job.settings.name.clone(),
                step,
                duration(seconds),
                claims.to_string(),
                standing.to_owned(),
            ];
            rows.push((claims as f64 / seconds.max(0.1), cells));
        }
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut table = Table::new(["experiment", "run", "h [s]", "on one core", "claims", "standing"]);
        rows.into_iter().for_each(|(_, cells)| table.row(cells));
        table
    }
}

fn experiments(plan: &Plan) -> Table {
    let mut table = Table::new(["experiment", "runs", "on one core", "claims", "title"]);
    for experiment in &plan.experiments {
        let runs = experiment.runs.iter().filter(|run| run.is_in(plan.tier));
        let (count, seconds) = runs.fold((0, 0.0), |(count, sum), run| (count + 1, sum + run.cost(plan.tier)));
        let cells =
            [count.to_string(), duration(seconds), experiment.claims.len().to_string(), experiment.title.clone()];
        table.row([experiment.name.clone()].into_iter().chain(cells));
    }
    table
}
