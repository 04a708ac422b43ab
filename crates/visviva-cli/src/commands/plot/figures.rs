//! The figures of `visviva plot`.

use super::What;
use super::run::Run;
use visviva::energy::alpha::AlphaOutcome;
use visviva::run::drum::{ModeNumbers, Moment};
use visviva_pictures::chart::{Axis, Chart, Dash, Figure, Series};
use visviva_pictures::colour::{BODY_COLOURS, Colour};

const TARGET: Colour = Colour(0x22, 0x22, 0x22);
const TERMS: [(&str, &str, Colour); 4] = [
    ("kinetic", "kinetic", BODY_COLOURS[4]),
    ("elastic", "elastic", BODY_COLOURS[5]),
    ("gravity", "gravity", BODY_COLOURS[2]),
    ("barrier", "barrier", BODY_COLOURS[6]),
];

/// None where no run has a value to show.
pub fn draw(what: What, runs: &[Run]) -> Option<Figure> {
    let figure = match what {
        What::Energy => energy(runs),
        What::Terms => terms(runs),
        What::AngularMomentum => angular_momentum(runs),
        What::Alpha => alpha(runs),
        What::Newton => newton(runs),
        // Frames tell it, not rows.
        What::Height => return None,
    };
    let has_points = |chart: &Chart| chart.series.iter().any(|s| s.points.iter().any(|p| p.1.is_finite()));
    figure.panels.iter().any(has_points).then_some(figure)
}

/// One range for all panels, so that their curves lie below each other.
fn time(runs: &[Run]) -> Axis {
    let times = || runs.iter().flat_map(|run| run.stats.rows.iter().map(|row| row.t)).filter(|t| t.is_finite());
    let (first, last) = (times().fold(f64::INFINITY, f64::min), times().fold(f64::NEG_INFINITY, f64::max));
    let axis = Axis::linear("time [s]");
    if first < last { axis.range(first, last) } else { axis }
}

/// Keeps round-off from filling a panel: curves that vary by less than `floor` are shown as the level lines they are.
fn calm(mut chart: Chart, floor: f64) -> Chart {
    let values = || chart.series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).filter(|v| v.is_finite());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if high - low < floor && low <= high {
        let middle = 0.5 * (low + high);
        chart.y = chart.y.range(middle - 0.5 * floor, middle + 0.5 * floor);
    }
    chart
}

fn largest(series: &[Series]) -> f64 {
    let values = series.iter().flat_map(|s| s.points.iter().map(|p| p.1.abs()));
    values.filter(|v| v.is_finite()).fold(0.0, f64::max)
}

fn curves(runs: &[Run], points: impl Fn(&Run) -> Vec<(f64, f64)>) -> Vec<Series> {
    runs.iter().map(|run| run.series(points(run))).filter(|series| !series.points.is_empty()).collect()
}

fn energy(runs: &[Run]) -> Figure {
    let mut totals = curves(runs, |run| run.curve("total"));
    let targets = targets(runs);
    totals.extend(targets.clone());
    let floor = 0.04 * largest(&totals);
    let total = calm(Chart::new("Total energy", time(runs), Axis::linear("energy [J]"), totals), floor);
    let off = |run: &Run| {
        let rows = run.stats.rows.iter();
        rows.filter_map(|row| Some((row.t, (row.total - row.target?).abs()))).collect()
    };
    let mut off =
        Chart::new("Distance from the target", time(runs), Axis::log10("|energy − target| [J]"), curves(runs, off));
    if off.series.iter().all(|s| s.points.iter().all(|p| p.1 <= 0.0)) {
        return Figure::single(total);
    }
    // With the same entries both panels share one legend.
    off.series.extend(targets.into_iter().map(|target| Series { points: Vec::new(), ..target }));
    Figure::new("Energy against its target", 2, vec![total, off])
}

/// One line where all runs share a target, otherwise a thin one beside each run.
fn targets(runs: &[Run]) -> Vec<Series> {
    let all: Vec<_> = runs.iter().map(|run| run.curve("target")).filter(|curve| !curve.is_empty()).collect();
    let mut values = all.iter().flatten().map(|p| p.1);
    let first = values.next().unwrap_or(0.0);
    let shared = all.len() < 2 || values.all(|v| (v - first).abs() <= 1e-9 * first.abs());
    let line = |label: String, colour, points| Series::line(label, colour, points).dash(Dash::Dotted).width(1.3);
    if shared {
        // The longest one covers all.
        let longest = all.into_iter().max_by(|a, b| end(a).total_cmp(&end(b)));
        return longest.map(|points| line("target".into(), TARGET, points)).into_iter().collect();
    }
    if runs.iter().any(|run| run.colour.is_some()) {
        // Twice as many lines as can be read: how far each lies off is in the other panel.
        return Vec::new();
    }
    let own = runs.iter().map(|run| {
        let look = run.series(Vec::new());
        line(format!("{}: target", run.label), look.colour.shaded(-0.45), run.curve("target"))
    });
    own.filter(|series| !series.points.is_empty()).collect()
}

fn end(curve: &[(f64, f64)]) -> f64 {
    curve.last().map_or(f64::NEG_INFINITY, |p| p.0)
}

