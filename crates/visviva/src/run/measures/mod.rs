//! What a run did, in numbers that can be compared.
//!
//! Turns: how often the mass centre went round the axis of the mean angular momentum. Noise: the part of the kinetic energy that
//! no affine motion v = a + Bx explains, averaged over the frames of each body. Energy: how far the total lay from its target.

mod momentum;
mod motion;
mod named;

pub use momentum::running_mean;
pub use named::{Measure, MeasureError};

use super::{OutputError, RunFolder, Stats, StatsRow};
use crate::model::bodies::Model;
use crate::scene::Scene;
use nalgebra::Vector3;
use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

/// A run whose folder is looked at; its bodies are built again only where a measure needs them.
#[derive(Debug)]
pub struct MeasuredRun {
    pub folder: RunFolder,
    pub scene: Scene,
    pub stats: Stats,
    model: OnceCell<Arc<Model>>,
}

impl MeasuredRun {
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let folder = RunFolder::open(path)?;
        let stats = Stats::read(&folder.stats_path())?;
        Ok(Self { scene: folder.scene()?, stats, folder, model: OnceCell::new() })
    }

    fn model(&self) -> Result<&Model, OutputError> {
        if let Some(model) = self.model.get() {
            return Ok(model);
        }
        let built = self.folder.built()?.1.model;
        Ok(self.model.get_or_init(|| built))
    }

    /// How far it came `[s]`.
    pub fn time(&self) -> f64 {
        self.stats.rows.last().map_or(0.0, |row| row.t)
    }

    /// About the origin, step after step: times `[s]` and `[kg m²/s]`.
    pub fn angular_momentum(&self) -> Vec<(f64, Vector3<f64>)> {
        self.stats.rows.iter().map(|row| (row.t, Vector3::new(row.lx, row.ly, row.lz))).collect()
    }

    /// Mean over time of |L̄ − L̄_ref| / mean |L̄_ref|; both are running means over a second.
    pub fn angular_momentum_off(&self, reference: &[(f64, Vector3<f64>)]) -> f64 {
        momentum::deviation(&running_mean(&self.angular_momentum(), 1.0), reference)
    }

    /// Root mean square of (total − target)/start energy.
    pub fn off_target(&self) -> f64 {
        let start = self.stats.rows.first().map_or(1.0, |row| row.total.abs().max(1e-300));
        let off = self.steps().filter_map(|row| row.target.map(|target| ((row.total - target) / start).powi(2)));
        let off: Vec<f64> = off.collect();
        (off.iter().sum::<f64>() / off.len().max(1) as f64).sqrt()
    }

    pub fn newton_iterations(&self) -> u64 {
        self.steps().map(|row| row.newton).sum()
    }

    /// Steps that did not converge.
    pub fn unconverged(&self) -> u64 {
        self.steps().filter(|row| !row.converged).count() as u64
    }

    /// Of all steps, by the clock `[s]`.
    pub fn wall_s(&self) -> f64 {
        self.steps().map(|row| row.wall_s).sum()
    }

    /// The start is none.
    fn steps(&self) -> impl Iterator<Item = &StatsRow> {
        self.stats.rows.iter().filter(|row| row.step > 0)
    }
}
