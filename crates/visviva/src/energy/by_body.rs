//! The energy wanted body by body. Bodies that touch share theirs: an island has the sum of its bodies' levels, and one α.
//!
//! ```text
//! E_island = Σ_b E_b,    each E_b by its own target and its own losses and work
//! E_b ← H_b + (E_island − H_island) K_b/K_island     after the step: what is missing or too much goes with the motion
//! ```

use super::target::{Goal, Target};
use serde::{Deserialize, Serialize};

/// What is wanted of one body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BodyPlan {
    pub target: Target,
    pub start_scale: f64,
    /// Whether it is the body's own and not the scene's
    pub is_own: bool,
    /// Its part of the scene's mass: the part of the scene's ground energy that is its own
    pub share: f64,
}

/// Where one body's energy stands `[J]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct BodyLevel {
    /// H₀ of the body
    pub start: f64,
    pub level: f64,
}

/// All bodies' wishes seen from one step.
#[derive(Debug, Clone, Copy)]
pub struct BodyGoals<'a> {
    pub plans: &'a [BodyPlan],
    pub levels: &'a [BodyLevel],
}

impl BodyGoals<'_> {
    /// One body's goal in the step that `scene` is seen from.
    pub fn of<'a>(&'a self, body: usize, scene: &Goal<'_>) -> Goal<'a> {
        let BodyLevel { start, level } = self.levels[body];
        let target = &self.plans[body].target;
        Goal { target, level, start_energy: start, t1: scene.t1, h: scene.h, bodies: None }
    }
}

/// What a body has of an island's energy `[J]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Holding {
    pub total: f64,
    pub kinetic: f64,
    /// `[kg]`
    pub mass: f64,
}

/// The level of each of an island's bodies, which add up to the island's `[J]`.
pub fn shared_levels(level: f64, holdings: &[Holding]) -> impl Iterator<Item = f64> {
    let sum = |of: fn(&Holding) -> f64| holdings.iter().map(of).sum::<f64>();
    let (total, kinetic, mass) = (sum(|h| h.total), sum(|h| h.kinetic), sum(|h| h.mass));
    holdings.iter().map(move |h| {
        // At rest nothing tells whose it is but the mass.
        let part = if kinetic > 0.0 { h.kinetic / kinetic } else { h.mass / mass };
        h.total + (level - total) * part
    })
}

impl Target {
    /// The same wish for a part of the scene.
    pub fn for_share(&self, share: f64) -> Self {
        let mut target = self.clone();
        if let Some(ground) = target.ground_mut() {
            *ground *= share;
        }
        target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_goes_with_the_motion_and_nothing_is_lost() {
        let holding = |total, kinetic| Holding { total, kinetic, mass: 1.0 };
        let levels: Vec<f64> =
            shared_levels(10.0, &[holding(4.0, 3.0), holding(2.0, 1.0), holding(1.0, 0.0)]).collect();
        assert_eq!(levels, [4.0 + 3.0 * 0.75, 2.0 + 3.0 * 0.25, 1.0]);
        let resting: Vec<f64> = shared_levels(3.0, &[holding(1.0, 0.0), holding(1.0, 0.0)]).collect();
        assert_eq!(resting, [1.5, 1.5]);
    }
}
