//! Minimum and maximum without a crease: a cubic takes over where the two values differ by less than a radius (Quilez 2013).
//!
//! Both derivatives of the first two orders go on across its ends, and the gradient is a mean of the two gradients, so a blend of
//! distances is no steeper than they are.

/// The smaller of two distances; within `radius` of each other, less than both by up to a sixth of it. All in `[m]`
pub fn smooth_min(a: f64, b: f64, radius: f64) -> f64 {
    let difference = (a - b).abs();
    if difference >= radius {
        return a.min(b);
    }
    let nearness = 1.0 - difference / radius;
    a.min(b) - nearness * nearness * nearness * radius / 6.0
}

/// The larger of two distances; within `radius` of each other, more than both by up to a sixth of it. All in `[m]`
pub fn smooth_max(a: f64, b: f64, radius: f64) -> f64 {
    -smooth_min(-a, -b, radius)
}
