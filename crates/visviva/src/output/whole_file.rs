//! Files that are written whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes beside the file and renames: a reader sees the old content or the new, never a part.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not a file name"))?;
    let temporary = path.with_file_name(format!(".{}.partial", name.to_string_lossy()));
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // Nothing half-written stays; the first error is the one worth telling.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_replaces_the_content_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        super::write(&path, b"one").unwrap();
        super::write(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(super::write(&folder.path().join("missing/a.txt"), b"x").is_err());
    }
}
