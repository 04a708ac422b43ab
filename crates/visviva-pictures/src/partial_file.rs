//! A file that grows beside its final name and takes it when it is complete: a reader sees the old one or the new one.
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Dropped before [`PartialFile::complete`], it leaves nothing behind.
#[derive(Debug)]
pub(crate) struct PartialFile {
    path: PathBuf,
    temporary: PathBuf,
    done: bool,
}

/// Writes all of a file, or nothing.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut partial = PartialFile::new(path)?;
    partial.create()?.write_all(content)?;
    partial.complete()
}

impl PartialFile {
    /// The temporary name keeps the extension: encoders choose their format by it.
    pub fn new(path: &Path) -> io::Result<PartialFile> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidInput, "not a file name");
        let name = path.file_name().ok_or_else(wrong)?;
        let temporary = path.with_file_name(format!(".partial-{}", name.to_string_lossy()));
        Ok(PartialFile { path: path.into(), temporary, done: false })
    }

    pub fn create(&self) -> io::Result<File> {
        File::create(&self.temporary)
    }

    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn complete(&mut self) -> io::Result<()> {
        File::open(&self.temporary)?.sync_all()?;
        fs::rename(&self.temporary, &self.path)?;
        self.done = true;
        Ok(())
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
