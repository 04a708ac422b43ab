//! By how much a step changes gaps and slips, each as a fraction of itself: what Newton's tests go by.

use super::{Surfaces, Touch};
use crate::contact::contact_set::relative_change;
use crate::contact::{ContactLosses, LossyPair, Point};

/// Friction in a stage: a step d changes the velocity by rate·d.
#[derive(Debug, Clone, Copy)]
pub struct Sliding<'a> {
    pub losses: &'a ContactLosses,
    /// At the vertices `[m/s]`
    pub velocity: &'a [Point],
    /// `[1/s]`
    pub rate: f64,
}

/// Slips are held to the tolerance of gaps as well, ten times as loosely. Without that a block that starts to slide is held
/// by the friction it has at rest: the first Newton step stays within ε_v and is shorter than any displacement tolerance.
const SLIP_SHARE: f64 = 0.1;

impl<'a> Sliding<'a> {
    /// Of each slip by the step d, as Newton weighs it; slips below ε_v count as that.
    fn changes(self, d: &'a [Point]) -> impl Iterator<Item = (&'a LossyPair, f64)> {
        self.losses.pairs.iter().filter(|pair| pair.limit > 0.0).map(move |pair| {
            let slip = pair.sliding(self.velocity).norm().max(self.losses.epsilon);
            (pair, SLIP_SHARE * (self.rate * pair.sliding(d).norm() / slip))
        })
    }
}

/// The largest change of a gap or a slip by the step d, given at the vertices.
pub fn largest_change(surfaces: &Surfaces, touch: &Touch, d: &[Point], sliding: Option<Sliding<'_>>) -> f64 {
    let gap = touch.set.relative_gap_change(&touch.vertices, d, &surfaces.barrier);
    let slips = sliding.map_or(0.0, |sliding| sliding.changes(d).map(|(_, change)| change).fold(0.0, f64::max));
    gap.max(slips)
}

/// The same by surface.
pub fn changes_by_surface(surfaces: &Surfaces, touch: &Touch, d: &[Point], sliding: Option<Sliding<'_>>) -> Vec<f64> {
    let mut changes = vec![0.0f64; surfaces.surface.body_count()];
    let mut note = |stencil: &[u32], change: f64| {
        for &vertex in stencil {
            let most = &mut changes[surfaces.surface.body_of(vertex) as usize];
            *most = most.max(change);
        }
    };
    for pair in touch.set.pairs() {
        note(pair.stencil(), relative_change(pair, &touch.vertices, d, &surfaces.barrier));
    }
    if let Some(sliding) = sliding {
        sliding.changes(d).for_each(|(pair, change)| note(pair.stencil(), change));
    }
    changes
}
