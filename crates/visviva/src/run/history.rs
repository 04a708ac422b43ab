//! What a branch takes over from the run that it leaves: frames, contacts and rows up to a checkpoint.

use super::error::{At, OutputError};
use super::frames::{frame_name, times_text};
use super::inventory::Inventory;
use super::run_folder::RunFolder;
use super::{CONTACTS, FRAMES, TIMES};
use std::fs;
use std::path::Path;

/// Of a run up to a checkpoint, as its inventory has it.
#[derive(Debug, Clone, Copy)]
pub struct History<'a> {
    pub folder: &'a RunFolder,
    pub inventory: &'a Inventory,
}

impl History<'_> {
    /// Copies it into a folder that has one for frames.
    pub(super) fn write(&self, place: &Path) -> Result<(), OutputError> {
        let (from, frames) = (self.folder.path(), &self.inventory.frames);
        if frames.iter().any(|frame| frame.contacts.is_some()) {
            let contacts = place.join(CONTACTS);
            fs::create_dir(&contacts).at(&contacts)?;
        }
        for frame in frames {
            let name = frame_name(frame.index);
            for part in [Some(FRAMES), frame.contacts.map(|_| CONTACTS)].into_iter().flatten() {
                let source = from.join(part).join(&name);
                fs::copy(&source, place.join(part).join(&name)).at(&source)?;
            }
        }
        let times = place.join(TIMES);
        fs::write(&times, times_text(frames)).at(&times)?;
        for rows in &self.inventory.rows {
            let source = from.join(&rows.name);
            let mut bytes = fs::read(&source).at(&source)?;
            bytes.truncate(rows.length as usize);
            let path = place.join(&rows.name);
            fs::write(&path, bytes).at(&path)?;
        }
        Ok(())
    }
}
