//! The door between integrators and whoever computes: freeze, evaluate, minimise a stage and report.
//!
//! A backend holds the model and scratch, and no result: what it found is in the values it returns. One on another device
//! stands behind the same trait.

use super::dissipation::{Bounce, Corrected, DissipativeForces, LastingContact, Motion, StrainChange, Way};
use super::evaluation::Evaluation;
use super::island::Island;
use super::stage::{Frozen, SolveError, SolveReport, Stage, Taken};
use crate::model::{Energies, Exchange, Mass, Part};
use nalgebra::Vector3;

pub trait Backend {
    fn mass(&self) -> &Mass;
    /// Names of the potential energy terms, in the order of `Energies`.
    fn terms(&self) -> &[&'static str];
    fn has_dissipation(&self) -> bool;
    /// For methods that look at bodies one by one: those that hang together at one of these positions. None where there are no bodies.
    fn islands(&self, _at: &[&Evaluation]) -> Vec<Island> {
        Vec::new()
    }
    /// Energies and momenta of each body; they add up to those of the whole.
    fn parts(&self, _at: &Evaluation, _v: &[f64]) -> Vec<Part> {
        Vec::new()
    }
    /// What a step took from each body and put into it
    fn exchanges(&self, _taken: Taken<'_>) -> Vec<Exchange> {
        Vec::new()
    }
    /// `[m/s²]`
    fn gravity(&self) -> Vector3<f64> {
        Vector3::zeros()
    }
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
    /// Freezes dissipation as it is at the start of a step, with the velocity there.
    fn freeze(&mut self, at: &Evaluation, v: &[f64], frozen: &mut Frozen);
    /// forces ← forces + weight times what dissipates in a motion
    fn add_dissipation(&mut self, frozen: &Frozen, motion: Motion<'_>, weight: f64, forces: &mut DissipativeForces);
    /// What friction and contact took on the way `[J]`; notes it by pair, where there are pairs.
    fn contact_losses(&mut self, _frozen: &Frozen, way: Way<'_>, forces: &mut DissipativeForces) -> [f64; 2] {
        let loss = |force: &[f64]| force.iter().zip(way.steps()).map(|(force, step)| force * step).sum();
        [loss(&forces.friction), loss(&forces.contact)]
    }
    /// What lossy contacts keep of the velocity h m⁻¹(∇P(x₀) − ∇P(x₁)) that a correction gives back: `kept` is to be added to the
    /// corrected velocity at the way's end, and all that contacts take from each body is noted. None where nothing is kept.
    fn hold_back(
        &mut self,
        _frozen: &Frozen,
        _corrected: Corrected<'_>,
        _lasting: &mut Vec<LastingContact>,
        _kept: &mut Vec<f64>,
        _forces: &mut DissipativeForces,
    ) -> Option<f64> {
        None
    }
    /// Where a step ends, in which v0 became v: takes from v what is faster than a bounce allows, and notes who touches now. What it
    /// took, of each body too.
    fn end_bounces(
        &mut self,
        _ends: [&Evaluation; 2],
        _h: f64,
        _v0: &[f64],
        _bounces: &mut Vec<Bounce>,
        _v: &mut [f64],
        _by_body: &mut Vec<Exchange>,
    ) -> Exchange {
        Exchange::default()
    }
    /// v ← rigid motion, and of the rest of each body's motion the part that is kept, asked for with the energy of that rest `[J]`. What
    /// it took, of each body too.
    fn calm(
        &mut self,
        _at: &Evaluation,
        _keep: &mut dyn FnMut(usize, f64) -> f64,
        _v: &mut [f64],
        _by_body: &mut Vec<Exchange>,
    ) -> Exchange {
        Exchange::default()
    }
    /// out ← the strains of all viscous elements; none where there are none
    fn strains(&mut self, _x: &[f64], out: &mut Vec<f64>) {
        out.clear();
    }
    /// out ← their rates
    fn strain_rates(&mut self, _x: &[f64], _change: StrainChange<'_>, out: &mut Vec<f64>) {
        out.clear();
    }
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
    fn islands(&self, at: &[&Evaluation]) -> Vec<Island> {
        (**self).islands(at)
    }
    fn parts(&self, at: &Evaluation, v: &[f64]) -> Vec<Part> {
        (**self).parts(at, v)
    }
    fn exchanges(&self, taken: Taken<'_>) -> Vec<Exchange> {
        (**self).exchanges(taken)
    }
    fn gravity(&self) -> Vector3<f64> {
        (**self).gravity()
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
    fn freeze(&mut self, at: &Evaluation, v: &[f64], frozen: &mut Frozen) {
        (**self).freeze(at, v, frozen);
    }
    fn add_dissipation(&mut self, frozen: &Frozen, motion: Motion<'_>, weight: f64, forces: &mut DissipativeForces) {
        (**self).add_dissipation(frozen, motion, weight, forces);
    }
    fn contact_losses(&mut self, frozen: &Frozen, way: Way<'_>, forces: &mut DissipativeForces) -> [f64; 2] {
        (**self).contact_losses(frozen, way, forces)
    }
    fn hold_back(
        &mut self,
        frozen: &Frozen,
        corrected: Corrected<'_>,
        lasting: &mut Vec<LastingContact>,
        kept: &mut Vec<f64>,
        forces: &mut DissipativeForces,
    ) -> Option<f64> {
        (**self).hold_back(frozen, corrected, lasting, kept, forces)
    }
    fn end_bounces(
        &mut self,
        ends: [&Evaluation; 2],
        h: f64,
        v0: &[f64],
        bounces: &mut Vec<Bounce>,
        v: &mut [f64],
        by_body: &mut Vec<Exchange>,
    ) -> Exchange {
        (**self).end_bounces(ends, h, v0, bounces, v, by_body)
    }
    fn calm(
        &mut self,
        at: &Evaluation,
        keep: &mut dyn FnMut(usize, f64) -> f64,
        v: &mut [f64],
        by_body: &mut Vec<Exchange>,
    ) -> Exchange {
        (**self).calm(at, keep, v, by_body)
    }
    fn strains(&mut self, x: &[f64], out: &mut Vec<f64>) {
        (**self).strains(x, out);
    }
    fn strain_rates(&mut self, x: &[f64], change: StrainChange<'_>, out: &mut Vec<f64>) {
        (**self).strain_rates(x, change, out);
    }
    fn boundary_work(&mut self, from: &Evaluation, to: &Evaluation) -> f64 {
        (**self).boundary_work(from, to)
    }
    fn minimise(&mut self, stage: &Stage<'_>, end: &mut Evaluation) -> Result<SolveReport, SolveError> {
        (**self).minimise(stage, end)
    }
}

/// Names the first infinite or undefined term.
pub fn inadmissible_term(energies: &Energies, terms: &[&'static str]) -> Option<&'static str> {
    energies.as_slice().iter().zip(terms).find(|(e, _)| !e.is_finite()).map(|(_, term)| *term)
}
