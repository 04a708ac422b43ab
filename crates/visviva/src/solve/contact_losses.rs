//! What each rubbing and parting pair took in a step: where a surface slides, friction's impulse over the mean velocity.
//!
//! ```text
//! sliding   ℰ = h F·(u₀ + u₁)/2          sticking   ℰ = F·Σ cᵢ (x₁ − x₀)ᵢ          parting   ℰ = Q·Σ cᵢ (x₁ − x₀)ᵢ
//! ```
//!
//! An impulse J changes the kinetic energy by J·(v₀ + v₁)/2 exactly. The way x₁ − x₀ is another one with most methods: booked by it
//! alone, a slide loses less on paper than in truth, and a method that keeps to its books would put the rest back as vibration.
//!
//! A step too long to resolve a contact moves a body little and leaves it a velocity that moves nothing: the correction
//! Δv = h m⁻¹(∇B(x₀) − ∇B(x₁)) gives back what implicit Euler took. Of two surfaces that touch at both ends of the step, a lossy
//! contact keeps 1 − eᵖ of it: what trembles on a floor comes to rest, and a bounce, which touches for three steps or four, loses no
//! more than e says with p = 2/3.

use super::contact::Surfaces;
use super::dissipation::{PairLoss, Way};
use super::evaluation::Evaluation;
use crate::contact::{ContactLosses, Point};
use crate::model::bodies::Model;

/// Notes both losses of every pair, and says how much they are together `[J]`.
pub fn losses_by_pair(
    model: &Model,
    surfaces: &Surfaces,
    losses: &ContactLosses,
    way: Way<'_>,
    pairs: &mut [PairLoss],
) -> [f64; 2] {
    let steps: Vec<f64> = way.steps().collect();
    // What moves by itself does not feel the impulse: it pays for its way.
    let mean = |i: usize| 0.5 * (way.velocities[0][i] + way.velocities[1][i]);
    let pinned = |i: usize| model.mass.is_pinned(i / 3);
    let means: Vec<f64> = (0..steps.len()).map(|i| if pinned(i) { steps[i] / way.h } else { mean(i) }).collect();
    let (mut step, mut mean, mut end): (Vec<Point>, Vec<Point>, Vec<Point>) = Default::default();
    surfaces.gather(&steps, &mut step);
    surfaces.gather(&means, &mut mean);
    surfaces.gather(way.velocities[1], &mut end);
    let mut sums = [0.0; 2];
    for (pair, loss) in losses.pairs.iter().zip(pairs) {
        let slides = pair.sliding(&end).norm() >= losses.epsilon;
        let travelled = if slides { way.h * pair.relative(&mean) } else { pair.relative(&step) };
        loss.friction_loss = loss.friction.dot(&travelled).max(0.0);
        loss.contact_loss = loss.contact.dot(&pair.relative(&step)).max(0.0);
        sums[0] += loss.friction_loss;
        sums[1] += loss.contact_loss;
    }
    sums
}

/// kept ← what lossy contacts keep of the corrected velocity at a way's end; notes what that takes from each body, and says how much it
/// is together `[J]`. None where no contact lasts.
pub fn kept_velocity(
    model: &Model,
    surfaces: &Surfaces,
    way: Way<'_>,
    power: f64,
    kept: &mut Vec<f64>,
    by_body: &mut Vec<f64>,
) -> Option<f64> {
    let touching = |at: &Evaluation| surfaces.joined_by(at.touch.set.pairs().iter().map(|pair| pair.stencil()));
    let (mut lasting, after) = (touching(way.from), touching(way.to));
    lasting.retain(|pair| after.binary_search(pair).is_ok());
    if lasting.is_empty() {
        return None;
    }
    let share = |a: u32, b: u32| {
        let is_one = |pair: [u32; 2]| lasting.binary_search(&pair.map(|surface| surface as usize)).is_ok();
        if is_one([a, b]) || is_one([b, a]) { 1.0 - surfaces.restitution(a, b).powf(power) } else { 0.0 }
    };
    let mut impulse = vec![0.0; way.from.x.len()];
    for (sign, at) in [(way.h, way.from), (-way.h, way.to)] {
        at.touch.add_weighted_gradient(surfaces, |a, b| sign * share(a, b), &mut impulse);
    }
    kept.resize(impulse.len(), 0.0);
    model.mass.solve(&impulse, kept);
    by_body.clear();
    by_body.extend(model.bodies.iter().map(|body| {
        let coordinates = (3 * body.nodes.start..3 * body.nodes.end).filter(|i| !model.mass.is_pinned(i / 3));
        let taken = coordinates.map(|i| -impulse[i] * (way.velocities[1][i] + 0.5 * kept[i]));
        taken.sum::<f64>().max(0.0)
    }));
    Some(by_body.iter().sum())
}
