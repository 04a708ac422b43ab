//! From data to pixels: the range of an axis and the map onto its side of the plot.
use super::{Axis, Chart, GuideDirection, Mark, Scale};

/// Values beyond are taken for a blow-up: their squares overflow.
const LARGEST: f64 = 1e150;
/// Differences below are none: their powers of ten leave the range of doubles.
const SMALLEST: f64 = 1e-150;

/// A map from values to pixels along one side of the plot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ruler {
    pub scale: Scale,
    pub range: (f64, f64),
    /// Pixels of the two ends of the range.
    pub ends: (f64, f64),
}

impl Ruler {
    /// The pixel of a value, kept within sane coordinates; none where the axis has no place for it.
    pub fn pixel(&self, value: f64) -> Option<f64> {
        if !drawable(self.scale, value) {
            return None;
        }
        let of = |v: f64| if self.scale == Scale::Log10 { v.log10() } else { v };
        let (low, high) = (of(self.range.0), of(self.range.1));
        let pixel = self.ends.0 + (of(value) - low) / (high - low) * (self.ends.1 - self.ends.0);
        Some(pixel.clamp(-1e5, 1e5))
    }

    /// As `pixel`, for values inside the range only.
    pub fn pixel_inside(&self, value: f64) -> Option<f64> {
        // Compared where it is drawn: a slack in values would swallow decades of a log axis.
        let (low, high) = (self.ends.0.min(self.ends.1), self.ends.0.max(self.ends.1));
        self.pixel(value).filter(|p| *p >= low - 1e-6 && *p <= high + 1e-6)
    }
}

fn drawable(scale: Scale, value: f64) -> bool {
    value.is_finite() && value.abs() < LARGEST && (scale == Scale::Linear || value > SMALLEST)
}

/// The ranges of both axes: as asked for, or what the data and the guides span, with some air.
pub(super) fn ranges(chart: &Chart) -> ((f64, f64), (f64, f64)) {
    let points = || {
        let all = chart.series.iter().flat_map(|series| series.points.iter().copied());
        all.filter(|p| drawable(chart.x.scale, p.0) && drawable(chart.y.scale, p.1))
    };
    let guides = |direction| chart.guides.iter().filter(move |g| g.direction == direction).map(|g| g.at);
    let bars = chart.series.iter().any(|series| series.mark == Mark::Bars);
    let lines_only = chart.series.iter().all(|series| series.mark == Mark::Line);

    let named = |axis: &Axis| axis.names.iter().map(|name| name.0).collect::<Vec<_>>();
    let x_values = points().map(|p| p.0).chain(guides(GuideDirection::Vertical)).chain(named(&chart.x));
    let y_values = points().map(|p| p.1).chain(guides(GuideDirection::Horizontal)).chain(named(&chart.y));
    // Bars stand on zero, which is part of what they say.
    let floor = (bars && chart.y.scale == Scale::Linear).then_some(0.0);
    let mut x = range(&chart.x, x_values, if lines_only { 0.0 } else { 0.03 });
    let mut y = range(&chart.y, y_values.chain(floor), 0.05);
    if bars && chart.x.range.is_none() && chart.x.scale == Scale::Linear {
        let gap = bar_spacing(chart);
        let (low, high) = extent(chart.x.scale, points().map(|p| p.0).chain(named(&chart.x))).unwrap_or((0.0, 1.0));
        x = (low - 0.6 * gap, high + 0.6 * gap);
    }
    if floor.is_some()
        && chart.y.range.is_none()
        && extent(chart.y.scale, points().map(|p| p.1)).is_some_and(|e| e.0 >= 0.0)
    {
        y.0 = y.0.max(0.0);
    }
    if chart.series.iter().any(|series| series.mark == Mark::Tiles) {
        let whole = |axis: &Axis, found: (f64, f64), values: Vec<f64>| match extent(axis.scale, values.into_iter()) {
            Some((low, high)) if axis.range.is_none() => (low - 0.5, high + 0.5),
            _ => found,
        };
        x = whole(&chart.x, x, points().map(|p| p.0).collect());
        y = whole(&chart.y, y, points().map(|p| p.1).collect());
    }
    (x, y)
}

