//! A sweep: planned, run on this machine or point by point wherever a worker calls, and gathered.

use crate::error::{OrRaise, failed, refused};
use crate::scene::Scene;
use crate::words;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;
use visviva::scene::SceneSource;
use visviva_sweep::local::Share;
use visviva_sweep::{
    Cells, Outcome, Point, PointEnding, PointOptions, Standing, Sweep as Plan, SweepError, SweepSettings, Table,
    figures,
};

/// Between two looks at whether Python wants to end.
const LOOK: Duration = Duration::from_millis(50);

/// A plan and its folder.
#[pyclass(frozen, module = "visviva._visviva")]
#[derive(Debug)]
pub struct Sweep {
    plan: Plan,
}

/// Index, how it ended, why it failed, its measures, its time by the clock `[s]`: plain values, so that workers can send them.
type Told = (usize, String, String, Vec<Option<f64>>, Option<f64>);

impl<T> OrRaise<T> for Result<T, SweepError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| match error {
            SweepError::Output(_) | SweepError::Write { .. } => failed(error),
            _ => refused(error),
        })
    }
}

#[pymethods]
impl Sweep {
    /// Plans a sweep in the words of sweep files; nothing is written.
    #[new]
    fn new(scene: &Scene, words: &Bound<'_, PyAny>, out: PathBuf) -> PyResult<Self> {
        let text = scene.settings.to_toml().map_err(|error| {
            refused(format!("{error}; a sweep needs meshes in files: save them, and name them with `file`"))
        })?;
        let source = SceneSource { name: scene.name.clone(), text, folder: scene.settings.folder.clone() };
        let words = toml::to_string(&words::to_table(words)?).map_err(refused)?;
        let settings = SweepSettings::read(&words, "the sweep").or_raise()?;
        Ok(Self { plan: Plan::plan(settings, source, &out).or_raise()? })
    }

    /// Index, name, run folder, steps and whether it is finished, for each point.
    fn points(&self) -> Vec<(usize, String, PathBuf, u64, bool)> {
        let plan = &self.plan;
        let told = |point: &Point| {
            let finished = plan.standing(point) == Standing::Finished;
            (point.index, point.name.clone(), plan.point_folder(point), point.steps, finished)
        };
        plan.points.iter().map(told).collect()
    }

    /// Refuses folders that are not this sweep's, and other runs in its own unless they may be overwritten.
    fn check_folders(&self, overwrite: bool) -> PyResult<()> {
        self.plan.check_folders(overwrite).or_raise()
    }

    /// Runs these points here, so many at a time; Ctrl-C ends them after their steps, with checkpoints. `told` is called with steps
    /// taken so far and points ended.
    #[pyo3(signature = (points, jobs, threads, retry, overwrite, told=None))]
    fn run(
        &self,
        py: Python<'_>,
        points: Vec<usize>,
        jobs: Option<usize>,
        threads: Option<usize>,
        retry: bool,
        overwrite: bool,
        told: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Told>> {
        let points = points.into_iter().map(|k| self.plan.point(k)).collect::<Result<Vec<_>, _>>().or_raise()?;
        let share = Share::of(points.len(), jobs, threads);
        let options = PointOptions { retry, overwrite, ..PointOptions::default() };
        let ended = std::sync::atomic::AtomicUsize::new(0);
        let (outcomes, interruption) = py.detach(|| {
            std::thread::scope(|scope| {
                let work = scope.spawn(|| {
                    self.plan.run_locally(&points, share, &options, |_| {
                        ended.fetch_add(1, Ordering::Relaxed);
                    })
                });
                let mut interruption = None;
                while !work.is_finished() {
                    std::thread::park_timeout(LOOK);
                    let look = |py: Python<'_>| {
                        py.check_signals()?;
                        let (steps, ended) = (options.steps.load(Ordering::Relaxed), ended.load(Ordering::Relaxed));
                        told.as_ref().map_or(Ok(()), |told| told.call1(py, (steps, ended)).map(drop))
                    };
                    if let (None, Err(raised)) = (&interruption, Python::attach(look)) {
                        options.stop.store(true, Ordering::Relaxed);
                        interruption = Some(raised);
                    }
                }
                (work.join(), interruption)
            })
        });
        let outcomes = outcomes.map_err(|_| failed("the sweep came to an end that it should not"))?;
        interruption.map_or_else(|| Ok(outcomes.into_iter().map(told_of).collect()), Err)
    }

    /// What is there of a point, without running it.
    fn look_at(&self, py: Python<'_>, point: usize) -> PyResult<Told> {
        let point = self.plan.point(point).or_raise()?;
        Ok(told_of(py.detach(|| self.plan.look_at(point))))
    }

    /// Writes table and plots of these outcomes; returns the table's columns and the files.
    fn gather<'py>(&self, py: Python<'py>, outcomes: Vec<Told>) -> PyResult<(Bound<'py, PyDict>, Vec<PathBuf>)> {
        let outcomes: Vec<Outcome> = outcomes.into_iter().map(outcome_of).collect();
        let (table, files) = py.detach(|| {
            let plan = &self.plan;
            let table = Table::of(plan, &outcomes);
            std::fs::create_dir_all(&plan.folder)
                .map_err(|error| failed(format!("{}: {error}", plan.folder.display())))?;
            let mut files = table.write(&plan.folder).or_raise()?.to_vec();
            let over_time = figures::over_time(plan, &table, &outcomes, "total");
            for (stem, figure) in figures::of_table(&table).into_iter().chain(over_time) {
                files.extend(figure.write(&plan.folder.join("plots"), &stem).map_err(failed)?);
            }
            Ok::<_, PyErr>((table, files))
        })?;
        let columns = PyDict::new(py);
        for column in table.columns {
            match column.cells {
                Cells::Texts(texts) => columns.set_item(column.name, texts)?,
                Cells::Numbers(numbers) => columns.set_item(column.name, numbers)?,
            }
        }
        Ok((columns, files))
    }
}

fn told_of(outcome: Outcome) -> Told {
    let reason = match &outcome.ending {
        PointEnding::Failed(reason) => reason.clone(),
        _ => String::new(),
    };
    (outcome.index, outcome.ending.name().to_owned(), reason, outcome.measured, outcome.wall_s)
}

fn outcome_of((index, ending, reason, measured, wall_s): Told) -> Outcome {
    let ending = match ending.as_str() {
        "completed" => PointEnding::Completed,
        "interrupted" => PointEnding::Interrupted,
        "running" => PointEnding::Elsewhere,
        "missing" => PointEnding::Missing,
        _ => PointEnding::Failed(reason),
    };
    Outcome { index, ending, measured, wall_s }
}
