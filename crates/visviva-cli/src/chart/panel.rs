//! One panel: grid, axes, guides and data in the rectangle it was given.
use super::layout::{AXIS_LABEL, GUIDE_LABEL, GUIDE_ROW, Measured, SLANT, SUBTITLE, TICK_LABEL, TITLE};
use super::scale::{Ruler, bar_spacing};
use super::svg::{INK, Label, SOFT_INK, Svg, px};
use super::{Colour, GuideDirection, Mark, Series, text, thin};

const GRID: &str = "#e3e3e3";
const FAINT_GRID: &str = "#f2f2f2";
const GUIDE: &str = "#8a8a8a";

/// The plot proper [px].
#[derive(Debug, Clone, Copy)]
pub(super) struct Plot {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// Draws a panel; `cell_top` is where its title starts, `clip` a name no other panel has.
pub(super) fn draw(svg: &mut Svg, panel: &Measured, plot: Plot, cell_top: f64, clip: &str) {
    let chart = panel.chart;
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let x = Ruler { scale: chart.x.scale, range: panel.ranges.0, ends: (plot.left, right) };
    let y = Ruler { scale: chart.y.scale, range: panel.ranges.1, ends: (bottom, plot.top) };
    titles(svg, panel, plot, cell_top);
    axes(svg, panel, plot, &x, &y);
    guides(svg, panel, plot, &x, &y);
    if !panel.y.factor.is_empty() {
        let (start, width) = (plot.left - 4.0, text::width(&panel.y.factor, TICK_LABEL));
        on_paper(svg, (start, plot.top - 5.0), width);
        svg.text(Label::new(&panel.y.factor, (start, plot.top - 6.0), TICK_LABEL, "start"));
    }

    // A pixel of slack, or lines along the border would lose half their width.
    svg.raw(&format!(
        "<clipPath id=\"{clip}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>",
        px(plot.left - 1.0),
        px(plot.top - 1.0),
        px(plot.width + 2.0),
        px(plot.height + 2.0)
    ));
    svg.raw(&format!("<g clip-path=\"url(#{clip})\">"));
    bars(svg, panel, &x, &y);
    let mut drawn = 0;
    for series in chart.series.iter().filter(|series| series.mark != Mark::Bars) {
        let places: Vec<_> = series.points.iter().map(|p| x.pixel(p.0).zip(y.pixel(p.1))).collect();
        drawn += places.iter().flatten().count();
        if series.mark != Mark::Markers {
            let runs = thin::runs(places.into_iter());
            let runs: Vec<_> = runs.iter().flat_map(|run| thin::thin(run)).collect();
            svg.strokes(&runs, series.colour, series.dash, series.width, series.opacity);
        }
    }
    svg.raw("</g>");
    // Markers last and unclipped: those on the border stay whole.
    for series in chart.series.iter().filter(|s| matches!(s.mark, Mark::Markers | Mark::LineAndMarkers)) {
        let places = series.points.iter().filter_map(|p| x.pixel_inside(p.0).zip(y.pixel_inside(p.1))).collect();
        svg.markers(&thin_markers(series, places), series.marker, series.colour, series.opacity);
    }
    if drawn == 0 && !chart.series.iter().any(|series| series.mark == Mark::Bars && !series.points.is_empty()) {
        let centre = (plot.left + plot.width / 2.0, plot.top + plot.height / 2.0);
        svg.text(Label { fill: GUIDE, ..Label::new("no data", centre, AXIS_LABEL, "middle") });
    }
}

fn titles(svg: &mut Svg, panel: &Measured, plot: Plot, cell_top: f64) {
    // Flush with the plot, further left only where a line would pass the panel's right edge.
    let edge = plot.left + plot.width + panel.margin.right;
    let start = |lines: &[String], size: f64| {
        lines.iter().map(|line| edge - 1.04 * text::width(line, size)).fold(plot.left, f64::min)
    };
    let mut baseline = cell_top + 4.0;
    for line in &panel.title {
        baseline += 18.0;
        let place = (start(&panel.title, TITLE), baseline);
        svg.text(Label { bold: true, ..Label::new(line, place, TITLE, "start") });
    }
    for line in &panel.subtitle {
        baseline += 15.5;
        let place = (start(&panel.subtitle, SUBTITLE), baseline);
        svg.text(Label { fill: SOFT_INK, ..Label::new(line, place, SUBTITLE, "start") });
    }
}

fn axes(svg: &mut Svg, panel: &Measured, plot: Plot, x: &Ruler, y: &Ruler) {
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let vertical = |svg: &mut Svg, at: f64, stroke| svg.line((at, plot.top), (at, bottom), stroke, 1.0);
    let level = |svg: &mut Svg, at: f64, stroke| svg.line((plot.left, at), (right, at), stroke, 1.0);
    for at in panel.x.minor.iter().filter_map(|&v| x.pixel_inside(v)) {
        vertical(svg, at, FAINT_GRID);
        svg.line((at, bottom), (at, bottom + 2.5), INK, 0.7);
    }
    for at in panel.y.minor.iter().filter_map(|&v| y.pixel_inside(v)) {
        level(svg, at, FAINT_GRID);
        svg.line((plot.left - 2.5, at), (plot.left, at), INK, 0.7);
    }
    for (value, name) in &panel.x.major {
        let Some(at) = x.pixel_inside(*value) else { continue };
        if panel.chart.x.names.is_empty() {
            vertical(svg, at, GRID);
        }
        svg.line((at, bottom), (at, bottom + 4.5), INK, 1.0);
        svg.text(if panel.slanted_names {
            Label { turn: SLANT, ..Label::new(name, (at + 4.0, bottom + 15.0), TICK_LABEL, "end") }
        } else {
            Label::new(name, (at, bottom + 17.5), TICK_LABEL, "middle")
        });
    }
    for (value, name) in &panel.y.major {
        let Some(at) = y.pixel_inside(*value) else { continue };
        level(svg, at, if *value == 0.0 { "#c4c4c4" } else { GRID });
        svg.line((plot.left - 4.5, at), (plot.left, at), INK, 1.0);
        svg.text(Label::new(name, (plot.left - 8.0, at + 4.0), TICK_LABEL, "end"));
    }
    svg.line((plot.left, plot.top), (plot.left, bottom + 0.5), INK, 1.0);
    svg.line((plot.left - 0.5, bottom), (right, bottom), INK, 1.0);

    let baseline = bottom + panel.margin.bottom - 6.0;
    let factor_width = text::width(&panel.x.factor, TICK_LABEL);
    svg.text(Label::new(&panel.x.factor, (right, baseline), TICK_LABEL, "end"));
    let size = text::fitting_size(&panel.chart.x.label, AXIS_LABEL, plot.width - 2.0 * factor_width);
    svg.text(Label::new(&panel.chart.x.label, (plot.left + plot.width / 2.0, baseline), size, "middle"));

    let size = text::fitting_size(&panel.chart.y.label, AXIS_LABEL, plot.height + 20.0);
    let place = (plot.left - panel.margin.left + 14.0, plot.top + plot.height / 2.0);
    svg.text(Label { turn: -90.0, ..Label::new(&panel.chart.y.label, place, size, "middle") });
}

fn guides(svg: &mut Svg, panel: &Measured, plot: Plot, x: &Ruler, y: &Ruler) {
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let dashed = |svg: &mut Svg, from: (f64, f64), to: (f64, f64)| {
        let d = format!("M{} {}L{} {}", px(from.0), px(from.1), px(to.0), px(to.1));
        svg.raw(&format!("<path d=\"{d}\" stroke=\"{GUIDE}\" stroke-width=\"1.1\" stroke-dasharray=\"2.5 2.5\"/>"));
    };
    let of = |direction| panel.chart.guides.iter().filter(move |g| g.direction == direction);
    let vertical: Vec<_> = of(GuideDirection::Vertical).zip(&panel.guide_rows).collect();
    let baseline = |row: usize| plot.top - 4.0 - GUIDE_ROW * row as f64;
    for (guide, row) in &vertical {
        let Some(at) = x.pixel_inside(guide.at) else { continue };
        dashed(svg, (at, if **row == 0 { plot.top } else { baseline(**row) + 3.0 }), (at, bottom));
    }
    for (guide, row) in vertical {
        let Some(at) = x.pixel_inside(guide.at) else { continue };
        let half = text::width(&guide.label, GUIDE_LABEL) / 2.0;
        let at = at.min(right + panel.margin.right - half).max(plot.left - panel.margin.left + half);
        on_paper(svg, (at - half, baseline(*row)), 2.0 * half);
        svg.text(Label { fill: SOFT_INK, ..Label::new(&guide.label, (at, baseline(*row)), GUIDE_LABEL, "middle") });
    }
    let mut levels: Vec<_> = of(GuideDirection::Horizontal).filter_map(|g| Some((y.pixel_inside(g.at)?, g))).collect();
    levels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut lowest = f64::NEG_INFINITY;
    for (at, guide) in levels {
        dashed(svg, (plot.left, at), (right, at));
        // Labels of close guides give way downwards.
        lowest = at.max(lowest + 12.5);
        svg.text(Label {
            fill: SOFT_INK,
            ..Label::new(&guide.label, (right + 5.0, lowest + 3.8), GUIDE_LABEL, "start")
        });
    }
}

/// Paper behind words above the plot: the line of a guide in a higher row may pass there.
fn on_paper(svg: &mut Svg, start: (f64, f64), width: f64) {
    svg.rect((start.0 - 1.5, start.1 - 10.0), (width + 3.0, 13.0), Colour(255, 255, 255), 1.0);
}

/// Bars of several series stand side by side around their common place.
fn bars(svg: &mut Svg, panel: &Measured, x: &Ruler, y: &Ruler) {
    let groups: Vec<&Series> = panel.chart.series.iter().filter(|series| series.mark == Mark::Bars).collect();
    if groups.is_empty() {
        return;
    }
    let per_value = (x.ends.1 - x.ends.0) / (x.range.1 - x.range.0);
    let width = (0.78 * bar_spacing(panel.chart) * per_value / groups.len() as f64).clamp(1.0, 60.0);
    let base = y.pixel(0.0).unwrap_or(y.ends.0).clamp(y.ends.1, y.ends.0);
    for (k, series) in groups.iter().enumerate() {
        let shift = (k as f64 - groups.len() as f64 / 2.0) * width;
        for (at, tip) in series.points.iter().filter_map(|p| x.pixel(p.0).zip(y.pixel(p.1))) {
            let (low, high) = (tip.min(base), tip.max(base));
            let air = if width > 6.0 { 0.5 } else { 0.0 };
            svg.rect((at + shift + air, low), (width - 2.0 * air, high - low), series.colour, series.opacity);
        }
    }
}

fn thin_markers(series: &Series, places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    if series.mark == Mark::Markers || places.len() < 80 {
        return thin::distinct_markers(places);
    }
    // Along a dense line a marker every few pixels names it; more would bury it.
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for p in places {
        if kept.last().is_none_or(|q| (p.0 - q.0).hypot(p.1 - q.1) > 14.0) {
            kept.push(p);
        }
    }
    thin::distinct_markers(kept)
}
