//! Angular momentum compared over a second at a time: what differs in phase alone counts little.

use nalgebra::Vector3;

type Samples = [(f64, Vector3<f64>)];

/// Trapezoidal mean over a window `[s]` centred on each sample; samples nearer than half a window to the ends are left out.
pub fn running_mean(samples: &Samples, window: f64) -> Vec<(f64, Vector3<f64>)> {
    let mut integral = vec![Vector3::zeros()];
    let mut sum = Vector3::zeros();
    for pair in samples.windows(2) {
        sum += 0.5 * (pair[1].0 - pair[0].0) * (pair[0].1 + pair[1].1);
        integral.push(sum);
    }
    let at = |t: f64| {
        let after = samples.partition_point(|s| s.0 < t).clamp(1, samples.len() - 1);
        let (t0, t1) = (samples[after - 1].0, samples[after].0);
        integral[after - 1] + (integral[after] - integral[after - 1]) * ((t - t0) / (t1 - t0))
    };
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Vec::new() };
    let inside = samples.iter().filter(|s| s.0 - 0.5 * window >= first.0 && s.0 + 0.5 * window <= last.0);
    inside.map(|s| (s.0, (at(s.0 + 0.5 * window) - at(s.0 - 0.5 * window)) / window)).collect()
}

/// Mean |a − b| over the samples of a, as a fraction of the mean |b|.
pub(super) fn deviation(a: &Samples, b: &Samples) -> f64 {
    let nearest = |t: f64| {
        let after = b.partition_point(|s| s.0 < t).clamp(1, b.len() - 1);
        let (s0, s1) = (&b[after - 1], &b[after]);
        s0.1 + (s1.1 - s0.1) * ((t - s0.0) / (s1.0 - s0.0)).clamp(0.0, 1.0)
    };
    if a.is_empty() || b.len() < 2 {
        return f64::NAN;
    }
    let scale = b.iter().map(|s| s.1.norm()).sum::<f64>() / b.len() as f64;
    a.iter().map(|s| (s.1 - nearest(s.0)).norm()).sum::<f64>() / a.len() as f64 / scale
}
