//! Projected Newton: a direction, a line search along it, until a step is small.
//!
//! The step that passes the convergence test is still applied: leaving it out leaves a dead band that ruins the energy search.

mod climbing;
mod direction;
mod drags;
mod foresight;
mod gap_model;
mod group_steps;
mod hindrances;
mod line_search;
mod mean_motion;
mod objective;
mod pins;
mod pushes;
mod refining;
mod rigid_start;
mod settling;
mod turning;
mod ways;

pub(super) use objective::StageObjective;
pub(super) use pins::solve_stage;
pub(super) use settling::joined;

use super::evaluation::Evaluation;
use super::hindrance::GivenUp;
use super::settings::NewtonSettings;
use super::stage::SolveError;
use crate::model::RelativeChange;
use climbing::Climb;
use line_search::LineSearch;

/// The objective at a point.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    /// +∞ where inadmissible
    pub value: f64,
    /// What its rounding error is proportional to
    pub magnitude: f64,
}

/// A direction's slope g·d and what it leads to.
#[derive(Debug, Clone, Copy)]
pub struct Direction {
    pub slope: f64,
    pub leads: Leads,
}

/// What a direction leads to, and so what a short step along it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leads {
    /// To the minimum of its model, to rounding
    There,
    /// To its neighbourhood: conjugate gradients left a residual
    Near,
    /// Part of the way: a short step ends nothing
    PartOfTheWay,
    /// For some bodies as far as they may go before they meet others: it ends nothing either, and no longer one is looked for
    IntoOthers,
}

/// What a step changes.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// The longest of a node `[m]`
    pub displacement: f64,
    pub relative: RelativeChange,
}

/// What Newton minimises.
pub trait Objective {
    /// Evaluates the energies at `at.x`.
    fn evaluate(&mut self, at: &mut Evaluation);
    /// The objective where the energies are known.
    fn value(&mut self, at: &Evaluation) -> Result<Value, SolveError>;
    /// The direction of a step, H d = −g or better.
    fn direction(&mut self, at: &Evaluation, d: &mut [f64]) -> Result<Direction, SolveError>;
    /// g·d
    fn slope(&mut self, at: &Evaluation, d: &[f64]) -> f64;
    /// The largest admissible part of a step, at most 1.
    fn largest_step(&mut self, at: &Evaluation, d: &[f64]) -> f64;
    /// The chord to where a curve that suits the objective better is after the part `step` of d; it is safe, and `step` is shortened
    /// until it is. False where the straight way does.
    fn turn(&mut self, _at: &Evaluation, _d: &[f64], _step: &mut f64, _chord: &mut Vec<f64>) -> bool {
        false
    }
    fn change(&mut self, at: &Evaluation, d: &[f64]) -> Change;
    /// Whether steps may rise for a while: they follow a narrow valley that bends.
    fn may_climb(&self) -> bool {
        false
    }
    /// Hears that the direction was not taken.
    fn gave_up_direction(&mut self) {}
    /// Hears of the step that was taken for the direction d, and of the part that the line search left of it.
    fn moved(&mut self, _from: &Evaluation, _d: &[f64], _part: f64, _to: &Evaluation) {}
    /// Hears that Newton gives up, of its last direction and where that was sought.
    fn given_up(&mut self, _at: &Evaluation, _d: &[f64], _why: GivenUp) {}
}

/// Owns the buffers of the iteration.
#[derive(Debug, Default)]
pub struct Newton {
    direction: Vec<f64>,
    trial: Evaluation,
    longer: Evaluation,
    chord: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iterations {
    pub count: usize,
    pub halvings: usize,
    pub converged: bool,
}

impl NewtonSettings {
    fn is_small(&self, change: &Change) -> bool {
        change.displacement < self.displacement
            && change.relative.gap < self.gap
            && change.relative.stretch < self.stretch
    }
}

impl Newton {
    /// Iterations after which steps that fall short are lengthened; ordinary solves are over by then.
    const PATIENCE: usize = 5;

