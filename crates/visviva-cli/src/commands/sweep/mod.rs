//! `visviva sweep FILE`: a scene at many points, on the cores of this machine or by Slurm.

mod submission;

use crate::failure::{Interrupted, OrUsage, Usage};
use crate::gallery;
use crate::runner::{SweepProgress, say, stop_on_signals};
use crate::table::Table as Printed;
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use visviva::run::whole_file;
use visviva::scene::{LoadError, SceneSource};
use visviva_sweep::local::Share;
use visviva_sweep::{
    Outcome, Point, PointEnding, PointOptions, Standing, Sweep, SweepSettings, Table, figures, keys, naming,
};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "docs/sweeps.md says what a sweep file holds. A point that is finished is not run again, and one that was
interrupted goes on from its checkpoint: the same command goes on with a sweep."
)]
pub struct SweepArgs {
    /// A sweep file
    file: PathBuf,
    /// The sweep's folder; by default what the file says, or sweeps/NAME
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Points at a time; by default as many as there are cores
    #[arg(long, short, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Threads of each point; by default the cores that points leave
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Only these points, counted from 0, such as 0-9,12
    #[arg(long, value_name = "LIST", value_parser = points)]
    points: Option<Points>,
    /// Run points anew that were run with other settings or another version
    #[arg(long)]
    overwrite: bool,
    /// Try points that failed once more
    #[arg(long)]
    retry: bool,
    /// List the points and how far they are, and run none
    #[arg(long, conflicts_with_all = ["gather", "slurm"])]
    list: bool,
    /// Gather what is there into table and plots, and run none
    #[arg(long, conflicts_with_all = ["slurm", "points"])]
    gather: bool,
    /// Submit the points to Slurm as a job array, and a job that gathers them
    #[arg(long, conflicts_with = "points")]
    slurm: bool,
    /// With --slurm: only write the scripts
    #[arg(long, requires = "slurm")]
    no_submit: bool,
    /// Show no progress and no summary; what failed is told
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Clone)]
struct Points(Vec<usize>);

fn points(text: &str) -> Result<Points, String> {
    let number = |part: &str| {
        part.trim().parse::<usize>().map_err(|_| format!("`{part}`: write indices and ranges, such as 0-9,12"))
    };
    let mut points = Vec::new();
    for part in text.split(',') {
        match part.split_once('-') {
            Some((first, last)) => points.extend(number(first)?..=number(last)?.min(1_000_000)),
            None => points.push(number(part)?),
        }
    }
    Ok(Points(points))
}

impl SweepArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let (sweep, text) = self.plan()?;
        let chosen: Vec<&Point> = match &self.points {
            None => sweep.points.iter().collect(),
            Some(Points(indices)) => indices.iter().map(|&k| sweep.point(k)).collect::<Result<_, _>>().or_usage()?,
        };
        if self.list {
            return list(&sweep, &chosen);
        }
        if self.gather {
            let outcomes = sweep.points.iter().map(|point| sweep.look_at(point)).collect();
            return self.conclude(&sweep, outcomes);
        }
        sweep.check_folders(self.overwrite).or_usage()?;
        std::fs::create_dir_all(&sweep.folder).with_context(|| sweep.folder.display().to_string())?;
        if self.points.is_none() {
            // For whoever finds the folder.
            let path = sweep.folder.join("sweep.toml");
            whole_file::write(&path, text.as_bytes()).with_context(|| path.display().to_string())?;
        }
        if self.slurm {
            return submission::submit(&sweep, &self.file, &self.stem(), self.no_submit);
        }
        let outcomes = self.run_all(&sweep, &chosen)?;
        if self.points.is_some() {
            // Others run the other points: gathering is for the last one.
            return told(&sweep, &outcomes, chosen.len());
        }
        self.conclude(&sweep, outcomes)
    }

    fn stem(&self) -> String {
        self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn plan(&self) -> anyhow::Result<(Sweep, String)> {
        let name = self.file.display().to_string();
        let text = std::fs::read_to_string(&self.file)
            .map_err(|problem| format!("cannot read {name}: {problem}"))
            .or_usage()?;
        let settings = SweepSettings::read(&text, &name).or_usage()?;
        let source = find(&settings.scene, &self.file).map_err(|error| format!("{name}: {error}")).or_usage()?;
        let own = settings.out.as_ref().map(PathBuf::from);
        let folder = self.out.clone().or(own).unwrap_or_else(|| Path::new("sweeps").join(naming::plain(&self.stem())));
        let sweep = Sweep::plan(settings, source, &folder).map_err(|error| format!("{name}: {error}")).or_usage()?;
        Ok((sweep, text))
    }

    fn run_all(&self, sweep: &Sweep, chosen: &[&Point]) -> anyhow::Result<Vec<Outcome>> {
        let options = PointOptions {
            stop: stop_on_signals()?,
            retry: self.retry,
            overwrite: self.overwrite,
            ..PointOptions::default()
        };
        let left: Vec<&Point> =
            chosen.iter().copied().filter(|point| sweep.standing(point) != Standing::Finished).collect();
        let share = Share::of(left.len(), self.jobs.map(usize::from), self.threads.map(usize::from));
        if !self.quiet {
            let finished = chosen.len() - left.len();
            let known = if finished > 0 { format!(", {finished} of them finished already") } else { String::new() };
            say(&format!(
                "{} points{known}; {} at a time with {} thread{} each",
                chosen.len(),
                share.jobs,
                share.threads,
                if share.threads == 1 { "" } else { "s" }
            ));
        }
        let all = left.iter().map(|point| point.steps).sum();
        let progress = (!self.quiet).then(|| SweepProgress::begin(left.len(), options.steps.clone(), all));
        let mut outcomes = sweep.run_locally(&left, share, &options, |outcome| {
            let failed = matches!(outcome.ending, PointEnding::Failed(_));
            progress.iter().for_each(|progress| progress.point_ended(failed));
        });
        drop(progress);
        let finished = chosen.iter().filter(|point| !left.iter().any(|other| other.index == point.index));
        outcomes.extend(finished.map(|point| sweep.look_at(point)));
        if options.stop.load(Ordering::Relaxed) {
            let missing: Vec<_> = chosen.iter().filter(|p| !outcomes.iter().any(|o| o.index == p.index)).collect();
            let left_out: Vec<Outcome> = missing.iter().map(|point| sweep.look_at(point)).collect();
            outcomes.extend(left_out);
        }
        outcomes.sort_by_key(|outcome| outcome.index);
        Ok(outcomes)
    }

    /// Table, plots, and a word on each point that is not done.
    fn conclude(&self, sweep: &Sweep, outcomes: Vec<Outcome>) -> anyhow::Result<()> {
        let table = Table::of(sweep, &outcomes);
        std::fs::create_dir_all(&sweep.folder).with_context(|| sweep.folder.display().to_string())?;
        let tables = table.write(&sweep.folder)?;
        let over_time = figures::over_time(sweep, &table, &outcomes, "total");
        let mut plots = Vec::new();
        for (stem, figure) in figures::of_table(&table).into_iter().chain(over_time) {
            plots.extend(figure.write(&sweep.folder.join("plots"), &stem)?);
        }
        if !self.quiet {
            tables.iter().chain(&plots).for_each(|path| println!("{}", path.display()));
        }
        told(sweep, &outcomes, sweep.points.len())
    }
}

