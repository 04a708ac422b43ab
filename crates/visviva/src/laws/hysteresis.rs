//! A contact that gives back less than it took: closing costs φ of the barrier's energy more, opening yields φ of it less.
//!
//! ```text
//! Q(s) = φ f₀(A),    A = λ₀ (s₀ − s) closing,    A = B(s₀) − B(s) opening,    φ = (1 − e²)/(1 + e²)
//! ```
//!
//! s is the gap, s₀ the one at the start of the step, B = k b the barrier's energy, λ₀ = −B′(s₀), f₀ Coulomb's smoothed modulus. A body
//! that comes with (1 + φ) B leaves with (1 − φ) B: with e of its speed, however fast it is. An opening takes no more than φ of
//! what the barrier holds, however long the step.

use super::{barrier, coulomb};

/// φ of a restitution e.
pub fn share(restitution: f64) -> f64 {
    let e2 = restitution * restitution;
    (1.0 - e2) / (1.0 + e2)
}

/// One gap as it is at the start of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hysteresis {
    /// φ
    pub share: f64,
    /// k `[N/m]`
    pub stiffness: f64,
    /// d̂ `[m]`
    pub reach: f64,
    /// s₀ `[m]`
    pub gap: f64,
    /// λ₀ `[N]`
    pub force: f64,
}

impl Hysteresis {
    pub fn new(share: f64, stiffness: f64, reach: f64, gap: f64) -> Self {
        Self { share, stiffness, reach, gap, force: -stiffness * barrier::slope(gap, reach) }
    }

    /// (A, A′, A″) at a gap
    fn way(&self, s: f64) -> (f64, f64, f64) {
        if s < self.gap {
            return (self.force * (self.gap - s), -self.force, 0.0);
        }
        let held = barrier::value(self.gap, self.reach) - barrier::value(s, self.reach);
        let (slope, curvature) = (barrier::slope(s, self.reach), barrier::curvature(s, self.reach));
        (self.stiffness * held, -self.stiffness * slope, -self.stiffness * curvature)
    }

    /// Q `[J]`; below a change of the gap by `threshold` `[m]` its force fades.
    pub fn value(&self, s: f64, threshold: f64) -> f64 {
        self.share * coulomb::value(self.way(s).0, self.force * threshold)
    }

    /// Q′ `[N]`
    pub fn slope(&self, s: f64, threshold: f64) -> f64 {
        let (way, slope, _) = self.way(s);
        self.share * coulomb::slope(way, self.force * threshold) * slope
    }

    /// Q″ `[N/m]`, not below zero: where the barrier fades faster than that, its own curvature is the larger.
    pub fn curvature(&self, s: f64, threshold: f64) -> f64 {
        let (way, slope, bend) = self.way(s);
        let epsilon = self.force * threshold;
        let exact = coulomb::curvature(way, epsilon) * slope * slope + coulomb::slope(way, epsilon) * bend;
        self.share * exact.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::finite_difference;

    const REACH: f64 = 1e-3;
    const THRESHOLD: f64 = 1e-6;

    fn held() -> Hysteresis {
        Hysteresis::new(share(0.9), 1e5, REACH, 0.6 * REACH)
    }

    #[test]
    fn derivatives_match_finite_differences_on_both_sides_and_across_the_threshold() {
        let law = held();
        for away in [-2e-4, -3e-6, -0.7e-6, -1e-7, 1e-7, 0.7e-6, 3e-6, 1e-4, 3e-4] {
            let s = law.gap + away;
            let step = 1e-3 * away.abs();
            finite_difference::check(|s| law.value(s, THRESHOLD), |s| law.slope(s, THRESHOLD), s, step);
        }
        for away in [-0.7e-6, -1e-7, 1e-7, 0.5e-6] {
            let s = law.gap + away;
            finite_difference::check(
                |s| law.slope(s, THRESHOLD),
                |s| law.curvature(s, THRESHOLD),
                s,
                1e-3 * away.abs(),
            );
        }
    }

    #[test]
    fn an_opening_takes_no_more_than_its_share_of_what_the_barrier_holds() {
        let law = held();
        let held = law.stiffness * barrier::value(law.gap, REACH);
        let paid = |s: f64| law.value(s, THRESHOLD) - law.value(law.gap, THRESHOLD);
        assert!(paid(5.0 * REACH) <= law.share * held && paid(5.0 * REACH) > 0.99 * law.share * held);
        assert_eq!(law.slope(5.0 * REACH, THRESHOLD), 0.0);
    }

    #[test]
    fn a_gap_that_closes_and_opens_in_small_steps_gives_back_the_square_of_e() {
        for e in [0.3, 0.7, 0.9] {
            let (mut s, mut taken, mut given) = (0.9999 * REACH, 0.0, 0.0);
            let step = 1e-5 * REACH;
            let mut go = |way: f64, energy: &mut f64| {
                let law = Hysteresis::new(share(e), 1e5, REACH, s);
                let force = -1e5 * barrier::slope(s + way, REACH) - law.slope(s + way, 1e-9 * REACH);
                *energy -= force * way;
                s += way;
            };
            (0..50_000).for_each(|_| go(-step, &mut taken));
            (0..50_000).for_each(|_| go(step, &mut given));
            assert!((-given / taken - e * e).abs() < 1e-3, "{e}: {}", -given / taken);
        }
    }
}
