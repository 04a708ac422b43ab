//! Which runs experiments need at a tier, and how they are carried out, side by side as cores allow.

use crate::equal_time::EqualTime;
use crate::experiment::{Experiment, RunSettings, World};
use crate::formula::Wanted;
use crate::{Cache, CachedRun, PaperError, Tier, small_world};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use visviva::integrate::IntegratorSpec;
use visviva::scene::{LoadError, SceneSource};
use visviva_sweep::local::{Share, side_by_side};
use visviva_sweep::{PointEnding, PointOptions, Standing};

/// Experiments at a tier, with all their runs.
#[derive(Debug)]
pub struct Plan {
    pub tier: Tier,
    pub experiments: Vec<Experiment>,
    /// In the order of the experiments and their runs
    pub jobs: Vec<Job>,
}

/// A run of an experiment.
#[derive(Debug)]
pub struct Job {
    pub experiment: String,
    pub settings: RunSettings,
    pub work: Work,
    /// Whether it belongs to the tier
    pub is_wanted: bool,
}

#[derive(Debug)]
pub enum Work {
    Scene(Box<CachedRun>),
    EqualTime(Box<EqualTime>),
    SmallWorld,
}

/// How runs are carried out; nothing here changes their results.
#[derive(Debug, Clone)]
pub struct Options {
    pub stop: Arc<AtomicBool>,
    /// Milliseconds of work done, by the estimates
    pub done: Arc<AtomicU64>,
    pub jobs: Option<usize>,
    pub threads: Option<usize>,
    pub retry: bool,
    pub overwrite: bool,
}

/// Which of the jobs that are left come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// So that none is left alone at the end
    LongestFirst,
    /// Where time is short: what is cut decides nothing, and the more that end the better
    ShortestFirst,
}

/// Finds a gallery scene or a file.
pub type FindScene<'a> = &'a dyn Fn(&str) -> Result<SceneSource, LoadError>;

impl Plan {
    /// With `fixed_alpha`, A-search does not search: for tests of the verdicts.
    pub fn new(
        experiments: Vec<Experiment>,
        tier: Tier,
        find: FindScene<'_>,
        fixed_alpha: Option<f64>,
    ) -> Result<Self, PaperError> {
        let mut jobs: Vec<Job> = Vec::new();
        for experiment in &experiments {
            for settings in &experiment.runs {
                let mut settings = settings.clone();
                if let Some(alpha) = fixed_alpha.filter(|_| settings.integrator == "a-search") {
                    settings.integrator = format!("a-search:min={alpha},max={alpha}");
                }
                let fail = |problem: String| PaperError::Run {
                    experiment: experiment.name.clone(),
                    run: settings.name.clone(),
                    problem,
                };
                if settings.world == World::Scene && !settings.integrator.is_empty() {
                    settings.integrator.parse::<IntegratorSpec>().map_err(|error| fail(error.to_string()))?;
                }
                let work = if settings.world == World::Scene {
                    let run = cached(experiment, &settings, tier, find).map_err(|error| fail(error.to_string()))?;
                    match &settings.equal_time {
                        None => Work::Scene(Box::new(run)),
                        Some(partner) => {
                            let partner = jobs.iter().find_map(|job| match &job.work {
                                Work::Scene(run) if job.is(&experiment.name, partner) => Some(run.as_ref().clone()),
                                _ => None,
                            });
                            let partner = partner
                                .ok_or_else(|| fail("the run it is to take as long as stands after it".into()))?;
                            Work::EqualTime(Box::new(EqualTime { run, partner }))
                        }
                    }
                } else {
                    Work::SmallWorld
                };
                let is_wanted = settings.is_in(tier);
                jobs.push(Job { experiment: experiment.name.clone(), settings, work, is_wanted });
            }
        }
        Ok(Self { tier, experiments, jobs })
    }

    /// `EXPERIMENT/RUN`, or a run of the experiment at hand.
    pub fn job(&self, experiment: &str, run: &str) -> Option<&Job> {
        let (experiment, run) = run.split_once('/').unwrap_or((experiment, run));
        self.jobs.iter().find(|job| job.is(experiment, run))
    }

