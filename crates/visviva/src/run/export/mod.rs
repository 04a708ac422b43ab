//! A run in the formats of other programs: a file a format, and one loop over the frames for all of them.

mod at_the_end;
mod gltf;
mod looks;
mod mdd;
mod motion;
mod names;
mod npz;
mod obj;
mod pc2;
mod stored_zip;
mod usd;
mod vtu;

use super::error::{At, OutputError};
use super::{Frame, RunFolder, RunMesh, ShownFrame};
use crate::model::bodies::Model;
use crate::solve::ContactForce;
use std::path::{Path, PathBuf};

/// A format that runs can be written in.
#[derive(Debug)]
pub struct Format {
    /// As a user names it
    pub name: &'static str,
    /// As a user may name it too
    pub aliases: &'static [&'static str],
    /// What it is for
    pub what: &'static str,
    /// Where its files go by default, within the run's folder
    pub folder: &'static str,
    /// Whether it has fields that need the model
    pub uses_materials: bool,
    /// Bytes above which programs have trouble with a file of it, and what to do then
    pub unwieldy: Option<(u64, &'static str)>,
    /// Writes into a folder, which it makes where there is none; formats of one file also take that file's path
    pub exporter: fn(&Path) -> Box<dyn Exporter>,
}

/// All of them; the first is the usual one.
pub const FORMATS: &[Format] =
    &[vtu::FORMAT, usd::FORMAT, gltf::FORMAT, pc2::FORMAT, mdd::FORMAT, obj::FORMAT, npz::FORMAT];

/// What is the same in all frames.
#[derive(Debug, Clone, Copy)]
pub struct Exported<'a> {
    pub mesh: &'a RunMesh,
    /// Frames a second, where a format counts in frames `[1/s]`
    pub rate: f64,
    /// Without it nothing that needs materials is written
    pub model: Option<&'a Model>,
}

/// One moment.
#[derive(Debug, Clone, Copy)]
pub struct ExportFrame<'a> {
    pub index: u64,
    /// `[s]`
    pub t: f64,
    pub nodes: &'a Frame,
    /// The mesh's vertices
    pub vertices: &'a Frame,
    /// Whether it lies between two that were computed
    pub interpolated: bool,
    /// Where the run notes them
    pub contacts: Option<&'a [ContactForce]>,
}

/// Writes frames as they come, from a folder or from a session that goes on.
pub trait Exporter: std::fmt::Debug + Send {
    /// Before the first frame, and again where the run goes back to an earlier one.
    fn begin(&mut self, run: Exported<'_>) -> Result<(), OutputError>;
    /// What it writes is whole when this returns; a frame of an index that came before replaces that one and those after it.
    fn frame(&mut self, run: Exported<'_>, frame: &ExportFrame<'_>) -> Result<(), OutputError>;
    /// After the last frame; returns what to open.
    fn finish(&mut self) -> Result<Vec<PathBuf>, OutputError>;
}

impl RunFolder {
    /// Writes these frames, counted at a rate `[1/s]`, and says so each time; returns what to open.
    pub fn export(
        &self,
        exporter: &mut dyn Exporter,
        frames: &[ShownFrame],
        rate: f64,
        model: Option<&Model>,
        mut written: impl FnMut(),
    ) -> Result<Vec<PathBuf>, OutputError> {
        if frames.is_empty() {
            let what = "the run has no frames to export";
            return Err(OutputError::NothingToExport { path: self.path().to_owned(), what });
        }
        let mesh = self.mesh()?;
        let run = Exported { mesh: &mesh, rate, model };
        exporter.begin(run)?;
        for shown in frames {
            let (nodes, vertices) = self.read_shown(&mesh, shown)?;
            // Forces are known where they were computed.
            let contacts = shown.written_index().map(|index| self.read_contacts(index)).transpose()?.flatten();
            let (index, t, interpolated) = (shown.index, shown.t, shown.is_interpolated());
            let (nodes, vertices, contacts) = (&nodes, &vertices, contacts.as_deref());
            exporter.frame(run, &ExportFrame { index, t, nodes, vertices, interpolated, contacts })?;
            written();
        }
        exporter.finish()
    }
}

fn make_folder(folder: &Path) -> Result<(), OutputError> {
    std::fs::create_dir_all(folder).at(folder)
}
