//! Values of runs, asked for by name; what was measured once is kept beside the runs.

use crate::cache::Kind;
use crate::formula::Wanted;
use crate::plan::{Job, Plan, Work};
use crate::{Cache, CachedRun, PaperError};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use visviva::run::{Measure, MeasureError, MeasuredRun, running_mean};
use visviva_sweep::Standing;
use xxhash_rust::xxh3::xxh3_64;

/// Why there is no value.
#[derive(Debug, Clone, PartialEq)]
pub enum Missing {
    /// It belongs to another tier
    NotInTier(String),
    NotRun(String),
    /// It was ended early, or is still going on; how far it came and was to come `[s]`
    Cut {
        run: String,
        time: f64,
        duration: f64,
    },
    /// It stopped before its end, and the claim does not ask whether it does
    Failed {
        run: String,
        reason: String,
    },
    NoValue(String),
    Broken(String),
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotInTier(run) => write!(f, "`{run}` is a run of the full tier"),
            Self::NotRun(run) => write!(f, "`{run}` has not been run"),
            Self::Cut { run, time, duration } => write!(f, "`{run}` was cut at {time:.2} s of {duration} s"),
            Self::Failed { run, reason } => write!(f, "`{run}` stopped before its end: {reason}"),
            Self::NoValue(what) => write!(f, "there is no value of {what}"),
            Self::Broken(problem) => f.write_str(problem),
        }
    }
}

/// Of all runs of a plan.
#[derive(Debug)]
pub struct Values<'a> {
    pub plan: &'a Plan,
    pub cache: &'a Cache,
    opened: RefCell<HashMap<String, Rc<MeasuredRun>>>,
    known: RefCell<HashMap<String, Known>>,
}

/// What was measured of a run, by the names of the measures.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Known {
    /// Of the run that is there
    identity: u64,
    /// Of its summary: a run that is tried again ends otherwise
    #[serde(default)]
    summary: u64,
    values: BTreeMap<String, Option<f64>>,
}

impl<'a> Values<'a> {
    pub fn new(plan: &'a Plan, cache: &'a Cache) -> Self {
        Self { plan, cache, opened: RefCell::default(), known: RefCell::default() }
    }

    pub fn of(&self, experiment: &str, wanted: &Wanted) -> Result<f64, Missing> {
        let job = self.job(experiment, &wanted.run)?;
        let Some(other) = &wanted.versus else { return self.measured(job, &wanted.measure) };
        self.against(job, &wanted.measure, self.job(experiment, other)?)
    }

    /// A measure of a job.
    pub fn measured(&self, job: &Job, measure: &str) -> Result<f64, Missing> {
        if matches!(job.work, Work::SmallWorld) {
            if !job.is_wanted {
                return Err(Missing::NotInTier(job.settings.name.clone()));
            }
            let findings = self.cache.findings(&job.settings);
            let findings = findings.ok_or_else(|| Missing::NotRun(job.settings.name.clone()))?;
            let value = findings.value(measure).filter(|value| !value.is_nan());
            return value.ok_or_else(|| Missing::NoValue(format!("{}: {measure}", job.settings.name)));
        }
        let run = self.ready(job)?;
        if let (Work::EqualTime(search), "times_as_long") = (&job.work, measure) {
            let absent = || Missing::NoValue(format!("{}: {measure}", job.settings.name));
            return search.times_as_long(self.cache).ok_or_else(absent);
        }
        let measure: Measure = measure.parse().map_err(|error: MeasureError| Missing::Broken(error.to_string()))?;
        self.known(job, &run, &measure.to_string(), |run| measure.of(run))
    }