    /// All runs in space that belong to the tier.
    pub fn scenes(&self) -> impl Iterator<Item = &CachedRun> {
        self.jobs.iter().filter(|job| job.is_wanted).filter_map(|job| match &job.work {
            Work::Scene(run) => Some(run.as_ref()),
            _ => None,
        })
    }

    /// How many claims need a run.
    pub fn claims_of(&self, job: &Job) -> usize {
        self.asks(job, |_| true)
    }

    /// How many claims ask such a thing of a run.
    fn asks(&self, job: &Job, such: impl Fn(&Wanted) -> bool) -> usize {
        let is_meant = |experiment: &Experiment, run: &str| {
            let (of, run) = run.split_once('/').unwrap_or((&experiment.name, run));
            job.is(of, run)
        };
        let claims = self.experiments.iter().flat_map(|e| e.claims.iter().map(move |claim| (e, claim)));
        let asking = claims.filter(|(experiment, claim)| {
            let checks = claim.checks().unwrap_or_default();
            let wanted = checks.iter().flat_map(|check| check.wanted()).filter(|wanted| such(wanted));
            wanted.flat_map(|w| [Some(&w.run), w.versus.as_ref()]).flatten().any(|run| is_meant(experiment, run))
        });
        asking.count()
    }

    /// Jobs that are left to do, none twice; with `retry` those that failed, too.
    pub fn left<'a>(&'a self, cache: &Cache, chosen: &[String], retry: bool, order: Order) -> Vec<&'a Job> {
        let mut seen = BTreeSet::new();
        let is_chosen = |job: &&Job| chosen.is_empty() || chosen.contains(&job.experiment);
        let mut left: Vec<&Job> = self
            .jobs
            .iter()
            .filter(|job| job.is_wanted && (!job.has_ended(cache) || retry && !job.is_done(cache)))
            .filter(is_chosen)
            .filter(|job| match &job.work {
                Work::Scene(run) => seen.insert(run.name.clone()),
                _ => true,
            })
            .collect();
        left.sort_by(|a, b| a.settings.cost(self.tier).total_cmp(&b.settings.cost(self.tier)));
        if order == Order::LongestFirst {
            left.reverse();
        }
        left
    }

    /// Jobs that stopped before their end, though no claim asks whether they do.
    pub fn failed<'a>(&'a self, cache: &Cache, chosen: &[String]) -> Vec<&'a Job> {
        let is_chosen = |job: &&Job| chosen.is_empty() || chosen.contains(&job.experiment);
        let failed = |job: &&Job| job.is_wanted && matches!(job.standing(cache), Standing::Failed(_));
        self.jobs.iter().filter(is_chosen).filter(failed).filter(|job| !self.may_fail(job)).collect()
    }

    /// Whether a claim asks if it comes to its end.
    pub fn may_fail(&self, job: &Job) -> bool {
        self.asks(job, |wanted| wanted.measure == "failed") > 0
    }

    /// Carries them out; `told` hears how each ended. What is to take as long as another run comes after all others, and alone.
    pub fn carry_out(
        &self,
        left: &[&Job],
        cache: &Cache,
        options: &Options,
        told: impl Fn(&Job, &PointEnding) + Sync,
    ) -> Result<(), PaperError> {
        let one = |job: &&Job| {
            let cost = self.tier_cost(job);
            let ending = job.carry_out(cache, cost, options);
            if !matches!(job.work, Work::Scene(_)) {
                options.done.fetch_add(cost, Ordering::Relaxed);
            }
            told(job, &ending);
        };
        let (last, first): (Vec<&Job>, Vec<&Job>) =
            left.iter().copied().partition(|job| matches!(job.work, Work::EqualTime(_)));
        side_by_side(&first, Share::of(first.len(), options.jobs, options.threads), &options.stop, one);
        side_by_side(&last, Share::of(1, Some(1), options.threads), &options.stop, one);
        Ok(())
    }

    /// `[ms]`
    pub fn tier_cost(&self, job: &Job) -> u64 {
        (1e3 * job.settings.cost(self.tier)).max(1.0) as u64
    }
}

