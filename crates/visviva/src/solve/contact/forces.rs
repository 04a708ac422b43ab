//! What each pair of surfaces does to the other: f = −κ w m b′(d − ξ) n along the gap, and the friction of the step across it.
//!
//! The mollifier's own gradient is left out: on each edge it sums to zero, a couple and no force.

use super::{Contact, gather};
use crate::contact::friction::FrictionPair;
use crate::contact::{Kind, Point, barrier_pair};

/// One pair of primitives; the second surface feels the opposite forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Where the gap ends on each surface [m]
    pub points: [Point; 2],
    /// Of the barrier, on the first surface [N]
    pub normal: Point,
    /// On the first surface [N]
    pub friction: Point,
    /// Bodies, then obstacles
    pub surfaces: [u32; 2],
}

impl Contact {
    /// All pairs active at x, and those that were when friction was frozen; friction is that of the velocity given, or none.
    pub fn pair_forces(&mut self, x: &[f64], velocity: Option<&[f64]>) -> Vec<ContactForce> {
        self.update(x);
        let frozen = match velocity {
            Some(v) => {
                gather(&self.vertices, v, &mut self.scratch);
                self.friction.pairs.as_slice()
            }
            None => &[],
        };
        let rubbing = |pair: &FrictionPair| -pair.gradient(&self.scratch, self.friction.epsilon);
        // Both lists are sorted by their keys.
        let active = self.set.pairs().iter().map(|pair| {
            let points = pair.points(&self.x);
            let gap = pair.gap(&points);
            let push = -pair.weight * barrier_pair::fading(pair, &points) * self.barrier.of(pair).slope(gap.distance);
            let found = frozen.binary_search_by_key(&pair.key(), |frozen| frozen.key());
            let friction = found.map_or(Point::zeros(), |at| rubbing(&frozen[at]));
            self.row(pair.kind, &pair.vertices, &gap.weights, push * gap.normal, friction)
        });
        let is_active = |pair: &FrictionPair| self.set.pairs().binary_search_by_key(&pair.key(), |p| p.key()).is_ok();
        let parted = frozen.iter().filter(|pair| !is_active(pair)).map(|pair| {
            let (kind, vertices) = pair.key();
            self.row(kind, &vertices, &pair.weights, Point::zeros(), rubbing(pair))
        });
        active.chain(parted).collect()
    }

    fn row(&self, kind: Kind, vertices: &[u32; 4], weights: &[f64; 4], normal: Point, friction: Point) -> ContactForce {
        let split = kind.first_count();
        let side = |corners: std::ops::Range<usize>, sign: f64| -> Point {
            corners.map(|i| sign * weights[i] * self.x[vertices[i] as usize]).sum()
        };
        ContactForce {
            points: [side(0..split, 1.0), side(split..kind.vertex_count(), -1.0)],
            normal,
            friction,
            surfaces: [vertices[0], vertices[split]].map(|vertex| self.surface.body_of(vertex)),
        }
    }
}
