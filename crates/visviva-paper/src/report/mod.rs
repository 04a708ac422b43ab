//! What comes of it: one page that needs no server, and the same as JSON.

mod figures;
mod kept;
mod page;
mod pictures;

use crate::equal_time::NEAR;
use crate::judge::{Judge, Judged, Verdict, readable};
use crate::plan::{Job, Work};
use crate::values::Missing;
use crate::{Experiment, PaperError, Tier};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use visviva::run::whole_file;
use visviva_pictures::chart::Figure;
use visviva_sweep::Standing;
use visviva_sweep::identity::program;

/// Draws a figure of runs by its name, such as `energy`: folders, their labels, and a reference where there is one.
pub type DrawFigure<'a> = &'a dyn Fn(&str, &[PathBuf], &[String], Option<&Path>) -> Result<Option<Figure>, String>;

const PAGE: &str = "index.html";
const TEXT: &str = "report.json";

/// All experiments of a plan, judged.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    pub title: String,
    /// What it was made by
    pub command: String,
    /// Version, and what its results are known by
    pub program: String,
    pub tier: Tier,
    pub holds: usize,
    pub fails: usize,
    pub not_decidable: usize,
    /// That the steps of all runs took, by the clock `[s]`
    pub run_s: f64,
    /// That this command took, where runs were there already less `[s]`
    pub wall_s: f64,
    pub experiments: Vec<ExperimentReport>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ExperimentReport {
    pub name: String,
    pub title: String,
    pub place: String,
    pub about: String,
    /// What this tier leaves out
    pub left_out: String,
    pub command: String,
    /// By which program it was judged
    pub program: String,
    /// That the steps of its runs took, by the clock `[s]`
    pub run_s: f64,
    pub columns: Vec<String>,
    pub runs: Vec<RunReport>,
    pub claims: Vec<Judged>,
    /// SVG or a picture in text, for the page alone
    #[serde(skip)]
    pub figures: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct RunReport {
    pub name: String,
    pub integrator: String,
    /// As it was run, where a step was found `[s]`
    pub h: String,
    /// One for each column
    pub values: Vec<Option<f64>>,
    /// The paper's, where it has them
    pub paper: Vec<Option<f64>>,
    /// What is not as it should be: cut, failed, of an older program, not run
    pub note: String,
    /// What makes it
    pub command: String,
}

/// How a report is made.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct ReportOptions<'a> {
    pub title: String,
    pub command: String,
    /// Before each experiment's name
    pub experiment_command: Option<String>,
    pub wall_s: f64,
    /// Where an earlier report is whose experiments stay as they are, those judged now apart
    pub kept: Option<&'a Path>,
    pub draw: DrawFigure<'a>,
    /// The run that distances are from
    pub reference: Option<String>,
}

impl Report {
    pub fn new(judge: &Judge<'_>, chosen: &[String], options: &ReportOptions<'_>) -> Result<Self, PaperError> {
        let plan = judge.values.plan;
        let is_chosen = |experiment: &&Experiment| chosen.is_empty() || chosen.contains(&experiment.name);
        let mut experiments = Vec::new();
        for experiment in plan.experiments.iter().filter(is_chosen) {
            experiments.push(of_experiment(judge, experiment, options)?);
            judge.values.keep()?;
        }
        if let Some(folder) = options.kept {
            let is_new = |name: &str| experiments.iter().any(|experiment| experiment.name == name);
            let mut kept = kept::experiments(folder, plan.tier)?;
            kept.retain(|experiment| !is_new(&experiment.name));
            experiments.append(&mut kept);
            let place = |e: &ExperimentReport| plan.experiments.iter().position(|of_plan| of_plan.name == e.name);
            experiments.sort_by_key(|experiment| place(experiment).unwrap_or(usize::MAX));
        }
        let claims = || experiments.iter().flat_map(|e| &e.claims);
        let count = |verdict| claims().filter(|claim| claim.verdict == verdict).count();
        Ok(Self {
            title: options.title.clone(),
            command: options.command.clone(),
            program: program(),
            tier: plan.tier,
            holds: count(Verdict::Holds),
            fails: count(Verdict::Fails),
            not_decidable: count(Verdict::NotDecidable),
            run_s: experiments.iter().map(|experiment| experiment.run_s).sum(),
            wall_s: options.wall_s,
            experiments,
        })
    }

