//! PVD: ParaView's list of a run's frames with their times.

use super::load::in_file;
use super::vtu::escape;
use crate::mesh::MeshError;
use std::path::Path;

/// The frames so far. Writing after each one keeps a broken-off run readable.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimeSeries {
    frames: Vec<(f64, String)>,
}

impl TimeSeries {
    /// Adds a frame at `time` `[s]`; `file` is relative to the list's folder.
    pub fn push(&mut self, time: f64, file: impl Into<String>) {
        self.frames.push((time, file.into()));
    }

    /// Whether no frame was added.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The list as ParaView reads it.
    pub fn to_xml(&self) -> String {
        let mut xml =
            String::from("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
        for (time, file) in &self.frames {
            let file = escape(file);
            xml.push_str(&format!("<DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{file}\"/>\n"));
        }
        xml + "</Collection>\n</VTKFile>\n"
    }

    /// Writes the list to a file.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), MeshError> {
        in_file(path.as_ref(), |path| Ok(std::fs::write(path, self.to_xml())?))
    }
}
