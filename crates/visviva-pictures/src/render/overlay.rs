//! What is written over a picture: title, caption and the legend of a field, beside the subject.
use super::Picture;
use crate::chart::{Scale, ticks};
use crate::colour::field_colour;
use crate::drawing::{Anchor, Drawing, INK, Label, text};
use crate::image::Image;

/// A colour bar with its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// With its unit: `speed [m/s]`.
    pub label: String,
    /// Values at the lower and upper end.
    pub range: (f64, f64),
}

impl Legend {
    pub fn new(label: impl Into<String>, range: (f64, f64)) -> Self {
        Legend { label: label.into(), range }
    }
}

/// Size of the text `[px]`.
pub(super) fn text_size(height: usize) -> f64 {
    (height as f64 / 40.0).clamp(9.0, 64.0)
}

/// Corner and size of what title and legend leave to the subject `[px]`.
pub(super) fn subject(picture: &Picture) -> ((f64, f64), (f64, f64)) {
    let (width, height) = (picture.width as f64, picture.height as f64);
    let top = if picture.title.is_empty() { 0.0 } else { 2.2 * text_size(picture.height) };
    let right = picture.legend.as_ref().map_or(0.0, |legend| Bar::new(legend, picture.height).width);
    // A small image keeps at least half of itself for the subject.
    let (top, right) = (top.min(height / 2.0), right.min(width / 2.0));
    ((0.0, top), (width - right, height - top))
}

/// Writes title, caption and legend over a drawn picture.
pub(super) fn lay(picture: &Picture, image: &mut Image) {
    let (size, wide) = (text_size(picture.height), picture.width as f64);
    if !picture.title.is_empty() {
        let fitting = text::fitting_size(&picture.title, 1.25 * size, wide - 2.0 * size);
        let mut drawing = Drawing::new((wide, 2.2 * size));
        drawing.text(Label::new(&picture.title, (wide / 2.0, 1.55 * size), fitting, Anchor::Middle));
        drawing.lay_over(image, (0, 0), 1.0);
    }
    if !picture.caption.is_empty() {
        let fitting = text::fitting_size(&picture.caption, size, wide - 1.6 * size);
        let mut drawing = Drawing::new((wide, 2.0 * size));
        drawing.text(Label::new(&picture.caption, (0.8 * size, 1.2 * size), fitting, Anchor::Start));
        drawing.lay_over(image, (0, picture.height.saturating_sub((2.0 * size) as usize)), 1.0);
    }
    if let Some(legend) = &picture.legend {
        let bar = Bar::new(legend, picture.height);
        let left = (wide - bar.width).max(0.0) as usize;
        bar.draw(legend, picture.height).lay_over(image, (left, 0), 1.0);
    }
}

/// The legend's measures `[px]`.
#[derive(Debug)]
struct Bar {
    ticks: ticks::Ticks,
    size: f64,
    /// From the left end of the strip.
    left: f64,
    thickness: f64,
    numbers: f64,
    width: f64,
}

/// Upper end and length of the bar, as parts of the image's height.
const TOP: f64 = 0.2;
const LENGTH: f64 = 0.6;

impl Bar {
    fn new(legend: &Legend, height: usize) -> Self {
        let size = text_size(height);
        let (low, high) = legend.range;
        let proper = low.is_finite() && high.is_finite() && low < high;
        let ticks = if proper { ticks::ticks(Scale::Linear, (low, high), 5) } else { ticks::Ticks::default() };
        let numbers = ticks.major.iter().map(|(_, label)| text::width(label, size)).fold(0.0, f64::max);
        let (left, thickness) = (0.6 * size, 1.0 * size);
        let label = if legend.label.is_empty() { 0.0 } else { 1.5 * size };
        Bar { ticks, size, left, thickness, numbers, width: (left + thickness + numbers + label + 1.6 * size).ceil() }
    }

    fn draw(&self, legend: &Legend, height: usize) -> Drawing {
        let (size, tall) = (self.size, height as f64);
        let mut drawing = Drawing::new((self.width, tall));
        // Whole pixels: each row of the bar is one colour of the ramp.
        let (top, length) = ((TOP * tall).round(), (LENGTH * tall).round().max(1.0));
        for row in 0..length as usize {
            let colour = field_colour(row_value(row, length as usize));
            drawing.rectangle((self.left.round(), top + row as f64), (self.thickness.round(), 1.0), colour, 1.0);
        }
        let right = self.left.round() + self.thickness.round();
        let (low, high) = legend.range;
        for (value, label) in &self.ticks.major {
            let y = top + length * (high - value) / (high - low);
            drawing.line((right, y), (right + 0.3 * size, y), INK, (size / 16.0).max(0.8));
            drawing.text(Label::new(label, (right + 0.5 * size, y + 0.35 * size), size, Anchor::Start));
        }
        if !self.ticks.factor.is_empty() {
            let fitting = text::fitting_size(&self.ticks.factor, 0.9 * size, self.width - self.left);
            drawing.text(Label::new(&self.ticks.factor, (self.left, top - 0.6 * size), fitting, Anchor::Start));
        }
        let place = (right + self.numbers + 1.7 * size, top + length / 2.0);
        let fitting = text::fitting_size(&legend.label, size, tall * 0.9);
        drawing.text(Label { turn: -90.0, ..Label::new(&legend.label, place, fitting, Anchor::Middle) });
        drawing
    }
}

/// Place on the ramp of a row of the bar, counted from its top.
fn row_value(row: usize, rows: usize) -> f64 {
    1.0 - (row as f64 + 0.5) / rows as f64
}
