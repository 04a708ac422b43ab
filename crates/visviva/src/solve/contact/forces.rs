//! What each pair of surfaces does to the other: f = −κ w m b′(d − ξ) n along the gap, and the friction of the step across it.
//!
//! The mollifier's own gradient is left out: on each edge it sums to zero, a couple and no force.

use super::{Surfaces, Touch};
use crate::contact::friction::FrictionPair;
use crate::contact::{Friction, Kind, Point, barrier_pair};

/// One pair of primitives; the second surface feels the opposite forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Where the gap ends on each surface `[m]`
    pub points: [Point; 2],
    /// Of the barrier, on the first surface `[N]`
    pub normal: Point,
    /// On the first surface `[N]`
    pub friction: Point,
    /// Bodies, then obstacles
    pub surfaces: [u32; 2],
}

/// All pairs active at a position, and those that friction was frozen with: its forces are those of a velocity at the vertices.
pub fn pair_forces(surfaces: &Surfaces, touch: &Touch, sliding: Option<(&Friction, &[Point])>) -> Vec<ContactForce> {
    let frozen = sliding.map_or(&[] as &[_], |(friction, _)| friction.pairs.as_slice());
    let rubbing = |pair: &FrictionPair| {
        sliding.map_or(Point::zeros(), |(friction, velocity)| -pair.gradient(velocity, friction.epsilon))
    };
    let row = |kind, vertices: &[u32; 4], weights: &[f64; 4], normal, friction| {
        row(surfaces, touch, kind, vertices, weights, [normal, friction])
    };
    // Both lists are sorted by their keys.
    let pairs = touch.set.pairs();
    let active = pairs.iter().map(|pair| {
        let points = pair.points(&touch.vertices);
        let gap = pair.gap(&points);
        let slope = surfaces.barrier.of(pair).slope(gap.distance);
        let push = -pair.weight * barrier_pair::fading(pair, &points) * slope;
        let found = frozen.binary_search_by_key(&pair.key(), |frozen| frozen.key());
        let friction = found.map_or(Point::zeros(), |at| rubbing(&frozen[at]));
        row(pair.kind, &pair.vertices, &gap.weights, push * gap.normal, friction)
    });
    let is_active = |pair: &FrictionPair| pairs.binary_search_by_key(&pair.key(), |p| p.key()).is_ok();
    let parted = frozen.iter().filter(|pair| !is_active(pair)).map(|pair| {
        let (kind, vertices) = pair.key();
        row(kind, &vertices, &pair.weights, Point::zeros(), rubbing(pair))
    });
    active.chain(parted).collect()
}

fn row(
    surfaces: &Surfaces,
    touch: &Touch,
    kind: Kind,
    vertices: &[u32; 4],
    weights: &[f64; 4],
    [normal, friction]: [Point; 2],
) -> ContactForce {
    let split = kind.first_count();
    let side = |corners: std::ops::Range<usize>, sign: f64| -> Point {
        corners.map(|i| sign * weights[i] * touch.vertices[vertices[i] as usize]).sum()
    };
    ContactForce {
        points: [side(0..split, 1.0), side(split..kind.vertex_count(), -1.0)],
        normal,
        friction,
        surfaces: [vertices[0], vertices[split]].map(|vertex| surfaces.surface.body_of(vertex)),
    }
}
