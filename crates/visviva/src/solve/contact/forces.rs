//! What each pair of surfaces does to the other: f = −κ w m b′(d − ξ) n along the gap with the loss of the step, and friction across it.
//!
//! The mollifier's own gradient is left out: on each edge it sums to zero, a couple and no force.

use super::{Surfaces, Touch};
use crate::contact::{ContactLosses, Kind, LossyPair, Point, VertexMotion, barrier_pair};

/// One pair of primitives; the second surface feels the opposite forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Where the gap ends on each surface `[m]`
    pub points: [Point; 2],
    /// Of the barrier, less what the contact loses, on the first surface `[N]`
    pub normal: Point,
    /// On the first surface `[N]`
    pub friction: Point,
    /// Bodies, then obstacles
    pub surfaces: [u32; 2],
}

/// All pairs active at a position, and those that losses were frozen with: their forces are those of a motion of the vertices.
pub fn pair_forces(
    surfaces: &Surfaces,
    touch: &Touch,
    lossy: Option<(&ContactLosses, VertexMotion<'_>)>,
) -> Vec<ContactForce> {
    let frozen = lossy.map_or(&[] as &[_], |(losses, _)| losses.pairs.as_slice());
    let lost = |pair: &LossyPair| {
        lossy.map_or([Point::zeros(); 2], |(losses, motion)| {
            [-pair.push(motion, losses.epsilon), -pair.friction(motion.v, losses.epsilon)]
        })
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
        let [loss, friction] = found.map_or([Point::zeros(); 2], |at| lost(&frozen[at]));
        row(pair.kind, &pair.vertices, &gap.weights, push * gap.normal + loss, friction)
    });
    let is_active = |pair: &LossyPair| pairs.binary_search_by_key(&pair.key(), |p| p.key()).is_ok();
    let parted = frozen.iter().filter(|pair| !is_active(pair)).map(|pair| {
        let (kind, vertices) = pair.key();
        let [loss, friction] = lost(pair);
        row(kind, &vertices, &pair.weights, loss, friction)
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
