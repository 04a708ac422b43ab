//! Text files that grow line by line: a crash can cut the last line and nothing else.

use super::error::{At, OutputError};
use super::inventory::Fingerprint;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// The lines that end in a line break, numbered from 1; what follows the last break was cut and is left out.
pub fn complete(bytes: &[u8]) -> impl Iterator<Item = (usize, Option<&str>)> {
    let end = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let lines = bytes[..end].split_inclusive(|&b| b == b'\n').map(|line| &line[..line.len() - 1]);
    let text = lines.map(|line| std::str::from_utf8(line).ok().map(|line| line.trim_end_matches('\r')));
    text.enumerate().map(|(k, line)| (k + 1, line))
}

/// Adds lines to a file, each one whole, and knows the hash of all it holds.
pub struct LineWriter {
    path: PathBuf,
    file: File,
    length: u64,
    hash: Xxh3,
}

impl std::fmt::Debug for LineWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LineWriter").field("path", &self.path).field("length", &self.length).finish_non_exhaustive()
    }
}

impl LineWriter {
    /// Starts the file anew.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        Ok(Self { file: File::create(path).at(path)?, path: path.to_owned(), length: 0, hash: Xxh3::new() })
    }

    /// Goes on after the first `length` bytes; the rest stays until `cut`.
    pub fn go_on(path: &Path, length: u64) -> Result<Self, OutputError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path).at(path)?;
        let mut before = Vec::new();
        Read::take(&mut file, length).read_to_end(&mut before).at(path)?;
        let mut hash = Xxh3::new();
        hash.update(&before);
        file.seek(SeekFrom::Start(length)).at(path)?;
        Ok(Self { path: path.to_owned(), file, length, hash })
    }

    /// As `go_on`, where the first line is this one: rows of other columns do not follow each other.
    pub fn go_on_below(path: &Path, header: &str, length: u64) -> Result<Self, OutputError> {
        let bytes = std::fs::read(path).at(path)?;
        if complete(&bytes).next() != Some((1, Some(header))) {
            let problem = "other columns than this program writes; its rows cannot be added to".to_owned();
            return Err(OutputError::Line { path: path.to_owned(), line: 1, problem });
        }
        Self::go_on(path, length)
    }

    /// Takes off what follows the lines known to this.
    pub fn cut(&self) -> Result<(), OutputError> {
        self.file.set_len(self.length).at(&self.path)
    }

    /// On an error the file is what it was before.
    pub fn write(&mut self, line: &str) -> Result<(), OutputError> {
        let line = format!("{line}\n");
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // Without these two the next reader meets a cut line, which it can bear.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(OutputError::io(&self.path, error));
        }
        self.length += line.len() as u64;
        self.hash.update(line.as_bytes());
        Ok(())
    }

    /// All lines are on the disk when this returns.
    pub fn sync(&self) -> Result<(), OutputError> {
        self.file.sync_data().at(&self.path)
    }

    /// Of all lines so far.
    pub fn fingerprint(&self) -> Fingerprint {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Fingerprint { name, length: self.length, hash: self.hash.digest() }
    }
}

/// Adds one line to a file, after its last whole one.
pub fn append(path: &Path, line: &str) -> Result<(), OutputError> {
    let mut file = OpenOptions::new().read(true).write(true).open(path).at(path)?;
    let mut end = file.seek(SeekFrom::End(0)).at(path)?;
    let mut block = [0; 4096];
    while end > 0 {
        let size = end.min(4096) as usize;
        file.seek(SeekFrom::Start(end - size as u64)).at(path)?;
        file.read_exact(&mut block[..size]).at(path)?;
        if let Some(at) = block[..size].iter().rposition(|&b| b == b'\n') {
            end -= (size - at - 1) as u64;
            break;
        }
        end -= size as u64;
    }
    file.set_len(end).at(path)?;
    file.seek(SeekFrom::Start(end)).at(path)?;
    file.write_all(format!("{line}\n").as_bytes()).inspect_err(|_| drop(file.set_len(end))).at(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_line_is_not_read_and_is_replaced_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let long = "x".repeat(10_000);
        for cut in ["", "3,4", long.as_str()] {
            std::fs::write(&path, format!("a,b\r\n1,2\n{cut}")).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            assert_eq!(complete(&bytes).collect::<Vec<_>>(), [(1, Some("a,b")), (2, Some("1,2"))]);
            append(&path, "5,6").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b\r\n1,2\n5,6\n");
        }
        std::fs::write(&path, "cut").unwrap();
        append(&path, "whole").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole\n");
    }

    #[test]
    fn the_hash_of_a_file_that_went_on_is_that_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, "a,b\n1,2\n3,4\n").unwrap();
        let mut writer = LineWriter::go_on(&path, 8).unwrap();
        assert_eq!(std::fs::read(&path).unwrap().len(), 12, "nothing is lost by looking");
        writer.cut().unwrap();
        writer.write("5,6,7").unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes, b"a,b\n1,2\n5,6,7\n");
        assert_eq!(writer.fingerprint(), Fingerprint::of("a.csv", &bytes));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_reported_as_such() {
        let mut writer = LineWriter::create(Path::new("/dev/full")).unwrap();
        assert!(matches!(writer.write("x"), Err(OutputError::DiskFull { .. })));
    }
}
