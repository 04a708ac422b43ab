//! The turning predictor: where a body that touches nothing would be if it went on turning while it goes on ringing.
//!
//! ```text
//! ω = I⁻¹L_n     ω̄ = H I⁻¹ Hᵀ (L_n + ½h τ_n),  H = exp(½hω̄)     R = exp(hω̄)     u = v_n − V − ω × r
//! x̂ = c + hV + R(r − h² ω × (ω × r)) + h u − R(I⁻¹T × r)
//! T = −h² ω × Iω + h Σ r × m Rᵀu + h² Rᵀτ(R r)     (about an axis only the last; τ is the weight's torque about what holds it)
//! ```
//!
//! Implicit Euler goes on along tangents and turns by atan hω. Ahead by what the centripetal force will pull back, a stiff body arrives
//! at R r: ω̄ is the angular velocity half-way, exact for a body of three inertias to second order. T is the torque by which x̂ would
//! turn otherwise than by R: the pull of an unbalanced body and that of its weight, which ω̄ knows already, and ringing, whose direction
//! is a step old.

use crate::model::bodies::node_of;
use crate::model::{Hold, Mass, RigidMotion, Weighed};
use crate::solve::Island;
use nalgebra::{Rotation3, Vector3};

/// Turns of less than this a step `[rad]` are tangents to round-off.
const STRAIGHT: f64 = 1e-8;

/// Room that is kept from step to step.
#[derive(Debug, Default)]
pub struct Turning {
    weighed: [Vec<f64>; 2],
    predictor: Vec<f64>,
}

/// Where a step begins.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    pub mass: &'a Mass,
    /// Of each node `[kg]`
    pub masses: &'a [f64],
    pub islands: &'a [Island],
    pub x: &'a [f64],
    pub v: &'a [f64],
    /// `[m/s²]`
    pub gravity: Vector3<f64>,
}

impl Turning {
    /// x̂ of all nodes `[m]`; none where nothing turns.
    pub fn predictor(&mut self, from: Beginning<'_>, h: f64) -> Option<&[f64]> {
        let Beginning { mass, islands, x, v, .. } = from;
        for (weighed, plain) in self.weighed.iter_mut().zip([x, v]) {
            weighed.resize(plain.len(), 0.0);
            mass.weigh(plain, weighed);
        }
        self.predictor.clear();
        self.predictor.extend(x.iter().zip(v).map(|(x, v)| x + h * v));
        let mut any = false;
        // What is joined does not turn as one.
        for island in islands.iter().filter(|island| !island.touches && island.bodies.len() == 1) {
            any |= self.turn(island, from, h);
        }
        any.then_some(&self.predictor)
    }

    fn turn(&mut self, island: &Island, from: Beginning<'_>, h: f64) -> bool {
        let Beginning { mass, masses, x, v, gravity, .. } = from;
        if island.hold == Hold::Fast {
            return false;
        }
        let about = island.hold.point();
        let [at, moving] = [(x, 0), (v, 1)].map(|(plain, at)| Weighed { plain, times_mass: &self.weighed[at] });
        let motion = RigidMotion::of(island.nodes(), masses, at, moving, about);
        let omega = motion.held_turn_of(island.hold, motion.angular_momentum);
        if h * omega.norm() < STRAIGHT || !omega.iter().all(|w| w.is_finite()) {
            return false;
        }
        let velocity = if about.is_some() { Vector3::zeros() } else { motion.velocity };
        let moment: Vector3<f64> = match about {
            Some(point) => island.nodes().map(|node| masses[node] * (node_of(x, node) - point)).sum(),
            None => Vector3::zeros(),
        };
        let momentum = motion.angular_momentum + 0.5 * h * moment.cross(&gravity);
        let turn = match island.hold {
            Hold::Axis(..) => motion.held_turn_of(island.hold, momentum),
            _ => half_way(&motion, momentum, omega, h),
        };
        let rotation = Rotation3::from_scaled_axis(h * turn);
        let weight = h * h * moment.cross(&(rotation.inverse() * gravity));
        let imbalance = -h * h * omega.cross(&(motion.inertia * omega));
        let torque = match island.hold {
            Hold::Axis(..) => weight,
            Hold::Free | Hold::Point(_) => {
                let ringing = island.nodes().map(|node| {
                    let arm = node_of(at.times_mass, node) - masses[node] * motion.centre;
                    let u = node_of(moving.times_mass, node) - masses[node] * velocity - omega.cross(&arm);
                    (node_of(x, node) - motion.centre).cross(&(rotation.inverse() * u))
                });
                imbalance + weight + h * ringing.sum::<Vector3<f64>>()
            }
            _ => imbalance + weight,
        };
        let untilt = motion.held_turn_of(island.hold, torque);
        for node in island.nodes().filter(|&node| !mass.is_pinned(node)) {
            let arm = node_of(x, node) - motion.centre;
            let ringing = node_of(v, node) - velocity - omega.cross(&arm);
            let ahead = arm - untilt.cross(&arm) - h * h * omega.cross(&omega.cross(&arm));
            let place = motion.centre + h * (velocity + ringing) + rotation * ahead;
            self.predictor[3 * node..3 * node + 3].copy_from_slice(place.as_slice());
        }
        true
    }
}

/// ω̄ of a body that has this angular momentum half-way.
fn half_way(motion: &RigidMotion, momentum: Vector3<f64>, omega: Vector3<f64>, h: f64) -> Vector3<f64> {
    /// The error shrinks by about ½hω a round.
    const ROUNDS: usize = 60;
    let mut turn = omega;
    for _ in 0..ROUNDS {
        let half = Rotation3::from_scaled_axis(0.5 * h * turn);
        let next = half * motion.turn_of(half.inverse() * momentum);
        let change = (next - turn).norm();
        turn = next;
        if change <= 1e-15 * omega.norm() {
            break;
        }
    }
    turn
}
