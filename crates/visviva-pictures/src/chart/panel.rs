//! One panel: grid, axes, guides and data in the rectangle it was given.
use super::layout::{AXIS_LABEL, GUIDE_LABEL, GUIDE_ROW, Measured, SLANT, SUBTITLE, TICK_LABEL, TITLE};
use super::scale::{Ruler, bar_spacing};
use super::{GuideDirection, Mark, Series, thin};
use crate::colour::Colour;
use crate::drawing::{Anchor, Drawing, INK, Label, PAPER, Point, SOFT_INK, Stroke, text};

const ZERO_LINE: Colour = Colour(0xc4, 0xc4, 0xc4);
const GRID: Colour = Colour(0xe3, 0xe3, 0xe3);
const FAINT_GRID: Colour = Colour(0xf2, 0xf2, 0xf2);
const GUIDE: Colour = Colour(0x8a, 0x8a, 0x8a);

/// The plot proper `[px]`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plot {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// Draws a panel; `cell_top` is where its title starts.
pub(super) fn draw(drawing: &mut Drawing, panel: &Measured, plot: Plot, cell_top: f64) {
    let chart = panel.chart;
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let x = Ruler { scale: chart.x.scale, range: panel.ranges.0, ends: (plot.left, right) };
    let y = Ruler { scale: chart.y.scale, range: panel.ranges.1, ends: (bottom, plot.top) };
    titles(drawing, panel, plot, cell_top);
    axes(drawing, panel, plot, &x, &y);
    guides(drawing, panel, plot, &x, &y);
    if !panel.y.factor.is_empty() {
        let (start, width) = (plot.left - 4.0, text::width(&panel.y.factor, TICK_LABEL));
        on_paper(drawing, (start, plot.top - 5.0), width);
        drawing.text(Label::new(&panel.y.factor, (start, plot.top - 6.0), TICK_LABEL, Anchor::Start));
    }

    let mut drawn = 0;
    // A pixel of slack, or lines along the border would lose half their width.
    drawing.clipped((plot.left - 1.0, plot.top - 1.0), (plot.width + 2.0, plot.height + 2.0), |inside| {
        bars(inside, panel, &x, &y);
        drawn += tiles(inside, panel, &x, &y);
        for series in chart.series.iter().filter(|series| !matches!(series.mark, Mark::Bars | Mark::Tiles)) {
            let places: Vec<_> = series.points.iter().map(|p| x.pixel(p.0).zip(y.pixel(p.1))).collect();
            drawn += places.iter().flatten().count();
            if series.mark != Mark::Markers {
                let runs = thin::runs(places.into_iter());
                inside.lines(runs.iter().flat_map(|run| thin::thin(run)).collect(), series.stroke());
            }
        }
    });
    // Markers last and unclipped: those on the border stay whole.
    for series in chart.series.iter().filter(|s| matches!(s.mark, Mark::Markers | Mark::LineAndMarkers)) {
        let places = series.points.iter().filter_map(|p| x.pixel_inside(p.0).zip(y.pixel_inside(p.1))).collect();
        drawing.markers(thin_markers(series, places), series.marker, series.colour, series.opacity);
    }
    if drawn == 0 && !chart.series.iter().any(|series| series.mark == Mark::Bars && !series.points.is_empty()) {
        let centre = (plot.left + plot.width / 2.0, plot.top + plot.height / 2.0);
        drawing.text(Label { fill: GUIDE, ..Label::new("no data", centre, AXIS_LABEL, Anchor::Middle) });
    }
}

fn titles(drawing: &mut Drawing, panel: &Measured, plot: Plot, cell_top: f64) {
    // Flush with the plot, further left only where a line would pass the panel's right edge.
    let edge = plot.left + plot.width + panel.margin.right;
    let start = |lines: &[String], size: f64| {
        lines.iter().map(|line| edge - 1.04 * text::width(line, size)).fold(plot.left, f64::min)
    };
    let mut baseline = cell_top + 4.0;
    for line in &panel.title {
        baseline += 18.0;
        let place = (start(&panel.title, TITLE), baseline);
        drawing.text(Label { bold: true, ..Label::new(line, place, TITLE, Anchor::Start) });
    }
    for line in &panel.subtitle {
        baseline += 15.5;
        let place = (start(&panel.subtitle, SUBTITLE), baseline);
        drawing.text(Label { fill: SOFT_INK, ..Label::new(line, place, SUBTITLE, Anchor::Start) });
    }
}

