//! Bodies whose part of Newton's iteration is over while others still move: groups that touch each other or are joined end together.
//!
//! A settled body stands still to the bit, so that its elements and its part of the factor need not be computed again.

use super::StageObjective;
use crate::model::bodies::{Model, node_of};
use crate::solve::evaluation::Evaluation;

#[derive(Debug, Default)]
pub struct Settling {
    /// Which bodies passed Newton's test with the last direction, and took its whole step once that was taken
    passed: Vec<bool>,
}

impl Settling {
    /// Hears of the step from x0 to x1 for the direction d: a body that went another way has not settled.
    pub fn moved(&mut self, model: &Model, x0: &[f64], d: &[f64], x1: &[f64]) {
        for (body, passed) in model.bodies.iter().zip(&mut self.passed).filter(|(_, passed)| **passed) {
            *passed = (3 * body.nodes.start..3 * body.nodes.end).all(|i| x1[i] == x0[i] + d[i]);
        }
    }

    /// Which bodies stand still from now on: all of their group do.
    fn standing(&self, group: &[usize]) -> Vec<bool> {
        if self.passed.len() != group.len() {
            return vec![false; group.len()];
        }
        let mut all_stand = vec![true; group.len()];
        group.iter().zip(&self.passed).for_each(|(&group, passed)| all_stand[group] &= passed);
        group.iter().map(|&group| all_stand[group]).collect()
    }
}

impl StageObjective<'_> {
    /// Which bodies stand still.
    pub fn standing(&self, at: &Evaluation) -> Vec<bool> {
        if self.settling.passed.is_empty() {
            return vec![false; self.terms.model.bodies.len()];
        }
        self.settling.standing(&self.touching_groups(at))
    }

    /// Looks which bodies settle with the step d.
    pub fn settle(&mut self, at: &Evaluation, d: &[f64]) {
        let changes = self.look_at_contact(at, d, |step| step.forces_left()).unwrap_or_default();
        let group = self.touching_groups(at);
        let most = self.settings.newton.gap;
        let mut passes = vec![true; group.len()];
        for body in 0..group.len() {
            let is_there = !self.cuts.is_shortened(body) && self.is_shorter(body, d, 1.0);
            passes[group[body]] &= is_there && changes.get(body).is_none_or(|&c| c < most);
        }
        self.settling.passed = group.iter().map(|&group| passes[group]).collect();
    }

    /// Whether a body's part of the step d is shorter than `times` the one that ends its iteration.
    pub fn is_shorter(&self, body: usize, d: &[f64], times: f64) -> bool {
        let nodes = self.terms.model.bodies[body].nodes.clone();
        let longest = nodes.map(|node| node_of(d, node).norm_squared()).fold(0.0, f64::max).sqrt();
        longest < times * self.longest_allowed(body)
    }

    /// The group of each body, named after one of them; obstacles join nothing.
    pub fn touching_groups(&self, at: &Evaluation) -> Vec<usize> {
        let count = self.terms.model.bodies.len();
        let touching = self.touching_surfaces(at).into_iter().filter(|&[a, b]| a < count && b < count);
        joined(count, touching.chain(self.terms.model.joined_bodies()))
    }

    /// Pairs of surfaces with an active, a frozen or a foreseen pair between them, each once
    pub fn touching_surfaces(&self, at: &Evaluation) -> Vec<[usize; 2]> {
        let Some(surfaces) = self.terms.surfaces else { return Vec::new() };
        let active = at.touch.set.pairs().iter().map(|pair| pair.stencil());
        let frozen = self.terms.frozen.iter().flat_map(|frozen| frozen.contact.pairs.iter().map(|pair| pair.stencil()));
        surfaces.joined_by(active.chain(frozen).chain(self.foresight.stencils()))
    }
}

/// The group of each of `count` things that pairs join, named after its first one.
pub fn joined(count: usize, pairs: impl IntoIterator<Item = [usize; 2]>) -> Vec<usize> {
    // Each thing points to one before it in its group; ways are halved as they are walked (Tarjan and van Leeuwen 1984).
    let mut before: Vec<usize> = (0..count).collect();
    let first = |before: &mut [usize], mut at: usize| {
        while before[at] != at {
            before[at] = before[before[at]];
            at = before[at];
        }
        at
    };
    for [a, b] in pairs {
        let (a, b) = (first(&mut before, a), first(&mut before, b));
        before[a.max(b)] = a.min(b);
    }
    (0..count).map(|at| first(&mut before, at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_named_after_their_first_in_whatever_order_pairs_come() {
        let pairs = [[5, 6], [2, 8], [6, 2], [1, 3], [3, 1], [7, 7]];
        let expected = [0, 1, 2, 1, 4, 2, 2, 7, 2];
        assert_eq!(joined(9, pairs), expected);
        assert_eq!(joined(9, pairs.into_iter().rev().map(|[a, b]| [b, a])), expected);
        assert_eq!(joined(0, []), Vec::<usize>::new());
    }
}
