//! Algebra on flat coordinate vectors; sums run in index order, so results do not depend on anything but the input.

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// y ← y + s·x
pub fn add_scaled(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * x;
    }
}

/// y ← a + s·b
pub fn set_sum(y: &mut [f64], a: &[f64], s: f64, b: &[f64]) {
    for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
        *y = a + s * b;
    }
}

/// y ← (a − b)/s
pub fn set_quotient(y: &mut [f64], a: &[f64], b: &[f64], s: f64) {
    for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
        *y = (a - b) / s;
    }
}

pub fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

pub fn all_finite(x: &[f64]) -> bool {
    x.iter().all(|x| x.is_finite())
}
