//! A scene that is going on. Steps run without Python's lock: other threads go on meanwhile.

use crate::arrays::{self, Rows};
use crate::checkpoint::Checkpoint;
use crate::error::{OrRaise, failed, refused};
use crate::scene::Scene;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use visviva::run::StatsRow;
use visviva::run::stats::COLUMNS;
use visviva::scene::{Change, Scene as Settings};
use visviva::session::{Ending, RecordOptions, Session as Running};

/// One lock, held only while no Python code runs: a callback may ask anything of its session.
#[pyclass(frozen, module = "visviva._visviva")]
#[derive(Debug)]
pub struct Session {
    running: Mutex<Running>,
}

impl Session {
    /// Waits for another thread's step without holding Python's lock.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Running) -> T + Send) -> PyResult<T> {
        py.detach(|| self.lock().map(|mut running| work(&mut running)))
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Running>> {
        self.running.lock().map_err(|_| failed("the session broke down in an earlier step; begin a new one"))
    }
}

#[pymethods]
impl Session {
    #[new]
    fn new(py: Python<'_>, scene: &Scene) -> PyResult<Self> {
        let settings = scene.settings.clone();
        let running = py.detach(|| Running::new(settings)).or_raise()?;
        Ok(Self { running: Mutex::new(running) })
    }

    /// Goes on with the run in a folder, from its last checkpoint.
    #[staticmethod]
    fn resume(py: Python<'_>, folder: PathBuf, force: bool) -> PyResult<Self> {
        let resume = || if force { Running::resume_despite_damage(&folder) } else { Running::resume(&folder) };
        Ok(Self { running: Mutex::new(py.detach(resume).or_raise()?) })
    }

    /// Writes everything into a run folder from here on.
    fn record(&self, py: Python<'_>, folder: PathBuf, overwrite: bool, scene_name: String) -> PyResult<()> {
        self.with(py, |session| session.record(&folder, &RecordOptions { overwrite, scene_name }))?.or_raise()
    }

