//! What barriers are expected to push after a Newton step, and how stiff the next one takes them for it.
//!
//! ```text
//! k = (b′(s_λ) − b′(s))/(s_λ − s),    −b′(s_λ) = λ,    λ ← max(−b′(s) − k Δs, 0)
//! ```
//!
//! With k = b″ a step is good for a small part of a gap: one that was closed too far opens by its own size a time, and a pair that
//! lets go halves what is left of its reach. A linear solve knows little of gaps but much of pushes, which the bodies decide. The
//! chord to the push λ that the last one predicted brings the gap there at once, as in primal–dual interior methods (Forsgren, Gill,
//! Wright 2002). Forces stay as they are, so that every step leads downhill.

use crate::contact::{Kind, Pair, Point, barrier_pair};
use crate::laws::barrier;
use crate::solve::assembly::Barriers;
use crate::solve::contact::{Bending, Surfaces, Touch};
use rayon::prelude::*;

#[derive(Debug, Default)]
pub struct Pushes {
    /// In the order of the pairs; what was not near pushes nothing. None where no step predicted any.
    expected: Option<Vec<Expected>>,
    /// k of each pair where the present direction is sought
    bends: Vec<f64>,
    taken_for: TakenFor,
}

/// What is expected of a pair.
#[derive(Debug)]
struct Expected {
    pair: (Kind, [u32; 4]),
    /// λ `[m]`, as b has it; none where the step knew how it bends, and left it where the next tangent does
    push: Option<f64>,
}

/// What the present direction takes barriers for.
#[derive(Debug, Default, PartialEq, Eq)]
enum TakenFor {
    /// A model keeps them whole, the solve was loose, or the step was taken
    #[default]
    Nothing,
    Tangents,
    Chords,
}

impl Pushes {
    /// A direction is to be sought at a position; a model that keeps barriers whole needs no chords.
    pub fn begin_direction(&mut self, surfaces: &Surfaces, touch: &Touch, barriers: Barriers) {
        let in_matrix = barriers == Barriers::InMatrix;
        let Some(expected) = self.expected.take().filter(|_| in_matrix) else {
            self.bends = touch.set.bends(&surfaces.barrier);
            self.taken_for = if in_matrix { TakenFor::Tangents } else { TakenFor::Nothing };
            return;
        };
        let gaps: Vec<f64> = touch.set.gaps(&surfaces.barrier).collect();
        let bend = |(pair, &gap): (&Pair, &f64)| {
            let found = expected.binary_search_by_key(&pair.key(), |known| known.pair);
            match found.map_or(Some(0.0), |at| expected[at].push) {
                Some(push) => barrier::chord(gap, push, surfaces.barrier.reach),
                None => barrier::curvature(gap, surfaces.barrier.reach),
            }
        };
        self.bends.clear();
        self.bends.par_extend(touch.set.pairs().par_iter().zip(&gaps).with_min_len(256).map(bend));
        self.taken_for = TakenFor::Chords;
    }

    /// What is taken for b″ of each pair where the present direction is sought
    pub fn bends(&self) -> &[f64] {
        &self.bends
    }

    /// The direction was solved for loosely: it says too little of pushes.
    pub fn distrust(&mut self) {
        self.taken_for = TakenFor::Nothing;
    }

    /// Hears of the part of the step d that was taken from where it was sought.
    pub fn moved(&mut self, surfaces: &Surfaces, from: &Touch, d: &[f64], part: f64, was_cut: bool, counted: &Bending) {
        self.expected = match std::mem::take(&mut self.taken_for) {
            // A second step for one direction goes back.
            TakenFor::Nothing => None,
            // They expected too much, and led too far.
            TakenFor::Chords if part < 1.0 || was_cut => None,
            TakenFor::Tangents | TakenFor::Chords => Some(self.predicted(surfaces, from, d, part, counted)),
        };
    }

    fn predicted(&self, surfaces: &Surfaces, from: &Touch, d: &[f64], part: f64, counted: &Bending) -> Vec<Expected> {
        let mut step: Vec<Point> = Vec::new();
        surfaces.gather(d, &mut step);
        let push = |(k, (pair, bend)): (usize, (&Pair, &f64))| {
            let [gap, change] = barrier_pair::gap_along(&surfaces.barrier, pair, &from.vertices, &step);
            let push = -barrier::slope(gap, surfaces.barrier.reach) - bend * part * change;
            Expected { pair: pair.key(), push: (counted.of_barrier(k) == 0.0).then_some(push.max(0.0)) }
        };
        from.set.pairs().iter().zip(&self.bends).enumerate().map(push).collect()
    }
}
