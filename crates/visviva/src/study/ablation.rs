//! What the search interval and the sparse variant do to the medium bar: rebound velocity and high-frequency noise.

use super::collision::{Case, Setup};
use super::outcome::{Outcome, Tally};
use super::spectrum::mean_spectrum;
use crate::integrate::IntegratorSpec;
use crate::simulation::StartError;
use serde::Serialize;

/// The paper's variants, A-1 beside them.
pub const VARIANTS: [&str; 6] =
    ["a-1", "a-search", "a-search:min=0.9", "a-search:max=2", "a-search-sparse", "a-search-sparse:restart=false"];

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    pub integrator: IntegratorSpec,
    pub h: f64,
    pub final_velocity: Option<f64>,
    /// Mean energy of modes 16–23 over the last second `[J]`
    pub energy_modes_16_to_23: f64,
    /// Mean energy of modes 24–30 over the last second `[J]`
    pub energy_modes_24_to_30: f64,
    /// By mode `[J]`
    pub spectrum: Vec<f64>,
    pub outcome: Outcome,
    pub tally: Tally,
}

pub fn run(integrator: &IntegratorSpec, h: f64) -> Result<Row, StartError> {
    let (spectrum, result) = mean_spectrum(&Setup::new(Case::Medium, integrator.clone(), h))?;
    Ok(Row {
        integrator: integrator.clone(),
        h,
        final_velocity: result.final_velocity,
        energy_modes_16_to_23: spectrum[16..=23].iter().sum(),
        energy_modes_24_to_30: spectrum[24..=30].iter().sum(),
        spectrum,
        outcome: result.outcome,
        tally: result.tally,
    })
}
