//! Which steps show a frame: the first one at or past a frame's time, and each one where a step is longer than a frame.

use crate::simulation::Clock;

#[derive(Debug, Clone, Copy)]
pub struct FrameClock {
    /// `[1/s]`
    rate: f64,
    h: f64,
    shown: u64,
}

impl FrameClock {
    /// As it stands after the steps of a clock.
    pub fn new(rate: f64, clock: Clock) -> Self {
        let mut frames = Self { rate, h: clock.h, shown: 1 };
        for step in 1..=clock.steps {
            frames.pass(clock.start_time + step as f64 * clock.h);
        }
        frames
    }

    /// Goes on to the end of a step `[s]`; says which frame it shows.
    pub fn pass(&mut self, t: f64) -> Option<u64> {
        let due = (t * self.rate * (1.0 + 1e-12) + 1e-9).floor() as u64;
        let shows = due >= self.shown || self.h * self.rate >= 1.0 - 1e-9;
        shows.then(|| {
            self.shown += 1;
            self.shown - 1
        })
    }

    /// The start is the first.
    pub fn shown(&self) -> u64 {
        self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(rate: f64, h: f64, steps: u64) -> Vec<u64> {
        let mut clock = FrameClock::new(rate, Clock { start_time: 0.0, steps: 0, h });
        (1..=steps).filter(|&step| clock.pass(step as f64 * h).is_some()).collect()
    }

    #[test]
    fn a_frame_is_shown_by_the_first_step_at_or_past_its_time() {
        assert_eq!(frames(50.0, 0.01, 10), [2, 4, 6, 8, 10]);
        assert_eq!(frames(30.0, 1.0 / 100.0, 10), [4, 7, 10]);
        assert_eq!(frames(30.0, 0.1, 4), [1, 2, 3, 4], "a long step shows one");
    }

    #[test]
    fn it_can_be_taken_up_after_any_step() {
        for (rate, h) in [(30.0, 1.0 / 120.0), (24.0, 1.0 / 100.0), (60.0, 1.0 / 30.0), (7.0, 0.013)] {
            let shown = frames(rate, h, 500);
            for steps in [0, 1, 17, 499] {
                let before = shown.iter().filter(|&&step| step <= steps).count() as u64;
                let clock = FrameClock::new(rate, Clock { start_time: 0.0, steps, h });
                assert_eq!(clock.shown(), before + 1, "rate {rate}, h {h}, {steps} steps");
            }
        }
    }
}
