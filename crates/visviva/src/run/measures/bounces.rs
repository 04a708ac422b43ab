//! Bounces: how often a mass centre rises again, and how high.

/// Turns smaller than this part of the fall are no bounces.
const LEAST: f64 = 0.02;

/// The apexes after each landing, as parts of the first fall: 1 is as high as it began. Heights are in the order of `times`.
pub fn apexes(times: &[f64], heights: &[f64]) -> Vec<f64> {
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let Some(&start) = heights.first() else { return Vec::new() };
    let fall = start - lowest;
    if fall <= 0.0 || fall.is_nan() {
        return Vec::new();
    }
    let (mut found, mut rising, mut extreme) = (Vec::new(), false, 0);
    for k in 1..heights.len() {
        let beyond = if rising { heights[k] - heights[extreme] } else { heights[extreme] - heights[k] };
        if beyond > 0.0 {
            extreme = k;
        } else if -beyond > LEAST * fall {
            if rising {
                found.push((top(times, heights, extreme) - lowest) / fall);
            }
            (rising, extreme) = (!rising, k);
        }
    }
    // A rise that the end cut short is one that came at least so far.
    if rising {
        found.push((heights[extreme] - lowest) / fall);
    }
    found
}

/// Of the parabola through a sample and its neighbours: flight is one.
fn top(times: &[f64], heights: &[f64], at: usize) -> f64 {
    let inside = at > 0 && at + 1 < heights.len();
    if !inside {
        return heights[at];
    }
    let (t, h) = (&times[at - 1..=at + 1], &heights[at - 1..=at + 1]);
    let (left, right) = ((h[1] - h[0]) / (t[1] - t[0]), (h[2] - h[1]) / (t[2] - t[1]));
    let curvature = (right - left) / (t[2] - t[0]);
    if curvature >= 0.0 {
        return h[1];
    }
    let slope = left + curvature * (t[1] - t[0]);
    (h[1] - slope * slope / (4.0 * curvature)).max(h[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flights_are_told_by_their_parabolas_between_frames() {
        // Falls from 1 m, rises to 0.64 and 0.36 m: speeds 0.8 and 0.6 of the first.
        let g = 9.8;
        let first = (2.0f64 / g).sqrt();
        let height = |t: f64| {
            let (mut at, mut speed) = (first, g * first);
            if t < at {
                return 1.0 - 0.5 * g * t * t;
            }
            for part in [0.8, 0.6] {
                let (up, flight) = (part * speed, 2.0 * part * speed / g);
                if t < at + flight {
                    return up * (t - at) - 0.5 * g * (t - at).powi(2);
                }
                at += flight;
                speed *= 1.0;
            }
            0.0
        };
        let times: Vec<f64> = (0..60).map(|k| f64::from(k) / 30.0).collect();
        let heights: Vec<f64> = times.iter().map(|&t| height(t)).collect();
        let found = apexes(&times, &heights);
        assert_eq!(found.len(), 2, "{found:?}");
        // Frames miss the ground by up to 4 cm, not the apexes.
        assert!((found[0] - 0.64).abs() < 0.02 && (found[1] - 0.36).abs() < 0.03, "{found:?}");
    }

    #[test]
    fn what_lies_or_only_falls_does_not_bounce() {
        assert!(apexes(&[0.0, 1.0, 2.0], &[1.0, 1.0, 1.0]).is_empty());
        assert!(apexes(&[0.0, 1.0, 2.0], &[1.0, 0.5, 0.0]).is_empty());
        assert!(apexes(&[], &[]).is_empty());
    }
}
