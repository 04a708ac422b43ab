//! By how much a step changes gaps and slips, each as a fraction of itself: what Newton's tests go by.

use super::{Contact, gather};
use crate::contact::contact_set::relative_change;
use crate::contact::friction::FrictionPair;

impl Contact {
    /// The largest change of an active gap by the step dx.
    pub fn relative_gap_change(&mut self, dx: &[f64]) -> f64 {
        gather(&self.vertices, dx, &mut self.scratch);
        self.set.relative_gap_change(&self.x, &self.scratch, &self.barrier)
    }

    /// The largest change of a slip by a change rate·d of the velocity v.
    pub fn relative_slip_change(&mut self, v: &[f64], d: &[f64], rate: f64) -> f64 {
        gather(&self.vertices, v, &mut self.scratch);
        gather(&self.vertices, d, &mut self.forces);
        self.slip_changes(rate).map(|(_, change)| change).fold(0.0, f64::max)
    }

    /// The largest change of a gap by the step d, or of a slip by rate·d times `slip_share`, by surface; slips only where a velocity
    /// is given.
    pub fn changes_by_surface(&mut self, d: &[f64], sliding: Option<(&[f64], f64)>, slip_share: f64) -> Vec<f64> {
        gather(&self.vertices, d, &mut self.forces);
        let mut changes = vec![0.0f64; self.surface.body_count()];
        let mut note = |stencil: &[u32], change: f64| {
            for &vertex in stencil {
                let most = &mut changes[self.surface.body_of(vertex) as usize];
                *most = most.max(change);
            }
        };
        for pair in self.set.pairs() {
            note(pair.stencil(), relative_change(pair, &self.x, &self.forces, &self.barrier));
        }
        if let Some((v, rate)) = sliding {
            gather(&self.vertices, v, &mut self.scratch);
            self.slip_changes(rate).for_each(|(pair, change)| note(pair.stencil(), slip_share * change));
        }
        changes
    }

    /// Of the velocity in `scratch` by the step in `forces`; slips below ε_v count as that.
    fn slip_changes(&self, rate: f64) -> impl Iterator<Item = (&FrictionPair, f64)> {
        self.friction.pairs.iter().map(move |pair| {
            let slip = pair.sliding(&self.scratch).norm().max(self.friction.epsilon);
            (pair, rate * pair.sliding(&self.forces).norm() / slip)
        })
    }
}
