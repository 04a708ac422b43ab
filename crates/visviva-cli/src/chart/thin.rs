//! Thinning: of all points in one pixel column a line keeps the first, the lowest, the highest and the last.
use std::collections::HashSet;

type Pixel = (f64, f64);

/// Runs of connected points in pixels; a missing point ends a run.
pub(super) fn runs(points: impl Iterator<Item = Option<Pixel>>) -> Vec<Vec<Pixel>> {
    let mut runs: Vec<Vec<Pixel>> = vec![Vec::new()];
    for point in points {
        match (point, runs.last_mut()) {
            (Some(p), Some(run)) => run.push(p),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// The run with no more than four points for each visit to a column, in their order.
pub(super) fn thin(run: &[Pixel]) -> Vec<Pixel> {
    let mut kept = Vec::new();
    for column in run.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let place = |better: fn(f64, f64) -> bool| {
            (0..column.len()).fold(0, |best, k| if better(column[k].1, column[best].1) { k } else { best })
        };
        let mut places = [0, place(|a, b| a < b), place(|a, b| a > b), column.len() - 1];
        places.sort_unstable();
        let mut last = usize::MAX;
        for k in places {
            if k != last {
                kept.push(column[k]);
            }
            last = k;
        }
    }
    kept
}

/// A curve that returns on itself many times draws each pixel-long piece once.
pub(super) fn without_repeats(run: Vec<Pixel>) -> Vec<Vec<Pixel>> {
    const FEW: usize = 6000;
    if run.len() < FEW {
        return vec![run];
    }
    let cell = |p: Pixel| (p.0.round() as i64, p.1.round() as i64);
    let mut seen = HashSet::new();
    let mut pieces = vec![vec![run[0]]];
    for pair in run.windows(2) {
        let (a, b) = (cell(pair[0]), cell(pair[1]));
        let fresh = seen.insert((a.min(b), a.max(b)));
        match pieces.last_mut() {
            Some(piece) if fresh => piece.push(pair[1]),
            Some(piece) if piece.len() == 1 => piece[0] = pair[1],
            _ => pieces.push(vec![pair[1]]),
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// One marker a pixel, as more would lie on each other; in a crowd one for every few pixels.
pub(super) fn distinct_markers(places: Vec<Pixel>) -> Vec<Pixel> {
    const MANY: usize = 4000;
    let mut kept = places;
    let mut cell = 1.0;
    loop {
        let mut seen = HashSet::new();
        kept.retain(|p| seen.insert(((p.0 / cell).round() as i64, (p.1 / cell).round() as i64)));
        if kept.len() <= MANY {
            return kept;
        }
        cell *= 1.5;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_ends_and_extrema_of_every_column() {
        let run: Vec<Pixel> = (0..100_000).map(|k| (k as f64 / 200.0, ((k * 7919) % 1009) as f64)).collect();
        let kept = thin(&run);
        assert!(kept.len() <= 4 * 500);
        for column in run.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
            let of = |set: &[Pixel], pick: fn(f64, f64) -> f64| {
                set.iter().filter(|p| p.0.floor() == column[0].0.floor()).map(|p| p.1).reduce(pick)
            };
            assert_eq!(of(&kept, f64::min), of(column, f64::min));
            assert_eq!(of(&kept, f64::max), of(column, f64::max));
            assert!(kept.contains(&column[0]) && kept.contains(&column[column.len() - 1]));
        }
    }

    #[test]
    fn missing_points_break_the_line() {
        let points = [Some((0.0, 0.0)), None, None, Some((1.0, 1.0)), Some((2.0, 2.0))];
        assert_eq!(runs(points.into_iter()), [vec![(0.0, 0.0)], vec![(1.0, 1.0), (2.0, 2.0)]]);
    }

    #[test]
    fn an_orbit_run_a_thousand_times_is_drawn_about_once() {
        let angle = |k: usize| k as f64 * std::f64::consts::TAU / 100.0;
        let orbit = (0..100_000).map(|k| (200.0 * angle(k).cos(), 200.0 * angle(k).sin())).collect();
        let drawn: usize = without_repeats(orbit).iter().map(Vec::len).sum();
        assert!(drawn < 300, "{drawn}");
    }
}
