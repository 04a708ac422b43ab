//! The door between integrators and whoever computes: freeze, evaluate, minimise a stage and report.
//!
//! A backend holds the model and scratch, and no result: what it found is in the values it returns. One on another device
//! stands behind the same trait.

use super::evaluation::Evaluation;
use super::stage::{Frozen, SolveError, SolveReport, Stage};
use crate::model::{Energies, Mass};
use nalgebra::Vector3;

pub trait Backend {
    fn mass(&self) -> &Mass;
    /// Names of the potential energy terms, in the order of `Energies`.
    fn terms(&self) -> &[&'static str];
    fn has_dissipation(&self) -> bool;
    /// Puts the coordinates that move by themselves where they are at time t.
    fn prescribe(&self, t: f64, x: &mut [f64]);
    /// Whether what moves by itself may go from time t0 to t1 `[s]`: not through what is held.
    fn check_motion(&mut self, _t0: f64, _t1: f64) -> Result<(), SolveError> {
        Ok(())
    }
    /// Evaluates P at `at.x`: +∞ where that is inadmissible, by an intersection too.
    fn evaluate(&mut self, at: &mut Evaluation);
    /// P at x.
    fn evaluation(&mut self, x: &[f64]) -> Evaluation {
        let mut at = Evaluation::default();
        at.set_position(x);
        self.evaluate(&mut at);
        at
    }
    /// g ← ∇P `[N]`, on pinned nodes too.
    fn gradient(&mut self, at: &Evaluation, g: &mut [f64]);
    /// out ← K d, K the stiffness ∇²P as the solver projects it.
    fn stiffness_product(&mut self, at: &Evaluation, d: &[f64], out: &mut [f64]);
    /// Freezes dissipation as it is at the start of a step.
    fn freeze(&mut self, at: &Evaluation, frozen: &mut Frozen);
    /// forces ← forces + weight ∇R(v)
    fn add_dissipation(&mut self, frozen: &Frozen, v: &[f64], weight: f64, forces: &mut DissipativeForces);
    /// Work that prescribed motion does on the rest on its way between two positions `[J]`.
    fn boundary_work(&mut self, from: &Evaluation, to: &Evaluation) -> f64;
    /// Minimises the stage; `end` receives the solution, evaluated.
    fn minimise(&mut self, stage: &Stage<'_>, end: &mut Evaluation) -> Result<SolveReport, SolveError>;
}

impl<B: Backend + ?Sized> Backend for &mut B {
    fn mass(&self) -> &Mass {
        (**self).mass()
    }
    fn terms(&self) -> &[&'static str] {
        (**self).terms()
    }
    fn has_dissipation(&self) -> bool {
        (**self).has_dissipation()
    }
    fn prescribe(&self, t: f64, x: &mut [f64]) {
        (**self).prescribe(t, x);
    }
    fn check_motion(&mut self, t0: f64, t1: f64) -> Result<(), SolveError> {
        (**self).check_motion(t0, t1)
    }
    fn evaluate(&mut self, at: &mut Evaluation) {
        (**self).evaluate(at);
    }
    fn gradient(&mut self, at: &Evaluation, g: &mut [f64]) {
        (**self).gradient(at, g);
    }
    fn stiffness_product(&mut self, at: &Evaluation, d: &[f64], out: &mut [f64]) {
        (**self).stiffness_product(at, d, out);
    }
    fn freeze(&mut self, at: &Evaluation, frozen: &mut Frozen) {
        (**self).freeze(at, frozen);
    }
    fn add_dissipation(&mut self, frozen: &Frozen, v: &[f64], weight: f64, forces: &mut DissipativeForces) {
        (**self).add_dissipation(frozen, v, weight, forces);
    }
    fn boundary_work(&mut self, from: &Evaluation, to: &Evaluation) -> f64 {
        (**self).boundary_work(from, to)
    }
    fn minimise(&mut self, stage: &Stage<'_>, end: &mut Evaluation) -> Result<SolveReport, SolveError> {
        (**self).minimise(stage, end)
    }
}

/// Dissipative forces by cause `[N]`, as gradients of the dissipation function: the force on the body is minus this.
#[derive(Debug, Clone, Default)]
pub struct DissipativeForces {
    pub friction: Vec<f64>,
    pub damping: Vec<f64>,
    /// Of friction, by frozen pair
    pub pairs: Vec<Vector3<f64>>,
}

impl DissipativeForces {
    pub fn reset(&mut self, coordinate_count: usize) {
        for force in [&mut self.friction, &mut self.damping] {
            force.clear();
            force.resize(coordinate_count, 0.0);
        }
        self.pairs.clear();
    }
}

impl DissipativeForces {
    /// A part `share` of the way from a to b.
    pub fn set_mix(&mut self, a: &Self, b: &Self, share: f64) {
        let mix = |out: &mut [f64], a: &[f64], b: &[f64]| {
            out.iter_mut().zip(a.iter().zip(b)).for_each(|(out, (a, b))| *out = a + share * (b - a));
        };
        mix(&mut self.friction, &a.friction, &b.friction);
        mix(&mut self.damping, &a.damping, &b.damping);
        self.pairs = a.pairs.iter().zip(&b.pairs).map(|(a, b)| a + share * (b - a)).collect();
    }
}

/// Names the first infinite or undefined term.
pub fn inadmissible_term(energies: &Energies, terms: &[&'static str]) -> Option<&'static str> {
    energies.as_slice().iter().zip(terms).find(|(e, _)| !e.is_finite()).map(|(_, term)| *term)
}
