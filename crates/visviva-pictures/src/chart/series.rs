//! What is drawn on the axes: one labelled set of points and its look.
use super::integrators::{integrator_marker, integrator_style};
use crate::colour::Colour;
use crate::drawing::{Dash, Marker, Stroke};

/// One labelled curve, cloud of markers or set of bars.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub label: String,
    /// A point that is not finite breaks the line.
    pub points: Vec<(f64, f64)>,
    pub colour: Colour,
    pub mark: Mark,
    pub dash: Dash,
    pub marker: Marker,
    /// Stroke width `[px]`.
    pub width: f64,
    /// 0 is invisible, 1 opaque.
    pub opacity: f64,
    pub in_legend: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Line,
    Markers,
    LineAndMarkers,
    Bars,
    /// Squares of one unit about each point, as in a heat map over named places.
    Tiles,
}

impl Series {
    /// A solid line.
    pub fn line(label: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        Series {
            label: label.into(),
            points,
            colour,
            mark: Mark::Line,
            dash: Dash::Solid,
            marker: Marker::Circle,
            width: 1.6,
            opacity: 1.0,
            in_legend: true,
        }
    }

    pub fn markers(label: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        Series { mark: Mark::Markers, ..Series::line(label, colour, points) }
    }

    pub fn bars(label: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        Series { mark: Mark::Bars, ..Series::line(label, colour, points) }
    }

    /// Unlisted: a scale of colours tells what they mean.
    pub fn tile(colour: Colour, point: (f64, f64)) -> Self {
        Series { mark: Mark::Tiles, in_legend: false, ..Series::line("", colour, vec![point]) }
    }

    /// A line in the colour, dash and marker that this integrator has in every figure.
    pub fn integrator(name: &str, points: Vec<(f64, f64)>) -> Self {
        let (colour, dash) = integrator_style(name);
        // The method the project is about stands out by weight too, which survives grey print.
        let width = if name.split(':').next() == Some("a-search") { 2.4 } else { 1.6 };
        Series { dash, width, marker: integrator_marker(name), ..Series::line(name, colour, points) }
    }

    pub fn with_markers(mut self) -> Self {
        self.mark = Mark::LineAndMarkers;
        self
    }

    pub fn dash(mut self, dash: Dash) -> Self {
        self.dash = dash;
        self
    }

    pub fn marker(mut self, marker: Marker) -> Self {
        self.marker = marker;
        self
    }

    pub fn width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }

    pub fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }

    /// Drawn, but not named in the legend.
    pub fn unlisted(mut self) -> Self {
        self.in_legend = false;
        self
    }
    pub(super) fn stroke(&self) -> Stroke {
        let dashes = self.dash.pattern(self.width);
        Stroke { colour: self.colour, width: self.width, dashes, round: true, opacity: self.opacity }
    }
}
