//! What a step of Newton's leaves wrong of the forces between surfaces, as a part of what each surface bears: its test goes by that.
//!
//! A gap that closes by much in a step says little where it bears nothing, and all where it bears the body.

use super::{Surfaces, Touch};
use crate::contact::contact_set::ForceLeft;
use crate::contact::{ContactLosses, LossyPair, Pair, Point, VertexMotion};
use nalgebra::Matrix2;
use rayon::prelude::*;

/// Friction and the loss of contacts in a stage: a step d changes the velocity by rate·d.
#[derive(Debug, Clone, Copy)]
pub struct Sliding<'a> {
    pub losses: &'a ContactLosses,
    /// Of the vertices
    pub motion: VertexMotion<'a>,
    /// `[1/s]`
    pub rate: f64,
    /// What the step took for ∇²f₀ of each pair's friction
    pub bends: &'a [Matrix2<f64>],
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

/// A step of Newton's as contacts see it.
#[derive(Debug, Clone, Copy)]
pub struct ContactStep<'a> {
    pub surfaces: &'a Surfaces,
    /// Where it begins
    pub touch: &'a Touch,
    /// What it took for b″ of the active pairs
    pub bends: &'a [f64],
    /// Of the vertices
    pub d: &'a [Point],
    pub sliding: Option<Sliding<'a>>,
    /// What it knows of besides
    pub counted: &'a Bending,
}

/// What of the pairs' gradients is not linear along a step `[N]`; empty where nothing is known of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bending {
    /// Along the gaps of the active pairs, then by the relative motion of those that lose
    numbers: Vec<f64>,
    barriers: usize,
}

impl Bending {
    pub fn clear(&mut self) {
        self.numbers.clear();
    }

    /// self ← self + factor times another of the same pairs
    pub fn add(&mut self, factor: f64, other: &Self) {
        self.numbers.resize(other.numbers.len(), 0.0);
        self.barriers = other.barriers;
        self.numbers.iter_mut().zip(&other.numbers).for_each(|(a, b)| *a += factor * b);
    }

    /// The numbers of self less those of another
    pub fn less(&self, other: &Self) -> Vec<f64> {
        let others = other.numbers.iter().copied().chain(std::iter::repeat(0.0));
        self.numbers.iter().zip(others).map(|(a, b)| a - b).collect()
    }

    /// Of an active pair, by its place
    pub fn of_barrier(&self, pair: usize) -> f64 {
        self.numbers.get(pair).copied().unwrap_or(0.0)
    }

    pub fn of_loss(&self, pair: usize) -> Point {
        let at = self.barriers + 3 * pair;
        self.numbers.get(at..at + 3).map_or(Point::zeros(), Point::from_column_slice)
    }
}

