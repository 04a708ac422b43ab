//! A stage from its start to its end: bodies are moved rigidly, pins and obstacles that move by themselves are brought to their
//! places in rounds, as far as elements and surfaces allow, and Newton solves.
//!
//! Where something is in the way, the pins' way w is part of a Newton direction: K d = −g − K w lets the rest give way at once.

use super::drags::Drags;
use super::settling::Settling;
use super::{Iterations, Newton, Objective, StageObjective};
use crate::math::vector;
use crate::solve::evaluation::Evaluation;
use crate::solve::settings::NewtonSettings;
use crate::solve::stage::SolveError;

/// Rounds of moving pins part of their way; more means that they cannot get there.
const MAX_ROUNDS: usize = 100;
/// Newton iterations in a round whose pins have not arrived: its solution is only a place to go on from.
const ITERATIONS_ON_THE_WAY: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pins {
    Arrived,
    OnTheWay,
}

/// Solves the stage from `at`, which is evaluated and receives the solution.
pub fn solve_stage(
    objective: &mut StageObjective<'_>,
    newton: &mut Newton,
    at: &mut Evaluation,
) -> Result<Iterations, SolveError> {
    let settings = objective.settings.newton;
    let on_the_way = NewtonSettings { max_iterations: ITERATIONS_ON_THE_WAY, ..settings };
    let (mut count, mut halvings) = (0, 0);
    objective.move_rigidly(at)?;
    for _ in 0..MAX_ROUNDS {
        (objective.settling, objective.drags) = (Settling::default(), Drags::default());
        let pins = objective.move_pins(at)?;
        objective.assembly.forget_elements();
        let settings = if pins == Pins::Arrived { &settings } else { &on_the_way };
        let iterations = newton.minimise(objective, settings, at)?;
        count += iterations.count;
        halvings += iterations.halvings;
        if pins == Pins::Arrived {
            return Ok(Iterations { count, halvings, converged: iterations.converged });
        }
    }
    Err(objective.blocked(at))
}

impl StageObjective<'_> {
    /// What is left of the pins' way.
    fn way_left(&self, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut target = x.to_vec();
        self.terms.model.prescribe(self.terms.stage.t, &mut target);
        let way = target.iter().zip(x).map(|(target, x)| target - x).collect();
        (target, way)
    }

    /// Moves the pins towards where they are at the stage's time, as far as possible.
    fn move_pins(&mut self, at: &mut Evaluation) -> Result<Pins, SolveError> {
        let (target, mut way) = self.way_left(&at.x);
        if way.iter().all(|&d| d == 0.0) {
            return Ok(Pins::Arrived);
        }
        if self.largest_step_from(&at.x, &way) == 1.0 {
            at.set_position(&target);
            self.evaluate(at);
            return Ok(Pins::Arrived);
        }
        let mut pull = vec![0.0; at.x.len()];
        self.assembly.add_stiffness_product(self.terms.model, self.terms.surfaces, at, &way, &mut pull);
        let mut response = vec![0.0; at.x.len()];
        self.response_to_pins(at, &pull, &mut response)?;
        vector::add_scaled(&mut way, 1.0, &response);
        let step = self.largest_step_from(&at.x, &way);
        vector::add_scaled(&mut at.x, step, &way);
        if step == 1.0 {
            self.terms.model.prescribe(self.terms.stage.t, &mut at.x);
        }
        self.evaluate(at);
        Ok(if step == 1.0 { Pins::Arrived } else { Pins::OnTheWay })
    }

    fn blocked(&mut self, at: &Evaluation) -> SolveError {
        let (model, t) = (self.terms.model, self.terms.stage.t);
        let (_, way) = self.way_left(&at.x);
        let surfaces = self.terms.surfaces.and_then(|surfaces| self.nearby.blocking_surfaces(surfaces, &at.x, &way));
        match surfaces {
            Some([a, b]) => {
                // The one that moves by itself comes first: obstacles are counted last.
                let name = |surface: u32| model.surface_name(surface).to_owned();
                SolveError::Blocked { mover: name(a.max(b)), other: name(a.min(b)), t }
            }
            None => SolveError::PinsBlocked { t },
        }
    }
}
