//! Figures: panels of curves, markers and bars, as SVG and as PNG.
//!
//! Every text may raise an exponent, `m s^-2` or `x^{n+1}`, and lower an index, `E_{0}`.
mod colour_scale;
mod figure;
mod integrators;
mod layout;
mod legend;
mod output;
mod panel;
mod scale;
mod series;
mod thin;
pub(crate) mod ticks;

pub use crate::drawing::{Dash, Marker};
pub use colour_scale::ColourScale;
pub use integrators::{integrator_marker, integrator_style};
pub use series::{Mark, Series};

/// A grid of panels with one heading.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Left empty, a figure has no heading of its own.
    pub title: String,
    pub panels: Vec<Chart>,
    /// Panels per row.
    pub columns: usize,
    /// Width and height `[px]`; the height grows when legends would leave the plots no room.
    pub size: (f64, f64),
    pub legend: LegendSide,
    /// Where colours stand for values: a bar at the right says which.
    pub colours: Option<ColourScale>,
}

/// Where the legend stands: outside the plots, so that it never hides a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegendSide {
    Below,
    Right,
}

/// One pair of axes and what is drawn on them.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub title: String,
    pub subtitle: Option<String>,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub guides: Vec<Guide>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// With its unit: `time [s]`.
    pub label: String,
    pub scale: Scale,
    /// Left open, the data and the guides decide.
    pub range: Option<(f64, f64)>,
    /// Words in place of numbers, as under bars.
    pub names: Vec<(f64, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// Points that are not positive are left out.
    Log10,
}

/// A reference line across the plot, its label in the margin.
#[derive(Debug, Clone, PartialEq)]
pub struct Guide {
    pub at: f64,
    pub direction: GuideDirection,
    pub label: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuideDirection {
    Horizontal,
    Vertical,
}

impl Figure {
    /// Panels of about 460 by 340 pixels.
    pub fn new(title: impl Into<String>, columns: usize, panels: Vec<Chart>) -> Self {
        let columns = columns.clamp(1, panels.len().max(1));
        let rows = panels.len().div_ceil(columns).max(1);
        let size = (460.0 * columns as f64 + 40.0 * (columns == 1) as u8 as f64, 340.0 * rows as f64 + 70.0);
        Figure { title: title.into(), panels, columns, size, legend: LegendSide::Below, colours: None }
    }

    /// A figure of one panel, whose own title is the heading.
    pub fn single(chart: Chart) -> Self {
        Figure { size: (640.0, 440.0), ..Figure::new("", 1, vec![chart]) }
    }

    pub fn sized(mut self, width: f64, height: f64) -> Self {
        self.size = (width, height);
        self
    }

    pub fn coloured(mut self, colours: ColourScale) -> Self {
        self.colours = Some(colours);
        self
    }

    pub fn legend_right(mut self) -> Self {
        self.legend = LegendSide::Right;
        self
    }
}

impl Chart {
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Chart { title: title.into(), subtitle: None, x, y, series, guides: Vec::new() }
    }

    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = Some(subtitle.into());
        self
    }

    /// A horizontal reference line at height `y`.
    pub fn guide_y(mut self, y: f64, label: impl Into<String>) -> Self {
        self.guides.push(Guide { at: y, direction: GuideDirection::Horizontal, label: label.into() });
        self
    }

    /// A vertical reference line at `x`.
    pub fn guide_x(mut self, x: f64, label: impl Into<String>) -> Self {
        self.guides.push(Guide { at: x, direction: GuideDirection::Vertical, label: label.into() });
        self
    }
}

impl Axis {
    pub fn linear(label: impl Into<String>) -> Self {
        Axis { label: label.into(), scale: Scale::Linear, range: None, names: Vec::new() }
    }

    pub fn log10(label: impl Into<String>) -> Self {
        Axis { scale: Scale::Log10, ..Axis::linear(label) }
    }

    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// Names the places 0, 1, 2, … along the axis.
    pub fn named<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.names = names.into_iter().enumerate().map(|(k, name)| (k as f64, name.into())).collect();
        self
    }
}
