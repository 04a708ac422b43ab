//! The filtered backtracking line search: every trial is first shortened to the largest admissible step, then halved until the
//! objective falls.

use super::{Newton, Objective, Value};
use crate::math::vector;
use crate::solve::evaluation::Evaluation;
use crate::solve::stage::SolveError;

pub enum LineSearch {
    Accepted {
        value: Value,
        halvings: usize,
        step: f64,
    },
    /// The whole step rises, and may.
    Climbed {
        value: Value,
        step: f64,
    },
    /// The objective cannot be lowered along this direction in floating point.
    Stuck {
        halvings: usize,
    },
}

impl Newton {
    /// Shortest trial: 2⁻⁵² of the first one.
    const MAX_HALVINGS: usize = 52;
    /// Steps are lengthened where the minimum along them lies beyond the first number, at most by the second.
    const LENGTHEN: (f64, f64) = (2.0, 16.0);

    /// Leaves the accepted point in `self.trial`. Where it may climb, the first trial is taken though the objective rises.
    pub(super) fn line_search(
        &mut self,
        objective: &mut impl Objective,
        at: &Evaluation,
        start: Value,
        slope: f64,
        may_climb: bool,
    ) -> Result<LineSearch, SolveError> {
        let Self { direction: d, trial, chord, .. } = self;
        let mut step = 1.0;
        let mut longest = None;
        for halvings in 0..=Self::MAX_HALVINGS {
            trial.x.resize(at.x.len(), 0.0);
            if objective.turn(at, d, &mut step, chord) {
                vector::set_sum(&mut trial.x, &at.x, 1.0, chord);
            } else {
                let longest = *longest.get_or_insert_with(|| objective.largest_step(at, d));
                step = step.min(longest);
                vector::set_sum(&mut trial.x, &at.x, step, d);
            }
            objective.evaluate(trial);
            let value = objective.value(trial)?;
            let rounding = 8.0 * f64::EPSILON * start.magnitude.max(value.magnitude);
            // Where the fall predicted is below the rounding of the objective, the gradient decides.
            let accepted = if -slope * step > rounding {
                value.value < start.value
            } else {
                value.value.is_finite() && objective.slope(trial, d).abs() <= slope.abs()
            };
            if accepted {
                return Ok(LineSearch::Accepted { value, halvings, step });
            }
            if may_climb && halvings == 0 && value.value.is_finite() {
                return Ok(LineSearch::Climbed { value, step });
            }
            step *= 0.5;
        }
        Ok(LineSearch::Stuck { halvings: Self::MAX_HALVINGS })
    }

    /// A full step may fall far short of the minimum along it: projected Hessians are too stiff where the true one is nearly
    /// singular, as in buckling, and Newton then creeps. Tries the minimum of the parabola through what is known, then shorter ones;
    /// a better point takes the place of `self.trial`.
    pub(super) fn lengthen(
        &mut self,
        objective: &mut impl Objective,
        at: &Evaluation,
        start: Value,
        full: Value,
        slope: f64,
    ) -> Result<Value, SolveError> {
        let Self { direction: d, trial, longer, chord } = self;
        let rounding = 8.0 * f64::EPSILON * full.magnitude;
        let curvature = 2.0 * (full.value - start.value - slope);
        let (least, most) = Self::LENGTHEN;
        if -slope <= 1e3 * rounding || -slope < least * curvature {
            return Ok(full);
        }
        let mut factor = if curvature * most > -slope { -slope / curvature } else { most };
        while factor >= least {
            let mut step = factor;
            if !objective.turn(at, d, &mut step, chord) {
                chord.clear();
                chord.extend(d.iter().map(|d| factor * d));
                let part = objective.largest_step(at, chord).min(1.0);
                step = part * factor;
                chord.iter_mut().for_each(|way| *way *= part);
            }
            if step <= 1.0 {
                break;
            }
            longer.x.clear();
            longer.x.extend(chord.iter().zip(&at.x).map(|(way, x)| way + x));
            objective.evaluate(longer);
            let value = objective.value(longer)?;
            if value.value < full.value {
                std::mem::swap(trial, longer);
                return Ok(value);
            }
            factor = 0.25 * step;
        }
        Ok(full)
    }
}