impl Job {
    fn is(&self, experiment: &str, run: &str) -> bool {
        self.experiment == experiment && self.settings.name == run
    }

    /// The run in space that it is; nothing yet where its step is still to be found.
    pub fn run(&self, cache: &Cache) -> Option<CachedRun> {
        match &self.work {
            Work::Scene(run) => Some(run.as_ref().clone()),
            Work::EqualTime(search) => search.found(cache),
            Work::SmallWorld => None,
        }
    }

    pub fn is_done(&self, cache: &Cache) -> bool {
        self.standing(cache) == Standing::Finished
    }

    /// Done, or stopped by what would stop it again.
    fn has_ended(&self, cache: &Cache) -> bool {
        matches!(self.standing(cache), Standing::Finished | Standing::Failed(_))
    }

    fn standing(&self, cache: &Cache) -> Standing {
        match &self.work {
            Work::SmallWorld if cache.findings(&self.settings).is_some() => Standing::Finished,
            Work::SmallWorld => Standing::New,
            Work::Scene(_) | Work::EqualTime(_) => self.run(cache).map_or(Standing::New, |run| cache.standing(&run)),
        }
    }

    fn carry_out(&self, cache: &Cache, cost: u64, options: &Options) -> PointEnding {
        let of_run = |run: &CachedRun| PointOptions {
            stop: options.stop.clone(),
            steps: options.done.clone(),
            step_weight: cost / run.steps.max(1),
            retry: options.retry,
            overwrite: options.overwrite,
        };
        match &self.work {
            Work::Scene(run) => cache.run(run, &of_run(run)),
            Work::EqualTime(search) => {
                search.carry_out(cache, &PointOptions { steps: Arc::default(), ..of_run(&search.run) })
            }
            Work::SmallWorld => match small_world::run(&self.settings) {
                Ok(findings) => match cache.keep_findings(&self.settings, &findings) {
                    Ok(()) => PointEnding::Completed,
                    Err(error) => PointEnding::Failed(error.to_string()),
                },
                Err(problem) => PointEnding::Failed(problem),
            },
        }
    }
}

fn cached(
    experiment: &Experiment,
    settings: &RunSettings,
    tier: Tier,
    find: FindScene<'_>,
) -> Result<CachedRun, LoadError> {
    let scene = settings.scene.as_ref().or(experiment.scene.as_ref()).map_or("", String::as_str);
    let quick: &[String] = if tier == Tier::Quick { &experiment.quick } else { &[] };
    let own = [("run.integrator", Some(&settings.integrator)), ("run.h", settings.step(tier))];
    let own = own.into_iter().filter_map(|(key, value)| value.filter(|v| !v.is_empty()).map(|v| format!("{key}={v}")));
    let assignments = experiment.set.iter().chain(quick).chain(&settings.set).cloned().chain(own);
    let stem = std::path::Path::new(scene).file_stem().unwrap_or_default().to_string_lossy();
    CachedRun::new(&stem, &find(scene)?, assignments.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_done_in_the_order_asked_for() {
        let text = "title = 't'\nabout = ''\n[[run]]\nname = '{n}'\nworld = 'particle'\nintegrator = 'a-1'\nover = { n = ['a', 'b', 'c'] }";
        let mut experiment = Experiment::read("x", text).unwrap();
        for (run, seconds) in experiment.runs.iter_mut().zip([2.0, 9.0, 1.0]) {
            run.seconds = seconds;
            run.parameters.insert("hbar".to_owned(), seconds);
        }
        let nowhere = |_: &str| unreachable!("small worlds have no scene");
        let plan = Plan::new(vec![experiment], Tier::Full, &nowhere, None).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let names = |order| {
            let left = plan.left(&Cache::at(folder.path()), &[], false, order);
            left.iter().map(|job| job.settings.name.clone()).collect::<String>()
        };
        assert_eq!((names(Order::LongestFirst), names(Order::ShortestFirst)), ("bac".to_owned(), "cab".to_owned()));
    }
}
