//! A scene that is going on. Steps run without Python's lock: other threads go on meanwhile.

use crate::arrays::{self, Rows};
use crate::checkpoint::Checkpoint;
use crate::error::{OrRaise, failed, refused};
use crate::scene::Scene;
use crate::words;
use nalgebra::{Unit, Vector3};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use visviva::model::Part;
use visviva::model::bodies::ModelBody;
use visviva::run::StatsRow;
use visviva::run::stats::COLUMNS;
use visviva::scene::{Change, ChangeEntry, Scene as Settings};
use visviva::session::{Ending, PinMotion, PinTurn, RecordOptions, Session as Running};

/// Rows, columns and values of a matrix.
type Entries<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>);

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
        arrays::rows(py, flat, 3)
    }

    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py, f64>> {
        let flat = self.with(py, |session| session.velocities().to_vec())?;
        arrays::rows(py, flat, 3)
    }

    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py, f64>> {
        let vertices = self.with(py, |session| session.vertices())?;
        arrays::points(py, vertices)
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

    /// points (2 pairs, 3) [m], normal and friction (pairs, 3) [N], surfaces (pairs, 2)
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let contacts = self.with(py, |session| session.contacts())?;
        let parts = PyDict::new(py);
        let points = contacts.iter().flat_map(|contact| contact.points).collect();
        parts.set_item("points", arrays::points(py, points)?)?;
        parts.set_item("normal", arrays::points(py, contacts.iter().map(|contact| contact.normal).collect())?)?;
        parts.set_item("friction", arrays::points(py, contacts.iter().map(|contact| contact.friction).collect())?)?;
        let surfaces = contacts.iter().flat_map(|contact| contact.surfaces).collect();
        parts.set_item("surfaces", arrays::rows(py, surfaces, 2)?)?;
        Ok(parts)
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

    /// Another energy wanted, of the scene or of one body: text such as `decay:tau=2`, or the words of `[energy]`.
    fn set_target(&self, py: Python<'_>, target: &Bound<'_, PyAny>, body: Option<String>) -> PyResult<()> {
        if let Ok(text) = target.extract::<String>() {
            let target = text.parse().map_err(refused)?;
            let change = match body {
                Some(body) => Change::BodyTarget { body, target },
                None => Change::Target(target),
            };
            return self.with(py, |session| session.change(change))?.or_raise();
        }
        let energy = words::to_toml(target, "energy")?.try_into();
        let energy = energy.map_err(|problem: toml::de::Error| refused(format!("energy: {}", problem.message())))?;
        let entry = ChangeEntry { energy: Some(energy), body, ..ChangeEntry::default() };
        self.with(py, |session| session.change_in_words(&entry))?.or_raise()
    }

    /// Forces (nodes, 3) [N] in the next step.
    fn push(&self, py: Python<'_>, forces: PyReadonlyArray2<'_, f64>) -> PyResult<()> {
        let count = self.with(py, |session| session.model().node_count())?;
        let forces = arrays::vectors(&forces, count, "forces")?;
        self.with(py, |session| session.push(&forces))?.or_raise()
    }

    /// Shift [m] of a pin in the next step; a turn is axis, centre [m] and angle [rad].
    fn move_pin(
        &self,
        py: Python<'_>,
        pin: usize,
        shift: [f64; 3],
        turn: Option<([f64; 3], [f64; 3], f64)>,
    ) -> PyResult<()> {
        let turn = match turn {
            Some((axis, centre, angle)) => {
                let axis = Unit::try_new(Vector3::from(axis), 1e-300);
                let axis = axis.ok_or_else(|| refused(format!("pin {pin}: the turn's axis must not be zero")))?;
                Some(PinTurn { axis, centre: centre.into(), angle })
            }
            None => None,
        };
        self.with(py, |session| session.move_pin(pin, PinMotion { shift: shift.into(), turn }))?.or_raise()
    }

    /// ∇²P here: rows, columns and values [N/m] of its entries, to be added where one comes again.
    #[getter]
    fn stiffness<'py>(&self, py: Python<'py>) -> PyResult<Entries<'py>> {
        let blocks = self.with(py, |session| session.stiffness())?;
        let entry = |k: u32, nodes: &[u32; 2]| [3 * nodes[0] + k % 3, 3 * nodes[1] + k / 3];
        let places = || blocks.iter().flat_map(|(nodes, _)| (0..9).map(move |k| entry(k, nodes)));
        Ok((
            arrays::column(py, places().map(|place| place[0])),
            arrays::column(py, places().map(|place| place[1])),
            arrays::column(py, blocks.iter().flat_map(|(_, block)| *block)),
        ))
    }

    /// The mass of all coordinates: rows, columns and values [kg].
    #[getter]
    fn mass<'py>(&self, py: Python<'py>) -> PyResult<Entries<'py>> {
        let mass = self.with(py, |session| session.model().mass.clone())?;
        let mut entries = Vec::new();
        let mut add = |a: usize, b: usize, m: f64| {
            (0..3).for_each(|c| entries.push((3 * a as u32 + c, 3 * b as u32 + c, m)));
        };
        for (node, &m) in mass.lumped_masses().iter().enumerate().filter(|(_, m)| **m != 0.0) {
            add(node, node, m);
        }
        for block in mass.blocks() {
            for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
                add(block.first_node + i, block.first_node + j, block.matrix[(i, j)]);
            }
        }
        Ok((
            arrays::column(py, entries.iter().map(|entry| entry.0)),
            arrays::column(py, entries.iter().map(|entry| entry.1)),
            arrays::column(py, entries.iter().map(|entry| entry.2)),
        ))
    }

    /// Which nodes nothing holds.
    #[getter]
    fn free_nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let free = self.with(py, |session| {
            let model = session.model();
            (0..model.node_count()).map(|node| !model.mass.is_pinned(node)).collect::<Vec<_>>()
        })?;
        Ok(arrays::column(py, free))
    }

    /// Energies, losses and work [J] and momenta of each body, as JSON.
    #[getter]
    fn parts(&self, py: Python<'_>) -> PyResult<String> {
        let parts = self.with(py, |session| {
            let bodies = session.model().bodies.iter().zip(session.parts());
            bodies.map(|(body, part)| body_books(body, &part)).collect::<Vec<_>>()
        })?;
        serde_json::to_string(&parts).map_err(failed)
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

/// As bodies.csv has it.
fn body_books(body: &ModelBody, part: &Part) -> serde_json::Value {
    let [elastic, gravity, barrier] = std::array::from_fn(|k| part.potential.as_slice().get(k).copied().unwrap_or(0.0));
    let (p, l, exchange) = (part.momentum, part.angular_momentum, &part.exchange);
    serde_json::json!({
        "body": body.name, "nodes": [body.nodes.start, body.nodes.end], "kinetic": part.kinetic, "elastic": elastic, "gravity": gravity, "barrier": barrier,
        "friction_loss": exchange.friction_loss, "contact_loss": exchange.contact_loss,
        "damping_loss": exchange.damping_loss, "work": exchange.work,
        "px": p.x, "py": p.y, "pz": p.z, "lx": l.x, "ly": l.y, "lz": l.z,
    })
}

fn as_dict<'py>(py: Python<'py>, row: &StatsRow) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for column in COLUMNS {
        match *column {
            "step" => dict.set_item(column, row.step)?,
            "newton" => dict.set_item(column, row.newton)?,
            "linear_iterations" => dict.set_item(column, row.linear_iterations)?,
            "halvings" => dict.set_item(column, row.halvings)?,
            "active_pairs" => dict.set_item(column, row.active_pairs)?,
            "converged" => dict.set_item(column, row.converged)?,
            "alpha_outcome" => dict.set_item(column, outcome_name(row))?,
            _ => dict.set_item(column, row.number(column))?,
        }
    }
    Ok(dict)
}
