//! What each rubbing and parting pair took in a step: where a surface slides, friction's impulse over the mean velocity.
//!
//! ```text
//! sliding   ℰ = h F·(u₀ + u₁)/2          sticking   ℰ = F·Σ cᵢ (x₁ − x₀)ᵢ          parting   ℰ = ∇Q·Σ cᵢ (x₁ − x₀)ᵢ
//! ```
//!
//! An impulse J changes the kinetic energy by J·(v₀ + v₁)/2 exactly. The way x₁ − x₀ is another one with most methods: booked by it
//! alone, a slide loses less on paper than in truth, and a method that keeps to its books would put the rest back as vibration.
//!
//! A step too long to resolve a contact moves a body little and leaves it a velocity that moves nothing: the correction
//! Δv = h m⁻¹(∇B(x₀) − ∇B(x₁)) gives back what implicit Euler took. Of two surfaces that touch at both ends of the step, a lossy
//! contact keeps 1 − eᵖ of the rigid motion in it. The rest of it strains the body and is in balance with its elasticity: less of one
//! alone would set it vibrating, and slow what rolls. A bounce touches for three steps, or as long as a bounce may take: bodies that
//! can bounce freely lose what e says where they part (`super::bounces`) and nothing before, others no more than e says with p = ½. What
//! has touched for longer does not bounce but tremble, and comes to rest with a larger p.

use super::contact::Surfaces;
use super::dissipation::{Corrected, LastingContact, PairLoss, Way};
use super::evaluation::Evaluation;
use super::rigid_change::{End, rigid_change};
use crate::contact::{ContactLosses, Point};
use crate::model::Hold;
use crate::model::bodies::{BodyKind, Model};

/// p of a bounce
const BOUNCING: f64 = 0.5;
/// p of what has touched for longer
const RESTING: f64 = 4.0;
/// So many steps of contact may be a bounce
const BOUNCE_STEPS: u32 = 3;
/// Where steps are short a bounce takes more of them: up to this `[s]`
const BOUNCE_TIME: f64 = 0.02;

/// Works out what contacts took; keeps its room from step to step.
#[derive(Debug, Default)]
pub struct ContactAccount {
    steps: Vec<f64>,
    means: Vec<f64>,
    /// The way, the mean velocity and the last velocity at the vertices
    at_vertices: [Vec<Point>; 3],
    impulses: [Vec<f64>; 2],
    weighed: Vec<f64>,
}

impl ContactAccount {
    /// Notes both losses of every pair, and says how much they are together `[J]`.
    pub fn losses_by_pair(
        &mut self,
        model: &Model,
        surfaces: &Surfaces,
        losses: &ContactLosses,
        way: Way<'_>,
        pairs: &mut [PairLoss],
    ) -> [f64; 2] {
        let Self { steps, means, at_vertices: [step, mean, end], .. } = self;
        steps.clear();
        steps.extend(way.steps());
        // What moves by itself does not feel the impulse: it pays for its way.
        let mean_of = |i: usize| 0.5 * (way.velocities[0][i] + way.velocities[1][i]);
        let pinned = |i: usize| model.mass.is_pinned(i / 3);
        means.clear();
        means.extend((0..steps.len()).map(|i| if pinned(i) { steps[i] / way.h } else { mean_of(i) }));
        surfaces.gather(steps, step);
        surfaces.gather(means, mean);
        surfaces.gather(way.velocities[1], end);
        let mut sums = [0.0; 2];
        for (pair, loss) in losses.pairs.iter().zip(pairs) {
            let slides = pair.sliding(end).norm() >= losses.epsilon;
            let travelled = if slides { way.h * pair.relative(mean) } else { pair.relative(step) };
            loss.friction_loss = loss.friction.dot(&travelled).max(0.0);
            loss.contact_loss = loss.contact.dot(&pair.relative(step)).max(0.0);
            loss.contact_work = way.h * loss.contact.dot(&pair.relative(mean));
            sums[0] += loss.friction_loss;
            sums[1] += loss.contact_loss;
        }
        sums
    }

