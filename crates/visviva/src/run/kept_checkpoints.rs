//! checkpoints/: those of a run that are kept, so that branches can begin from any of them.

use super::error::{At, OutputError};
use super::inventory::Inventory;
use super::run_folder::RunFolder;
use super::{KEPT, checkpoint};
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

impl RunFolder {
    /// On the disk when this returns.
    pub fn keep_checkpoint<T: Serialize>(
        &self,
        step: u64,
        inventory: &Inventory,
        state: &T,
    ) -> Result<(), OutputError> {
        let folder = self.path().join(KEPT);
        fs::create_dir_all(&folder).at(&folder)?;
        let path = folder.join(kept_name(step));
        self.clear(&path)?;
        checkpoint::write(&path, &(inventory, state), None)
    }

    /// Those kept, with the steps that were done: the latest first.
    pub fn kept_checkpoints(&self) -> Result<Vec<(u64, PathBuf)>, OutputError> {
        let folder = self.path().join(KEPT);
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).at(&folder)? {
            let name = entry.at(&folder)?.file_name();
            let step = name.to_str().and_then(kept_step);
            found.extend(step.map(|step| (step, folder.join(name))));
        }
        found.sort_by_key(|(step, _)| std::cmp::Reverse(*step));
        Ok(found)
    }

    /// Removes those after a step: the rows and frames that they count on are written anew.
    pub(crate) fn remove_kept_after(&self, step: u64) -> Result<(), OutputError> {
        let mut later = self.kept_checkpoints()?.into_iter().filter(|(kept, path)| *kept > step && path.is_file());
        later.try_for_each(|(_, path)| fs::remove_file(&path).at(&path))
    }
}

fn kept_name(step: u64) -> String {
    format!("{step:06}.bin")
}

/// The steps done that a file name stands for.
pub(super) fn kept_step(name: &str) -> Option<u64> {
    let step = name.strip_suffix(".bin")?.parse().ok()?;
    (kept_name(step) == name).then_some(step)
}
