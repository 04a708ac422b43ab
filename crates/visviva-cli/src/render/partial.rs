//! A file that grows beside its final name and takes it when it is complete.
use super::RenderError;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Dropped before [`Partial::complete`], it leaves nothing behind.
#[derive(Debug)]
pub(super) struct Partial {
    path: PathBuf,
    temporary: PathBuf,
    done: bool,
}

impl Partial {
    /// The temporary name keeps the extension: encoders choose their format by it.
    pub fn new(path: &Path) -> Result<Partial, RenderError> {
        let wrong = || std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a file name");
        let name = path.file_name().ok_or_else(wrong).map_err(RenderError::write(path))?;
        let temporary = path.with_file_name(format!(".partial-{}", name.to_string_lossy()));
        Ok(Partial { path: path.into(), temporary, done: false })
    }

    pub fn create(&self) -> Result<File, RenderError> {
        File::create(&self.temporary).map_err(RenderError::write(&self.path))
    }

    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn complete(&mut self) -> Result<(), RenderError> {
        let sync = File::open(&self.temporary).and_then(|file| file.sync_all());
        sync.and_then(|()| fs::rename(&self.temporary, &self.path)).map_err(RenderError::write(&self.path))?;
        self.done = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
