//! How much a page may ask: so many asks a second, with some in reserve. Who asks more waits, and what it sends meanwhile waits in
//! its own machine.

use std::time::{Duration, Instant};

/// More than several runs side by side need at 60 frames a second.
const ASKS_A_SECOND: f64 = 600.0;
const RESERVE: f64 = 600.0;

#[derive(Debug)]
pub struct Budget {
    left: f64,
    counted: Instant,
}

impl Budget {
    pub fn new(now: Instant) -> Self {
        Self { left: RESERVE, counted: now }
    }

    /// Takes one; how long to wait for it.
    pub fn take(&mut self, now: Instant) -> Duration {
        let earned = now.saturating_duration_since(self.counted).as_secs_f64() * ASKS_A_SECOND;
        self.counted = now;
        self.left = (self.left + earned).min(RESERVE) - 1.0;
        Duration::from_secs_f64((-self.left / ASKS_A_SECOND).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_free_and_a_flood_waits_for_its_turn() {
        let begun = Instant::now();
        let mut budget = Budget::new(begun);
        assert!((0..600).all(|_| budget.take(begun) == Duration::ZERO));
        let wait = (0..60).map(|_| budget.take(begun)).last().unwrap();
        assert!((wait.as_secs_f64() - 0.1).abs() < 1e-9, "{wait:?}");
        assert_eq!(budget.take(begun + Duration::from_secs(2)), Duration::ZERO);
    }
}
