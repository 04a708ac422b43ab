//! The figures of `visviva plot`.

use super::What;
use super::run::Run;
use crate::chart::palette::BODY_COLOURS;
use crate::chart::{Axis, Chart, Colour, Dash, Figure, Series};
use visviva::energy::alpha::AlphaOutcome;

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
    };
    let has_points = |chart: &Chart| chart.series.iter().any(|s| s.points.iter().any(|p| p.1.is_finite()));
    figure.panels.iter().any(has_points).then_some(figure)
}

fn time() -> Axis {
    Axis::linear("time [s]")
}

fn curves(runs: &[Run], points: impl Fn(&Run) -> Vec<(f64, f64)>) -> Vec<Series> {
    runs.iter().map(|run| run.series(points(run))).filter(|series| !series.points.is_empty()).collect()
}

fn energy(runs: &[Run]) -> Figure {
    let mut totals = curves(runs, |run| run.curve("total"));
    totals.extend(targets(runs));
    let total = Chart::new("Total energy", time(), Axis::linear("energy [J]"), totals);
    let off = |run: &Run| {
        let rows = run.stats.rows.iter();
        rows.filter_map(|row| Some((row.t, (row.total - row.target?).abs()))).collect()
    };
    let off = Chart::new("Distance from the target", time(), Axis::log10("|energy − target| [J]"), curves(runs, off));
    if off.series.iter().all(|s| s.points.iter().all(|p| p.1 <= 0.0)) {
        return Figure::single(total);
    }
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
        let chart = Chart::new("Energy by term", time(), Axis::linear("energy [J]"), series).subtitle(&run.label);
        return Figure::single(chart).sized(720.0, 480.0);
    }
    let panels: Vec<Chart> = TERMS
        .iter()
        .map(|(column, name, _)| {
            let title = name[..1].to_uppercase() + &name[1..];
            Chart::new(title, time(), Axis::linear("energy [J]"), curves(runs, |run| run.curve(column)))
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
    let mut panels =
        vec![Chart::new("Magnitude", time(), Axis::linear(format!("|L| [{unit}]")), curves(runs, magnitude))];
    for (column, axis) in [("lx", "x"), ("ly", "y"), ("lz", "z")] {
        let label = Axis::linear(format!("L_{{{axis}}} [{unit}]"));
        panels.push(Chart::new(format!("About {axis}"), time(), label, curves(runs, |run| run.curve(column))));
    }
    Figure::new("Angular momentum about the origin", 2, panels)
}

fn alpha(runs: &[Run]) -> Figure {
    let mut series = curves(runs, |run| run.curve("alpha"));
    for run in runs {
        let clipped = |row: &&visviva::output::StatsRow| row.alpha_outcome == Some(AlphaOutcome::Clipped);
        let points: Vec<_> = run.stats.rows.iter().filter(clipped).filter_map(|r| Some((r.t, r.alpha?))).collect();
        if !points.is_empty() {
            let look = run.series(Vec::new());
            let label = format!("{}: clipped", run.label);
            series.push(Series::markers(label, look.colour.shaded(-0.3), points).opacity(0.7));
        }
    }
    let chart = Chart::new("α of each step", time(), Axis::linear("α"), series).guide_y(1.0, "1");
    Figure::single(chart).sized(720.0, 460.0)
}

fn newton(runs: &[Run]) -> Figure {
    let cumulative = |run: &Run| {
        let sum = run.curve("newton").into_iter().scan(0.0, |sum, (t, n)| {
            *sum += n;
            Some((t, *sum))
        });
        sum.collect()
    };
    let count = |label: &str| Axis::linear(label);
    Figure::new(
        "Newton iterations",
        2,
        vec![
            Chart::new("In sum", time(), count("iterations"), curves(runs, cumulative)),
            Chart::new("A step", time(), count("iterations"), curves(runs, |run| run.curve("newton"))),
        ],
    )
}