impl ContactStep<'_> {
    /// Of each surface, the largest part of its largest force that the step leaves wrong.
    pub fn forces_left(&self) -> Vec<f64> {
        let mut parts = vec![0.0f64; self.surfaces.surface.body_count()];
        self.for_wrong_forces(|wrong| {
            let [surface, _] = wrong.surfaces;
            parts[surface] = parts[surface].max(wrong.part);
        });
        parts
    }

    /// The largest part of all; none where all forces are right.
    pub fn worst_force(&self) -> Option<WrongForce> {
        let mut worst: Option<WrongForce> = None;
        self.for_wrong_forces(|wrong| {
            if worst.is_none_or(|worst| wrong.part > worst.part) {
                worst = Some(wrong);
            }
        });
        worst
    }

    /// What a step that ends there should have counted; nothing of pairs that are not chosen by their sides.
    pub fn bending(&self, chosen: impl Fn([u32; 2]) -> bool) -> Bending {
        let is_chosen = |stencil: &[u32]| chosen(self.surfaces.surface.sides_of(stencil));
        let barriers = self.barriers();
        let along = |(pair, left): (&Pair, &ForceLeft)| if is_chosen(pair.stencil()) { left.near } else { 0.0 };
        let of_loss = |(k, pair): (usize, &LossyPair)| {
            if is_chosen(pair.stencil()) { self.misjudged(k) } else { Point::zeros() }
        };
        let along_gaps = self.touch.set.pairs().iter().zip(&barriers).map(along);
        let of_losses = self.lossy_pairs().iter().enumerate().flat_map(|pair| <[f64; 3]>::from(of_loss(pair)));
        Bending { barriers: barriers.len(), numbers: along_gaps.chain(of_losses).collect() }
    }

    /// g ← g + the gradient of what bends on all nodes `[N]`
    pub fn add_gradient(&self, bending: &Bending, g: &mut [f64]) {
        let mut forces = vec![Point::zeros(); self.surfaces.vertices.len()];
        let mut add = |weights: &[f64], stencil: &[u32], gradient: Point| {
            weights.iter().zip(stencil).for_each(|(&c, &vertex)| forces[vertex as usize] += c * gradient);
        };
        for (k, pair) in self.touch.set.pairs().iter().enumerate() {
            let change = bending.of_barrier(k);
            if change != 0.0 {
                let gap = pair.gap(&pair.points(&self.touch.vertices));
                add(&gap.weights, pair.stencil(), change * gap.normal);
            }
        }
        for (k, pair) in self.lossy_pairs().iter().enumerate() {
            add(&pair.weights, pair.stencil(), bending.of_loss(k));
        }
        self.surfaces.scatter(&forces, g);
    }

    fn lossy_pairs(&self) -> &[LossyPair] {
        self.sliding.map_or(&[], |sliding| &sliding.losses.pairs)
    }

    fn barriers(&self) -> Vec<ForceLeft> {
        let pairs = self.touch.set.pairs().par_iter().zip(self.bends).with_min_len(256);
        let (x, barrier) = (&self.touch.vertices, &self.surfaces.barrier);
        pairs.map(|(pair, &bend)| ForceLeft::of_pair(pair, x, self.d, barrier, bend)).collect()
    }

    /// Of a lossy pair, by its place
    fn misjudged(&self, k: usize) -> Point {
        let of = |Sliding { losses, motion, rate, bends }| {
            losses.pairs[k].misjudged(motion, self.d, rate, &bends[k], losses.epsilon)
        };
        self.sliding.map_or(Point::zeros(), of)
    }

    fn for_wrong_forces(&self, mut hear: impl FnMut(WrongForce)) {
        let pairs = self.touch.set.pairs();
        let barriers = self.barriers();
        let surface = &self.surfaces.surface;
        let sides = |stencil: &[u32]| surface.sides_of(stencil).map(|side| side as usize);
        let mut largest = vec![0.0f64; surface.body_count()];
        let mut bears = |stencil: &[u32], force: f64| {
            sides(stencil).into_iter().for_each(|side| largest[side] = largest[side].max(force));
        };
        pairs.iter().zip(&barriers).for_each(|(pair, barrier)| bears(pair.stencil(), barrier.force));
        self.lossy_pairs().iter().for_each(|pair| bears(pair.stencil(), pair.hysteresis.force));
        let mut note = |stencil: &[u32], left: f64, is_loss: bool| {
            let [a, b] = sides(stencil);
            // What is no number is as wrong as can be.
            let left = if left.is_nan() { f64::INFINITY } else { left };
            for surfaces in [[a, b], [b, a]].into_iter().filter(|_| left > 0.0) {
                hear(WrongForce { surfaces, part: left / largest[surfaces[0]], is_loss });
            }
        };
        for (k, (pair, barrier)) in pairs.iter().zip(&barriers).enumerate() {
            note(pair.stencil(), (barrier.wrong - self.counted.of_barrier(k)).abs(), false);
        }
        for (k, pair) in self.lossy_pairs().iter().enumerate() {
            note(pair.stencil(), (self.misjudged(k) - self.counted.of_loss(k)).norm(), true);
        }
    }
}
