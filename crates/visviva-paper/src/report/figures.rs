//! The figures of an experiment: curves of all its runs, and what the small worlds show.

use super::ReportOptions;
use super::pictures::{png, small};
use crate::judge::Judge;
use crate::plan::{Job, Work};
use crate::small_world::Findings;
use crate::{Experiment, PaperError};
use std::path::PathBuf;
use visviva_pictures::chart::{Axis, Chart, Figure, Series, integrator_style};

/// Larger drawings are put in as pictures `[bytes]`.
const LARGEST_DRAWING: usize = 40 * 1024;

pub fn of(
    judge: &Judge<'_>,
    experiment: &Experiment,
    jobs: &[&Job],
    options: &ReportOptions<'_>,
) -> Result<Vec<String>, PaperError> {
    let fail = |problem: String| PaperError::Experiment { name: experiment.name.clone(), problem };
    let small_worlds: Vec<(&Job, Findings)> = jobs
        .iter()
        .filter(|job| matches!(job.work, Work::SmallWorld))
        .filter_map(|job| Some((*job, judge.values.cache.findings(&job.settings)?)))
        .collect();
    let ready = |job: &&Job| Some((job.settings.name.clone(), judge.values.ready(job).ok()?));
    let (labels, runs): (Vec<String>, Vec<_>) = jobs.iter().filter_map(ready).unzip();
    let folders: Vec<PathBuf> = runs.iter().map(|run| judge.values.cache.folder_of(run)).collect();
    let named = options.reference.as_deref().unwrap_or("reference");
    let reference = labels.iter().position(|label| label == named).map(|at| folders[at].as_path());
    let mut drawn = Vec::new();
    for name in &experiment.figures {
        let figures = match name.as_str() {
            "spectrum" => spectra(&small_worlds),
            "space-time" => space_time(&small_worlds),
            "trace" => vec![traces(&small_worlds)],
            "exit" => vec![exits(&small_worlds)],
            _ if folders.is_empty() => Vec::new(),
            _ => (options.draw)(name, &folders, &labels, reference).map_err(fail)?.into_iter().collect(),
        };
        for figure in figures {
            let prefix = format!("{}-{}-", experiment.name, drawn.len());
            drawn.push(in_page(&figure, &prefix)?);
        }
    }
    Ok(drawn)
}

/// Names in a drawing get the prefix: all drawings of a page share one list of names.
fn in_page(figure: &Figure, prefix: &str) -> Result<String, PaperError> {
    let svg = figure.to_svg();
    match svg.len() <= LARGEST_DRAWING {
        true => Ok(svg.replace(" id=\"", &format!(" id=\"{prefix}")).replace("(#", &format!("(#{prefix}"))),
        false => Ok(png(&small(&figure.to_image(1.5)?)?)),
    }
}

fn steps_of(runs: &[(&Job, Findings)], case: &Option<String>) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    for (job, _) in runs.iter().filter(|(job, _)| job.settings.case == *case) {
        let h = job.settings.h.clone().unwrap_or_default();
        if !steps.contains(&h) {
            steps.push(h);
        }
    }
    steps
}

fn cases(runs: &[(&Job, Findings)]) -> Vec<Option<String>> {
    let mut cases: Vec<Option<String>> = Vec::new();
    for (job, _) in runs {
        if !cases.contains(&job.settings.case) {
            cases.push(job.settings.case.clone());
        }
    }
    cases
}

/// A figure a case, a panel a step, a curve an integrator.
fn spectra(runs: &[(&Job, Findings)]) -> Vec<Figure> {
    let figure = |case: Option<String>| {
        let panel = |h: String| {
            let own = runs.iter().filter(|(job, _)| job.settings.case == case && job.settings.h.as_ref() == Some(&h));
            let series = own.map(|(job, found)| {
                let energy = |mode: usize| found.value(&format!("mode.{mode}")).map(|e| (mode as f64, e));
                Series::integrator(&job.settings.integrator, (0..31).filter_map(energy).collect())
            });
            let axes = (Axis::linear("mode (0: rigid motion)"), Axis::log10("energy [J]").range(1e-6, 10.0));
            Chart::new(format!("h = {h} s"), axes.0, axes.1, series.collect())
        };
        let panels: Vec<Chart> = steps_of(runs, &case).into_iter().map(panel).collect();
        let name = case.clone().unwrap_or_default();
        let (columns, rows) = (panels.len().clamp(1, 2), panels.len().div_ceil(2));
        Figure::new(format!("Energy by eigenmode, {name}"), columns, panels).sized(880.0, 60.0 + 280.0 * rows as f64)
    };
    cases(runs).into_iter().map(figure).collect()
}

