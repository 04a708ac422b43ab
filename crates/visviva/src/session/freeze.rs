//! A body that should move and cannot: surfaces so near that rounding decides leave no step that is safe, and time passes over
//! a picture that stands still.

use super::{Session, SessionError};
use crate::model::bodies::{Model, node_of};
use crate::solve::{SolveReport, Taken};

/// Steps in a row that ended unsolved with the body that wants to go furthest where it was.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Freeze {
    steps: u32,
    /// Those in which it wanted to go far: a body at rest whose gaps alone are unsolved does not
    far: u32,
    body: usize,
}

/// A solve may fail for some steps and find its way again; ten in a row that move nothing do not.
const PATIENCE: u32 = 10;
/// Of the way that is wanted: what has gone no further has not moved.
const STILL: f64 = 1e-6;

impl Freeze {
    pub fn hear(&mut self, model: &Model, solve: &SolveReport, step: Option<Taken<'_>>) {
        let stuck = solve.stuck.and_then(|stuck| Some((stuck, model.body_of_node(stuck.node)?)));
        let frozen = stuck.zip(step).filter(|((stuck, body), step)| {
            let way = |node: usize| (node_of(&step.to.x, node) - node_of(&step.from.x, node)).norm();
            model.bodies[*body].nodes.clone().map(way).fold(0.0, f64::max) <= STILL * stuck.wanted
        });
        *self = match frozen {
            Some(((stuck, body), _)) => Self {
                steps: self.steps + 1,
                far: self.far + u32::from(stuck.is_far),
                body: if stuck.is_far { body } else { self.body },
            },
            None => Self::default(),
        };
    }
}

impl Session {
    /// Refuses to go on where nothing has moved for long that should. Told once: whoever insists may go on.
    pub(super) fn end_freeze(&mut self) -> Result<(), SessionError> {
        // A body whose velocity swings about zero does not want to go far in every step.
        if self.freeze.steps < PATIENCE || 2 * self.freeze.far < self.freeze.steps {
            return Ok(());
        }
        let Freeze { steps, body, .. } = std::mem::take(&mut self.freeze);
        let (body, t) = (self.model().bodies[body].name.clone(), self.time());
        let reach = self.model().contact.as_ref().map(|contact| contact.reach);
        let gap = match (self.row.min_distance, reach) {
            (Some(gap), Some(reach)) => {
                format!("the smallest gap between surfaces is {gap:.1e} m with contact.reach = {reach:.1e} m, ")
            }
            _ => String::new(),
        };
        Err(SessionError::Frozen { body, steps, t, gap })
    }
}
