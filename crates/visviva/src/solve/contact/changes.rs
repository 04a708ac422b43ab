//! What a step of Newton's leaves wrong of the forces between surfaces, as a part of what each surface bears: its test goes by that.
//!
//! A gap that closes by much in a step says little where it bears nothing, and all where it bears the body.

use super::{Surfaces, Touch};
use crate::contact::contact_set::ForceLeft;
use crate::contact::{ContactLosses, Point, VertexMotion};
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

/// Of each surface, the largest part of its largest force that the step d, given at the vertices, leaves wrong.
pub fn forces_left(surfaces: &Surfaces, touch: &Touch, d: &[Point], sliding: Option<Sliding<'_>>) -> Vec<f64> {
    let barriers = touch.set.pairs().par_iter().with_min_len(256);
    let barriers: Vec<ForceLeft> =
        barriers.map(|pair| ForceLeft::of_pair(pair, &touch.vertices, d, &surfaces.barrier)).collect();
    let sides =
        |stencil: &[u32]| [stencil[0], stencil[stencil.len() - 1]].map(|v| surfaces.surface.body_of(v) as usize);
    let mut largest = vec![0.0f64; surfaces.surface.body_count()];
    let mut bears = |stencil: &[u32], force: f64| {
        sides(stencil).into_iter().for_each(|side| largest[side] = largest[side].max(force));
    };
    touch.set.pairs().iter().zip(&barriers).for_each(|(pair, barrier)| bears(pair.stencil(), barrier.force));
    let frozen = sliding.iter().flat_map(|sliding| &sliding.losses.pairs);
    frozen.for_each(|pair| bears(pair.stencil(), pair.hysteresis.force));
    let mut parts = vec![0.0f64; largest.len()];
    let mut note = |stencil: &[u32], left: f64| {
        for side in sides(stencil).into_iter().filter(|_| left > 0.0) {
            parts[side] = parts[side].max(left / largest[side]);
        }
    };
    touch.set.pairs().iter().zip(&barriers).for_each(|(pair, barrier)| note(pair.stencil(), barrier.left));
    if let Some(Sliding { losses, motion, rate }) = sliding {
        losses.pairs.iter().for_each(|pair| note(pair.stencil(), pair.misjudged(motion, d, rate, losses.epsilon)));
    }
    parts
}