/// The least distance between bars along x.
pub(super) fn bar_spacing(chart: &Chart) -> f64 {
    let bars = chart.series.iter().filter(|series| series.mark == Mark::Bars);
    let mut places: Vec<f64> = bars.flat_map(|s| s.points.iter().map(|p| p.0)).filter(|x| x.is_finite()).collect();
    places.sort_by(f64::total_cmp);
    let gaps = places.windows(2).map(|w| w[1] - w[0]).filter(|&gap| gap > 0.0);
    gaps.fold(None, |least: Option<f64>, gap| Some(least.map_or(gap, |l| l.min(gap)))).unwrap_or(1.0)
}

fn extent(scale: Scale, values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let kept = values.filter(|&v| drawable(scale, v));
    kept.fold(None, |e: Option<(f64, f64)>, v| Some(e.map_or((v, v), |(low, high)| (low.min(v), high.max(v)))))
}

fn range(axis: &Axis, values: impl Iterator<Item = f64>, air: f64) -> (f64, f64) {
    if let Some((a, b)) = axis.range
        && (a - b).abs() > SMALLEST.max(1e-14 * a.abs())
        && drawable(axis.scale, a)
        && drawable(axis.scale, b)
    {
        return (a.min(b), a.max(b));
    }
    let found = extent(axis.scale, values);
    match (axis.scale, found) {
        (Scale::Linear, None) => (0.0, 1.0),
        (Scale::Log10, None) => (0.1, 10.0),
        // Rounding noise about a constant is drawn as the constant it is.
        (Scale::Linear, Some((low, high))) if high - low <= SMALLEST.max(1e-13 * low.abs().max(high.abs())) => {
            let half = if low.abs() <= SMALLEST { 1.0 } else { 0.1 * low.abs() };
            (low - half, high + half)
        }
        (Scale::Linear, Some((low, high))) => (low - air * (high - low), high + air * (high - low)),
        (Scale::Log10, Some((low, high))) if high / low < 1.0 + 1e-9 => (low / 10f64.sqrt(), high * 10f64.sqrt()),
        (Scale::Log10, Some((low, high))) => {
            let factor = (high / low).powf(air);
            (low / factor, high * factor)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Series;
    use crate::colour::Colour;

    fn y_range(scale: Scale, values: &[f64]) -> (f64, f64) {
        let points = values.iter().enumerate().map(|(k, &v)| (k as f64, v)).collect();
        let y = Axis { scale, ..Axis::linear("y") };
        ranges(&Chart::new("", Axis::linear("x"), y, vec![Series::line("s", Colour(0, 0, 0), points)])).1
    }

    #[test]
    fn what_lies_below_a_log_axis_is_not_inside_it() {
        let ruler = Ruler { scale: Scale::Log10, range: (1e-8, 10.0), ends: (300.0, 0.0) };
        assert!(ruler.pixel_inside(1e-8).is_some() && ruler.pixel_inside(10.0).is_some());
        assert!(ruler.pixel_inside(1e-9).is_none() && ruler.pixel_inside(11.0).is_none());
    }

    #[test]
    fn empty_and_constant_data_still_give_an_axis() {
        for scale in [Scale::Linear, Scale::Log10] {
            for values in [
                &[][..],
                &[3.0, 3.0, 3.0],
                &[0.0, 0.0],
                &[f64::NAN],
                &[1.0, 1.0 + 1e-16],
                &[0.0, 1e-310],
                &[-1e149, 1e149],
            ] {
                let (low, high) = y_range(scale, values);
                assert!(low.is_finite() && high.is_finite() && low < high, "{scale:?} {values:?}: {low} {high}");
            }
        }
    }

    #[test]
    fn log_axis_drops_what_is_not_positive() {
        let (low, high) = y_range(Scale::Log10, &[-5.0, 0.0, 1e-3, 1e2]);
        assert!(low > 1e-4 && high < 1e3, "{low} {high}");
        let ruler = Ruler { scale: Scale::Log10, range: (1e-3, 1e2), ends: (0.0, 100.0) };
        assert_eq!((ruler.pixel(0.0), ruler.pixel(-1.0)), (None, None));
        assert!((ruler.pixel(1e-2).unwrap() - 20.0).abs() < 1e-9);
    }
}
