//! The books of one step: every joule by cause.
//!
//! H₁ − H₀ = −friction − contact − damping + work + integrator + correction + residual
//!
//! The integrator's own gain is what its step did to the energy beyond the causes named; the correction is what α put in. The
//! correction is computed from its quadratic and the kinetic energy from the new velocity: the residual shows whether they agree.

use crate::model::Exchange;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// At the end of the step `[J]`
    pub kinetic: f64,
    pub potential: f64,
    pub total: f64,
    /// H₁ − H₀ `[J]`
    pub change: f64,
    /// Taken by friction, by contacts that lose, and by damping `[J]`, ≥ 0
    pub friction_loss: f64,
    pub contact_loss: f64,
    pub damping_loss: f64,
    /// Put in by moving boundaries `[J]`
    pub work: f64,
    /// The integrator's own gain `[J]`; negative: numerical dissipation
    pub integrator: f64,
    /// Put in by the α correction `[J]`
    pub correction: f64,
    /// What the causes leave unexplained `[J]`: round-off
    pub residual: f64,
}

/// What happened in a step, before it is booked.
#[derive(Debug, Clone, Copy)]
pub struct Entries {
    pub total_before: f64,
    pub potential: f64,
    pub kinetic: f64,
    /// Kinetic energy before the α correction
    pub kinetic_uncorrected: f64,
    pub friction_loss: f64,
    pub contact_loss: f64,
    pub damping_loss: f64,
    pub work: f64,
    pub correction: f64,
}

impl Ledger {
    /// Books what happens to the velocity at once when the step is over.
    pub fn add(&mut self, end: Exchange) {
        self.friction_loss += end.friction_loss;
        self.contact_loss += end.contact_loss;
        self.damping_loss += end.damping_loss;
        self.work += end.work;
        let gain = end.work - end.loss();
        self.kinetic += gain;
        self.total += gain;
        self.change += gain;
    }

    /// Books what the method takes after its α to meet the target.
    pub fn correct(&mut self, energy: f64) {
        self.correction += energy;
        self.kinetic += energy;
        self.total += energy;
        self.change += energy;
    }

    pub fn book(e: Entries) -> Self {
        let total = e.kinetic + e.potential;
        let change = total - e.total_before;
        let causes = e.work - e.friction_loss - e.contact_loss - e.damping_loss;
        let integrator = e.kinetic_uncorrected + e.potential - e.total_before - causes;
        Self {
            kinetic: e.kinetic,
            potential: e.potential,
            total,
            change,
            friction_loss: e.friction_loss,
            contact_loss: e.contact_loss,
            damping_loss: e.damping_loss,
            work: e.work,
            integrator,
            correction: e.correction,
            residual: change - causes - integrator - e.correction,
        }
    }
}
