//! Pins that a program moves step by step: for one step along a motion of its own, then held.

use crate::model::bodies::{Model, ModelPin, node_of};
use crate::model::motion::Motion;
use crate::model::path::PathError;
use nalgebra::{Unit, Vector3};

/// How all nodes of a pin move in one step: a turn about an axis through a centre, and a shift.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PinMotion {
    /// `[m]`
    pub shift: Vector3<f64>,
    pub turn: Option<PinTurn>,
}

/// A turn by an angle `[rad]` about an axis through a centre `[m]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PinTurn {
    pub axis: Unit<Vector3<f64>>,
    pub centre: Vector3<f64>,
    pub angle: f64,
}

impl PinMotion {
    /// From one time `[s]` to another.
    pub(super) fn between(&self, from: f64, to: f64) -> Result<Motion, PathError> {
        let shifted = Motion::FIXED.with_shift(&[(from, Vector3::zeros()), (to, self.shift)])?;
        match self.turn {
            Some(turn) => shifted.with_turn(turn.axis, turn.centre, vec![(from, 0.0), (to, turn.angle)]),
            None => Ok(shifted),
        }
    }
}

/// Which pins were moved, and what all of them would do by themselves.
#[derive(Debug, Default)]
pub struct DrivenPins {
    driven: Vec<usize>,
    /// Of the scene, kept from the first move on
    own: Option<(Vec<ModelPin>, Vec<Motion>)>,
}

impl DrivenPins {
    pub fn pins(&self) -> &[usize] {
        &self.driven
    }

    /// Whether every pin goes its own way.
    pub fn is_idle(&self) -> bool {
        self.driven.is_empty() && self.own.is_none()
    }

    /// These were moved when a checkpoint was made.
    pub fn remember(&mut self, driven: Vec<usize>) {
        self.driven = driven;
    }

    /// Gives a pin another motion from where its nodes are.
    pub fn drive(&mut self, model: &mut Model, pin: usize, motion: Motion, x: &[f64]) {
        self.own.get_or_insert_with(|| (model.pins.clone(), model.motions.clone()));
        if !self.driven.contains(&pin) {
            self.driven.push(pin);
        }
        start_from(model, pin, motion, x);
    }

    /// Holds the driven ones where they are, and gives all others their own motion back.
    pub fn hold(&mut self, model: &mut Model, x: &[f64]) {
        match &self.own {
            Some((pins, motions)) => (model.pins, model.motions) = (pins.clone(), motions.clone()),
            None => self.own = Some((model.pins.clone(), model.motions.clone())),
        }
        self.driven.iter().for_each(|&pin| start_from(model, pin, Motion::FIXED, x));
    }
}

fn start_from(model: &mut Model, pin: usize, motion: Motion, x: &[f64]) {
    model.pins.iter_mut().filter(|node| node.motion == pin).for_each(|node| node.start = node_of(x, node.node));
    model.motions[pin] = motion;
}
