//! Pins and obstacles that move by themselves, brought to their places in rounds: as far as elements and surfaces allow, then Newton.
//!
//! Where something is in the way, the pins' way w is part of a Newton direction: K d = −g − K w lets the rest give way at once.

use super::bodies_stage::StageObjective;
use super::bodies_world::BodiesWorld;
use super::newton::{Iterations, Newton, NewtonSettings, Objective};
use super::stage::{SolveError, Stage, World};
use crate::math::vector;

/// Rounds of moving pins part of their way; more means that they cannot get there.
const MAX_ROUNDS: usize = 100;
/// Newton iterations in a round whose pins have not arrived: its solution is only a place to go on from.
const ITERATIONS_ON_THE_WAY: usize = 3;

impl BodiesWorld {
    pub(super) fn solve_with_pins(
        &mut self,
        newton: &mut Newton,
        stage: &Stage<'_>,
        x: &mut [f64],
    ) -> Result<Iterations, SolveError> {
        let settings = self.settings.newton;
        let on_the_way = NewtonSettings { max_iterations: ITERATIONS_ON_THE_WAY, ..settings };
        let (mut count, mut halvings) = (0, 0);
        self.move_rigidly(stage, x)?;
        for _ in 0..MAX_ROUNDS {
            let arrived = self.move_pins(stage, x)?;
            let settings = if arrived { &settings } else { &on_the_way };
            let mut objective = StageObjective::new(self, stage, None);
            let iterations = newton.minimise(&mut objective, settings, x)?;
            count += iterations.count;
            halvings += iterations.halvings;
            if arrived {
                return Ok(Iterations { count, halvings, converged: iterations.converged });
            }
        }
        Err(self.blocked(stage.t, x))
    }

    /// What is left of the pins' way at x.
    fn way_left(&self, t: f64, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut target = x.to_vec();
        self.prescribe(t, &mut target);
        let way = target.iter().zip(x).map(|(target, x)| target - x).collect();
        (target, way)
    }

    /// Moves the pins to where they are at the stage's time, as far as possible, and says whether they arrived.
    fn move_pins(&mut self, stage: &Stage<'_>, x: &mut [f64]) -> Result<bool, SolveError> {
        let (target, mut way) = self.way_left(stage.t, x);
        if way.iter().all(|&d| d == 0.0) {
            return Ok(true);
        }
        if self.largest_step(x, &way) == 1.0 {
            x.copy_from_slice(&target);
            return Ok(true);
        }
        let mut pull = vec![0.0; x.len()];
        self.stiffness_product(x, &way, &mut pull);
        let mut response = vec![0.0; x.len()];
        StageObjective::new(self, stage, Some(&pull)).direction(x, &mut response)?;
        vector::add_scaled(&mut way, 1.0, &response);
        let step = self.largest_step(x, &way);
        vector::add_scaled(x, step, &way);
        if step == 1.0 {
            self.prescribe(stage.t, x);
        }
        Ok(step == 1.0)
    }

    fn blocked(&mut self, t: f64, x: &[f64]) -> SolveError {
        let (_, way) = self.way_left(t, x);
        let surfaces = self.contact.as_mut().and_then(|contact| contact.blocking_surfaces(x, &way));
        match surfaces {
            Some([a, b]) => {
                // The one that moves by itself comes first: obstacles are counted last.
                let name = |surface: u32| self.bodies.surface_name(surface).to_owned();
                SolveError::Blocked { mover: name(a.max(b)), other: name(a.min(b)), t }
            }
            None => SolveError::PinsBlocked { t },
        }
    }
}
