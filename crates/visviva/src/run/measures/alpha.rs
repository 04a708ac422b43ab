//! What became of α over a run: how often it met the target, was clipped or could do nothing, and which values it took.

use super::MeasuredRun;
use crate::energy::AlphaOutcome;
use serde::Serialize;

/// Bins of a tenth each, from below zero to above 1.9.
pub const BINS: usize = 22;

/// Over the steps of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct AlphaCounts {
    /// Those with an α
    pub steps: u64,
    pub clipped: u64,
    /// Nothing to act on: free fall, rest
    pub powerless: u64,
    /// No α reached the target
    pub least_energy: u64,
    /// How many lay within a twentieth of 0, 0.1, 0.2 …: the first holds all below, the last all above
    pub histogram: Vec<u64>,
}

impl AlphaCounts {
    /// Of the steps with an α, 0 to 1; nothing where there are none.
    pub fn part(&self, count: u64) -> Option<f64> {
        (self.steps > 0).then(|| count as f64 / self.steps as f64)
    }

    /// The middle of a bin.
    pub fn middle(bin: usize) -> f64 {
        0.1 * bin as f64 - 0.1
    }
}

impl MeasuredRun {
    pub fn alpha_counts(&self) -> AlphaCounts {
        let mut counts = AlphaCounts { histogram: vec![0; BINS], ..AlphaCounts::default() };
        for row in self.steps() {
            let Some(alpha) = row.alpha else { continue };
            counts.steps += 1;
            match row.alpha_outcome {
                Some(AlphaOutcome::Clipped) => counts.clipped += 1,
                Some(AlphaOutcome::Powerless) => counts.powerless += 1,
                Some(AlphaOutcome::LeastEnergy) => counts.least_energy += 1,
                Some(AlphaOutcome::Fixed | AlphaOutcome::OnTarget) | None => {}
            }
            let bin = (10.0 * alpha + 1.5).floor().clamp(0.0, (BINS - 1) as f64);
            counts.histogram[bin as usize] += 1;
        }
        counts
    }
}
