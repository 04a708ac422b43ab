//! Steps as long as a run's energy lets them be: `run.adaptive`.
//!
//! A step's error is the energy that α missed, and where surfaces touch also what the method itself lost or gained, less the ½ M g² h²
//! that every step of a free fall costs, as a part of the largest energy of motion so far. Vibration apart from contact keeps its
//! energy at any step. The error falls with h², and so h ← h √(0.8/error). A step whose error is too large, that
//! did not converge or failed is taken again, shorter. Only counts and energies decide, never the clock: a run can be repeated.

use crate::energy::AlphaOutcome;
use crate::integrate::StepReport;
use crate::run::StatsRow;
use crate::scene::StepBounds;
use serde::{Deserialize, Serialize};

/// What is carried from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepControl {
    bounds: StepBounds,
    /// The length to try next `[s]`
    wanted: f64,
    /// The largest energy of motion, strain and contact so far `[J]`
    scale: f64,
    lengths: StepLengths,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepLengths {
    /// Of the steps taken `[s]`
    pub shortest: f64,
    pub longest: f64,
    /// Steps that were given up and taken again, shorter
    pub redone: u64,
}

/// A step whose error is larger than this times what is allowed is taken again.
const TOO_LARGE: f64 = 2.0;
/// Aimed at, of what is allowed.
const AIM: f64 = 0.8;
/// Newton iterations and halvings of a step after which no longer one is tried.
const LABOUR: usize = 40;

impl StepControl {
    pub fn new(bounds: StepBounds, start: &StatsRow) -> Self {
        let lengths = StepLengths { shortest: f64::INFINITY, longest: 0.0, redone: 0 };
        Self { bounds, wanted: bounds.first, scale: motion(start), lengths }
    }

    /// Where a step from t should end, at the time of the next frame at the latest `[s]`: what is left until then in equal parts.
    pub fn end(&self, t: f64, frame: f64) -> f64 {
        let left = frame - t;
        let parts = (left / self.wanted - 1e-9).ceil();
        if parts <= 1.0 { frame } else { t + left / parts }
    }

    /// Shortens the next attempt of a step that failed; false where it was as short as may be.
    pub fn retreat(&mut self, h: f64) -> bool {
        self.shorten(h, 0.5)
    }

    /// Whether a step stands; where not, the next attempt is shorter.
    /// The rows are of its start and of its end, `falling` is what a free fall costs in it `[J]`.
    pub fn accepts(&mut self, h: f64, report: &StepReport, [before, row]: [&StatsRow; 2], falling: f64) -> bool {
        let scale = self.scale.max(motion(row));
        let gap = |row: &StatsRow| row.target.map_or(0.0, |target| row.total - target);
        let is_missed = matches!(row.alpha_outcome, Some(AlphaOutcome::Clipped | AlphaOutcome::LeastEnergy));
        let missed = if is_missed { (gap(row) - gap(before)).abs() } else { 0.0 };
        let touches = [before, row].iter().any(|row| row.active_pairs.is_some_and(|pairs| pairs > 0));
        let lost = if touches { report.ledger.integrator.abs() } else { 0.0 };
        let wrong = (lost.max(missed) - falling).max(0.0);
        let error = wrong / (self.bounds.tolerance * scale).max(f64::MIN_POSITIVE);
        let factor = (AIM / error.max(1e-12)).sqrt();
        if error > TOO_LARGE && self.shorten(h, factor.clamp(0.25, 0.7)) {
            return false;
        }
        if !report.solve.converged && self.shorten(h, 0.5) {
            return false;
        }
        self.scale = scale;
        let labour = report.solve.newton_iterations + report.solve.halvings;
        let most = if labour > LABOUR { 1.0 } else { 2.0 };
        let next = h * factor.clamp(0.5, most);
        // A step that was cut to end at a frame says nothing against longer ones.
        self.wanted = if error <= AIM { next.max(self.wanted) } else { next }.clamp(self.bounds.min, self.bounds.max);
        self.lengths.shortest = self.lengths.shortest.min(h);
        self.lengths.longest = self.lengths.longest.max(h);
        true
    }

    pub fn lengths(&self) -> StepLengths {
        self.lengths
    }

    fn shorten(&mut self, h: f64, factor: f64) -> bool {
        let can = h > self.bounds.min * (1.0 + 1e-9);
        if can {
            self.wanted = (h * factor).max(self.bounds.min);
            self.lengths.redone += 1;
        }
        can
    }
}

fn motion(row: &StatsRow) -> f64 {
    row.kinetic + row.elastic.unwrap_or(0.0).abs() + row.barrier.unwrap_or(0.0).abs()
}