fn terms(runs: &[Run]) -> Figure {
    if let [run] = runs {
        let mut series: Vec<Series> = TERMS
            .iter()
            .map(|(column, name, colour)| Series::line(*name, *colour, run.curve(column)))
            .filter(|series| series.points.iter().any(|p| p.1 != 0.0))
            .collect();
        series.push(Series::line("total", TARGET, run.curve("total")).width(2.2));
        let chart = Chart::new("Energy by term", time(runs), Axis::linear("energy [J]"), series).subtitle(&run.label);
        return Figure::single(chart).sized(720.0, 480.0);
    }
    let panels: Vec<Chart> = TERMS
        .iter()
        .map(|(column, name, _)| {
            let title = name[..1].to_uppercase() + &name[1..];
            Chart::new(title, time(runs), Axis::linear("energy [J]"), curves(runs, |run| run.curve(column)))
        })
        .filter(|chart| chart.series.iter().any(|s| s.points.iter().any(|p| p.1 != 0.0)))
        .collect();
    Figure::new("Energy by term", 2, panels)
}

fn angular_momentum(runs: &[Run]) -> Figure {
    let unit = "kg m^2 s^-1";
    let magnitude = |run: &Run| {
        let rows = run.stats.rows.iter();
        rows.map(|row| (row.t, row.lx.hypot(row.ly).hypot(row.lz))).collect()
    };
    let magnitude = curves(runs, magnitude);
    let floor = 1e-9 * largest(&magnitude);
    let mut panels =
        vec![calm(Chart::new("Magnitude", time(runs), Axis::linear(format!("|L| [{unit}]")), magnitude), floor)];
    for (column, axis) in [("lx", "x"), ("ly", "y"), ("lz", "z")] {
        let label = Axis::linear(format!("L_{{{axis}}} [{unit}]"));
        let series = curves(runs, |run| run.curve(column));
        panels.push(calm(Chart::new(format!("About {axis}"), time(runs), label, series), floor));
    }
    Figure::new("Angular momentum about the origin", 2, panels)
}

fn alpha(runs: &[Run]) -> Figure {
    let with_alpha = runs.iter().map(|run| (run, run.curve("alpha"))).filter(|(_, points)| !points.is_empty());
    let series = with_alpha.map(|(run, points)| {
        let (steps, rows) = (points.len(), run.stats.rows.iter());
        let clipped = rows.filter(|row| row.alpha_outcome == Some(AlphaOutcome::Clipped)).count();
        let mut series = run.series(points);
        if clipped > 0 {
            series.label += &format!(" (clipped in {clipped} of {steps} steps)");
        }
        series
    });
    let chart = Chart::new("α of each step", time(runs), Axis::linear("α"), series.collect()).guide_y(1.0, "1");
    Figure::single(calm(chart, 1e-6)).sized(720.0, 460.0)
}

/// Counts jump from step to step: means over a hundredth of the time show what they come to.
fn smooth(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let size = points.len().div_ceil(100);
    let mean = |part: &[(f64, f64)]| {
        let n = part.len() as f64;
        (part.iter().map(|p| p.0).sum::<f64>() / n, part.iter().map(|p| p.1).sum::<f64>() / n)
    };
    points.chunks(size.max(1)).map(mean).collect()
}

fn newton(runs: &[Run]) -> Figure {
    let cumulative = |run: &Run| {
        let sum = run.curve("newton").into_iter().scan(0.0, |sum, (t, n)| {
            *sum += n;
            Some((t, *sum))
        });
        sum.collect()
    };
    // The start takes no step.
    let taken =
        |run: &Run| run.stats.rows.iter().filter(|row| row.step > 0).map(|row| (row.t, row.newton as f64)).collect();
    let count = || Axis::linear("iterations");
    let title = if runs.iter().any(|run| run.stats.rows.len() > 101) {
        "Per step, mean over 1 % of the run"
    } else {
        "Per step"
    };
    Figure::new(
        "Newton iterations",
        2,
        vec![
            Chart::new("Cumulative", time(runs), count(), curves(runs, cumulative)),
            calm(Chart::new(title, time(runs), count(), curves(runs, |run| smooth(taken(run)))), 1.0),
        ],
    )
}

/// Of mass centres, from the frames.
pub fn height(runs: &[Run], heights: Vec<Vec<(f64, f64)>>) -> Figure {
    let series = runs.iter().zip(heights).map(|(run, points)| run.series(points)).collect();
    let chart = Chart::new("Height of the mass centre", time(runs), Axis::linear("height [m]"), series);
    Figure::single(chart).sized(880.0, 420.0)
}

/// From a reference; the reference itself lies at zero and is left out.
pub fn distance(runs: &[Run], distances: Vec<Vec<(f64, f64)>>) -> Figure {
    let others = runs.iter().zip(distances).filter(|(_, points)| points.iter().any(|point| point.1 > 0.0));
    let series = others.map(|(run, points)| run.series(points)).collect();
    let axis = Axis::linear("distance, root mean square [m]");
    Figure::single(Chart::new("Distance from the reference", time(runs), axis, series)).sized(880.0, 420.0)
}

/// One panel a run, of one height: oscillations over each other hide each other.
pub fn drum(runs: &[Run], moments: &[Vec<Moment>], mode: ModeNumbers) -> Figure {
    let highest = 1e3 * moments.iter().flatten().map(|m| m.amplitude.abs()).fold(1e-9, f64::max);
    let panels = runs.iter().zip(moments).map(|(run, moments)| {
        let points = moments.iter().map(|m| (m.t, 1e3 * m.amplitude)).collect();
        let height = Axis::linear("amplitude [mm]").range(-1.1 * highest, 1.1 * highest);
        // The panel's title names it.
        let curve = Series { in_legend: false, ..run.series(points) };
        Chart::new(run.label.clone(), time(runs), height, vec![curve])
    });
    let ModeNumbers { diameters, circles } = mode;
    Figure::new(format!("Mode u{diameters}{circles} of the drum"), 2, panels.collect())
}
