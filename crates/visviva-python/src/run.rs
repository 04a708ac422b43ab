//! What a run left in its folder: rows, summary, condition, and exports.

use crate::arrays;
use crate::error::{OrRaise, failed, refused};
use crate::session::outcome_name;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use visviva::run::drum::mode_numbers;
use visviva::run::export::{FORMATS, Format};
use visviva::run::stats::COLUMNS;
use visviva::run::{Measure, RunFolder, Stats};
use visviva_cli::commands::export::ExportArgs;
use visviva_cli::commands::measure::measured;
use visviva_cli::commands::verify::verified;

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
    every: u64,
    interpolate: bool,
) -> PyResult<Vec<PathBuf>> {
    if let Some(fps) = fps.filter(|fps| !(*fps > 0.0 && fps.is_finite())) {
        return Err(refused(format!("fps = {fps}: it must be positive and finite")));
    }
    if every == 0 {
        return Err(refused("every = 0: it must be 1 or more"));
    }
    let export =
        ExportArgs { run: folder, to: vec![format_named(to)?], out, fps, every, no_interpolation: !interpolate };
    let mut written = Vec::new();
    py.detach(|| export.export(|path| written.push(path.to_owned()))).or_raise()?;
    Ok(written)
}

/// What runs did, in numbers, as JSON.
#[pyfunction]
pub fn measure(
    py: Python<'_>,
    folders: Vec<PathBuf>,
    reference: Option<PathBuf>,
    drum: Option<(u32, u32)>,
    also: Vec<String>,
) -> PyResult<String> {
    let also = also.iter().map(|name| name.parse()).collect::<Result<Vec<Measure>, _>>().map_err(refused)?;
    let drum = drum.map(|(m, n)| mode_numbers(&format!("{m},{n}"))).transpose().map_err(refused)?;
    let measured = py.detach(|| measured(&folders, reference.as_deref(), drum, &also)).or_raise()?;
    serde_json::to_string(&measured).map_err(failed)
}

/// What exact arithmetic finds in the frames, as JSON.
#[pyfunction]
pub fn verify(py: Python<'_>, folder: PathBuf, strict: bool) -> PyResult<String> {
    let verified = py.detach(|| verified(&folder, strict)).or_raise()?;
    serde_json::to_string(&verified.report).map_err(failed)
}

fn format_named(name: &str) -> PyResult<&'static Format> {
    let found = FORMATS.iter().find(|format| format.name == name || format.aliases.contains(&name));
    let names = || FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| refused(format!("`{name}` is no format; there are: {}", names())))
}