fn axes(drawing: &mut Drawing, panel: &Measured, plot: Plot, x: &Ruler, y: &Ruler) {
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let vertical = |drawing: &mut Drawing, at: f64, colour| drawing.line((at, plot.top), (at, bottom), colour, 1.0);
    let level = |drawing: &mut Drawing, at: f64, colour| drawing.line((plot.left, at), (right, at), colour, 1.0);
    for at in panel.x.minor.iter().filter_map(|&v| x.pixel_inside(v)) {
        vertical(drawing, at, FAINT_GRID);
        drawing.line((at, bottom), (at, bottom + 2.5), INK, 0.7);
    }
    for at in panel.y.minor.iter().filter_map(|&v| y.pixel_inside(v)) {
        level(drawing, at, FAINT_GRID);
        drawing.line((plot.left - 2.5, at), (plot.left, at), INK, 0.7);
    }
    for (value, name) in &panel.x.major {
        let Some(at) = x.pixel_inside(*value) else { continue };
        if panel.chart.x.names.is_empty() {
            vertical(drawing, at, GRID);
        }
        drawing.line((at, bottom), (at, bottom + 4.5), INK, 1.0);
        drawing.text(if panel.slanted_names {
            Label { turn: SLANT, ..Label::new(name, (at + 4.0, bottom + 15.0), TICK_LABEL, Anchor::End) }
        } else {
            Label::new(name, (at, bottom + 17.5), TICK_LABEL, Anchor::Middle)
        });
    }
    for (value, name) in &panel.y.major {
        let Some(at) = y.pixel_inside(*value) else { continue };
        level(drawing, at, if *value == 0.0 { ZERO_LINE } else { GRID });
        drawing.line((plot.left - 4.5, at), (plot.left, at), INK, 1.0);
        drawing.text(Label::new(name, (plot.left - 8.0, at + 4.0), TICK_LABEL, Anchor::End));
    }
    drawing.line((plot.left, plot.top), (plot.left, bottom + 0.5), INK, 1.0);
    drawing.line((plot.left - 0.5, bottom), (right, bottom), INK, 1.0);

    let baseline = bottom + panel.margin.bottom - 6.0;
    let factor_width = text::width(&panel.x.factor, TICK_LABEL);
    drawing.text(Label::new(&panel.x.factor, (right, baseline), TICK_LABEL, Anchor::End));
    let size = text::fitting_size(&panel.chart.x.label, AXIS_LABEL, plot.width - 2.0 * factor_width);
    drawing.text(Label::new(&panel.chart.x.label, (plot.left + plot.width / 2.0, baseline), size, Anchor::Middle));

    let size = text::fitting_size(&panel.chart.y.label, AXIS_LABEL, plot.height + 20.0);
    let place = (plot.left - panel.margin.left + 14.0, plot.top + plot.height / 2.0);
    drawing.text(Label { turn: -90.0, ..Label::new(&panel.chart.y.label, place, size, Anchor::Middle) });
}

fn guides(drawing: &mut Drawing, panel: &Measured, plot: Plot, x: &Ruler, y: &Ruler) {
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let dashed = |drawing: &mut Drawing, from: Point, to: Point| {
        drawing.lines(vec![vec![from, to]], Stroke { dashes: vec![2.5, 2.5], ..Stroke::plain(GUIDE, 1.1) });
    };
    let of = |direction| panel.chart.guides.iter().filter(move |g| g.direction == direction);
    let vertical: Vec<_> = of(GuideDirection::Vertical).zip(&panel.guide_rows).collect();
    let baseline = |row: usize| plot.top - 4.0 - GUIDE_ROW * row as f64;
    for (guide, row) in &vertical {
        let Some(at) = x.pixel_inside(guide.at) else { continue };
        dashed(drawing, (at, if **row == 0 { plot.top } else { baseline(**row) + 3.0 }), (at, bottom));
    }
    for (guide, row) in vertical {
        let Some(at) = x.pixel_inside(guide.at) else { continue };
        let half = text::width(&guide.label, GUIDE_LABEL) / 2.0;
        let at = at.min(right + panel.margin.right - half).max(plot.left - panel.margin.left + half);
        on_paper(drawing, (at - half, baseline(*row)), 2.0 * half);
        drawing.text(Label {
            fill: SOFT_INK,
            ..Label::new(&guide.label, (at, baseline(*row)), GUIDE_LABEL, Anchor::Middle)
        });
    }
    let mut levels: Vec<_> = of(GuideDirection::Horizontal).filter_map(|g| Some((y.pixel_inside(g.at)?, g))).collect();
    levels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut lowest = f64::NEG_INFINITY;
    for (at, guide) in levels {
        dashed(drawing, (plot.left, at), (right, at));
        // Labels of close guides give way downwards.
        lowest = at.max(lowest + 12.5);
        drawing.text(Label {
            fill: SOFT_INK,
            ..Label::new(&guide.label, (right + 5.0, lowest + 3.8), GUIDE_LABEL, Anchor::Start)
        });
    }
}

/// Paper behind words above the plot: the line of a guide in a higher row may pass there.
fn on_paper(drawing: &mut Drawing, start: (f64, f64), width: f64) {
    drawing.rectangle((start.0 - 1.5, start.1 - 10.0), (width + 3.0, 13.0), PAPER, 1.0);
}

/// Bars of several series stand side by side around their common place.
fn bars(drawing: &mut Drawing, panel: &Measured, x: &Ruler, y: &Ruler) {
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
            drawing.rectangle((at + shift + air, low), (width - 2.0 * air, high - low), series.colour, series.opacity);
        }
    }
}

/// Returns how many there are.
fn tiles(drawing: &mut Drawing, panel: &Measured, x: &Ruler, y: &Ruler) -> usize {
    let tiles = panel.chart.series.iter().filter(|series| series.mark == Mark::Tiles);
    let mut drawn = 0;
    for (series, point) in tiles.flat_map(|series| series.points.iter().map(move |point| (series, point))) {
        let corners = (x.pixel(point.0 - 0.5), x.pixel(point.0 + 0.5), y.pixel(point.1 + 0.5), y.pixel(point.1 - 0.5));
        if let (Some(left), Some(right), Some(top), Some(bottom)) = corners {
            // White between them, so that neighbours of one colour are two.
            drawing.rectangle(
                (left + 0.5, top + 0.5),
                (right - left - 1.0, bottom - top - 1.0),
                series.colour,
                series.opacity,
            );
            drawn += 1;
        }
    }
    drawn
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
