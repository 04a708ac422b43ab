//! Lays the panels of a figure on a grid, aligned along rows and columns, and draws them.
use super::colour_scale::Bar;
use super::layout::Measured;
use super::legend::{Legend, entries, same_entry};
use super::panel::{Plot, draw};
use super::{Figure, LegendSide, Series};
use crate::drawing::{Anchor, Drawing, Label, text};

const HEADING: f64 = 17.0;
const EDGE: f64 = 10.0;
const COLUMN_GAP: f64 = 14.0;
const ROW_GAP: f64 = 14.0;
/// Space between a plot and its legend.
const LEGEND_GAP: f64 = 10.0;
/// No plot is drawn smaller `[px]`.
const LEAST_PLOT: (f64, f64) = (120.0, 110.0);

impl Figure {
    pub(super) fn drawing(&self) -> Drawing {
        let columns = self.columns.clamp(1, self.panels.len().max(1));
        let rows = self.panels.len().div_ceil(columns).max(1);
        let below = self.legend == LegendSide::Below;
        let (mut width, mut height) = (self.size.0.max(160.0), self.size.1.max(120.0));
        let heading = text::wrap(&self.title, HEADING * 1.05, width - 4.0 * EDGE);
        let head = EDGE + if heading.is_empty() { 0.0 } else { 22.0 * heading.len() as f64 + 4.0 };

        let bar = self.colours.as_ref().map(|colours| Bar::of(colours, height - head - 90.0));
        let bar_width = bar.as_ref().map_or(0.0, |bar| bar.width + LEGEND_GAP);
        let shared = self.shared_entries();
        let legend = |of: Vec<_>, room: (f64, f64)| match self.legend {
            LegendSide::Below => Legend::within_width(of, room.0),
            LegendSide::Right => Legend::within_height(of, room.1),
        };
        let shared_legend = legend(shared.clone().unwrap_or_default(), (width - 2.0 * EDGE, height - head - 60.0));
        let beside = |l: &Legend| if below || l.height() == 0.0 { 0.0 } else { l.width() + LEGEND_GAP };
        let under = |l: &Legend| if below && l.height() > 0.0 { l.height() + LEGEND_GAP } else { 0.0 };

        let free_width = width - 2.0 * EDGE - bar_width - beside(&shared_legend) - COLUMN_GAP * (columns - 1) as f64;
        let free_height = height - head - EDGE - under(&shared_legend) - ROW_GAP * (rows - 1) as f64;
        let cell = ((free_width / columns as f64).max(100.0), (free_height / rows as f64).max(100.0));
        let own = |k: usize| if shared.is_some() { Vec::new() } else { entries(&self.panels[k]) };
        let legends: Vec<Legend> =
            (0..self.panels.len()).map(|k| legend(own(k), (cell.0 - 10.0, cell.1 - 60.0))).collect();
        let panels: Vec<Measured> = self.panels.iter().map(|chart| Measured::new(chart, cell)).collect();

        // Plots of a column share their left and right edges, plots of a row their top and bottom.
        let largest = |of: &dyn Fn(usize) -> f64, in_group: &dyn Fn(usize) -> bool| {
            (0..panels.len()).filter(|&k| in_group(k)).map(of).fold(0.0, f64::max)
        };
        let column = |c: usize, of: &dyn Fn(usize) -> f64| largest(of, &|k| k % columns == c);
        let row = |r: usize, of: &dyn Fn(usize) -> f64| largest(of, &|k| k / columns == r);
        let mut spans = Vec::new();
        let mut left = EDGE;
        for c in 0..columns {
            let (before, legend) = (column(c, &|k| panels[k].margin.left), column(c, &|k| beside(&legends[k])));
            let after = column(c, &|k| panels[k].margin.right) + legend;
            let plot = (cell.0 - before - after).max(LEAST_PLOT.0);
            spans.push((left, left + before, plot, after - legend));
            left += before + plot + after + COLUMN_GAP;
        }
        width = width.max(left - COLUMN_GAP + beside(&shared_legend) + bar_width + EDGE);
        let mut bands = Vec::new();
        let mut top = head;
        for r in 0..rows {
            let (above, legend) = (row(r, &|k| panels[k].margin.top), row(r, &|k| under(&legends[k])));
            let after = row(r, &|k| panels[k].margin.bottom);
            let plot = (cell.1 - above - after - legend).max(LEAST_PLOT.1);
            bands.push((top + above, plot, after));
            top += above + plot + after + legend + ROW_GAP;
        }
        height = height.max(top - ROW_GAP + under(&shared_legend) + EDGE);

        let mut drawing = Drawing::new((width, height));
        for (k, line) in heading.iter().enumerate() {
            let place = (width / 2.0, EDGE + 16.0 + 22.0 * k as f64);
            drawing.text(Label { bold: true, ..Label::new(line, place, HEADING, Anchor::Middle) });
        }
        for (k, panel) in panels.iter().enumerate() {
            let ((cell_left, left, plot_width, right), (top, plot_height, bottom)) =
                (spans[k % columns], bands[k / columns]);
            let plot = Plot { left, top, width: plot_width, height: plot_height };
            draw(&mut drawing, panel, plot, top - panel.margin.top);
            let (end, base) = (left + plot_width + right, top + plot_height + bottom);
            let spot = if below {
                // Centred on the plot, unless that would leave the cell.
                let room = (end - cell_left - legends[k].width()).max(0.0);
                let centred = left + (plot_width - legends[k].width()) / 2.0;
                (centred.clamp(cell_left, cell_left + room), base + LEGEND_GAP)
            } else {
                (end + LEGEND_GAP, top)
            };
            legends[k].draw(&mut drawing, spot, cell.0);
        }
        let first_top = bands.first().map_or(head, |band| band.0);
        if let Some(bar) = bar {
            let last_bottom = bands.last().map_or(height, |band| band.0 + band.1);
            bar.draw(&mut drawing, (width - EDGE - bar.width, first_top), last_bottom - first_top);
        }
        let spot = if below {
            (((width - shared_legend.width()) / 2.0).max(EDGE), height - EDGE - shared_legend.height())
        } else {
            (width - EDGE - bar_width - shared_legend.width(), first_top)
        };
        shared_legend.draw(&mut drawing, spot, width - 2.0 * EDGE);
        drawing
    }

    /// The entries of one legend for all, where every panel with a legend would show the same one.
    fn shared_entries(&self) -> Option<Vec<&Series>> {
        let mut lists = self.panels.iter().map(entries).filter(|list| !list.is_empty());
        let first = lists.next()?;
        let same = |list: &Vec<&Series>| {
            list.len() == first.len() && list.iter().all(|a| first.iter().any(|b| same_entry(a, b)))
        };
        let all_same = lists.all(|list| same(&list));
        (all_same && self.panels.len() > 1).then_some(first)
    }
}
