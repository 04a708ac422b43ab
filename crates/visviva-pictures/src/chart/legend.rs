//! The legend: swatches and labels in aligned columns, filled downwards, outside the plots.
use super::{Chart, Mark, Series};
use crate::drawing::{Anchor, Drawing, Label, Stroke, text};

const SIZE: f64 = 12.0;
const ROW: f64 = 18.0;
/// Long enough to show a dash pattern; marks without a line need less.
const LINE_SWATCH: f64 = 34.0;
const SPOT_SWATCH: f64 = 14.0;
const GAP: f64 = 20.0;

#[derive(Debug)]
pub(super) struct Legend<'a> {
    entries: Vec<&'a Series>,
    rows: usize,
    swatch: f64,
    /// Left edge of every column, then the right edge of the last.
    edges: Vec<f64>,
}

/// The series a chart names in its legend, each look once.
pub(super) fn entries(chart: &Chart) -> Vec<&Series> {
    let mut entries: Vec<&Series> = Vec::new();
    for series in chart.series.iter().filter(|series| series.in_legend && !series.label.is_empty()) {
        if !entries.iter().any(|entry| same_entry(entry, series)) {
            entries.push(series);
        }
    }
    entries
}

pub(super) fn same_entry(a: &Series, b: &Series) -> bool {
    a.label == b.label && a.colour == b.colour && a.dash == b.dash && a.mark == b.mark && a.marker == b.marker
}

impl<'a> Legend<'a> {
    /// As many columns as fit into a width.
    pub fn within_width(entries: Vec<&'a Series>, room: f64) -> Self {
        let mut legend = Legend::in_rows(entries, 1);
        while legend.width() > room && legend.rows < legend.entries.len() {
            legend = Legend::in_rows(std::mem::take(&mut legend.entries), legend.rows + 1);
        }
        legend
    }

    /// As many rows as fit into a height.
    pub fn within_height(entries: Vec<&'a Series>, room: f64) -> Self {
        let rows = entries.len().min((room / ROW) as usize);
        Legend::in_rows(entries, rows)
    }

    fn in_rows(entries: Vec<&'a Series>, rows: usize) -> Self {
        let rows = rows.max(1);
        let lines = entries.iter().any(|s| matches!(s.mark, Mark::Line | Mark::LineAndMarkers));
        let swatch = if lines { LINE_SWATCH } else { SPOT_SWATCH };
        let mut edges = vec![0.0];
        for column in entries.chunks(rows) {
            let widest = column.iter().map(|s| text::width(&s.label, SIZE)).fold(0.0, f64::max);
            edges.push(edges[edges.len() - 1] + swatch + 6.0 + widest + GAP);
        }
        Legend { entries, rows, swatch, edges }
    }

    pub fn width(&self) -> f64 {
        (self.edges[self.edges.len() - 1] - GAP).max(0.0)
    }

    pub fn height(&self) -> f64 {
        if self.entries.is_empty() { 0.0 } else { self.rows as f64 * ROW }
    }

    /// Draws with the upper left corner at a place, squeezing labels that pass `room`.
    pub fn draw(&self, drawing: &mut Drawing, corner: (f64, f64), room: f64) {
        for (k, series) in self.entries.iter().enumerate() {
            let x = corner.0 + self.edges[k / self.rows];
            let y = corner.1 + (k % self.rows) as f64 * ROW + ROW / 2.0;
            draw_swatch(drawing, series, (x, y), self.swatch);
            let size = text::fitting_size(&series.label, SIZE, room - self.swatch - 6.0);
            let place = (x + self.swatch + 6.0, y + 4.0);
            drawing.text(Label::new(&series.label, place, size, Anchor::Start));
        }
    }
}

fn draw_swatch(drawing: &mut Drawing, series: &Series, (x, y): (f64, f64), width: f64) {
    if series.mark == Mark::Bars {
        drawing.rectangle((x + width / 2.0 - 6.0, y - 6.0), (12.0, 12.0), series.colour, series.opacity);
        return;
    }
    // Fainter lines overlap in the plot; alone in the legend they still have to show.
    let opacity = series.opacity.max(0.5);
    if series.mark != Mark::Markers {
        let line = vec![vec![(x, y), (x + width, y)]];
        let width = series.width.max(1.2);
        drawing.lines(line, Stroke { width, dashes: series.dash.pattern(width), opacity, ..series.stroke() });
    }
    if series.mark != Mark::Line {
        drawing.markers(vec![(x + width / 2.0, y)], series.marker, series.colour, opacity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::Colour;

    #[test]
    fn entries_wrap_into_the_room_and_none_is_lost() {
        let series: Vec<Series> =
            (0..17).map(|k| Series::line(format!("integrator {k}"), Colour(0, 0, 0), Vec::new())).collect();
        for room in [150.0, 300.0, 700.0, 4000.0] {
            let legend = Legend::within_width(series.iter().collect(), room);
            assert!(legend.width() <= room, "{room}");
            let mut drawing = Drawing::new((10.0, 10.0));
            legend.draw(&mut drawing, (0.0, 0.0), room);
            assert_eq!(drawing.to_svg("").matches("</text>").count(), 17);
        }
    }
}
