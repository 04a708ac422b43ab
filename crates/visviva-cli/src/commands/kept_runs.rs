//! Runs that are kept by what they are, as `paper`, `compare` and `gallery` carry them out.

use crate::failure::{Interrupted, RunsStopped, Usage};
use crate::runner::{SweepProgress, say, stop_on_signals};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use visviva::readable::duration;
use visviva_paper::{Cache, Job, Options, Order, PaperError, Plan};
use visviva_sweep::PointEnding;

/// Where runs are kept and how they are carried out.
#[derive(Debug, Clone, clap::Args)]
pub struct RunsArgs {
    /// Where runs are kept, and taken from if they are there
    #[arg(long, value_name = "DIR", default_value = "runs/cache")]
    pub runs: PathBuf,
    /// Runs at a time; by default as many as there are cores
    #[arg(long, short, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Threads of each run; by default the cores that runs leave
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// End after so many seconds; runs under way are kept, and go on the next time
    #[arg(long, value_name = "SECONDS")]
    pub limit: Option<u64>,
    /// Run anew what another version of the program has run
    #[arg(long)]
    pub overwrite: bool,
    /// Take what another version of the program has run as it is
    #[arg(long, conflicts_with = "overwrite")]
    pub older: bool,
    /// Try runs that failed once more
    #[arg(long)]
    pub retry: bool,
    /// Show no progress; what failed is told
    #[arg(long, short)]
    pub quiet: bool,
}

impl RunsArgs {
    pub fn cache(&self) -> Cache {
        Cache { folder: self.runs.clone(), takes_older: self.older }
    }

    /// Carries out what is left, as far as the limit lets it. Comes back with the runs that stopped before their end, those of
    /// earlier times among them, unless a claim asks whether they do.
    pub fn carry_out(&self, plan: &Plan, cache: &Cache, experiments: &[String]) -> anyhow::Result<StoppedRuns> {
        cache.check(plan.scenes(), self.overwrite).map_err(by_blame)?;
        let order = if self.limit.is_some() { Order::ShortestFirst } else { Order::LongestFirst };
        let left = plan.left(cache, experiments, self.retry, order);
        if left.is_empty() {
            return Ok(StoppedRuns::of(plan, cache, experiments));
        }
        let options = Options {
            stop: stop_on_signals()?,
            done: Arc::default(),
            jobs: self.jobs.map(usize::from),
            threads: self.threads.map(usize::from),
            retry: self.retry,
            overwrite: self.overwrite,
        };
        let all = left.iter().map(|job| plan.tier_cost(job)).sum();
        if !self.quiet {
            say(&format!("{} runs are left, about {} on one core", left.len(), duration(1e-3 * all as f64)));
        }
        let (ended, time_is_up) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let flags = [&options.stop, &ended, &time_is_up].map(Arc::clone);
        let watch = self.limit.map(|seconds| watch(Duration::from_secs(seconds), flags));
        let stopped_now = Mutex::new(BTreeSet::new());
        let progress = (!self.quiet).then(|| SweepProgress::begin(left.len(), options.done.clone(), all));
        let told = |job: &Job, ending: &PointEnding| {
            let failed = matches!(ending, PointEnding::Failed(_));
            progress.iter().for_each(|progress| progress.point_ended(failed));
            match ending {
                PointEnding::Failed(reason) => {
                    say(&format!("{}: {reason}", in_words(job)));
                    if !plan.may_fail(job) {
                        stopped_now.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(in_words(job));
                    }
                }
                PointEnding::Elsewhere => {
                    say(&format!("{} is being run by another process", in_words(job)));
                }
                _ => {}
            }
        };
        let done = plan.carry_out(&left, cache, &options, told);
        drop(progress);
        ended.store(true, Ordering::Relaxed);
        watch.into_iter().for_each(|watch| drop(watch.join()));
        done?;
        if options.stop.load(Ordering::Relaxed) && !time_is_up.load(Ordering::Relaxed) {
            let folder = self.runs.display();
            return Err(Interrupted(format!("what was run is kept in {folder}: the same command goes on")).into());
        }
        let mut stopped = StoppedRuns::of(plan, cache, experiments);
        stopped.0.extend(stopped_now.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()));
        Ok(stopped)
    }
}

fn in_words(job: &Job) -> String {
    format!("{} {}", job.experiment, job.settings.name)
}

/// Runs that did not come to their end.
#[derive(Debug)]
pub struct StoppedRuns(BTreeSet<String>);

impl StoppedRuns {
    /// As their folders say.
    pub fn of(plan: &Plan, cache: &Cache, experiments: &[String]) -> Self {
        Self(plan.failed(cache, experiments).into_iter().map(in_words).collect())
    }

    /// After all else is done.
    pub fn told(self) -> anyhow::Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(RunsStopped(self.0.into_iter().collect()).into()) }
    }
}

/// Before anything is run: a page can be put there.
pub fn check_out(out: &Path) -> anyhow::Result<()> {
    match out.ancestors().find(|path| path.exists()) {
        Some(file) if !file.is_dir() => {
            Err(Usage(format!("--out {}: {} is a file; name a folder", out.display(), file.display())).into())
        }
        _ => Ok(()),
    }
}

/// Sets `stop` and `time_is_up` when it is.
fn watch(limit: Duration, [stop, ended, time_is_up]: [Arc<AtomicBool>; 3]) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let begun = Instant::now();
        while !ended.load(Ordering::Relaxed) {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            if begun.elapsed() >= limit {
                time_is_up.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    })
}

/// What must be asked for otherwise is a mistake of use.
pub fn by_blame(error: PaperError) -> anyhow::Error {
    match error {
        PaperError::Write { .. } | PaperError::Image(_) | PaperError::Output(_) | PaperError::Measure(_) => {
            error.into()
        }
        other => Usage(other.to_string()).into(),
    }
}
