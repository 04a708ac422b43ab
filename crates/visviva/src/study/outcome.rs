//! How a run of a study ended, and what it had to report on the way: nothing is swallowed.

use crate::energy::AlphaOutcome;
use crate::integrate::{StepError, StepReport};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Outcome {
    Completed,
    /// Stopped at time t `[s]`
    Failed {
        t: f64,
        reason: String,
    },
}

impl Outcome {
    pub fn failed(t: f64, error: &StepError) -> Self {
        Self::Failed { t, reason: error.to_string() }
    }

    pub fn is_completed(&self) -> bool {
        *self == Self::Completed
    }
}

/// Counts over a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Tally {
    pub steps: u64,
    pub newton_iterations: u64,
    /// Steps whose Newton solve did not converge
    pub unconverged: u64,
    /// Steps that ended at an inadmissible position
    pub inadmissible: u64,
    /// Steps with α cut to its interval
    pub alpha_clipped: u64,
    /// Steps in which no α reached the target
    pub alpha_least_energy: u64,
    /// Steps in which α had nothing to act on
    pub alpha_powerless: u64,
}

impl Tally {
    pub fn count(&mut self, report: &StepReport) {
        self.steps += 1;
        self.newton_iterations += report.solve.newton_iterations as u64;
        self.unconverged += u64::from(!report.solve.converged);
        self.inadmissible += u64::from(report.inadmissible.is_some());
        match report.alpha.map(|a| a.outcome) {
            Some(AlphaOutcome::Clipped) => self.alpha_clipped += 1,
            Some(AlphaOutcome::LeastEnergy) => self.alpha_least_energy += 1,
            Some(AlphaOutcome::Powerless) => self.alpha_powerless += 1,
            Some(AlphaOutcome::Fixed | AlphaOutcome::OnTarget) | None => {}
        }
    }

    /// What a reader of a result should know, or nothing.
    pub fn remark(&self, outcome: &Outcome) -> String {
        let mut remarks = Vec::new();
        if let Outcome::Failed { t, reason } = outcome {
            remarks.push(format!("stopped at t = {t:.4} s: {reason}"));
        }
        if self.unconverged > 0 {
            remarks.push(format!("{} of {} steps unconverged", self.unconverged, self.steps));
        }
        if self.inadmissible > 0 {
            remarks.push(format!("{} inadmissible positions", self.inadmissible));
        }
        remarks.join("; ")
    }
}
