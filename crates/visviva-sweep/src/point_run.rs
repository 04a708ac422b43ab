//! Running one point to its end: anew, or from where it was left; what is finished is only measured.

use crate::{Place, Point, Standing, Sweep, SweepError};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use visviva::integrate::StepReport;
use visviva::run::{MeasuredRun, RunFolder};
use visviva::scene::{LoadError, Scene};
use visviva::session::{Ending, Observer, ObserverError, RecordOptions, Session};

/// How a point is run; nothing here changes its results.
#[derive(Debug, Clone, Default)]
pub struct PointOptions {
    /// Set from outside to end after the current step
    pub stop: Arc<AtomicBool>,
    /// Counts the steps taken
    pub steps: Arc<AtomicU64>,
    /// What a step counts; one where it is zero
    pub step_weight: u64,
    /// Whether a point that failed is tried once more
    pub retry: bool,
    /// Whether a run with other settings gives way
    pub overwrite: bool,
}

/// How a point ended, and what was gathered of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub index: usize,
    pub ending: PointEnding,
    /// One for each of the sweep's measures, where it has a value
    pub measured: Vec<Option<f64>>,
    /// Of all its steps, by the clock `[s]`
    pub wall_s: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PointEnding {
    Completed,
    /// It goes on from its checkpoint when it is run again
    Interrupted,
    Failed(String),
    /// Another process runs it now
    Elsewhere,
    /// It has not been run
    Missing,
}

impl PointEnding {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Interrupted => "interrupted",
            Self::Failed(_) => "failed",
            Self::Elsewhere => "running",
            Self::Missing => "missing",
        }
    }
}

impl Sweep {
    /// Runs a point or goes on with it, in the threads of the calling pool. What goes wrong is its ending: other points must go on.
    pub fn run_point(&self, point: &Point, options: &PointOptions) -> Outcome {
        let ending = self.place(point).run(|| self.scene(point), &self.source.name, options);
        self.measured(point, ending)
    }

    /// What is there of a point, without running it.
    pub fn look_at(&self, point: &Point) -> Outcome {
        let ending = match self.standing(point) {
            Standing::Finished => PointEnding::Completed,
            Standing::Failed(reason) => PointEnding::Failed(reason),
            Standing::Begun => match self.place(point).claim() {
                Ok(None) => PointEnding::Elsewhere,
                _ => PointEnding::Interrupted,
            },
            Standing::New | Standing::Other | Standing::Foreign => PointEnding::Missing,
        };
        self.measured(point, ending)
    }

    fn measured(&self, point: &Point, ending: PointEnding) -> Outcome {
        let index = point.index;
        let nothing = |ending| Outcome { index, ending, measured: vec![None; self.measures.len()], wall_s: None };
        if ending != PointEnding::Completed {
            return nothing(ending);
        }
        let measure = || {
            let run = MeasuredRun::open(&self.point_folder(point))?;
            let measured = self.measures.iter().map(|measure| measure.of(&run)).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, SweepError>(Outcome { index, ending, measured, wall_s: Some(run.wall_s()) })
        };
        measure()
            .unwrap_or_else(|error| nothing(PointEnding::Failed(format!("it was run but cannot be measured: {error}"))))
    }
}

impl Place<'_> {
    /// Runs what belongs here or goes on with it, in the threads of the calling pool. What goes wrong is its ending.
    pub fn run(
        &self,
        scene: impl FnOnce() -> Result<Scene, LoadError>,
        scene_name: &str,
        options: &PointOptions,
    ) -> PointEnding {
        catch_unwind(AssertUnwindSafe(|| self.to_its_end(scene, scene_name, options)))
            .unwrap_or_else(|panic| Err(in_words(panic.as_ref()).into()))
            .unwrap_or_else(|error| PointEnding::Failed(error.to_string()))
    }

    fn to_its_end(
        self,
        scene: impl FnOnce() -> Result<Scene, LoadError>,
        scene_name: &str,
        options: &PointOptions,
    ) -> Result<PointEnding, ObserverError> {
        let Some(mut claim) = self.claim()? else { return Ok(PointEnding::Elsewhere) };
        let folder = self.folder();
        let standing = self.standing();
        let resumed = match standing {
            Standing::Finished => return Ok(PointEnding::Completed),
            Standing::Failed(reason) if !options.retry => return Ok(PointEnding::Failed(reason)),
            Standing::Foreign => return Err(SweepError::Foreign { path: folder }.into()),
            Standing::Other if !options.overwrite => {
                return Err(
                    SweepError::Other { count: 1, folder: self.root.to_owned(), name: self.name.to_owned() }.into()
                );
            }
            Standing::Begun | Standing::Failed(_) if has_checkpoint(&folder) => Some(Session::resume(&folder)?),
            _ => None,
        };
        let mut session = match resumed {
            Some(session) => session,
            None => {
                // First what may be refused, so that no folder is left behind.
                let mut session = Session::new(scene()?)?;
                claim.clear(&self)?;
                session.record(&folder, &RecordOptions { overwrite: false, scene_name: scene_name.to_owned() })?;
                session
            }
        };
        session.observe(options.stop.clone())?;
        session.observe(Counter { steps: options.steps.clone(), weight: options.step_weight.max(1) })?;
        Ok(match session.run()?.ending {
            Ending::Completed => PointEnding::Completed,
            Ending::Interrupted => PointEnding::Interrupted,
            Ending::Failed(reason) => PointEnding::Failed(reason),
        })
    }
}

/// A run that was killed as it began has none yet.
fn has_checkpoint(folder: &Path) -> bool {
    RunFolder::at(folder).checkpoint_paths().iter().any(|path| path.is_file())
}

struct Counter {
    steps: Arc<AtomicU64>,
    weight: u64,
}

impl Observer for Counter {
    fn step(&mut self, _session: &Session, _report: &StepReport) -> Result<(), ObserverError> {
        self.steps.fetch_add(self.weight, Ordering::Relaxed);
        Ok(())
    }
}

fn in_words(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    format!("the program made a mistake: {}", message.unwrap_or("it does not say which"))
}
