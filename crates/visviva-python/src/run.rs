//! What a run left in its folder: rows, summary, condition, and exports.

use crate::arrays;
use crate::error::{OrRaise, failed, refused};
use crate::session::outcome_name;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use visviva::run::export::{FORMATS, Format};
use visviva::run::stats::COLUMNS;
use visviva::run::{RunFolder, Stats, evenly};

/// Columns of stats.csv, each a NumPy array; NaN or no text where a cell does not apply.
#[pyfunction]
pub fn stats(py: Python<'_>, folder: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let rows = py.detach(|| Stats::read(&RunFolder::at(&folder).stats_path())).or_raise()?.rows;
    let columns = PyDict::new(py);
    for column in COLUMNS {
        match *column {
            "step" => columns.set_item(column, arrays::column(py, rows.iter().map(|row| row.step)))?,
            "newton" => columns.set_item(column, arrays::column(py, rows.iter().map(|row| row.newton)))?,
            "linear_iterations" => {
                columns.set_item(column, arrays::column(py, rows.iter().map(|row| row.linear_iterations)))?;
            }
            "halvings" => columns.set_item(column, arrays::column(py, rows.iter().map(|row| row.halvings)))?,
            "converged" => columns.set_item(column, arrays::column(py, rows.iter().map(|row| row.converged)))?,
            "alpha_outcome" => {
                let names: Vec<String> = rows.iter().map(|row| outcome_name(row).unwrap_or_default()).collect();
                columns.set_item(column, names)?;
            }
            _ => {
                let numbers = rows.iter().map(|row| row.number(column).unwrap_or(f64::NAN));
                columns.set_item(column, arrays::column(py, numbers))?;
            }
        }
    }
    Ok(columns)
}

/// summary.json; None while a run goes on, or where it was cut short.
#[pyfunction]
pub fn summary(folder: PathBuf) -> PyResult<Option<String>> {
    let summary = RunFolder::open(&folder).and_then(|run| run.summary()).or_raise()?;
    Ok(summary.map(|summary| summary.to_string()))
}

/// What is not as the run left it, and what is worth knowing beside.
#[pyfunction]
pub fn condition(py: Python<'_>, folder: PathBuf) -> PyResult<(Vec<String>, Vec<String>)> {
    let condition = py.detach(|| RunFolder::open(&folder).map(|run| run.condition())).or_raise()?;
    Ok((condition.damage.iter().map(ToString::to_string).collect(), condition.notes))
}

/// Names of the formats, and what each is for.
#[pyfunction]
pub fn export_formats() -> Vec<(&'static str, &'static str)> {
    FORMATS.iter().map(|format| (format.name, format.what)).collect()
}

/// Writes the motion for another program; returns what to open.
#[pyfunction]
pub fn export(
    py: Python<'_>,
    folder: PathBuf,
    to: &str,
    out: Option<PathBuf>,
    fps: Option<f64>,
) -> PyResult<Vec<PathBuf>> {
    let format = format_named(to)?;
    if let Some(fps) = fps.filter(|fps| !(*fps > 0.0 && fps.is_finite())) {
        return Err(refused(format!("fps = {fps}: it must be positive and finite")));
    }
    py.detach(|| {
        let run = RunFolder::open(&folder).or_raise()?;
        let rate = match fps {
            Some(fps) => fps,
            None => run.scene().or_raise()?.run.frame_rate,
        };
        let frames = evenly(&run.frames().or_raise()?, rate).ok_or_else(|| failed("the frames' times do not grow"))?;
        let model = run.built().ok().filter(|_| format.uses_materials).map(|(_, built)| built.model);
        let out = out.unwrap_or_else(|| folder.join(format.folder));
        run.export((format.exporter)(&out).as_mut(), &frames, rate, model.as_deref(), || ()).or_raise()
    })
}

fn format_named(name: &str) -> PyResult<&'static Format> {
    let found = FORMATS.iter().find(|format| format.name == name || format.aliases.contains(&name));
    let names = || FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| refused(format!("`{name}` is no format; there are: {}", names())))
}