/// A gallery scene, or a file beside the sweep file.
fn find(scene: &str, file: &Path) -> Result<SceneSource, LoadError> {
    let beside = file.parent().unwrap_or(Path::new("")).join(scene);
    if beside.is_file() { SceneSource::read(&beside) } else { gallery::find(scene) }
}

/// The exit code says how it went.
fn told(sweep: &Sweep, outcomes: &[Outcome], of: usize) -> anyhow::Result<()> {
    let name = |outcome: &Outcome| sweep.points.get(outcome.index).map_or(String::new(), |point| point.name.clone());
    let mut counts = [0; 3];
    for outcome in outcomes {
        match &outcome.ending {
            PointEnding::Completed => counts[0] += 1,
            PointEnding::Failed(reason) => {
                counts[1] += 1;
                say(&format!("point {} ({}) failed: {reason}", outcome.index, name(outcome)));
            }
            PointEnding::Elsewhere => {
                counts[2] += 1;
                say(&format!("point {} ({}) is being run by another process", outcome.index, name(outcome)));
            }
            PointEnding::Interrupted | PointEnding::Missing => counts[2] += 1,
        }
    }
    let [done, failed, left] = counts;
    let folder = sweep.folder.display();
    match (failed, left) {
        (0, 0) => Ok(()),
        (_, 0) => anyhow::bail!("{failed} of {of} points failed; {done} are done and in {folder}"),
        _ => {
            let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
            let words = format!(
                "{done} of {of} points are done{failed}, {left} are left: the same command goes on with {folder}"
            );
            Err(Interrupted(words).into())
        }
    }
}

fn list(sweep: &Sweep, chosen: &[&Point]) -> anyhow::Result<()> {
    let header = ["point", "folder", "standing", "steps"].map(str::to_owned);
    let mut table = Printed::new(header.into_iter().chain(sweep.keys.iter().cloned()));
    for point in chosen {
        let standing = match sweep.standing(point) {
            Standing::New => "to run",
            Standing::Begun => "begun",
            Standing::Finished => "finished",
            Standing::Failed(_) => "failed",
            Standing::Other => "other settings or version",
            Standing::Foreign => {
                return Err(
                    Usage(visviva_sweep::SweepError::Foreign { path: sweep.point_folder(point) }.to_string()).into()
                );
            }
        };
        let cells = [point.index.to_string(), point.name.clone(), standing.to_owned(), point.steps.to_string()];
        table.row(cells.into_iter().chain(point.parameters.iter().map(|(_, value)| keys::as_text(value))));
    }
    print!("{table}");
    Ok(())
}
