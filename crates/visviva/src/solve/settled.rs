//! Bodies whose part of Newton's iteration is over while others still move: groups that touch each other end together.
//!
//! A settled body stands still to the bit, so that its elements and its part of the factor need not be computed again.

use super::bodies_world::BodiesWorld;
use super::linear::PINNED;
use crate::model::bodies::node_of;

#[derive(Debug, Default)]
pub(super) struct Settled {
    /// Where each coordinate is after the step that passed its body's test
    expected: Vec<f64>,
    /// Whether the last step passed the body's test
    passed: Vec<bool>,
}

impl BodiesWorld {
    /// Which bodies stand still from now on: all of their group do.
    pub(super) fn standing(&self, settled: &Settled, x: &[f64]) -> Vec<bool> {
        let bodies = &self.bodies.bodies;
        if settled.passed.len() != bodies.len() {
            return vec![false; bodies.len()];
        }
        let group = self.touching_groups();
        let mut all_stand = vec![true; bodies.len()];
        for (body, part) in bodies.iter().enumerate() {
            let range = 3 * part.nodes.start..3 * part.nodes.end;
            all_stand[group[body]] &= settled.passed[body] && x[range.clone()] == settled.expected[range];
        }
        group.iter().map(|&group| all_stand[group]).collect()
    }

    /// Looks which bodies settle with the step d. `changes` gives the largest relative change of a gap or slip by surface.
    pub(super) fn settle(&self, settled: &mut Settled, group: &[usize], x: &[f64], d: &[f64], changes: &[f64]) {
        let limits = &self.settings.newton;
        let mut passes = vec![true; group.len()];
        for (body, part) in self.bodies.bodies.iter().enumerate() {
            let longest = part.nodes.clone().map(|node| node_of(d, node).norm_squared()).fold(0.0, f64::max).sqrt();
            passes[group[body]] &= longest < limits.displacement && changes.get(body).is_none_or(|&c| c < limits.gap);
        }
        settled.passed = group.iter().map(|&group| passes[group]).collect();
        settled.expected.clear();
        settled.expected.extend(x.iter().zip(d).map(|(x, d)| x + d));
    }

    /// The same by row of the matrix.
    pub(super) fn rows_of(&self, bodies: &[bool]) -> Vec<bool> {
        let mut rows = vec![false; self.free_nodes.len()];
        for (part, _) in self.bodies.bodies.iter().zip(bodies).filter(|&(_, &chosen)| chosen) {
            let of_part = self.rows[part.nodes.clone()].iter().filter(|&&row| row != PINNED);
            of_part.for_each(|&row| rows[row as usize] = true);
        }
        rows
    }

    /// The group of each body, named after one of them; obstacles join nothing.
    pub(super) fn touching_groups(&self) -> Vec<usize> {
        let count = self.bodies.bodies.len();
        let pairs = self.contact.as_ref().map_or(Vec::new(), |contact| contact.touching_surfaces());
        joined(count, pairs.into_iter().filter(|&[a, b]| a < count && b < count))
    }
}

/// The group of each of `count` things that pairs join, named after its first one.
pub(super) fn joined(count: usize, pairs: impl IntoIterator<Item = [usize; 2]>) -> Vec<usize> {
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
