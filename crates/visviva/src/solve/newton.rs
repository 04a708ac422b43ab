//! Projected Newton with a filtered backtracking line search.
//!
//! Every trial is first shortened to the largest admissible step, then halved until the objective falls. The step that passes the
//! convergence test is still applied: leaving it out leaves a dead band that ruins the energy search.

use super::stage::SolveError;
use crate::math::vector;
use crate::model::RelativeChange;
use serde::{Deserialize, Serialize};

/// When Newton stops.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewtonSettings {
    /// Longest displacement of a node in one Newton step [m]
    pub displacement: f64,
    /// Largest relative change of an active gap; a displacement test alone can stop at a gap that is still closing
    pub gap: f64,
    /// Largest relative change of a stretch
    pub stretch: f64,
    pub max_iterations: usize,
}

impl NewtonSettings {
    /// The tolerance of the small worlds, where nothing may hide behind the solver.
    pub const TIGHT: Self = Self { displacement: 1e-10, gap: 1e-4, stretch: 1e-3, max_iterations: 200 };
}

/// What Newton minimises.
pub trait Objective {
    /// The objective and the magnitude that its rounding error is proportional to; +∞ where inadmissible.
    fn value(&mut self, x: &[f64]) -> Result<(f64, f64), SolveError>;
    /// The direction of a step from x on, H d = −g or better; returns the slope g·d.
    fn direction(&mut self, x: &[f64], d: &mut [f64]) -> Result<f64, SolveError>;
    /// g(x)·d
    fn slope(&mut self, x: &[f64], d: &[f64]) -> f64;
    fn largest_step(&mut self, x: &[f64], d: &[f64]) -> f64;
    /// A safe way from x to about x + step d, along a path that suits the objective better, with a step as long as possible; false
    /// where the straight one does.
    fn bend(&mut self, _x: &[f64], _d: &[f64], _step: &mut f64, _way: &mut Vec<f64>) -> bool {
        false
    }
    /// Longest displacement of a node [m], and the relative changes.
    fn change(&mut self, x: &[f64], d: &[f64]) -> (f64, RelativeChange);
}

