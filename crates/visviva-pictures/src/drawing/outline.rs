//! Lines and discs as polygons, all wound the same way, so that together they cover what any of them covers.
use super::Point;
use super::coverage::{Polygons, Window};

/// What a line is drawn with `[px]`.
#[derive(Debug, Clone)]
pub(super) struct Pen<'a> {
    pub width: f64,
    /// Lengths of strokes and gaps in turn; none for a solid line.
    pub dashes: &'a [f64],
    /// Round joints and, on a solid line, round ends.
    pub round: bool,
}

/// How far a polygon may stay inside its circle `[px]`.
const FLATNESS: f64 = 0.03;

/// Corners of a polygon in place of a circle.
pub(super) fn circle(centre: Point, radius: f64) -> Vec<Point> {
    let half_angle = (1.0 - (FLATNESS / radius).min(0.5)).acos();
    let count = (std::f64::consts::PI / half_angle).ceil();
    let corner = |k: f64| {
        let (sin, cos) = (k * std::f64::consts::TAU / count).sin_cos();
        (centre.0 + radius * cos, centre.1 + radius * sin)
    };
    (0..count as usize).map(|k| corner(k as f64)).collect()
}

/// Adds what a pen covers along connected points, as far as it is seen in the window.
pub(super) fn trace(run: &[Point], pen: &Pen, window: Window, polygons: &mut Polygons) {
    let radius = pen.width / 2.0;
    let seen = Window {
        left: window.left - radius,
        top: window.top - radius,
        right: window.right + radius,
        bottom: window.bottom + radius,
    };
    let mut dashes = Dashes::new(pen.dashes);
    let round_ends = pen.round && pen.dashes.is_empty();
    if let Some(&end) = run.first().filter(|_| round_ends) {
        polygons.add(&circle(end, radius));
    }
    for (k, pair) in run.windows(2).enumerate() {
        let (a, b) = (pair[0], pair[1]);
        let along = (b.0 - a.0, b.1 - a.1);
        let length = along.0.hypot(along.1);
        if length > 0.0 && length.is_finite() {
            // Half the pen's width to the left.
            let aside = (along.1 * radius / length, -along.0 * radius / length);
            let (first, last) = part_inside(a, along, &seen);
            dashes.walk(length, (first * length, last * length), |from, to| {
                let at = |way: f64| (a.0 + along.0 * way / length, a.1 + along.1 * way / length);
                let (p, q) = (at(from), at(to));
                polygons.add(&[
                    (p.0 + aside.0, p.1 + aside.1),
                    (q.0 + aside.0, q.1 + aside.1),
                    (q.0 - aside.0, q.1 - aside.1),
                    (p.0 - aside.0, p.1 - aside.1),
                ]);
            });
        }
        let at_end = k + 2 == run.len();
        if (round_ends && at_end) || (pen.round && !at_end && dashes.on && bends(a, b, run[k + 2], radius)) {
            polygons.add(&circle(b, radius));
        }
    }
}

/// Whether a gap would be seen at a joint.
fn bends(a: Point, b: Point, c: Point, radius: f64) -> bool {
    let ((ux, uy), (vx, vy)) = ((b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1));
    let (cross, dot) = (ux * vy - uy * vx, ux * vx + uy * vy);
    dot <= 0.0 || cross.abs() * radius > FLATNESS * dot
}

/// The part of the way from `a` that lies in a window, as shares of it; empty as (0, 0).
fn part_inside(a: Point, along: Point, window: &Window) -> (f64, f64) {
    let (mut first, mut last) = (0.0, 1.0);
    for (start, step, low, high) in
        [(a.0, along.0, window.left, window.right), (a.1, along.1, window.top, window.bottom)]
    {
        if step == 0.0 {
            if start < low || start > high {
                return (0.0, 0.0);
            }
            continue;
        }
        let (enter, leave) = ((low - start) / step, (high - start) / step);
        first = f64::max(first, enter.min(leave));
        last = f64::min(last, enter.max(leave));
    }
    if first < last { (first, last) } else { (0.0, 0.0) }
}

/// Where a walk along a run stands in the pattern of its dashes.
struct Dashes<'a> {
    pattern: &'a [f64],
    whole: f64,
    place: usize,
    /// Of the present stroke or gap.
    left: f64,
    on: bool,
}

