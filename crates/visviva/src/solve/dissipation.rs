//! What dissipates in a step: the motion it acts on, the forces it gives, and what they take.

use super::evaluation::Evaluation;
use crate::math::vector;
use crate::model::Exchange;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// A position and its velocity; in a stage that is a way over the stage's length `[s]`.
#[derive(Debug, Clone, Copy)]
pub struct Motion<'a> {
    pub x: &'a [f64],
    pub v: &'a [f64],
    pub length: f64,
    /// Of all viscous elements; none where there are none
    pub strain_rates: &'a [f64],
}

/// How strains change: from earlier ones over a length of time `[s]`, or with a velocity of the nodes.
#[derive(Debug, Clone, Copy)]
pub enum StrainChange<'a> {
    Since { strains: &'a [f64], length: f64 },
    With { velocity: &'a [f64] },
}

/// A step as dissipation sees it: both ends, and the velocities there before any correction.
#[derive(Debug, Clone, Copy)]
pub struct Way<'a> {
    pub from: &'a Evaluation,
    pub to: &'a Evaluation,
    pub velocities: [&'a [f64]; 2],
    /// `[s]`
    pub h: f64,
}

impl Way<'_> {
    /// x₁ − x₀
    pub fn steps(&self) -> impl Iterator<Item = f64> {
        self.to.x.iter().zip(&self.from.x).map(|(to, from)| to - from)
    }
}

/// A velocity that a correction arrives at on a way.
#[derive(Debug, Clone, Copy)]
pub struct Corrected<'a> {
    pub way: Way<'a>,
    pub velocity: &'a [f64],
}

/// What a body in contact remembers from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct LastingContact {
    /// How many it has touched; the most there can be for what touches from the start, which has not come flying
    pub steps: u32,
    /// What was taken from it below zero, to be set off against later losses `[J]`, ≤ 0
    pub credit: f64,
}

impl LastingContact {
    /// The loss to book for an energy taken, which may be negative in one step and is not in the long run `[J]`, ≥ 0
    pub fn book(&mut self, taken: f64) -> f64 {
        let balance = self.credit + taken;
        self.credit = balance.min(0.0);
        balance.max(0.0)
    }
}

/// Two surfaces that touch, as a bounce remembers them from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Bounce {
    /// The lower index first
    pub sides: [u32; 2],
    /// How many they have touched; the most there can be for what touches from the start
    pub steps: u32,
    /// How fast they may part `[m/s]`
    pub allowed: f64,
    /// What the first side has got from the second since they met `[N s]`
    pub impulse: [f64; 3],
    /// ∫ λ dt, the size of all pushes `[N s]`
    pub weight: f64,
    /// ∫ λ r dt of each side, r from its body's centre to where they push `[N s m]`
    pub arms: [[f64; 3]; 2],
}

/// Dissipative forces by cause `[N]`, as gradients: the force on the body is minus this.
#[derive(Debug, Clone, Default)]
pub struct DissipativeForces {
    pub friction: Vec<f64>,
    /// Of contacts that give back less than they took
    pub contact: Vec<f64>,
    pub damping: Vec<f64>,
    pub viscosity: Vec<f64>,
    /// Of motors of limited strength, which put in more than they take
    pub drive: Vec<f64>,
    /// … and what that is `[J]`, by coordinate
    pub drive_work: Vec<f64>,
    /// Of friction and contact, by frozen pair
    pub pairs: Vec<PairLoss>,
    /// What viscosity takes from each body `[W]`
    pub viscous_powers: Vec<f64>,
    /// What lossy contacts kept of each body's correction `[J]`
    pub held_back: Vec<f64>,
    /// What happened to each body at once when the step was over
    pub at_end: Vec<Exchange>,
}

/// What one pair does by the relative motion of its sides `[N]`, and what it took in the step `[J]`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairLoss {
    pub friction: Vector3<f64>,
    pub contact: Vector3<f64>,
    pub friction_loss: f64,
    pub contact_loss: f64,
    /// The contact's impulse times the mean velocity: what it takes from the kinetic energy
    pub contact_work: f64,
}

impl DissipativeForces {
    pub fn reset(&mut self, coordinate_count: usize) {
        let Self { friction, contact, damping, viscosity, drive, drive_work, .. } = self;
        for force in [friction, contact, damping, viscosity, drive, drive_work] {
            force.clear();
            force.resize(coordinate_count, 0.0);
        }
        self.pairs.clear();
        self.viscous_powers.clear();
        self.held_back.clear();
        self.at_end.clear();
    }

    /// self ← self + share·other
    pub fn add(&mut self, share: f64, other: &Self) {
        vector::add_scaled(&mut self.friction, share, &other.friction);
        vector::add_scaled(&mut self.contact, share, &other.contact);
        vector::add_scaled(&mut self.damping, share, &other.damping);
        vector::add_scaled(&mut self.viscosity, share, &other.viscosity);
        vector::add_scaled(&mut self.drive, share, &other.drive);
        self.viscous_powers.resize(other.viscous_powers.len(), 0.0);
        vector::add_scaled(&mut self.viscous_powers, share, &other.viscous_powers);
        self.pairs.resize(other.pairs.len(), PairLoss::default());
        for (pair, other) in self.pairs.iter_mut().zip(&other.pairs) {
            pair.friction += share * other.friction;
            pair.contact += share * other.contact;
        }
    }

    /// All of them together, at a coordinate
    pub fn at(&self, i: usize) -> f64 {
        self.friction[i] + self.contact[i] + self.damping[i] + self.viscosity[i] + self.drive[i]
    }

    /// The same at each coordinate
    pub fn total(&self) -> impl Iterator<Item = f64> {
        (0..self.friction.len()).map(|i| self.at(i))
    }

    /// A part `share` of the way from a to b.
    pub fn set_mix(&mut self, a: &Self, b: &Self, share: f64) {
        self.reset(a.friction.len());
        self.add(1.0 - share, a);
        self.add(share, b);
    }
}
