//! One process at a time writes a run: two would tear its rows apart.

use super::error::OutputError;
use std::fs::{File, TryLockError};
use std::path::Path;

/// The right to write into a run's folder, until it is dropped or its process ends, however that comes.
#[derive(Debug)]
pub(crate) struct SoleWriter {
    /// The folder itself is locked, so nothing is left lying in it. None where the file system knows no such locks, and where the
    /// folder is still to be made.
    held: Option<File>,
}

impl SoleWriter {
    pub fn of(folder: &Path) -> Result<Self, OutputError> {
        let Ok(file) = File::open(folder) else { return Ok(Self { held: None }) };
        match file.try_lock() {
            Ok(()) => Ok(Self { held: Some(file) }),
            Err(TryLockError::WouldBlock) => Err(OutputError::Busy { path: folder.to_owned() }),
            Err(TryLockError::Error(_)) => Ok(Self { held: None }),
        }
    }

    /// Once the folder has been made.
    pub fn or_of(self, folder: &Path) -> Result<Self, OutputError> {
        if self.held.is_some() { Ok(self) } else { Self::of(folder) }
    }
}

// Closing is not enough: a program that is just being started from another thread holds the same lock until it runs.
impl Drop for SoleWriter {
    fn drop(&mut self) {
        if let Some(folder) = &self.held {
            let _ = folder.unlock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_free_once_its_writer_is_dropped_whoever_shares_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let writer = SoleWriter::of(folder.path()).unwrap();
        assert!(matches!(SoleWriter::of(folder.path()), Err(OutputError::Busy { .. })));
        let shared = writer.held.as_ref().unwrap().try_clone().unwrap();
        drop(writer);
        assert!(SoleWriter::of(folder.path()).unwrap().held.is_some());
        drop(shared);
    }
}
