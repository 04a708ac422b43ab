//! How near two primitives may come on straight ways, from below: by boxes round the ways as seen from their mean motion. Boxes as
//! they are mostly overlap, because both primitives go a long way together.

use super::distance::Point;

/// Whether the boxes of two primitives, the first of `SPLIT` points, are so far apart along an axis as `far` asks: it must hold for
/// every gap that is wider than one it holds for. Gaps are negative where boxes overlap.
#[inline(always)]
pub(super) fn are_parted<const N: usize, const SPLIT: usize>(
    x: &[Point; N],
    dx: &[Point; N],
    far: impl Fn(f64) -> bool,
) -> bool {
    // Axis by axis: the first one mostly tells.
    (0..3).any(|k| {
        let mean =
            |points: std::ops::Range<usize>| points.clone().fold(0.0, |sum, i| sum + dx[i][k]) / points.len() as f64;
        let together = 0.5 * (mean(0..SPLIT) + mean(SPLIT..N));
        let around = |points: std::ops::Range<usize>| {
            points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), i| {
                let (start, end) = (x[i][k], x[i][k] + (dx[i][k] - together));
                (least(low, least(start, end)), most(high, most(start, end)))
            })
        };
        let ((low, high), (other_low, other_high)) = (around(0..SPLIT), around(SPLIT..N));
        far(most(other_low - high, low - other_high))
    })
}

/// One instruction where `f64::min` takes four, for it would leave out what is not a number.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
