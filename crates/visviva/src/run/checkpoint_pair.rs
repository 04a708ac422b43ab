//! The two last checkpoints of a run: where the newer one is damaged, the older one serves.

use super::error::{At, OutputError};
use super::inventory::Inventory;
use super::run_folder::RunFolder;
use super::{checkpoint, whole_file};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const CHECKPOINTS: [&str; 2] = ["checkpoint.bin", "checkpoint.previous.bin"];

impl RunFolder {
    /// The newer one first.
    pub fn checkpoint_paths(&self) -> [PathBuf; 2] {
        CHECKPOINTS.map(|name| self.path().join(name))
    }

    /// On the disk when this returns; the one before is kept.
    pub fn write_checkpoint<T: Serialize>(&self, inventory: &Inventory, state: &T) -> Result<(), OutputError> {
        let [newer, older] = self.checkpoint_paths();
        self.clear(&newer)?;
        self.clear(&older)?;
        checkpoint::write(&newer, &(inventory, state), Some(&older))
    }

    /// As above, and it is the only one: those before belong to what was given up.
    pub fn write_only_checkpoint<T: Serialize>(&self, inventory: &Inventory, state: &T) -> Result<(), OutputError> {
        let [newer, older] = self.checkpoint_paths();
        checkpoint::write(&newer, &(inventory, state), None)?;
        if older.exists() { fs::remove_file(&older).at(&older) } else { Ok(()) }
    }

    /// These files of the run, their names and its lists are on the disk when this returns. What is gone by now is passed over.
    pub(crate) fn sync(&self, mut files: Vec<PathBuf>) -> Result<(), OutputError> {
        if files.is_empty() {
            return Ok(());
        }
        files.push(self.times_path());
        let folders: BTreeSet<PathBuf> = files.iter().filter_map(|file| file.parent().map(Path::to_owned)).collect();
        for path in files.iter().filter(|path| path.exists()) {
            whole_file::sync(path).at(path)?;
        }
        folders.iter().filter(|path| path.exists()).try_for_each(|path| whole_file::sync_folder(path).at(path))
    }

    /// Where the older one serves, the newer one gives way: it must not take the older one's place.
    pub(crate) fn set_aside_newer_than(&self, chosen: &Path) -> Result<(), OutputError> {
        let [newer, _] = self.checkpoint_paths();
        if newer != chosen && newer.symlink_metadata().is_ok() {
            whole_file::set_aside(&newer).at(&newer)?;
        }
        Ok(())
    }
}
