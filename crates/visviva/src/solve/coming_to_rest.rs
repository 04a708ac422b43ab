//! Where bodies come to lie on what is below them: implicit Euler as if through honey, with friction, until hardly anything falls.
//!
//! ```text
//! x₁ = argmin ½‖x − x₀ − h v‖²_m + h² (P(x) + P_n(x)),    v ← k (x₁ − x₀)/h
//! ```
//!
//! Energy only falls, so that bodies do not bounce, and what slides without friction stops. What moves by itself stands still.

use super::backend::Backend;
use super::equilibrium::EquilibriumError;
use super::evaluation::Evaluation;
use super::stage::{Frozen, Stage};
use crate::math::vector;
use std::ops::ControlFlow;

/// h `[s]`
const STEP: f64 = 1.0 / 30.0;
/// k: 3 m/s is the fastest that anything falls
const KEPT: f64 = 0.9;
/// In so many steps …
const WINDOW: usize = 15;
/// … less than this part of what has fallen in all falls where bodies lie.
const HARDLY: f64 = 1e-3;
/// Longer than this no scene should take `[s]`.
const LONGEST: f64 = 60.0;
/// So many times the scene's size from where it was, a body is not resting but gone.
const GONE: f64 = 5.0;

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settling {
    /// Of the bodies' own time `[s]`
    pub time: f64,
    /// Energy that is gone since the start `[J]`
    pub fallen: f64,
    /// Energy that went in the last half second `[J]`
    pub falling: f64,
}

/// Bodies that lie.
#[derive(Debug, Clone, PartialEq)]
pub struct AtRest {
    pub x: Vec<f64>,
    /// Potential `[J]`
    pub energy: f64,
    /// How long it took them `[s]`
    pub time: f64,
}

/// Lets bodies come to rest from x, with prescribed motion as it is at time t; `watch` may end it.
pub fn come_to_rest(
    backend: &mut dyn Backend,
    x: &[f64],
    t: f64,
    watch: &mut dyn FnMut(&Settling) -> ControlFlow<()>,
) -> Result<AtRest, EquilibriumError> {
    let weight = backend.mass().of_nodes().iter().sum::<f64>() * backend.gravity().norm();
    let farthest = GONE * size(x);
    let (mut here, mut found) = (backend.evaluation(x), Evaluation::default());
    let (mut v, mut predictor, mut strains, mut frozen) =
        (vec![0.0; x.len()], Vec::new(), Vec::new(), Frozen::default());
    let mut energies = vec![here.energies.total()];
    while energies.len() as f64 * STEP < LONGEST {
        backend.freeze(&here, &v, &mut frozen);
        backend.strains(&here.x, &mut strains);
        predictor.clone_from(&here.x);
        vector::add_scaled(&mut predictor, STEP, &v);
        let stage = Stage {
            start: &here,
            predictor: &predictor,
            length: STEP,
            velocity_origin: &here.x,
            velocity_length: STEP,
            strain_origin: &strains,
            t,
            frozen: Some(&frozen),
        };
        backend.minimise(&stage, &mut found)?;
        v.iter_mut().zip(found.x.iter().zip(&here.x)).for_each(|(v, (to, from))| *v = KEPT * (to - from) / STEP);
        std::mem::swap(&mut here, &mut found);
        if here.x.iter().zip(x).any(|(a, b)| (a - b).abs() > farthest) {
            return Err(EquilibriumError::None);
        }
        energies.push(here.energies.total());
        let (last, before) = (energies.len() - 1, energies.len().saturating_sub(1 + WINDOW));
        let (fallen, falling) = (energies[0] - energies[last], energies[before] - energies[last]);
        let settling = Settling { time: last as f64 * STEP, fallen, falling };
        if watch(&settling).is_break() {
            return Err(EquilibriumError::Interrupted);
        }
        // A micrometre of all their weight is nothing, however little has fallen.
        let little = HARDLY * fallen.max(1e-3 * weight).max(0.0);
        if last >= WINDOW && falling + backend.mass().kinetic_energy(&v) <= little {
            return Ok(AtRest { energy: energies[last], time: settling.time, x: here.x });
        }
    }
    Err(EquilibriumError::Restless(LONGEST))
}

/// The longest side of a box around all nodes `[m]`
fn size(x: &[f64]) -> f64 {
    let side = |axis: usize| {
        let along = || x.iter().skip(axis).step_by(3);
        along().fold(f64::NEG_INFINITY, |a, &b| a.max(b)) - along().fold(f64::INFINITY, |a, &b| a.min(b))
    };
    (0..3).map(side).fold(0.0, f64::max)
}
