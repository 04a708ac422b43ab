//! How near two primitives may come on straight ways, from below: by boxes round the ways as seen from their mean motion. Boxes as
//! they are mostly overlap, because both primitives go a long way together.

use super::distance::Point;

/// The first `split` points are one primitive, the others the second; negative where boxes overlap.
#[inline]
pub(super) fn least_gap<const N: usize>(x: &[Point; N], dx: &[Point; N], split: usize) -> f64 {
    let mean = |points: std::ops::Range<usize>| dx[points.clone()].iter().sum::<Point>() / points.len() as f64;
    let together = 0.5 * (mean(0..split) + mean(split..N));
    let around = |points: std::ops::Range<usize>| {
        let nothing = (Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY));
        points.fold(nothing, |(low, high), i| {
            let end = x[i] + (dx[i] - together);
            (low.inf(&x[i]).inf(&end), high.sup(&x[i]).sup(&end))
        })
    };
    let ((low, high), (other_low, other_high)) = (around(0..split), around(split..N));
    (other_low - high).sup(&(low - other_high)).max()
}