    /// kept ← what lossy contacts keep of a corrected velocity at a way's end. Notes what they take from each body with that and with
    /// their forces, in place of what those take on the way, and says how much it is together `[J]`. None where no contact lasts.
    /// `can_bounce` says which bodies lose where they part.
    pub fn kept_velocity(
        &mut self,
        model: &Model,
        surfaces: &Surfaces,
        (losses, pairs): (&ContactLosses, &mut [PairLoss]),
        Corrected { way, velocity }: Corrected<'_>,
        lasting: &mut Vec<LastingContact>,
        kept: &mut Vec<f64>,
        by_body: &mut Vec<f64>,
        can_bounce: &[bool],
    ) -> Option<f64> {
        let from_the_start = LastingContact { steps: u32::MAX, credit: 0.0 };
        let first = if lasting.is_empty() { from_the_start } else { LastingContact::default() };
        lasting.resize(model.bodies.len(), first);
        let joined = lasting_pairs(surfaces, way, lasting);
        if joined.is_empty() {
            return None;
        }
        let most = BOUNCE_STEPS.max((BOUNCE_TIME / way.h) as u32);
        let share = |a: u32, b: u32| {
            let is_one = |pair: [u32; 2]| joined.binary_search(&pair.map(|surface| surface as usize)).is_ok();
            if !is_one([a, b]) && !is_one([b, a]) {
                return 0.0;
            }
            let bounces = |surface: u32| lasting.get(surface as usize).is_some_and(|contact| contact.steps <= most);
            let is_bounce = bounces(a) || bounces(b);
            let may_bounce = |side: u32| can_bounce.get(side as usize).is_none_or(|&can| can);
            if is_bounce && may_bounce(a) && may_bounce(b) {
                return 0.0;
            }
            let power = if is_bounce { BOUNCING } else { RESTING };
            1.0 - surfaces.restitution(a, b).powf(power)
        };
        let Self { impulses: [first, last], weighed, .. } = self;
        for (at, impulse) in [(way.from, &mut *first), (way.to, &mut *last)] {
            impulse.clear();
            impulse.resize(at.x.len(), 0.0);
            at.touch.add_weighted_gradient(surfaces, |a, b| way.h * share(a, b), impulse);
        }
        let ends = [(&*first, way.from), (&*last, way.to)].map(|(impulse, at)| End { impulse, x: &at.x });
        rigid_change(model, ends[0], ends[1], weighed, kept);
        let impulse = first;
        model.mass.apply(kept, impulse);
        by_body.clear();
        by_body.extend(model.bodies.iter().map(|body| {
            let coordinates = 3 * body.nodes.start..3 * body.nodes.end;
            coordinates.map(|i| -impulse[i] * (velocity[i] + 0.5 * kept[i])).sum::<f64>()
        }));
        for (pair, loss) in losses.pairs.iter().zip(pairs) {
            share_among_bodies(model, surfaces, pair.stencil(), loss.contact_work, |body, work| by_body[body] += work);
            loss.contact_loss = 0.0;
        }
        by_body.iter_mut().zip(lasting).for_each(|(taken, contact)| *taken = contact.book(*taken));
        Some(by_body.iter().sum())
    }
}

/// Which bodies part with e of their speed: those that are free and no shells. A kick to one of two joined bodies would strain the joint.
pub fn can_bounce(model: &Model) -> Vec<bool> {
    let free = model.bodies.iter().zip(model.holds());
    let mut can: Vec<bool> = free.map(|(body, hold)| body.kind != BodyKind::Shell && hold == Hold::Free).collect();
    model.joined_bodies().flatten().filter(|&body| body < model.bodies.len()).for_each(|body| can[body] = false);
    can
}

/// Pairs of surfaces that touch at both ends of a way, sorted. Counts the steps of each body that does; what has parted starts anew.
fn lasting_pairs(surfaces: &Surfaces, way: Way<'_>, lasting: &mut [LastingContact]) -> Vec<[usize; 2]> {
    let touching = |at: &Evaluation| surfaces.joined_by(at.touch.set.pairs().iter().map(|pair| pair.stencil()));
    let (mut joined, after) = (touching(way.from), touching(way.to));
    joined.retain(|pair| after.binary_search(pair).is_ok());
    let mut touches = vec![false; lasting.len()];
    for &surface in joined.as_flattened() {
        if let Some(touches) = touches.get_mut(surface) {
            *touches = true;
        }
    }
    for (contact, touches) in lasting.iter_mut().zip(touches) {
        contact.steps = if touches { contact.steps.saturating_add(1) } else { 0 };
    }
    joined
}

/// Gives a pair's amount to its bodies: halves, or all of it where an obstacle is the other side.
pub fn share_among_bodies(
    model: &Model,
    surfaces: &Surfaces,
    stencil: &[u32],
    amount: f64,
    mut give: impl FnMut(usize, f64),
) {
    let body = |side: u32| Some(side as usize).filter(|&body| body < model.bodies.len());
    match surfaces.surface.sides_of(stencil).map(body) {
        [Some(a), Some(b)] => [a, b].into_iter().for_each(|body| give(body, 0.5 * amount)),
        [Some(body), None] | [None, Some(body)] => give(body, amount),
        [None, None] => {}
    }
}
