//! Files that are written whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes beside the file and renames: a reader sees the old content or the new, never a part. It is on the disk on return.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    replace(path, content, true)
}

/// As `write`, but the system chooses when the disk gets it: for frames, of which there are many and a lost one is no loss.
pub fn write_lazily(path: &Path, content: &[u8]) -> io::Result<()> {
    replace(path, content, false)
}

fn replace(path: &Path, content: &[u8], sync: bool) -> io::Result<()> {
    let temporary = temporary(path)?;
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        if sync {
            file.sync_all()?;
        }
        std::fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // Nothing half-written stays; the first error is the one worth telling.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

fn temporary(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not a file name"))?;
    Ok(path.with_file_name(format!(".{}.partial", name.to_string_lossy())))
}

/// The name that a temporary name stands for.
pub(super) fn final_name(name: &str) -> Option<&str> {
    name.strip_prefix('.')?.strip_suffix(".partial")
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_replaces_the_content_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        super::write(&path, b"one").unwrap();
        super::write_lazily(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(super::write(&folder.path().join("missing/a.txt"), b"x").is_err());
    }
}
