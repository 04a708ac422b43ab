//! A step as a row of the statistics.

use super::bodies::{self, Bodies};
use crate::integrate::StepReport;
use crate::run::StatsRow;
use crate::simulation::{Energy, Simulation};
use crate::solve::Backend;
use std::time::Duration;

/// Where the energy is `[J]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyNow {
    pub kinetic: f64,
    pub elastic: f64,
    pub gravity: f64,
    /// Of surfaces that repel each other; zero where nothing can touch
    pub barrier: f64,
    pub total: f64,
    /// The total that the target asks for
    pub wanted: f64,
}

impl EnergyNow {
    pub(super) fn new(row: &StatsRow, energy: Energy) -> Self {
        let part = |part: Option<f64>| part.unwrap_or(0.0);
        Self {
            kinetic: row.kinetic,
            elastic: part(row.elastic),
            gravity: part(row.gravity),
            barrier: part(row.barrier),
            total: energy.total,
            wanted: energy.level,
        }
    }
}

/// Row 0.
pub fn at_start(simulation: &Simulation<Bodies>) -> StatsRow {
    let energy = simulation.energy();
    StatsRow {
        kinetic: simulation.backend.mass().kinetic_energy(&simulation.state.v),
        total: energy.total,
        target: Some(energy.level),
        converged: true,
        ..at_present(simulation)
    }
}

pub fn of_step(simulation: &Simulation<Bodies>, report: &StepReport, wall: Duration) -> StatsRow {
    let ledger = &report.ledger;
    StatsRow {
        kinetic: ledger.kinetic,
        total: ledger.total,
        target: Some(report.target),
        alpha: report.alpha.map(|a| a.value),
        alpha_outcome: report.alpha.map(|a| a.outcome),
        friction_loss: ledger.friction_loss,
        contact_loss: ledger.contact_loss,
        damping_loss: ledger.damping_loss,
        work: ledger.work,
        integrator_gain: ledger.integrator,
        alpha_energy: report.alpha.map(|_| ledger.correction),
        ledger_residual: ledger.residual,
        newton: report.solve.newton_iterations as u64,
        linear_iterations: report.solve.linear_iterations as u64,
        halvings: report.solve.halvings as u64,
        converged: report.solve.converged,
        wall_s: wall.as_secs_f64(),
        ..at_present(simulation)
    }
}

/// What does not depend on how it came about.
fn at_present(simulation: &Simulation<Bodies>) -> StatsRow {
    let (state, clock) = (&simulation.state, simulation.clock());
    let (p, l) = simulation.backend.model().momenta(&state.x, &state.v);
    let contact = bodies::contact_state(simulation);
    StatsRow {
        step: clock.steps,
        t: state.t,
        h: clock.h,
        elastic: bodies::energy_of(simulation, "elastic"),
        gravity: bodies::energy_of(simulation, "gravity"),
        barrier: bodies::energy_of(simulation, "barrier"),
        px: p.x,
        py: p.y,
        pz: p.z,
        lx: l.x,
        ly: l.y,
        lz: l.z,
        active_pairs: contact.map(|c| c.active_pairs as u64),
        min_distance: contact.and_then(|c| c.min_distance),
        ..StatsRow::default()
    }
}
