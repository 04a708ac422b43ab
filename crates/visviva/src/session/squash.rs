//! Bodies that are squashed to a small part of their volume: softer than what they were thrown at.

use super::bodies::Bodies;
use crate::model::bodies::Model;
use crate::simulation::Simulation;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Squash {
    /// Among the bodies
    pub body: usize,
    /// `[s]`
    pub t: f64,
    /// Of its volume at rest
    pub volume: f64,
}

/// Of the volume at rest: what keeps more is not worth telling.
const SMALL: f64 = 0.1;

/// The worst until now, or what is worse at the present position.
pub(super) fn worse(until_now: Option<Squash>, simulation: &Simulation<Bodies>) -> Option<Squash> {
    let (x, t) = (&simulation.state.x, simulation.state.t);
    let left = simulation.backend.model().volume_left(x).enumerate();
    let small = left.filter_map(|(body, left)| left.filter(|&left| left < SMALL).map(|left| (body, left)));
    small.fold(until_now, |worst, (body, volume)| match worst {
        Some(worst) if worst.volume <= volume => Some(worst),
        _ => Some(Squash { body, t, volume }),
    })
}

impl Squash {
    pub(super) fn in_words(self, model: &Model) -> String {
        let Self { body, t, volume } = self;
        format!(
            "`{}` was squashed to {:.1} % of its volume at t = {t:.4} s: it is too soft for what it meets. Take a larger \
             youngs_modulus or a shorter step (run.h)",
            model.bodies[body].name,
            100.0 * volume
        )
    }
}
