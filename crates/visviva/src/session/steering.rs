//! What a program does to a session step by step: forces on nodes, and pins that it moves. Both hold for one step, and what they
//! put in is work. Neither is written down: `run.toml` gives the motion without them.

use super::{Session, SessionError, Tally};
use crate::solve::PinMotion;

/// Asked for, for the next step.
#[derive(Debug, Clone, Default)]
pub(super) struct Steering {
    /// Flat on all nodes `[N]`; empty for none
    pushes: Vec<f64>,
    /// By pin of the scene
    drives: Vec<(usize, PinMotion)>,
}

impl Session {
    /// Pushes the nodes with these forces `[N]`, three numbers a node, throughout the next step; their work is booked as work.
    /// On pinned nodes and obstacles they do nothing. An affine body is pushed by what its four nodes get.
    pub fn push(&mut self, forces: &[f64]) -> Result<(), SessionError> {
        let (found, wanted) = (forces.len(), self.positions().len());
        if found != wanted {
            return Err(SessionError::PushCount { found, wanted });
        }
        if let Some(at) = forces.iter().position(|force| !force.is_finite()) {
            return Err(SessionError::PushNotFinite { node: at / 3, force: forces[at] });
        }
        let mass = &self.model().mass;
        let free = |(i, force): (usize, &f64)| if mass.is_pinned(i / 3) { 0.0 } else { *force };
        self.steering.pushes = forces.iter().enumerate().map(free).collect();
        Ok(())
    }

    /// Moves a pin of the scene, counted from 0, in the next step from where it is; it then stays there. From the first such move
    /// on the pin does nothing of itself.
    pub fn move_pin(&mut self, pin: usize, motion: PinMotion) -> Result<(), SessionError> {
        let count = self.scene.pins.len();
        if pin >= count {
            return Err(SessionError::NoSuchPin { pin, count });
        }
        let of_turn = motion.turn.iter().flat_map(|turn| turn.centre.iter().copied().chain([turn.angle]));
        if !motion.shift.iter().copied().chain(of_turn).all(f64::is_finite) {
            return Err(SessionError::PinNotFinite { pin });
        }
        self.steering.drives.retain(|(other, _)| *other != pin);
        self.steering.drives.push((pin, motion));
        Ok(())
    }

    /// Before a step.
    pub(super) fn steer(&mut self) -> Result<(), SessionError> {
        self.push_for(self.clock().h);
        let (clock, t) = (self.clock(), self.time());
        let end = clock.start_time + (clock.steps + 1) as f64 * clock.h;
        for (pin, motion) in &self.steering.drives {
            let driven = self.simulation.backend.drive_pin(*pin, motion, &self.simulation.state.x, [t, end]);
            driven.map_err(|problem| SessionError::PinMotion { pin: *pin, problem })?;
        }
        Ok(())
    }

    /// What pushes in a step of length `h` `[s]`: a hand damps by it.
    pub(super) fn push_for(&mut self, h: f64) {
        let mut pushes = self.steering.pushes.clone();
        let grip = self.grip(&mut pushes, h);
        self.simulation.set_pushes(pushes, grip);
    }

    /// After a step that stands.
    pub(super) fn steered(&mut self) {
        let Steering { pushes, drives } = std::mem::take(&mut self.steering);
        self.tally.steered_steps += u64::from(!pushes.is_empty() || !drives.is_empty());
    }

    /// At a checkpoint: pins that were moved before it stay where they are there.
    pub(super) fn hold_steered(&mut self) {
        self.steering = Steering::default();
        let x = self.simulation.state.x.clone();
        self.simulation.backend.hold_driven_pins(&x);
    }
}

impl Tally {
    /// What whoever finds the folder should know.
    pub(super) fn steered_in_words(&self) -> Option<String> {
        let steps = self.steered_steps;
        (steps > 0).then(|| {
            format!(
                "in {steps} steps a program pushed nodes or moved pins: run.toml does not hold that, and to run it again gives \
                 another motion"
            )
        })
    }
}
