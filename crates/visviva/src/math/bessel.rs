//! Bessel functions of the first kind and integer order, and their zeros.
//!
//! ```text
//! J_m(x) = 1/π ∫₀^π cos(mτ − x sin τ) dτ
//! ```
//!
//! The trapezoidal rule on a periodic integrand: its error falls faster than any power of the number of points
//! (Trefethen and Weideman 2014).

use std::f64::consts::PI;

/// J_m(x), to round-off for |x| + m below 100.
pub fn j(m: u32, x: f64) -> f64 {
    const POINTS: u32 = 256;
    let at = |k: u32| {
        let tau = PI * f64::from(k) / f64::from(POINTS);
        (f64::from(m) * tau - x * tau.sin()).cos()
    };
    let inner: f64 = (1..POINTS).map(at).sum();
    (0.5 * (at(0) + at(POINTS)) + inner) / f64::from(POINTS)
}

/// j_mn, the n-th positive zero of J_m, n from 1.
pub fn zero(m: u32, n: u32) -> f64 {
    /// Zeros of one order lie farther apart than this.
    const STRIDE: f64 = 0.5;
    let mut low = f64::from(m).max(STRIDE);
    for found in 1.. {
        while j(m, low) * j(m, low + STRIDE) > 0.0 {
            low += STRIDE;
        }
        if found == n.max(1) {
            break;
        }
        low += STRIDE;
    }
    let mut high = low + STRIDE;
    let sign = j(m, low).signum();
    while high - low > 4.0 * f64::EPSILON * high {
        let middle = 0.5 * (low + high);
        if j(m, middle).signum() == sign { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 9.5
        let known =
            [(0, 1, 2.4048255577), (0, 2, 5.5200781103), (1, 1, 3.8317059702), (2, 1, 5.1356223018), (3, 2, 9.76102)];
        for (m, n, expected) in known {
            assert!((zero(m, n) - expected).abs() < 1e-5, "{m} {n}: {}", zero(m, n));
        }
        assert!((zero(2, 1) - 5.135622301840683).abs() < 1e-12);
    }

    #[test]
    fn orders_obey_their_recurrence() {
        for x in [0.1, 1.0, 7.3, 30.0] {
            for m in 1..6 {
                let sides = (j(m - 1, x) + j(m + 1, x), 2.0 * f64::from(m) / x * j(m, x));
                assert!((sides.0 - sides.1).abs() < 1e-13, "{x} {m}");
            }
        }
    }
}
