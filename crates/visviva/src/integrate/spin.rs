//! Angular momentum kept, island by island, where nothing outside acts on it (or only about pins that leave a point or an axis).
//!
//! About the island's mass centre or its pins, r = x₁ − c₁, τ the torque of gravity and of damping:
//!
//! ```text
//! w  ← w  + I⁻¹(L_n + h τ − L(w)) × r          Δv ← Δv − I⁻¹L(Δv) × r
//! ```
//!
//! Of gravity τ = ½(τ₀ + τ₁): a top on a pin, whose predictor has half of it, then keeps its spin about its own axis.
//!
//! Implicit Euler changes it by Σ (x₁ − x_n) × m v_n, and a correction by forces at two positions by their difference.
//! An island that touches an obstacle is left as it is: there the torque of the contact is known no better than L itself.

use crate::model::bodies::node_of;
use crate::model::{Hold, Mass, RigidMotion, Weighed};
use crate::solve::Island;
use nalgebra::Vector3;

/// Room that is kept from step to step.
#[derive(Debug, Default)]
pub struct Spin {
    /// Mass times positions and velocities
    weighed: [Vec<f64>; 2],
}

/// A step as angular momentum sees it.
#[derive(Debug, Clone, Copy)]
pub struct Turned<'a> {
    pub mass: &'a Mass,
    /// Of each node `[kg]`
    pub masses: &'a [f64],
    pub islands: &'a [Island],
    /// At both ends `[m]`
    pub x: [&'a [f64]; 2],
    /// `[m/s²]`
    pub gravity: Vector3<f64>,
    pub h: f64,
}

impl Spin {
    /// Gives each island in w the angular momentum that v₀ had, and what gravity and damping (a gradient `[N]`) did to it.
    pub fn keep(&mut self, step: Turned<'_>, v0: &[f64], damping: &[f64], w: &mut [f64]) {
        self.weigh(step.mass, step.x[0], v0);
        let before: Vec<Vector3<f64>> = step
            .islands
            .iter()
            .map(|island| {
                self.motion(island, step.masses, step.x[0], v0).map_or(Vector3::zeros(), |m| m.angular_momentum)
            })
            .collect();
        self.give(step, w, |at, island, centre| {
            let [at_start, at_end] = step.x.map(|x| step.torque_of_weight(island, x));
            let pull = 0.5 * (at_start + at_end);
            before[at] + step.h * (pull - torque(island, step.x[1], centre, damping))
        });
    }

    /// Leaves no angular momentum in a correction: what there was to give, the velocity has.
    pub fn keep_correction(&mut self, step: Turned<'_>, delta: &mut [f64]) {
        self.give(step, delta, |_, _, _| Vector3::zeros());
    }

    /// Brings the kinetic energy of an island that turns about its pins nearer to what is wanted, by `missing` `[J]`, and says what was put
    /// in. Gravity's torque on it is known no better than by its change in the step: so much of its angular momentum may be given.
    pub fn turn_to(&mut self, step: Turned<'_>, island: &Island, v: &mut [f64], missing: f64) -> f64 {
        if island.hold.point().is_none() {
            return 0.0;
        }
        self.weigh(step.mass, step.x[1], v);
        let Some(motion) = self.motion(island, step.masses, step.x[1], v) else { return 0.0 };
        let turn = motion.held_turn_of(island.hold, motion.angular_momentum);
        let Some(axis) = turn.try_normalize(0.0) else { return 0.0 };
        let (moment, along) = (axis.dot(&(motion.inertia * axis)), axis.dot(&motion.angular_momentum));
        let [before, after] = step.x.map(|x| step.torque_of_weight(island, x));
        let most = step.h * (after - before).norm() / moment;
        // ½ I β² + L β = missing: the root nearer to none.
        let root = (along * along + 2.0 * moment * missing).max(0.0).sqrt();
        let change = (2.0 * missing / (along + root)).clamp(-most, most);
        if !change.is_finite() {
            return 0.0;
        }
        for node in island.nodes().filter(|&node| !step.mass.is_pinned(node)) {
            let faster = change * axis.cross(&(node_of(step.x[1], node) - motion.centre));
            (0..3).for_each(|c| v[3 * node + c] += faster[c]);
        }
        change * (along + 0.5 * moment * change)
    }

    /// Turns the velocities v of each island that may turn so that it has the angular momentum wanted.
    fn give(&mut self, step: Turned<'_>, v: &mut [f64], wanted: impl Fn(usize, &Island, Vector3<f64>) -> Vector3<f64>) {
        self.weigh(step.mass, step.x[1], v);
        for (at, island) in step.islands.iter().enumerate() {
            let Some(motion) = self.motion(island, step.masses, step.x[1], v) else { continue };
            let missing = wanted(at, island, motion.centre) - motion.angular_momentum;
            let turn = motion.held_turn_of(island.hold, missing);
            for node in island.nodes().filter(|&node| !step.mass.is_pinned(node)) {
                let change = turn.cross(&(node_of(step.x[1], node) - motion.centre));
                (0..3).for_each(|c| v[3 * node + c] += change[c]);
            }
        }
    }

    fn weigh(&mut self, mass: &Mass, x: &[f64], v: &[f64]) {
        for (weighed, plain) in self.weighed.iter_mut().zip([x, v]) {
            weighed.resize(plain.len(), 0.0);
            mass.weigh(plain, weighed);
        }
    }

    /// None where it is held fast
    fn motion(&self, island: &Island, masses: &[f64], x: &[f64], v: &[f64]) -> Option<RigidMotion> {
        let [at, moving] = [(x, 0), (v, 1)].map(|(plain, at)| Weighed { plain, times_mass: &self.weighed[at] });
        let of = |about| RigidMotion::of(island.nodes(), masses, at, moving, about);
        (island.hold != Hold::Fast).then(|| of(island.hold.point()))
    }
}

impl Turned<'_> {
    /// About what holds an island; none about its own mass centre.
    fn torque_of_weight(&self, island: &Island, x: &[f64]) -> Vector3<f64> {
        let Some(point) = island.hold.point() else { return Vector3::zeros() };
        let moment: Vector3<f64> = island.nodes().map(|node| self.masses[node] * (node_of(x, node) - point)).sum();
        moment.cross(&self.gravity)
    }
}

fn torque(island: &Island, x: &[f64], centre: Vector3<f64>, forces: &[f64]) -> Vector3<f64> {
    if forces.is_empty() {
        return Vector3::zeros();
    }
    island.nodes().map(|node| (node_of(x, node) - centre).cross(&node_of(forces, node))).sum()
}
