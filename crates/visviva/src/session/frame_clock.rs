//! Which steps show a frame: those nearest to its time, and each one where a step is longer than a frame.

#[derive(Debug, Clone, Copy)]
pub struct FrameClock {
    steps_a_frame: f64,
}

impl FrameClock {
    pub fn new(steps_a_frame: f64) -> Self {
        let each = steps_a_frame < 1.0 + 1e-9;
        Self { steps_a_frame: if each { 1.0 } else { steps_a_frame } }
    }

    /// The frame that the end of a step shows.
    pub fn frame_at(&self, step: u64) -> Option<u64> {
        let nearest = (step as f64 / self.steps_a_frame).round() as u64;
        (nearest.saturating_sub(1)..=nearest + 1).find(|&frame| self.step_of(frame) == step)
    }

    /// Shown when so many steps are done; the start is the first.
    pub fn shown(&self, steps: u64) -> u64 {
        let most = (steps as f64 / self.steps_a_frame).ceil() as u64 + 1;
        (most.saturating_sub(3)..=most).rev().find(|&frame| self.step_of(frame) <= steps).unwrap_or(0) + 1
    }

    fn step_of(&self, frame: u64) -> u64 {
        (frame as f64 * self.steps_a_frame).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rate: f64, h: f64, steps: u64) -> Vec<u64> {
        let clock = FrameClock::new(1.0 / (rate * h));
        (1..=steps).filter(|&step| clock.frame_at(step).is_some()).collect()
    }

    #[test]
    fn a_frame_is_shown_by_the_step_nearest_to_its_time() {
        assert_eq!(shown(50.0, 0.01, 10), [2, 4, 6, 8, 10]);
        assert_eq!(shown(30.0, 1.0 / 100.0, 10), [3, 7, 10]);
        assert_eq!(shown(30.0, 0.1, 4), [1, 2, 3, 4], "a long step shows one");
        assert_eq!(shown(60.0, 1.0 / 60.0, 3), [1, 2, 3]);
    }

    #[test]
    fn frames_are_numbered_without_gaps_and_counted_after_any_step() {
        for (rate, h) in
            [(30.0, 1.0 / 120.0), (24.0, 1.0 / 100.0), (60.0, 1.0 / 30.0), (7.0, 0.013), (40.0, 1.0 / 100.0)]
        {
            let clock = FrameClock::new(1.0 / (rate * h));
            let mut next = 0;
            for step in 0..1000 {
                if let Some(frame) = clock.frame_at(step) {
                    assert_eq!(frame, next, "rate {rate}, h {h}, step {step}");
                    next += 1;
                }
                assert_eq!(clock.shown(step), next, "rate {rate}, h {h}, step {step}");
            }
        }
    }
}