/// Paths of nodes, a panel for each integrator and step.
fn space_time(runs: &[(&Job, Findings)]) -> Vec<Figure> {
    let figure = |case: Option<String>| {
        let mut own: Vec<&(&Job, Findings)> = runs.iter().filter(|(job, _)| job.settings.case == case).collect();
        let steps = steps_of(runs, &case);
        own.sort_by_key(|(job, _)| steps.iter().position(|h| Some(h) == job.settings.h.as_ref()));
        let panel = |(job, found): &&(&Job, Findings)| {
            let (colour, _) = integrator_style(&job.settings.integrator);
            let paths = found.curves.iter().filter(|(name, _)| name.starts_with("path."));
            let series = paths.map(|(_, path)| Series::line("", colour, path.clone()).width(0.7).unlisted());
            let axes = (Axis::linear("time [s]"), Axis::linear("position [m]").range(0.0, 4.5));
            let title = format!("{}, h = {} s", job.settings.integrator, job.settings.h.as_deref().unwrap_or(""));
            Chart::new(title, axes.0, axes.1, series.collect())
        };
        let panels: Vec<Chart> = own.iter().map(panel).collect();
        let rows = panels.len().div_ceil(3);
        let name = case.clone().unwrap_or_default();
        Figure::new(format!("Space and time of the {name} bar's nodes"), 3, panels)
            .sized(900.0, 60.0 + 230.0 * rows as f64)
    };
    cases(runs).into_iter().map(figure).collect()
}

fn traces(runs: &[(&Job, Findings)]) -> Figure {
    let series = runs.iter().filter_map(|(job, found)| {
        let points = found.curves.get("trace")?.clone();
        let mut series = Series::integrator(&job.settings.integrator, points);
        series.label = job.settings.name.clone();
        Some(series)
    });
    let axes = (Axis::log10("ħ = h^{2} k/m"), Axis::linear("trace").range(-3.0, 3.2));
    let chart = Chart::new("Trace of one step", axes.0, axes.1, series.collect()).guide_y(2.0, "2").guide_y(-2.0, "−2");
    Figure::single(chart).sized(900.0, 560.0).legend_right()
}

fn exits(runs: &[(&Job, Findings)]) -> Figure {
    let stiff = runs.iter().filter(|(job, _)| job.settings.parameters.is_empty());
    let series = stiff.filter_map(|(job, found)| {
        Some(Series::integrator(&job.settings.integrator, found.curves.get("exit")?.clone()))
    });
    let axes = (Axis::linear("phase β"), Axis::linear("speed afterwards").range(-0.2, 3.2));
    let chart = Chart::new("Speed after a barrier that no step resolves", axes.0, axes.1, series.collect());
    Figure::single(chart.guide_y(1.0, "1")).sized(900.0, 460.0).legend_right()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_of_one_page_share_no_names() {
        let axes = || (Axis::linear("t"), Axis::linear("x"));
        let figure = || {
            let series = Series::integrator("a-search", vec![(0.0, 0.0), (1.0, 1.0)]);
            Figure::single(Chart::new("", axes().0, axes().1, vec![series]))
        };
        let (one, other) = (in_page(&figure(), "ball-0-").unwrap(), in_page(&figure(), "ball-1-").unwrap());
        assert!(one.contains(" id=\"ball-0-plot0\"") && one.contains("url(#ball-0-plot0)"), "{one}");
        assert!(other.contains(" id=\"ball-1-plot0\"") && !other.contains("ball-0-"));
    }
}