impl<'a> Dashes<'a> {
    fn new(pattern: &'a [f64]) -> Self {
        let whole: f64 = pattern.iter().sum();
        let pattern = if whole > 0.0 && whole.is_finite() { pattern } else { &[] };
        Dashes { pattern, whole, place: 0, left: pattern.first().copied().unwrap_or(f64::INFINITY), on: true }
    }

    /// Goes on by a length and hands over the strokes that lie in `seen`.
    fn walk(&mut self, length: f64, seen: (f64, f64), mut stroke: impl FnMut(f64, f64)) {
        if self.pattern.is_empty() {
            if seen.0 < seen.1 {
                stroke(seen.0, seen.1);
            }
            return;
        }
        let mut at = 0.0;
        while at < length {
            // Whole patterns that nobody sees are passed over at once.
            let unseen = if at < seen.0 {
                seen.0 - at
            } else if at >= seen.1 {
                length - at
            } else {
                0.0
            };
            at += (unseen / self.whole).floor() * self.whole;
            let step = self.left.min(length - at);
            let (from, to) = (at.max(seen.0), (at + step).min(seen.1));
            if self.on && from < to {
                stroke(from, to);
            }
            at += step;
            self.left -= step;
            if self.left <= 1e-9 {
                self.place = (self.place + 1) % self.pattern.len();
                self.left = self.pattern[self.place];
                self.on = !self.on;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Window = Window { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };

    fn area(run: &[Point], pen: &Pen) -> f64 {
        let (mut polygons, mut sum) = (Polygons::default(), 0.0);
        trace(run, pen, ALL, &mut polygons);
        polygons.cover(ALL, |_, _, covered| sum += covered.iter().map(|&c| f64::from(c)).sum::<f64>());
        sum
    }

    const SOLID: Pen = Pen { width: 4.0, dashes: &[], round: true };

    #[test]
    fn a_round_line_covers_its_length_and_a_disc() {
        let disc = std::f64::consts::PI * 4.0;
        for (to, length) in [((60.0, 20.0), 40.0), ((50.0, 60.0), 50.0)] {
            let found = area(&[(20.0, 20.0), to], &SOLID);
            assert!((found - 4.0 * length - disc).abs() < 0.01 * found, "{found}");
        }
        assert!((area(&[(20.0, 20.0)], &SOLID) - disc).abs() < 0.02 * disc, "a lone point is a dot");
        // There and back is the same line, and a joint on the way changes nothing.
        let once = area(&[(20.0, 20.0), (60.0, 20.0)], &SOLID);
        let back = area(&[(20.0, 20.0), (60.0, 20.0), (40.0, 20.0)], &SOLID);
        assert!((once - back).abs() < 1e-3 * once);
    }

    #[test]
    fn dashes_keep_their_measure_round_corners_and_beyond_the_window() {
        let pen = Pen { dashes: &[6.0, 4.0], round: false, ..SOLID };
        let straight = area(&[(10.0, 50.0), (90.0, 50.0)], &pen);
        assert!((straight - 4.0 * 48.0).abs() < 0.5, "six tenths of 80: {straight}");
        // From far outside the pattern arrives in step: 10⁶ is a whole number of patterns.
        let from_afar = area(&[(-999_990.0, 50.0), (90.0, 50.0)], &pen);
        assert!((from_afar - straight - 4.0 * 6.0).abs() < 0.5, "{from_afar}");
        let mut strokes = Vec::new();
        let mut dashes = Dashes::new(&[6.0, 4.0]);
        dashes.walk(8.0, (0.0, 8.0), |from, to| strokes.push((from, to)));
        dashes.walk(8.0, (0.0, 8.0), |from, to| strokes.push((from, to)));
        assert_eq!(strokes, [(0.0, 6.0), (2.0, 8.0)]);
    }

    #[test]
    fn an_endless_pattern_or_a_wild_run_ends_all_the_same() {
        let wild = [(f64::NAN, 3.0), (1e300, -1e300), (5.0, 5.0), (5.0, f64::INFINITY), (50.0, 50.0)];
        for dashes in [&[][..], &[0.0, 0.0], &[f64::NAN], &[3.0, 1.0, 2.0]] {
            area(&wild, &Pen { dashes, ..SOLID });
        }
        let across: Vec<Point> = (0..2000).map(|k| (50.0, if k % 2 == 0 { 1e5 } else { -1e5 })).collect();
        assert!(area(&across, &Pen { dashes: &[2.0, 1.0], ..SOLID }) <= 4.0 * 100.0 + 1.0);
    }
}
