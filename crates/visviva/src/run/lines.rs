//! Text files that grow line by line: a crash can cut the last line and nothing else.

use super::error::{At, OutputError};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The lines that end in a line break, numbered from 1; what follows the last break was cut and is left out.
pub fn complete(bytes: &[u8]) -> impl Iterator<Item = (usize, Option<&str>)> {
    let end = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let lines = bytes[..end].split_inclusive(|&b| b == b'\n').map(|line| &line[..line.len() - 1]);
    let text = lines.map(|line| std::str::from_utf8(line).ok().map(|line| line.trim_end_matches('\r')));
    text.enumerate().map(|(k, line)| (k + 1, line))
}

/// Adds lines to a file, each one whole.
#[derive(Debug)]
pub struct LineWriter {
    path: PathBuf,
    file: File,
    length: u64,
}

impl LineWriter {
    /// Starts the file anew.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        Ok(Self { file: File::create(path).at(path)?, path: path.to_owned(), length: 0 })
    }

    /// Goes on after the first `length` bytes; the rest is cut off.
    pub fn go_on(path: &Path, length: u64) -> Result<Self, OutputError> {
        let file = OpenOptions::new().write(true).open(path).at(path)?;
        file.set_len(length).at(path)?;
        let mut writer = Self { path: path.to_owned(), file, length };
        writer.file.seek(SeekFrom::Start(length)).at(path)?;
        Ok(writer)
    }

    /// Goes on after the last whole line.
    pub fn append(path: &Path) -> Result<Self, OutputError> {
        let mut file = File::open(path).at(path)?;
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
        Self::go_on(path, end)
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
        Ok(())
    }

    /// All lines are on the disk when this returns.
    pub fn sync(&self) -> Result<(), OutputError> {
        self.file.sync_data().at(&self.path)
    }
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
            LineWriter::append(&path).unwrap().write("5,6").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b\r\n1,2\n5,6\n");
        }
        std::fs::write(&path, "cut").unwrap();
        LineWriter::append(&path).unwrap().write("whole").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole\n");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_reported_as_such() {
        let mut writer = LineWriter::create(Path::new("/dev/full")).unwrap();
        assert!(matches!(writer.write("x"), Err(OutputError::DiskFull { .. })));
    }
}
