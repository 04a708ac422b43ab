//! How long the energy stays away from its target: a method can put in and take out only so much in a step.

use crate::energy::AlphaOutcome;
use crate::run::StatsRow;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Lag {
    /// The largest energy of motion, strain and contact so far `[J]`: what a gap is compared with
    scale: f64,
    now: Option<Stretch>,
    longest: Option<Stretch>,
}

/// A time in which the total stays on one side of the target.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// `[s]`
    pub from: f64,
    pub to: f64,
    /// Total less target where it is largest, and at the end `[J]`
    pub worst: f64,
    pub last: f64,
    /// Steps, and those of them in which α had nothing to act on
    pub steps: u64,
    pub powerless: u64,
}

/// Of the energy in motion: smaller gaps come and go with every free flight.
const LARGE: f64 = 0.1;
/// Of the run's time: shorter stretches are a start or a collision.
const LONG: f64 = 0.25;

impl Stretch {
    fn length(&self) -> f64 {
        self.to - self.from
    }

    pub(super) fn in_words(self) -> String {
        let Self { from, to, worst, last, .. } = self;
        let side = if worst < 0.0 { "below" } else { "above" };
        format!(
            "the energy stayed {side} its target from t = {from:.3} s to {to:.3} s, by up to {:.3e} J and at last by {:.3e} J: {}",
            worst.abs(),
            last.abs(),
            self.reason()
        )
    }

    /// Why, and what to do.
    fn reason(&self) -> &'static str {
        if self.worst > 0.0 {
            return "no less was possible: what is left is the flight, the turning and the height of whole bodies, which no target takes \
                    without a contact or friction. Give a higher `ground`, or friction";
        }
        if 2 * self.powerless > self.steps {
            return "bodies flew freely or lay still, and nothing but a contact or a vibration can change their energy then. That is no \
                    error: a target can be met only where something acts";
        }
        "the method cannot put in energy so fast. To follow it, let the target rise more slowly, take shorter steps (run.h), or widen the \
         interval of α (`:max=1.5` after the integrator's name)"
    }
}

impl Lag {
    pub(super) fn add(&mut self, step: &StatsRow) {
        let held = |energy: Option<f64>| energy.unwrap_or(0.0).abs();
        self.scale = self.scale.max(step.kinetic + held(step.elastic) + held(step.barrier));
        let gap = step.target.map_or(0.0, |target| step.total - target);
        let is_large = gap.abs() > (LARGE * self.scale).max(1e-9 * step.total.abs());
        let before = self.now.filter(|now| now.last * gap > 0.0);
        let powerless = u64::from(step.alpha_outcome == Some(AlphaOutcome::Powerless));
        self.now = is_large.then(|| match before {
            Some(now) => Stretch {
                to: step.t,
                worst: if gap.abs() > now.worst.abs() { gap } else { now.worst },
                last: gap,
                steps: now.steps + 1,
                powerless: now.powerless + powerless,
                ..now
            },
            None => Stretch { from: step.t - step.h, to: step.t, worst: gap, last: gap, steps: 1, powerless },
        });
        if let Some(now) = self.now.filter(|now| self.longest.is_none_or(|longest| now.length() >= longest.length())) {
            self.longest = Some(now);
        }
    }

    /// The longest stretch, where it is a good part of the time `[s]` since the start.
    pub(super) fn worth_telling(&self, time: f64) -> Option<Stretch> {
        self.longest.filter(|stretch| stretch.length() > LONG * time && stretch.length() > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lag(gaps: impl IntoIterator<Item = f64>) -> Lag {
        let mut lag = Lag::default();
        for (step, gap) in (1..).zip(gaps) {
            let row = StatsRow {
                t: 0.1 * f64::from(step),
                h: 0.1,
                kinetic: 1.0,
                total: 5.0 + gap,
                target: Some(5.0),
                ..StatsRow::default()
            };
            lag.add(&row);
        }
        lag
    }

    #[test]
    fn the_reason_is_told_with_the_gap() {
        let reason = |outcome: AlphaOutcome, gap: f64| {
            let mut lag = Lag::default();
            for step in 1..20 {
                let t = 0.1 * f64::from(step);
                let (total, target, alpha_outcome) = (5.0 + gap, Some(5.0), Some(outcome));
                lag.add(&StatsRow { t, h: 0.1, kinetic: 1.0, total, target, alpha_outcome, ..StatsRow::default() });
            }
            lag.worth_telling(2.0).unwrap().in_words()
        };
        assert!(reason(AlphaOutcome::Powerless, -0.5).contains("flew freely or lay still"));
        assert!(reason(AlphaOutcome::LeastEnergy, 0.5).contains("no less was possible"));
        assert!(reason(AlphaOutcome::Clipped, -0.5).contains("cannot put in energy so fast"));
    }

    #[test]
    fn only_a_long_stretch_on_one_side_is_told() {
        let saw = lag((0..40).map(|step| if step % 4 == 0 { 0.0 } else { -0.3 }));
        assert_eq!(saw.worth_telling(4.0), None, "it returns to its target");
        assert_eq!(lag([-0.05; 40]).worth_telling(4.0), None, "it is near its target");
        let told =
            lag((0..40).map(|step| if step < 20 { 0.0 } else { -0.02 * f64::from(step) })).worth_telling(4.0).unwrap();
        assert!((told.from - 2.0).abs() < 1e-9 && (told.to - 4.0).abs() < 1e-9, "{told:?}");
        assert!((told.worst + 0.78).abs() < 1e-9, "{told:?}");
        assert!(told.in_words().contains("below its target from t = 2.000 s to 4.000 s"), "{}", told.in_words());
    }
}
