//! What a step of Newton's leaves wrong of the forces between surfaces, as a part of what each surface bears: its test goes by that.
//!
//! A gap that closes by much in a step says little where it bears nothing, and all where it bears the body.

use super::{Surfaces, Touch};
use crate::contact::contact_set::ForceLeft;
use crate::contact::{ContactLosses, LossyPair, Point, VertexMotion};
use rayon::prelude::*;

/// Friction and the loss of contacts in a stage: a step d changes the velocity by rate·d.
#[derive(Debug, Clone, Copy)]
pub struct Sliding<'a> {
    pub losses: &'a ContactLosses,
    /// Of the vertices
    pub motion: VertexMotion<'a>,
    /// `[1/s]`
    pub rate: f64,
}

/// What a step leaves wrong of one pair's force, as one of its surfaces bears it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrongForce {
    /// The one that bears it first
    pub surfaces: [usize; 2],
    /// Of the largest force on that surface
    pub part: f64,
    /// Whether it is what the contact loses, by friction or restitution, and not its push
    pub is_loss: bool,
}

/// Of each surface, the largest part of its largest force that the step d, given at the vertices, leaves wrong; `bends` is what it
/// took for b″ of the active pairs.
pub fn forces_left(
    surfaces: &Surfaces,
    touch: &Touch,
    bends: &[f64],
    d: &[Point],
    sliding: Option<Sliding<'_>>,
) -> Vec<f64> {
    let mut parts = vec![0.0f64; surfaces.surface.body_count()];
    for_wrong_forces(surfaces, touch, bends, d, sliding, |wrong| {
        let [surface, _] = wrong.surfaces;
        parts[surface] = parts[surface].max(wrong.part);
    });
    parts
}

/// The largest part of all; none where all forces are right.
pub fn worst_force(
    surfaces: &Surfaces,
    touch: &Touch,
    bends: &[f64],
    d: &[Point],
    sliding: Option<Sliding<'_>>,
) -> Option<WrongForce> {
    let mut worst: Option<WrongForce> = None;
    for_wrong_forces(surfaces, touch, bends, d, sliding, |wrong| {
        if worst.is_none_or(|worst| wrong.part > worst.part) {
            worst = Some(wrong);
        }
    });
    worst
}

fn for_wrong_forces(
    surfaces: &Surfaces,
    touch: &Touch,
    bends: &[f64],
    d: &[Point],
    sliding: Option<Sliding<'_>>,
    mut hear: impl FnMut(WrongForce),
) {
    let barriers = touch.set.pairs().par_iter().zip(bends).with_min_len(256);
    let left = |(pair, &bend)| ForceLeft::of_pair(pair, &touch.vertices, d, &surfaces.barrier, bend);
    let barriers: Vec<ForceLeft> = barriers.map(left).collect();
    let sides = |stencil: &[u32]| surfaces.surface.sides_of(stencil).map(|side| side as usize);
    let mut largest = vec![0.0f64; surfaces.surface.body_count()];
    let mut bears = |stencil: &[u32], force: f64| {
        sides(stencil).into_iter().for_each(|side| largest[side] = largest[side].max(force));
    };
    touch.set.pairs().iter().zip(&barriers).for_each(|(pair, barrier)| bears(pair.stencil(), barrier.force));
    let frozen = sliding.iter().flat_map(|sliding| &sliding.losses.pairs);
    frozen.for_each(|pair| bears(pair.stencil(), pair.hysteresis.force));
    let mut note = |stencil: &[u32], left: f64, is_loss: bool| {
        let [a, b] = sides(stencil);
        for surfaces in [[a, b], [b, a]].into_iter().filter(|_| left > 0.0) {
            hear(WrongForce { surfaces, part: left / largest[surfaces[0]], is_loss });
        }
    };
    touch.set.pairs().iter().zip(&barriers).for_each(|(pair, barrier)| note(pair.stencil(), barrier.left, false));
    if let Some(Sliding { losses, motion, rate }) = sliding {
        let left = |pair: &LossyPair| pair.misjudged(motion, d, rate, losses.epsilon);
        losses.pairs.iter().for_each(|pair| note(pair.stencil(), left(pair), true));
    }
}
