//! The mean motion of what nothing holds, exact whatever the linear solver left: Σ mᵢ (xᵢ + dᵢ) = Σ mᵢ (x̂ᵢ + s² g) + s² fᵢ.
//!
//! Forces between bodies and within them cancel in the sum of the stage's equations, so that linear momentum is kept to round-off.

use super::StageObjective;
use super::settling::joined;
use crate::model::Holder;
use crate::model::bodies::node_of;
use crate::solve::evaluation::Evaluation;
use nalgebra::Vector3;

impl StageObjective<'_> {
    /// Shifts the Newton step d of all bodies that nothing holds; bodies that touch each other or are joined go together.
    pub fn correct_mean_motion(&self, at: &Evaluation, d: &mut [f64]) {
        let (model, stage) = (self.terms.model, self.terms.stage);
        let (group, is_held) = self.groups(at);
        let fall = self.terms.squared_length() * model.gravity;
        let mut sums = vec![(0.0, Vector3::zeros()); group.len()];
        for (body, &group) in model.bodies.iter().zip(&group).filter(|&(_, &group)| !is_held[group]) {
            for node in body.nodes.clone() {
                let mass = model.node_mass[node];
                let left = node_of(stage.predictor, node) + fall - node_of(&at.x, node) - node_of(d, node);
                sums[group].0 += mass;
                sums[group].1 += mass * left;
                if !self.terms.pushes.is_empty() {
                    sums[group].1 += self.terms.squared_length() * node_of(self.terms.pushes, node);
                }
            }
        }
        for (body, &group) in model.bodies.iter().zip(&group).filter(|&(_, &group)| !is_held[group]) {
            let shift = sums[group].1 / sums[group].0;
            for d in d[3 * body.nodes.start..3 * body.nodes.end].chunks_exact_mut(3) {
                (0..3).for_each(|c| d[c] += shift[c]);
            }
        }
    }

    /// The group of each surface, named after its first one, and which groups something outside acts upon.
    fn groups(&self, at: &Evaluation) -> (Vec<usize>, Vec<bool>) {
        let model = self.terms.model;
        let count = model.bodies.len() + model.obstacles.len();
        let group = joined(count, self.touching_surfaces(at).into_iter().chain(model.joined_bodies()));
        let mut is_held = vec![false; count];
        for (surface, &group) in group.iter().enumerate() {
            is_held[group] |= model.bodies.get(surface).is_none_or(|body| {
                let is_free = |node: usize| !model.mass.is_pinned(node);
                body.damping.mass != 0.0 || !body.nodes.clone().all(is_free)
            });
        }
        if let Some(body) = self.terms.grip.and_then(|grip| model.body_of_node(grip.node())) {
            is_held[group[body]] = true;
        }
        for joint in model.joints.iter().filter(|joint| !matches!(joint.holder, Holder::Body(_))) {
            is_held[group[joint.body]] = true;
        }
        (group, is_held)
    }
}
