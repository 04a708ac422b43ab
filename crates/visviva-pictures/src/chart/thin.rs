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

/// Pieces that look like the run, with far fewer points when it is dense.
pub(super) fn thin(run: &[Pixel]) -> Vec<Vec<Pixel>> {
    let forward = run.windows(2).all(|pair| pair[0].0 <= pair[1].0);
    let pieces = if forward { vec![columns(run)] } else { without_repeats(run) };
    pieces.iter().map(|piece| straightened(piece)).collect()
}

/// No more than four points for each pixel column, in their order.
fn columns(run: &[Pixel]) -> Vec<Pixel> {
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
fn without_repeats(run: &[Pixel]) -> Vec<Vec<Pixel>> {
    const FEW: usize = 6000;
    // A step must leave its pixel, or standing still would count as a repeat.
    const STEP: f64 = 0.75;
    if run.len() < FEW {
        return vec![run.to_vec()];
    }
    let mut walk = vec![run[0]];
    for &p in run {
        let q = walk[walk.len() - 1];
        if (p.0 - q.0).hypot(p.1 - q.1) >= STEP {
            walk.push(p);
        }
    }
    let cell = |p: Pixel| ((p.0 / STEP).round() as i64, (p.1 / STEP).round() as i64);
    let mut seen = HashSet::new();
    let mut pieces = vec![vec![walk[0]]];
    for pair in walk.windows(2) {
        let (a, b) = (cell(pair[0]), cell(pair[1]));
        let fresh = seen.insert((a.min(b), a.max(b)));
        match pieces.last_mut() {
            Some(piece) if fresh => piece.push(pair[1]),
            Some(piece) if piece.len() == 1 => piece[0] = pair[1],
            _ => pieces.push(vec![pair[1]]),
        }
    }
    pieces.retain(|piece| piece.len() > 1 || walk.len() == 1);
    pieces
}

/// Leaves out points within a tenth of a pixel of the line through their neighbours.
///
/// D. Douglas, T. Peucker, Cartographica 10(2), 1973.
fn straightened(run: &[Pixel]) -> Vec<Pixel> {
    const TOLERANCE: f64 = 0.1;
    let mut keep = vec![false; run.len()];
    let mut open = vec![(0, run.len() - 1)];
    (keep[0], keep[run.len() - 1]) = (true, true);
    while let Some((first, last)) = open.pop() {
        let mut farthest = (first, TOLERANCE);
        for k in first + 1..last {
            let distance = distance_to_segment(run[k], run[first], run[last]);
            if distance > farthest.1 {
                farthest = (k, distance);
            }
        }
        if farthest.0 > first {
            keep[farthest.0] = true;
            open.extend([(first, farthest.0), (farthest.0, last)]);
        }
    }
    run.iter().zip(keep).filter(|point| point.1).map(|point| *point.0).collect()
}

fn distance_to_segment(p: Pixel, a: Pixel, b: Pixel) -> f64 {
    let (along, to) = ((b.0 - a.0, b.1 - a.1), (p.0 - a.0, p.1 - a.1));
    let length2 = along.0 * along.0 + along.1 * along.1;
    let share = if length2 > 0.0 { ((to.0 * along.0 + to.1 * along.1) / length2).clamp(0.0, 1.0) } else { 0.0 };
    (to.0 - share * along.0).hypot(to.1 - share * along.1)
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
        let kept = columns(&run);
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
        for turn in [100.0, 97.3, 5000.0] {
            let angle = |k: usize| k as f64 * std::f64::consts::TAU / turn;
            let orbit: Vec<Pixel> = (0..100_000).map(|k| (200.0 * angle(k).cos(), 200.0 * angle(k).sin())).collect();
            let drawn: usize = thin(&orbit).iter().map(Vec::len).sum();
            assert!(drawn < 9000, "{drawn} points for {turn} a turn");
        }
    }

    #[test]
    fn straight_stretches_need_only_their_ends() {
        let kinked: Vec<Pixel> = (0..1000).map(|k| (k as f64, (k as f64 - 400.0).abs())).collect();
        assert_eq!(thin(&kinked), [vec![(0.0, 400.0), (400.0, 0.0), (999.0, 599.0)]]);
        assert_eq!(thin(&[(1.0, 2.0)]), [vec![(1.0, 2.0)]]);
    }
}
