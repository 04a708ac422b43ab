//! The room a panel needs around its plot: titles, numbers, names, labels and guides.
use super::scale::{Ruler, ranges};
use super::ticks::{Ticks, ticks};
use super::{Axis, Chart, GuideDirection};
use crate::drawing::text;

pub(super) const TITLE: f64 = 14.0;
pub(super) const SUBTITLE: f64 = 12.0;
pub(super) const AXIS_LABEL: f64 = 12.5;
pub(super) const TICK_LABEL: f64 = 11.5;
pub(super) const GUIDE_LABEL: f64 = 11.0;
pub(super) const GUIDE_ROW: f64 = 14.0;
/// Slant of names that do not fit side by side `[degrees]`.
pub(super) const SLANT: f64 = -35.0;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Margin {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// A panel measured but not yet placed.
#[derive(Debug)]
pub(super) struct Measured<'a> {
    pub chart: &'a Chart,
    pub ranges: ((f64, f64), (f64, f64)),
    pub x: Ticks,
    pub y: Ticks,
    pub slanted_names: bool,
    pub title: Vec<String>,
    pub subtitle: Vec<String>,
    /// For every vertical guide the row of its label above the plot, counted upwards.
    pub guide_rows: Vec<usize>,
    pub margin: Margin,
}

impl<'a> Measured<'a> {
    /// Measures for a cell of about this size.
    pub fn new(chart: &'a Chart, cell: (f64, f64)) -> Self {
        let ranges = ranges(chart);
        let y = axis_ticks(&chart.y, ranges.1, ((cell.1 - 90.0) / 46.0) as usize);
        let widest = |t: &Ticks| t.major.iter().map(|m| text::width(&m.1, TICK_LABEL)).fold(0.0, f64::max);
        let right_guides = chart.guides.iter().filter(|g| g.direction == GuideDirection::Horizontal);
        let guide_width = right_guides.map(|g| text::width(&g.label, GUIDE_LABEL) + 8.0).fold(0.0, f64::max);
        let left = 10.0 + widest(&y) + if chart.y.label.is_empty() { 4.0 } else { 26.0 };
        let room = (cell.0 - left - guide_width.max(14.0)).max(60.0);

        // Fewer ticks until their numbers stand apart.
        let mut wanted = ((room / 62.0) as usize).max(2);
        let mut x = axis_ticks(&chart.x, ranges.0, wanted);
        while chart.x.names.is_empty() && wanted > 2 && x.major.len() as f64 * (widest(&x) + 16.0) > room {
            wanted -= 1;
            x = axis_ticks(&chart.x, ranges.0, wanted);
        }
        let slanted_names = !chart.x.names.is_empty() && x.major.len() as f64 * (widest(&x) + 10.0) > room;
        let names_height = if slanted_names { widest(&x) * SLANT.to_radians().sin().abs() + 6.0 } else { 0.0 };
        let half_last = x.major.last().map_or(0.0, |m| text::width(&m.1, TICK_LABEL) / 2.0);
        let right = guide_width.max(14.0).max(if slanted_names { 0.0 } else { half_last * 0.6 + 6.0 });

        let line_room = cell.0 - left - 4.0;
        let title = text::wrap(&chart.title, TITLE * 1.04, line_room);
        let subtitle = text::wrap(chart.subtitle.as_deref().unwrap_or(""), SUBTITLE, line_room);
        let guide_rows = guide_rows(chart, ranges.0, room, &y.factor);
        let rows = guide_rows.iter().map(|row| row + 1).max().unwrap_or(0).max(!y.factor.is_empty() as usize);
        let top = 8.0
            + 18.0 * title.len() as f64
            + 15.0 * subtitle.len() as f64
            + if title.is_empty() { 0.0 } else { 4.0 }
            + GUIDE_ROW * rows as f64
            + if rows == 0 { 0.0 } else { 3.0 };
        let label_height = if chart.x.label.is_empty() && x.factor.is_empty() { 0.0 } else { 19.0 };
        let bottom = 22.0 + names_height + label_height;
        let margin = Margin { left, right, top, bottom };
        Measured { chart, ranges, x, y, slanted_names, title, subtitle, guide_rows, margin }
    }
}

fn axis_ticks(axis: &Axis, range: (f64, f64), wanted: usize) -> Ticks {
    if axis.names.is_empty() {
        return ticks(axis.scale, range, wanted.max(2));
    }
    let mut major: Vec<_> = axis.names.iter().filter(|n| n.0 >= range.0 && n.0 <= range.1).cloned().collect();
    major.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ticks { major, ..Ticks::default() }
}

/// Puts the labels of vertical guides on rows, clear of each other and of the factor at the corner.
fn guide_rows(chart: &Chart, range: (f64, f64), room: f64, factor: &str) -> Vec<usize> {
    let ruler = Ruler { scale: chart.x.scale, range, ends: (0.0, room) };
    let vertical = chart.guides.iter().filter(|g| g.direction == GuideDirection::Vertical);
    let mut taken = vec![vec![(f64::NEG_INFINITY, text::width(factor, TICK_LABEL))]];
    if factor.is_empty() {
        taken.clear();
    }
    let mut rows = Vec::new();
    for guide in vertical {
        let at = ruler.pixel(guide.at).unwrap_or(0.0);
        let half = text::width(&guide.label, GUIDE_LABEL) / 2.0 + 6.0;
        let free = |row: &Vec<(f64, f64)>| row.iter().all(|t| at + half < t.0 || at - half > t.1);
        let row = taken.iter().position(free).unwrap_or(taken.len());
        if row == taken.len() {
            taken.push(Vec::new());
        }
        taken[row].push((at - half, at + half));
        rows.push(row);
    }
    rows
}
