//! What a run did, in numbers that can be compared.
//!
//! Turns: how often the mass centre went round the axis of the mean angular momentum. Noise: the part of the kinetic energy that
//! no affine motion v = a + Bx explains, averaged over the frames of each body. Energy: how far the total lay from its target.

pub mod alpha;
pub mod bar_modes;
mod bounces;
mod distance;
pub mod drum;
mod momentum;
mod motion;
mod named;
mod sway;

pub use alpha::AlphaCounts;
pub use momentum::running_mean;
pub use named::{Measure, MeasureError};

use super::{FrameInfo, OutputError, RunFolder, Stats, StatsRow};
use crate::model::bodies::Model;
use crate::scene::{Built, Scene};
use motion::Passage;
use nalgebra::Vector3;
use std::cell::OnceCell;
use std::path::Path;
use sway::Sway;

/// A run whose folder is looked at; its bodies are built again only where a measure needs them.
#[derive(Debug)]
pub struct MeasuredRun {
    pub folder: RunFolder,
    pub scene: Scene,
    pub stats: Stats,
    built: OnceCell<Built>,
    tracks: OnceCell<Vec<Vec<Passage>>>,
    sway: OnceCell<Sway>,
}

impl MeasuredRun {
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let folder = RunFolder::open(path)?;
        let stats = Stats::read(&folder.stats_path())?;
        let scene = folder.scene()?;
        Ok(Self { scene, stats, folder, built: OnceCell::new(), tracks: OnceCell::new(), sway: OnceCell::new() })
    }

    fn built(&self) -> Result<&Built, OutputError> {
        if let Some(built) = self.built.get() {
            return Ok(built);
        }
        let built = self.folder.built()?.1;
        Ok(self.built.get_or_init(|| built))
    }

    fn model(&self) -> Result<&Model, OutputError> {
        Ok(&self.built()?.model)
    }

    /// Whether it ended because a step could not be taken.
    pub fn has_failed(&self) -> Result<bool, OutputError> {
        Ok(self.folder.summary()?.is_some_and(|summary| summary["ending"]["kind"] == "failed"))
    }

    /// Frames that [`RunMesh::faults`](super::RunMesh::faults) finds something wrong with.
    pub fn faulty_frames(&self) -> Result<usize, OutputError> {
        let mesh = self.folder.mesh()?;
        let frames = self.folder.all_frames()?;
        let is_faulty = |info: &FrameInfo| Ok(!mesh.faults(&self.folder.read_frame(info.index)?)?.is_clean());
        let faulty = frames.iter().map(is_faulty).collect::<Result<Vec<bool>, OutputError>>()?;
        Ok(faulty.into_iter().filter(|faulty| *faulty).count())
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

    /// Iterations of conjugate gradients in each of Newton's; zero where all systems were factored.
    pub fn linear_per_newton(&self) -> f64 {
        let linear: u64 = self.steps().map(|row| row.linear_iterations).sum();
        linear as f64 / self.newton_iterations().max(1) as f64
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