/// Owns the buffers of the iteration.
#[derive(Debug, Default)]
pub struct Newton {
    direction: Vec<f64>,
    trial: Vec<f64>,
    longer: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iterations {
    pub count: usize,
    pub halvings: usize,
    pub converged: bool,
}

enum LineSearch {
    Accepted {
        value: (f64, f64),
        halvings: usize,
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

    /// Iterations after which steps that fall short are lengthened; ordinary solves are over by then.
    const PATIENCE: usize = 5;
    /// Steps are lengthened where the minimum along them lies beyond the first number, at most by the second.
    const LENGTHEN: (f64, f64) = (2.0, 16.0);

    /// Minimises from x, which receives the result. The objective's last `value` call is at that result.
    pub fn minimise(
        &mut self,
        objective: &mut impl Objective,
        settings: &NewtonSettings,
        x: &mut [f64],
    ) -> Result<Iterations, SolveError> {
        self.direction.resize(x.len(), 0.0);
        self.trial.resize(x.len(), 0.0);
        let mut value = objective.value(x)?;
        let mut halvings = 0;
        for count in 1..=settings.max_iterations {
            let slope = objective.direction(x, &mut self.direction)?;
            if !slope.is_finite() {
                return Err(SolveError::NotFinite { what: "the Newton direction" });
            }
            let (displacement, relative) = objective.change(x, &self.direction);
            let small = displacement < settings.displacement
                && relative.gap < settings.gap
                && relative.stretch < settings.stretch;
            if slope == 0.0 {
                return Ok(Iterations { count, halvings, converged: true });
            }
            match self.line_search(objective, x, value, slope)? {
                LineSearch::Accepted { value: lower, halvings: more, step } => {
                    let falls_short = count > Self::PATIENCE && step == 1.0 && !small;
                    value = if falls_short { self.lengthen(objective, x, value, lower, slope)? } else { lower };
                    halvings += more;
                    x.copy_from_slice(&self.trial);
                    if small {
                        return Ok(Iterations { count, halvings, converged: true });
                    }
                }
                LineSearch::Stuck { halvings: more } => {
                    objective.value(x)?;
                    return Ok(Iterations { count, halvings: halvings + more, converged: small });
                }
            }
        }
        Ok(Iterations { count: settings.max_iterations, halvings, converged: false })
    }

    /// A full step may fall far short of the minimum along it: projected Hessians are too stiff where the true one is nearly
    /// singular, as in buckling, and Newton then creeps. Tries the minimum of the parabola through what is known, then shorter ones.
    fn lengthen(
        &mut self,
        objective: &mut impl Objective,
        x: &[f64],
        (start, _): (f64, f64),
        full: (f64, f64),
        slope: f64,
    ) -> Result<(f64, f64), SolveError> {
        let rounding = 8.0 * f64::EPSILON * full.1;
        let curvature = 2.0 * (full.0 - start - slope);
        let (least, most) = Self::LENGTHEN;
        if -slope <= 1e3 * rounding || -slope < least * curvature {
            return Ok(full);
        }
        let mut factor = if curvature * most > -slope { -slope / curvature } else { most };
        let mut tried = false;
        while factor >= least {
            let mut step = factor;
            if !objective.bend(x, &self.direction, &mut step, &mut self.longer) {
                self.longer.clear();
                self.longer.extend(self.direction.iter().map(|d| factor * d));
                let part = objective.largest_step(x, &self.longer).min(1.0);
                step = part * factor;
                self.longer.iter_mut().for_each(|way| *way *= part);
            }
            if step <= 1.0 {
                break;
            }
            self.longer.iter_mut().zip(x).for_each(|(way, x)| *way += x);
            tried = true;
            let value = objective.value(&self.longer)?;
            if value.0 < full.0 {
                std::mem::swap(&mut self.trial, &mut self.longer);
                return Ok(value);
            }
            factor = 0.25 * step;
        }
        // Back to where the objective is known to be lower.
        if tried { objective.value(&self.trial) } else { Ok(full) }
    }

    /// Leaves the accepted point in `self.trial`.
    fn line_search(
        &mut self,
        objective: &mut impl Objective,
        x: &[f64],
        (value, magnitude): (f64, f64),
        slope: f64,
    ) -> Result<LineSearch, SolveError> {
        let d = &self.direction;
        let mut step = 1.0;
        let mut longest = None;
        for halvings in 0..=Self::MAX_HALVINGS {
            if objective.bend(x, d, &mut step, &mut self.longer) {
                vector::set_sum(&mut self.trial, x, 1.0, &self.longer);
            } else {
                let longest = *longest.get_or_insert_with(|| objective.largest_step(x, d));
                step = step.min(longest);
                vector::set_sum(&mut self.trial, x, step, d);
            }
            let trial = objective.value(&self.trial)?;
            let rounding = 8.0 * f64::EPSILON * magnitude.max(trial.1);
            // Where the fall predicted is below the rounding of the objective, the gradient decides.
            let accepted = if -slope * step > rounding {
                trial.0 < value
            } else {
                trial.0.is_finite() && objective.slope(&self.trial, d).abs() <= slope.abs()
            };
            if accepted {
                return Ok(LineSearch::Accepted { value: trial, halvings, step });
            }
            step *= 0.5;
        }
        Ok(LineSearch::Stuck { halvings: Self::MAX_HALVINGS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ½x², with directions from a Hessian that is too stiff by a factor.
    struct TooStiff(f64);

    impl Objective for TooStiff {
        fn value(&mut self, x: &[f64]) -> Result<(f64, f64), SolveError> {
            let value = 0.5 * x[0] * x[0];
            Ok((value, value))
        }
        fn direction(&mut self, x: &[f64], d: &mut [f64]) -> Result<f64, SolveError> {
            d[0] = -x[0] / self.0;
            Ok(x[0] * d[0])
        }
        fn slope(&mut self, x: &[f64], d: &[f64]) -> f64 {
            x[0] * d[0]
        }
        fn largest_step(&mut self, _: &[f64], _: &[f64]) -> f64 {
            1.0
        }
        fn change(&mut self, _: &[f64], d: &[f64]) -> (f64, RelativeChange) {
            (d[0].abs(), RelativeChange { gap: 0.0, stretch: 0.0 })
        }
    }

    #[test]
    fn a_hessian_that_is_too_stiff_does_not_make_newton_creep() {
        for (factor, limit) in [(1.0, 3), (10.0, 12), (100.0, 150)] {
            let mut x = [1.0];
            let iterations = Newton::default().minimise(&mut TooStiff(factor), &NewtonSettings::TIGHT, &mut x).unwrap();
            assert!(iterations.converged && iterations.count <= limit, "{factor}: {iterations:?}");
            assert!(x[0].abs() < 1e-8, "{factor}: {}", x[0]);
        }
    }
}
