//! A drawing: flat shapes in their order, written as SVG or laid over an image.
mod coverage;
mod font;
mod outline;
mod pixels;
mod svg;
pub(crate) mod text;

use crate::colour::Colour;

pub(crate) const INK: Colour = Colour(0x26, 0x26, 0x26);
pub(crate) const SOFT_INK: Colour = Colour(0x5f, 0x5f, 0x5f);
pub(crate) const PAPER: Colour = Colour(0xff, 0xff, 0xff);

/// Right of and below the upper left corner `[px]`.
pub(crate) type Point = (f64, f64);

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawing {
    /// Width and height `[px]`.
    pub size: Point,
    shapes: Vec<Shape>,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Rectangle {
        corner: Point,
        size: Point,
        fill: Colour,
        opacity: f64,
    },
    /// Runs of connected points under one stroke: where they cross, its opacity does not add up.
    Lines {
        runs: Vec<Vec<Point>>,
        stroke: Stroke,
    },
    Markers {
        places: Vec<Point>,
        marker: Marker,
        fill: Colour,
        opacity: f64,
    },
    Text(Label),
    /// Seen inside a rectangle only.
    Clipped {
        corner: Point,
        size: Point,
        shapes: Vec<Shape>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stroke {
    pub colour: Colour,
    /// `[px]`
    pub width: f64,
    /// Lengths of strokes and gaps in turn `[px]`; none for a solid line.
    pub dashes: Vec<f64>,
    /// Round joints and, on a solid line, round ends.
    pub round: bool,
    pub opacity: f64,
}

/// A line of text; [`text`] says how it raises and lowers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    pub text: String,
    pub at: Point,
    /// Of the font `[px]`.
    pub size: f64,
    pub anchor: Anchor,
    pub fill: Colour,
    pub bold: bool,
    /// Clockwise about its anchor `[degrees]`.
    pub turn: f64,
}

/// The part of a text that stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dash {
    Solid,
    Dashed,
    Dotted,
    DashDot,
    LongDash,
    DashDotDot,
}

/// The shape of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
}

/// Width of the white rim that keeps markers apart `[px]`.
const RIM: f64 = 0.6;

impl Drawing {
    pub fn new(size: Point) -> Self {
        Drawing { size, shapes: Vec::new() }
    }

    pub fn rectangle(&mut self, corner: Point, size: Point, fill: Colour, opacity: f64) {
        self.shapes.push(Shape::Rectangle { corner, size, fill, opacity });
    }

    /// A straight solid line.
    pub fn line(&mut self, from: Point, to: Point, colour: Colour, width: f64) {
        self.lines(vec![vec![from, to]], Stroke::plain(colour, width));
    }

    pub fn lines(&mut self, runs: Vec<Vec<Point>>, stroke: Stroke) {
        if runs.iter().any(|run| !run.is_empty()) {
            self.shapes.push(Shape::Lines { runs, stroke });
        }
    }

    pub fn markers(&mut self, places: Vec<Point>, marker: Marker, fill: Colour, opacity: f64) {
        if !places.is_empty() {
            self.shapes.push(Shape::Markers { places, marker, fill, opacity });
        }
    }

    pub fn text(&mut self, label: Label) {
        if !label.text.is_empty() {
            self.shapes.push(Shape::Text(label));
        }
    }

    /// What `draw` adds is seen inside a rectangle only.
    pub fn clipped(&mut self, corner: Point, size: Point, draw: impl FnOnce(&mut Drawing)) {
        let mut inner = Drawing::new(self.size);
        draw(&mut inner);
        self.shapes.push(Shape::Clipped { corner, size, shapes: inner.shapes });
    }
}

impl Stroke {
    /// Solid, with square ends.
    pub fn plain(colour: Colour, width: f64) -> Self {
        Stroke { colour, width, dashes: Vec::new(), round: false, opacity: 1.0 }
    }
}

impl Label {
    pub fn new(text: impl Into<String>, at: Point, size: f64, anchor: Anchor) -> Self {
        Label { text: text.into(), at, size, anchor, fill: INK, bold: false, turn: 0.0 }
    }

    /// Width of a line in the text's own colour about its letters `[px]`: the font is a light one.
    fn weight(&self) -> f64 {
        self.size * if self.bold { 0.05 } else { 0.012 }
    }
}

impl Dash {
    /// Lengths of strokes and gaps `[px]` for a line of this width; none for a solid line.
    pub(crate) fn pattern(self, width: f64) -> Vec<f64> {
        let lengths: &[f64] = match self {
            Dash::Solid => &[],
            Dash::Dashed => &[4.0, 2.0],
            Dash::Dotted => &[1.0, 1.6],
            Dash::DashDot => &[5.0, 1.8, 1.0, 1.8],
            Dash::LongDash => &[8.0, 2.0],
            Dash::DashDotDot => &[5.0, 1.6, 1.0, 1.6, 1.0, 1.6],
        };
        lengths.iter().map(|length| length * width.max(1.0)).collect()
    }
}

/// A marker's edge about its place `[px]`.
enum Edge {
    Circle { radius: f64 },
    Corners(&'static [Point]),
}

impl Marker {
    fn edge(self) -> Edge {
        match self {
            Marker::Circle => Edge::Circle { radius: 3.2 },
            Marker::Square => Edge::Corners(&[(-2.9, -2.9), (2.9, -2.9), (2.9, 2.9), (-2.9, 2.9)]),
            Marker::Triangle => Edge::Corners(&[(0.0, -4.0), (3.7, 2.4), (-3.7, 2.4)]),
            Marker::Diamond => Edge::Corners(&[(0.0, -4.2), (3.6, 0.0), (0.0, 4.2), (-3.6, 0.0)]),
        }
    }
}
