//! Bodies that are set down on what lies below them, the lowest first.

use super::{BuildError, Scene};
use crate::model::bodies::{Model, node_of};
use crate::solve::BodiesSolver;
use std::sync::Arc;

impl Scene {
    /// Moves those that ask for it in x.
    pub(super) fn set_down(&self, model: &Model, settings_of: &[usize], x: &mut [f64]) -> Result<(), BuildError> {
        let mut asked: Vec<usize> = (0..settings_of.len()).filter(|&b| self.bodies[settings_of[b]].set_down).collect();
        if asked.is_empty() {
            return Ok(());
        }
        let height = |body: usize| {
            let heights = model.bodies[body].nodes.clone().map(|node| -model.gravity.dot(&node_of(x, node)));
            heights.fold(f64::INFINITY, f64::min)
        };
        let heights: Vec<f64> = (0..settings_of.len()).map(height).collect();
        asked.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
        let mut solver = BodiesSolver::new(Arc::new(model.clone()), self.solver_settings(self.run.h.value))?;
        for body in asked {
            solver.set_down(body, x).map_err(|error| BuildError::Body {
                body: model.bodies[body].name.clone(),
                problem: format!("set_down: {error}"),
            })?;
        }
        Ok(())
    }
}
