//! Formats that are written once all frames are there.

use super::motion::Motion;
use super::{ExportFrame, Exported, Exporter, make_folder, names};
use crate::run::error::{At, OutputError};
use crate::run::whole_file;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Keeps the motion and writes it when it is over.
#[derive(Debug)]
pub struct AtTheEnd {
    place: PathBuf,
    motion: Option<Motion>,
    /// Into a folder, or the file that the place names; returns what to open
    write: fn(&Motion, &Path) -> Result<Vec<PathBuf>, OutputError>,
}

impl AtTheEnd {
    pub fn new(place: &Path, write: fn(&Motion, &Path) -> Result<Vec<PathBuf>, OutputError>) -> Self {
        Self { place: place.to_owned(), motion: None, write }
    }
}

impl Exporter for AtTheEnd {
    fn begin(&mut self, run: Exported<'_>) -> Result<(), OutputError> {
        if self.motion.is_none() {
            let bodies = run.mesh.shown();
            if bodies.iter().all(|body| body.rides.is_empty()) {
                let what = "the run has no surfaces to export";
                return Err(OutputError::NothingToExport { path: self.place.clone(), what });
            }
            self.motion = Some(Motion::new(bodies, run.rate).at(&self.place)?);
        }
        Ok(())
    }

    fn frame(&mut self, _run: Exported<'_>, frame: &ExportFrame<'_>) -> Result<(), OutputError> {
        self.motion.as_mut().map_or(Ok(()), |motion| motion.push(frame).at(&self.place))
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, OutputError> {
        let motion = self.motion.as_ref().filter(|motion| motion.frame_count() > 0);
        motion.map_or(Ok(Vec::new()), |motion| (self.write)(motion, &self.place))
    }
}

/// The one file of a format: the place itself where it has the format's ending, else one of this name in that folder, which is made.
pub fn file_in(place: &Path, name: &str) -> Result<PathBuf, OutputError> {
    let is_file = place.extension() == Path::new(name).extension() && !place.is_dir();
    let path = if is_file { place.to_owned() } else { place.join(name) };
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), make_folder)?;
    Ok(path)
}

/// A file for each body, named after it.
pub fn file_a_body(
    motion: &Motion,
    folder: &Path,
    ending: &str,
    write: impl Fn(&mut BufWriter<File>, usize) -> io::Result<()>,
) -> Result<Vec<PathBuf>, OutputError> {
    make_folder(folder)?;
    let names = names::file_names(motion.bodies.iter().map(|body| body.name.as_str()));
    let file = |(body, name): (usize, String)| {
        let path = folder.join(format!("{name}.{ending}"));
        whole_file::write_in_parts(&path, |out| write(out, body)).at(&path)?;
        Ok(path)
    };
    names.into_iter().enumerate().map(file).collect()
}