    fn against(&self, job: &Job, measure: &str, other: &Job) -> Result<f64, Missing> {
        let (run, reference) = (self.ready(job)?, self.ready(other)?);
        let name = format!("{measure} vs {} {:016x}", reference.name, self.cache.identity_of(&reference));
        self.known(job, &run, &name, |measured| {
            let reference = self.open(&reference)?;
            Ok(Some(match measure {
                "distance" => {
                    let distances = measured.distance_to(&reference)?;
                    if distances.is_empty() {
                        return Ok(None);
                    }
                    distances.iter().map(|(_, off)| off).sum::<f64>() / distances.len() as f64
                }
                "angular_momentum_off" => {
                    measured.angular_momentum_off(&running_mean(&reference.angular_momentum(), 1.0))
                }
                _ => return Ok(None),
            }))
        })
    }

    fn job(&self, experiment: &str, run: &str) -> Result<&'a Job, Missing> {
        self.plan.job(experiment, run).ok_or_else(|| Missing::NotRun(run.to_owned()))
    }

    /// Why a run stopped before its end, where it did.
    pub fn failure(&self, experiment: &str, run: &str) -> Option<Missing> {
        let job = self.plan.job(experiment, run)?;
        match self.cache.standing(&job.run(self.cache)?) {
            Standing::Failed(reason) => Some(Missing::Failed { run: run.to_owned(), reason }),
            _ => None,
        }
    }

    /// A run that has ended, well or not: what stopped it may be what is looked for.
    pub fn ready(&self, job: &Job) -> Result<CachedRun, Missing> {
        let name = || job.settings.name.clone();
        if !job.is_wanted {
            return Err(Missing::NotInTier(name()));
        }
        let run = job.run(self.cache).ok_or_else(|| Missing::NotRun(name()))?;
        match self.cache.standing(&run) {
            Standing::Finished | Standing::Failed(_) => Ok(run),
            Standing::Begun => {
                let time = self.open(&run).map_or(0.0, |run| run.time());
                Err(Missing::Cut { run: name(), time, duration: run.duration })
            }
            _ => Err(Missing::NotRun(name())),
        }
    }

    fn open(&self, run: &CachedRun) -> Result<Rc<MeasuredRun>, MeasureError> {
        if let Some(opened) = self.opened.borrow().get(&run.name) {
            return Ok(opened.clone());
        }
        let opened = Rc::new(MeasuredRun::open(&self.cache.folder_of(run))?);
        self.opened.borrow_mut().insert(run.name.clone(), opened.clone());
        Ok(opened)
    }

    fn known(
        &self,
        job: &Job,
        run: &CachedRun,
        name: &str,
        measure: impl FnOnce(&MeasuredRun) -> Result<Option<f64>, MeasureError>,
    ) -> Result<f64, Missing> {
        let absent = || Missing::NoValue(format!("{}: {name}", job.settings.name));
        let begin = || {
            let path = self.cache.folder_of(run).join("summary.json");
            let summary = std::fs::read(path).map_or(0, |bytes| xxh3_64(&bytes));
            let identity = self.cache.identity_of(run);
            let kept: Option<Known> = self.cache.kept(Kind::Values, &run.name);
            let is_of_this = |known: &Known| known.identity == identity && known.summary == summary;
            kept.filter(is_of_this).unwrap_or(Known { identity, summary, values: BTreeMap::new() })
        };
        if let Some(value) = self.known.borrow_mut().entry(run.name.clone()).or_insert_with(begin).values.get(name) {
            return value.ok_or_else(absent);
        }
        let broken = |error: MeasureError| Missing::Broken(error.to_string());
        let value = measure(&*self.open(run).map_err(broken)?).map_err(broken)?.filter(|value| !value.is_nan());
        if let Some(known) = self.known.borrow_mut().get_mut(&run.name) {
            known.values.insert(name.to_owned(), value);
        }
        value.ok_or_else(absent)
    }

    /// Puts down what was measured, for the next time. What was opened is closed: frames take memory.
    pub fn keep(&self) -> Result<(), PaperError> {
        self.opened.borrow_mut().clear();
        self.known.borrow().iter().try_for_each(|(run, known)| self.cache.keep(Kind::Values, run, known))
    }
}