    /// Writes `index.html` and `report.json`; both are whole or not there.
    pub fn write(&self, folder: &Path) -> Result<[PathBuf; 2], PaperError> {
        let paths = [folder.join(PAGE), folder.join(TEXT)];
        let json = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        for (path, text) in paths.iter().zip([page::of(self), json]) {
            let fail = |problem| PaperError::Write { path: path.clone(), problem };
            std::fs::create_dir_all(folder).map_err(fail)?;
            whole_file::write(path, text.as_bytes()).map_err(fail)?;
        }
        Ok(paths)
    }
}

fn of_experiment(
    judge: &Judge<'_>,
    experiment: &Experiment,
    options: &ReportOptions<'_>,
) -> Result<ExperimentReport, PaperError> {
    let plan = judge.values.plan;
    let jobs: Vec<&Job> = plan.jobs.iter().filter(|job| job.experiment == experiment.name && job.is_wanted).collect();
    let runs = jobs.iter().map(|job| of_run(judge, experiment, job)).collect();
    let claims = judge.verdicts(experiment);
    let mut figures = pictures::of(judge, experiment, &jobs)?;
    figures.extend(figures::of(judge, experiment, &jobs, options)?);
    let tier = plan.tier.name();
    Ok(ExperimentReport {
        name: experiment.name.clone(),
        title: experiment.title.clone(),
        place: experiment.place.clone(),
        about: experiment.about.trim().to_owned(),
        left_out: if plan.tier == Tier::Quick { experiment.quick_about.clone() } else { String::new() },
        command: options
            .experiment_command
            .as_ref()
            .map_or(options.command.clone(), |command| format!("{command} {} --tier {tier}", experiment.name)),
        program: program(),
        run_s: jobs.iter().filter_map(|job| judge.values.measured(job, "wall_s").ok()).fold(0.0, |sum, s| sum + s),
        columns: experiment.columns.clone(),
        runs,
        claims,
        figures,
    })
}

fn of_run(judge: &Judge<'_>, experiment: &Experiment, job: &Job) -> RunReport {
    let values = &judge.values;
    let of = |column: &String| values.measured(job, column).ok();
    let run = job.run(values.cache);
    let scene = job.settings.scene.as_ref().or(experiment.scene.as_ref()).cloned().unwrap_or_default();
    RunReport {
        name: job.settings.name.clone(),
        integrator: job.settings.integrator.clone(),
        h: match &run {
            Some(run) => visviva::readable::time_step(run.h),
            None => job.settings.step(values.plan.tier).cloned().unwrap_or_default(),
        },
        values: experiment.columns.iter().map(of).collect(),
        paper: experiment.columns.iter().map(|column| job.settings.paper.get(column).copied()).collect(),
        note: note(judge, job),
        command: run.map_or(String::new(), |run| run.command(&scene)),
    }
}

fn note(judge: &Judge<'_>, job: &Job) -> String {
    if matches!(job.work, Work::SmallWorld) {
        return String::new();
    }
    match judge.values.ready(job) {
        Err(Missing::Cut { time, duration, .. }) => format!("cut at {time:.2} s of {duration} s"),
        Err(missing) => missing.to_string(),
        Ok(run) => match judge.values.cache.standing(&run) {
            Standing::Failed(reason) => format!("stopped: {reason}"),
            _ if judge.values.cache.is_older(&run) => "run by another version of the program".to_owned(),
            _ => as_long_as(judge, job),
        },
    }
}

/// How near a run comes to the one that it is to take as long as.
fn as_long_as(judge: &Judge<'_>, job: &Job) -> String {
    let Some(partner) = &job.settings.equal_time else { return String::new() };
    match judge.values.measured(job, "times_as_long") {
        Ok(part) if (part - 1.0).abs() < NEAR => format!("takes {} times as long as {partner}", readable(part)),
        Ok(part) => format!("takes {} times as long as {partner}: no nearer step was found", readable(part)),
        Err(_) => String::new(),
    }
}
