//! Pictures and plots of run folders.

use crate::error::{OrRaise, failed, refused};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use visviva_cli::commands::plot;
use visviva_pictures::render::Renderer;
use visviva_pictures::run::{Look, RunPictures};

/// One moment, or several in one picture or side by side.
#[pyfunction]
#[pyo3(signature = (folder, *, at, superimpose, sheet, size, color_by, magnify, edges, ground))]
pub fn picture<'py>(
    py: Python<'py>,
    folder: PathBuf,
    at: Option<f64>,
    superimpose: Option<usize>,
    sheet: Option<usize>,
    size: (usize, usize),
    color_by: &str,
    magnify: f64,
    edges: bool,
    ground: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    if size.0 == 0 || size.1 == 0 {
        return Err(refused(format!("size = {size:?}: an image needs an area")));
    }
    if !magnify.is_finite() {
        return Err(refused(format!("magnify = {magnify}: it must be finite")));
    }
    let colour_by = color_by.parse().map_err(|problem| refused(format!("color_by: {problem}")))?;
    let look = Look { size, colour_by, magnify, mesh_edges: edges, ground, captions: true };
    let png = py.detach(|| {
        let run = RunPictures::open(&folder, look).or_raise()?;
        let mut renderer = Renderer::new();
        let image = match (superimpose, sheet) {
            (Some(count), _) => run.superimposed(count, &mut renderer).or_raise()?,
            (None, Some(count)) => run.sheet(count, &mut renderer).or_raise()?,
            (None, None) => {
                let moment = run.moment(nearest(&run, at)).or_raise()?;
                renderer.draw(&run.picture(&[moment])).map_err(failed)?.clone()
            }
        };
        image.to_png().map_err(failed)
    })?;
    Ok(PyBytes::new(py, &png))
}

/// The frame nearest to a time [s]; the last one where none is given.
fn nearest(run: &RunPictures, at: Option<f64>) -> usize {
    let Some(t) = at else { return run.frames.len() - 1 };
    let off = |index: &usize| (run.frames[*index].t - t).abs();
    (0..run.frames.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
}

/// A figure of one run or of several together, as SVG and as PNG.
#[pyfunction]
pub fn figure<'py>(
    py: Python<'py>,
    folders: Vec<PathBuf>,
    what: &str,
    labels: Vec<String>,
    scale: f64,
) -> PyResult<(String, Bound<'py, PyBytes>)> {
    if !labels.is_empty() && labels.len() != folders.len() {
        let (names, runs) = (labels.len(), folders.len());
        return Err(refused(format!("labels: {names} names for {runs} runs; give one each")));
    }
    let drawn = py.detach(|| {
        let figure = plot::figure(what, &folders, &labels).or_raise()?;
        let figure = figure.ok_or_else(|| failed(format!("none of the runs has values for {what}")))?;
        let png = figure.to_image(scale).map_err(failed)?.to_png().map_err(failed)?;
        Ok::<_, PyErr>((figure.to_svg(), png))
    });
    drawn.map(|(svg, png)| (svg, PyBytes::new(py, &png)))
}
