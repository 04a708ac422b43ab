//! What friction is expected to be after a Newton step, and how stiff the next one takes it for it.
//!
//! Along its own direction a sliding pair's friction does not change, and Newton, who sees no resistance there, goes to and fro where the
//! slide should end or turn round. A linear solve knows the forces better than the slips. So the next one bends friction by what the
//! last one expected of it, as in primal–dual methods for total variation (Chan, Golub, Mulet 1999; `laws/coulomb.rs`). Forces stay
//! as they are, so that every step leads downhill.

use super::StageObjective;
use crate::laws::coulomb;
use crate::solve::evaluation::Evaluation;
use nalgebra::{Matrix2, Vector2};

#[derive(Debug, Default)]
pub struct Drags {
    /// By frozen pair, as a part of the most; none where no step foretold it
    expected: Vec<Option<Vector2<f64>>>,
    /// ∇²f₀ of each pair where the present direction is sought
    bends: Vec<Matrix2<f64>>,
    /// Whether the present direction, not taken yet, tells what is to be expected
    foretells: bool,
}

impl Drags {
    /// What is taken for ∇²f₀ of each pair where the present direction is sought
    pub fn bends(&self) -> &[Matrix2<f64>] {
        &self.bends
    }

    /// The direction was solved for loosely: it says too little of forces.
    pub fn distrust(&mut self) {
        self.foretells = false;
    }
}

impl StageObjective<'_> {
    /// A direction is to be sought at a position.
    pub fn begin_drags(&mut self, at: &Evaluation) {
        let Some(frozen) = self.terms.frozen.filter(|_| self.terms.surfaces.is_some()) else { return };
        self.assembly.set_velocity(self.terms, &at.x);
        let (losses, v) = (&frozen.contact, self.assembly.vertex_velocity());
        let Drags { expected, bends, foretells } = &mut self.drags;
        *foretells = true;
        bends.clear();
        bends.extend(losses.pairs.iter().enumerate().map(|(k, pair)| {
            let u = pair.sliding(v);
            match expected.get(k).copied().flatten() {
                Some(expected) => coulomb::chord(u, expected, losses.epsilon),
                None => coulomb::tangent(u, losses.epsilon),
            }
        }));
    }

    /// Hears of the part of the step d that was taken from where it was sought.
    pub fn drags_moved(&mut self, from: &Evaluation, d: &[f64], part: f64) {
        self.drags.expected.clear();
        let foretells = std::mem::take(&mut self.drags.foretells);
        let (Some(frozen), Some(surfaces)) = (self.terms.frozen, self.terms.surfaces) else { return };
        if !foretells {
            return;
        }
        self.assembly.set_velocity(self.terms, &from.x);
        let (losses, v) = (&frozen.contact, self.assembly.vertex_velocity());
        let rate = part / self.terms.stage.velocity_length;
        let mut step = Vec::new();
        surfaces.gather(d, &mut step);
        let Drags { expected, bends, .. } = &mut self.drags;
        expected.extend(losses.pairs.iter().zip(bends.iter()).enumerate().map(|(k, (pair, bend))| {
            let foretold = coulomb::force(pair.sliding(v), losses.epsilon) + bend * (rate * pair.sliding(&step));
            (self.counted.of_loss(k).norm() == 0.0).then(|| foretold / foretold.norm().max(1.0))
        }));
    }
}