    /// Minimises from `at`, which is evaluated and receives the result.
    pub fn minimise(
        &mut self,
        objective: &mut impl Objective,
        settings: &NewtonSettings,
        at: &mut Evaluation,
    ) -> Result<Iterations, SolveError> {
        self.direction.resize(at.x.len(), 0.0);
        let mut value = objective.value(at)?;
        let mut halvings = 0;
        let mut climb = Climb::new(objective.may_climb());
        for count in 1..=settings.max_iterations {
            let Direction { slope, leads } = objective.direction(at, &mut self.direction)?;
            if !slope.is_finite() {
                return Err(SolveError::NotFinite { what: "the Newton direction" });
            }
            if slope == 0.0 {
                return Ok(Iterations { count, halvings, converged: true });
            }
            let may_end = matches!(leads, Leads::There | Leads::Near);
            let ends = may_end && settings.is_small(&objective.change(at, &self.direction));
            match self.line_search(objective, at, value, slope, climb.may_go_on())? {
                LineSearch::Climbed { value: higher, step } => {
                    climb.higher(at, value);
                    value = higher;
                    objective.moved(at, &self.direction, step, &self.trial);
                    std::mem::swap(at, &mut self.trial);
                    if ends {
                        return Ok(Iterations { count, halvings, converged: true });
                    }
                }
                LineSearch::Accepted { value: lower, halvings: more, step } => {
                    let lengthens = count > Self::PATIENCE && step == 1.0 && !ends && leads != Leads::IntoOthers;
                    value = if lengthens { self.lengthen(objective, at, value, lower, slope)? } else { lower };
                    halvings += more;
                    objective.moved(at, &self.direction, step, &self.trial);
                    std::mem::swap(at, &mut self.trial);
                    if ends {
                        return Ok(Iterations { count, halvings, converged: true });
                    }
                    if let Some((back, lower)) = climb.lower(value) {
                        objective.moved(at, &self.direction, 1.0, &back);
                        (*at, value) = (back, lower);
                    }
                }
                LineSearch::Stuck { halvings: more } => {
                    if let Some((back, lower)) = climb.give_up().filter(|_| !ends) {
                        objective.gave_up_direction();
                        objective.moved(at, &self.direction, 1.0, &back);
                        (*at, value) = (back, lower);
                        continue;
                    }
                    if !ends {
                        objective.given_up(at, &self.direction, GivenUp::NoStepLowers);
                    }
                    return Ok(Iterations { count, halvings: halvings + more, converged: ends });
                }
            }
        }
        // The last step was taken: it was sought at the place before.
        objective.given_up(&self.trial, &self.direction, GivenUp::IterationsSpent);
        Ok(Iterations { count: settings.max_iterations, halvings, converged: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ½x², with directions from a Hessian that is too stiff by a factor.
    struct TooStiff(f64);

    impl Objective for TooStiff {
        fn evaluate(&mut self, at: &mut Evaluation) {
            at.energies = [0.5 * at.x[0] * at.x[0]].into_iter().collect();
        }
        fn value(&mut self, at: &Evaluation) -> Result<Value, SolveError> {
            Ok(Value { value: at.energies.total(), magnitude: at.energies.total() })
        }
        fn direction(&mut self, at: &Evaluation, d: &mut [f64]) -> Result<Direction, SolveError> {
            d[0] = -at.x[0] / self.0;
            Ok(Direction { slope: at.x[0] * d[0], leads: Leads::There })
        }
        fn slope(&mut self, at: &Evaluation, d: &[f64]) -> f64 {
            at.x[0] * d[0]
        }
        fn largest_step(&mut self, _: &Evaluation, _: &[f64]) -> f64 {
            1.0
        }
        fn change(&mut self, _: &Evaluation, d: &[f64]) -> Change {
            Change { displacement: d[0].abs(), relative: RelativeChange::default() }
        }
    }

    #[test]
    fn a_hessian_that_is_too_stiff_does_not_make_newton_creep() {
        for (factor, limit) in [(1.0, 3), (10.0, 12), (100.0, 150)] {
            let mut objective = TooStiff(factor);
            let mut at = Evaluation { x: vec![1.0], ..Evaluation::default() };
            objective.evaluate(&mut at);
            let iterations = Newton::default().minimise(&mut objective, &NewtonSettings::TIGHT, &mut at).unwrap();
            assert!(iterations.converged && iterations.count <= limit, "{factor}: {iterations:?}");
            assert!(at.x[0].abs() < 1e-8, "{factor}: {}", at.x[0]);
        }
    }
}