    /// One step.
    fn step(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |session| session.step().map(drop))?.or_raise()?;
        py.check_signals()
    }

    /// Tells the recorder that it is over: `completed`, `interrupted`, or why it failed. Returns the summary as JSON.
    fn conclude(&self, py: Python<'_>, ending: &str) -> PyResult<String> {
        let ending = match ending {
            "completed" => Ending::Completed,
            "interrupted" => Ending::Interrupted,
            reason => Ending::Failed(reason.to_owned()),
        };
        let summary = self.with(py, |session| session.conclude(ending))?.or_raise()?;
        serde_json::to_string(&summary).map_err(failed)
    }

    /// Seconds simulated so far.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |session| session.time())
    }

    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |session| session.steps())
    }

    /// The steps that the scene asks for.
    #[getter]
    fn step_count(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |session| session.scene().run.step_count())
    }

    /// The step that ends nearest to a time [s].
    fn step_at(&self, py: Python<'_>, t: f64) -> PyResult<u64> {
        if !t.is_finite() {
            return Err(refused(format!("t = {t} s: it must be finite")));
        }
        self.with(py, |session| ((t - session.clock().start_time) / session.clock().h).round() as u64)
    }

    #[getter]
    fn frames(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |session| session.frames())
    }

    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py, f64>> {
        let flat = self.with(py, |session| session.positions().to_vec())?;
        arrays::read_only(arrays::rows(py, flat, 3)?)
    }

    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py, f64>> {
        let flat = self.with(py, |session| session.velocities().to_vec())?;
        arrays::read_only(arrays::rows(py, flat, 3)?)
    }

    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py, f64>> {
        let vertices = self.with(py, |session| session.vertices())?;
        arrays::read_only(arrays::points(py, vertices)?)
    }

    /// kinetic, elastic, gravity, barrier, total, wanted [J]
    #[getter]
    fn energies(&self, py: Python<'_>) -> PyResult<(f64, f64, f64, f64, f64, f64)> {
        let e = self.with(py, |session| session.energies())?;
        Ok((e.kinetic, e.elastic, e.gravity, e.barrier, e.total, e.wanted))
    }

    /// What the last step did, by the columns of stats.csv; None where one does not apply.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let row = self.with(py, |session| session.row().clone())?;
        as_dict(py, &row)
    }

    /// points (pairs, 2, 3) [m], normal and friction (pairs, 3) [N], surfaces (pairs, 2)
    #[getter]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Rows<'py, f64>, Rows<'py, f64>, Rows<'py, f64>, Rows<'py, u32>)> {
        let contacts = self.with(py, |session| session.contacts())?;
        let points = contacts.iter().flat_map(|contact| contact.points).collect();
        let normal = contacts.iter().map(|contact| contact.normal).collect();
        let friction = contacts.iter().map(|contact| contact.friction).collect();
        let surfaces = contacts.iter().flat_map(|contact| contact.surfaces).collect();
        Ok((
            arrays::points(py, points)?,
            arrays::points(py, normal)?,
            arrays::points(py, friction)?,
            arrays::rows(py, surfaces, 2)?,
        ))
    }

    /// rest, tets, triangles, wires, and of each body: name, kind, vertices, nodes
    #[getter]
    fn mesh<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mesh = self.with(py, |session| session.mesh())?;
        let parts = PyDict::new(py);
        parts.set_item("rest", arrays::rows(py, mesh.rest.as_flattened().to_vec(), 3)?)?;
        parts.set_item("tets", arrays::cells(py, &mesh.tets)?)?;
        parts.set_item("triangles", arrays::cells(py, &mesh.triangles)?)?;
        parts.set_item("wires", arrays::cells(py, &mesh.wires)?)?;
        parts.set_item("bodies", serde_json::to_string(&mesh.bodies).map_err(failed)?)?;
        Ok(parts)
    }

    fn checkpoint(&self, py: Python<'_>) -> PyResult<Checkpoint> {
        self.with(py, |session| session.checkpoint()).map(Checkpoint)
    }

    fn restore(&self, py: Python<'_>, checkpoint: &Checkpoint) -> PyResult<()> {
        let checkpoint = checkpoint.0.clone();
        self.with(py, |session| session.restore(checkpoint))?.or_raise()
    }

    /// Another energy wanted, such as `decay:tau=2`.
    fn set_target(&self, py: Python<'_>, target: &str) -> PyResult<()> {
        let target = target.parse().map_err(refused)?;
        self.with(py, |session| session.set_target(target))?.or_raise()
    }

    /// Another gravity [m/s²].
    fn set_gravity(&self, py: Python<'_>, gravity: [f64; 3]) -> PyResult<()> {
        self.with(py, |session| session.set_gravity(gravity))?.or_raise()
    }

    /// Another method, such as `a-search:max=1.2`.
    fn set_integrator(&self, py: Python<'_>, integrator: &str) -> PyResult<()> {
        let integrator = integrator.parse().map_err(refused)?;
        self.with(py, |session| session.change(Change::Integrator(integrator)))?.or_raise()
    }

    /// The scene as it is run, with the changes made.
    #[getter]
    fn scene(&self, py: Python<'_>) -> PyResult<Scene> {
        let settings: Settings = self.with(py, |session| session.scene().clone())?;
        Ok(Scene { settings, name: "a session's".into() })
    }

    #[getter]
    fn integrator(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |session| session.integrator().to_string())
    }

    /// What is doubtful about the scene or the folder it was taken from.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |session| session.warnings().to_vec())
    }
}

/// As stats.csv has it.
pub fn outcome_name(row: &StatsRow) -> Option<String> {
    let name = serde_json::to_value(row.alpha_outcome?).ok()?;
    name.as_str().map(str::to_owned)
}

fn as_dict<'py>(py: Python<'py>, row: &StatsRow) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for column in COLUMNS {
        match *column {
            "step" => dict.set_item(column, row.step)?,
            "newton" => dict.set_item(column, row.newton)?,
            "converged" => dict.set_item(column, row.converged)?,
            "alpha_outcome" => dict.set_item(column, outcome_name(row))?,
            _ => dict.set_item(column, row.number(column))?,
        }
    }
    Ok(dict)
}
