//! When frames are shown: by the steps nearest to their times, and by each one where a step is longer than a frame; where steps are
//! adaptive, by those that end at their times.

use crate::scene::Run;

#[derive(Debug, Clone, Copy)]
pub enum FrameClock {
    ByStep {
        steps_a_frame: f64,
    },
    /// Frames a second
    ByTime {
        rate: f64,
    },
}

impl FrameClock {
    pub fn new(run: &Run) -> Self {
        match run.step_bounds() {
            Some(_) => Self::ByTime { rate: run.frame_rate },
            None => Self::by_step(run.steps_a_frame()),
        }
    }

    fn by_step(steps_a_frame: f64) -> Self {
        let each = steps_a_frame < 1.0 + 1e-9;
        Self::ByStep { steps_a_frame: if each { 1.0 } else { steps_a_frame } }
    }

    /// The frame that the end of a step at the time t shows `[s]`.
    pub fn frame_at(&self, step: u64, t: f64) -> Option<u64> {
        match *self {
            Self::ByStep { steps_a_frame } => {
                let nearest = (step as f64 / steps_a_frame).round() as u64;
                (nearest.saturating_sub(1)..=nearest + 1).find(|&frame| step_of(frame, steps_a_frame) == step)
            }
            Self::ByTime { rate } => Some((t * rate).round() as u64).filter(|frame| *frame as f64 / rate == t),
        }
    }

    /// Shown when so many steps are done and it is t `[s]`; the start is the first.
    pub fn shown(&self, steps: u64, t: f64) -> u64 {
        match *self {
            Self::ByStep { steps_a_frame } => {
                let most = (steps as f64 / steps_a_frame).ceil() as u64 + 1;
                let is_shown = |frame: &u64| step_of(*frame, steps_a_frame) <= steps;
                (most.saturating_sub(3)..=most).rev().find(is_shown).unwrap_or(0) + 1
            }
            Self::ByTime { rate } => (t * rate + ROUNDING).floor() as u64 + 1,
        }
    }

    /// The time of the next frame after t `[s]`, which a step must not pass; none where frames are where steps are.
    pub fn next_time(&self, t: f64) -> Option<f64> {
        match *self {
            Self::ByStep { .. } => None,
            Self::ByTime { rate } => Some(((t * rate + ROUNDING).floor() + 1.0) / rate),
        }
    }
}

/// Of a frame: what is nearer to its time is there.
const ROUNDING: f64 = 1e-9;

fn step_of(frame: u64, steps_a_frame: f64) -> u64 {
    (frame as f64 * steps_a_frame).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rate: f64, h: f64, steps: u64) -> Vec<u64> {
        let clock = FrameClock::by_step(1.0 / (rate * h));
        (1..=steps).filter(|&step| clock.frame_at(step, 0.0).is_some()).collect()
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
            let clock = FrameClock::by_step(1.0 / (rate * h));
            let mut next = 0;
            for step in 0..1000 {
                if let Some(frame) = clock.frame_at(step, 0.0) {
                    assert_eq!(frame, next, "rate {rate}, h {h}, step {step}");
                    next += 1;
                }
                assert_eq!(clock.shown(step, 0.0), next, "rate {rate}, h {h}, step {step}");
            }
        }
    }

    #[test]
    fn adaptive_steps_show_frames_at_their_very_times() {
        let clock = FrameClock::ByTime { rate: 30.0 };
        let mut t = 0.0;
        for frame in 1..1000 {
            assert_eq!(clock.shown(7, t), frame);
            let next = clock.next_time(t).unwrap();
            assert_eq!((clock.frame_at(7, 0.5 * (t + next)), clock.frame_at(7, next)), (None, Some(frame)));
            t = next;
        }
    }
}
