//! A colour for each value, and the bar that tells which: for curves and marks too many for a legend.
use super::Scale;
use super::layout::{AXIS_LABEL, TICK_LABEL};
use super::ticks::{Ticks, ticks};
use crate::colour::{Colour, field_colour};
use crate::drawing::{Anchor, Drawing, INK, Label, text};

/// The ramp's light end is left out: yellow lines do not show on paper.
const LIGHTEST: f64 = 0.9;
/// Values whose largest is so many times the least are told apart by their orders of magnitude.
const MANY_TIMES: f64 = 20.0;
/// Pieces of one colour each.
const PIECES: usize = 96;
const THICKNESS: f64 = 14.0;
const TALLEST: f64 = 420.0;

/// What colours mean.
#[derive(Debug, Clone, PartialEq)]
pub struct ColourScale {
    /// With its unit, as on an axis
    pub label: String,
    pub scale: Scale,
    /// Ascending, and positive on a logarithmic scale
    pub range: (f64, f64),
}

impl ColourScale {
    /// Over all values that are numbers; None where there is none.
    pub fn over(label: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (low, high) = finite.fold(None, |range: Option<(f64, f64)>, v| {
            Some(range.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
        })?;
        let scale = if low > 0.0 && high > MANY_TIMES * low { Scale::Log10 } else { Scale::Linear };
        // One value alone still needs a scale to stand on.
        let alone = high - low <= 1e-12 * high.abs().max(low.abs());
        let air = match alone {
            false => 0.0,
            true if low.abs() > 1e-100 => 0.1 * low.abs(),
            true => 1.0,
        };
        Some(Self { label: label.into(), scale, range: (low - air, high + air) })
    }

    /// Grey for what is no number.
    pub fn colour(&self, value: f64) -> Colour {
        field_colour(LIGHTEST * self.place(value).clamp(0.0, 1.0))
    }

    /// 0 at the lower end, 1 at the upper.
    fn place(&self, value: f64) -> f64 {
        let of = |v: f64| if self.scale == Scale::Log10 { v.log10() } else { v };
        (of(value) - of(self.range.0)) / (of(self.range.1) - of(self.range.0))
    }
}

/// The scale as it is drawn, measured.
#[derive(Debug)]
pub(super) struct Bar<'a> {
    colours: &'a ColourScale,
    ticks: Ticks,
    /// `[px]`
    pub width: f64,
}

impl<'a> Bar<'a> {
    /// For about this height.
    pub fn of(colours: &'a ColourScale, height: f64) -> Self {
        let ticks = ticks(colours.scale, colours.range, (height.min(TALLEST) / 46.0).max(2.0) as usize);
        let widest = ticks.major.iter().map(|tick| text::width(&tick.1, TICK_LABEL)).fold(0.0, f64::max);
        let factor = text::width(&ticks.factor, TICK_LABEL);
        let label = if colours.label.is_empty() { 0.0 } else { 22.0 };
        Self { colours, ticks, width: (THICKNESS + 9.0 + widest + label).max(factor) }
    }

    /// Its upper left corner at a place, beside plots of this height.
    pub fn draw(&self, drawing: &mut Drawing, (left, top): (f64, f64), room: f64) {
        let height = room.clamp(60.0, TALLEST);
        let top = top + ((room - height) / 2.0).max(0.0);
        let piece = height / PIECES as f64;
        for k in 0..PIECES {
            let colour = field_colour(LIGHTEST * (k as f64 + 0.5) / PIECES as f64);
            let y = top + height - (k + 1) as f64 * piece;
            // A little over the next one: no seam shows between them.
            let over = if k == 0 { 0.0 } else { 0.6 };
            drawing.rectangle((left, y), (THICKNESS, piece + over), colour, 1.0);
        }
        for (value, name) in &self.ticks.major {
            let y = top + height * (1.0 - self.colours.place(*value));
            drawing.line((left + THICKNESS, y), (left + THICKNESS + 4.0, y), INK, 1.0);
            drawing.text(Label::new(name, (left + THICKNESS + 7.0, y + 4.0), TICK_LABEL, Anchor::Start));
        }
        drawing.text(Label::new(&self.ticks.factor, (left, top - 6.0), TICK_LABEL, Anchor::Start));
        let size = text::fitting_size(&self.colours.label, AXIS_LABEL, height + 40.0);
        let place = (left + self.width - 4.0, top + height / 2.0);
        drawing.text(Label { turn: -90.0, ..Label::new(&self.colours.label, place, size, Anchor::Middle) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_spans_its_values_and_is_logarithmic_where_they_span_orders() {
        let scale = ColourScale::over("E [Pa]", [1e4, f64::NAN, 1e6, 1e5]).unwrap();
        assert_eq!((scale.scale, scale.range), (Scale::Log10, (1e4, 1e6)));
        assert!((scale.place(1e5) - 0.5).abs() < 1e-12);
        assert_eq!(ColourScale::over("", [1.0, 3.0]).unwrap().scale, Scale::Linear);
        assert_eq!(ColourScale::over("", [f64::NAN]), None);
    }

    #[test]
    fn one_value_alone_still_has_a_colour_and_ticks() {
        for value in [0.0, 5.0, -2.0] {
            let scale = ColourScale::over("v", [value; 3]).unwrap();
            assert!(scale.range.0 < scale.range.1, "{value}");
            assert_eq!(scale.colour(value), field_colour(0.5 * LIGHTEST));
            assert!(Bar::of(&scale, 300.0).width.is_finite());
        }
    }
}
