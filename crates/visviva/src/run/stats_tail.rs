//! Rows of stats.csv that came since the last look, for whoever looks on while a run goes.

use super::error::{At, OutputError};
use super::stats::{StatsRow, scan};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// How far a file was read.
#[derive(Debug, Clone)]
pub struct StatsTail {
    path: PathBuf,
    /// With its end of line; empty before the first look
    header: Vec<u8>,
    /// Bytes that were read, the header included
    read: u64,
}

impl StatsTail {
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), header: Vec::new(), read: 0 }
    }

    /// Whole rows that were added; true where the file was written anew, and these are all.
    pub fn read_on(&mut self) -> Result<(Vec<StatsRow>, bool), OutputError> {
        let path = &self.path;
        let mut file = File::open(path).at(path)?;
        let anew = file.metadata().at(path)?.len() < self.read;
        if anew {
            (self.header, self.read) = (Vec::new(), 0);
        }
        file.seek(SeekFrom::Start(self.read)).at(path)?;
        let mut bytes = self.header.clone();
        file.read_to_end(&mut bytes).at(path)?;
        if self.header.is_empty() {
            let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else { return Ok((Vec::new(), anew)) };
            self.header = bytes[..=end].to_vec();
            self.read = self.header.len() as u64;
        }
        let before = self.read - self.header.len() as u64;
        let mut rows = Vec::new();
        scan(path, &bytes, |row, end| {
            self.read = before + end;
            rows.push(row);
            true
        })?;
        Ok((rows, anew))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::StatsWriter;
    use std::io::Write;

    #[test]
    fn each_look_gives_the_rows_since_the_last_and_a_cut_line_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stats.csv");
        let row = |step| StatsRow { step, total: 0.1 + step as f64, ..StatsRow::default() };
        let mut writer = StatsWriter::create(&path).unwrap();
        let mut tail = StatsTail::new(&path);
        assert_eq!(tail.read_on().unwrap(), (vec![], false));
        (0..3).for_each(|step| writer.write(&row(step)).unwrap());
        assert_eq!(tail.read_on().unwrap().0, [row(0), row(1), row(2)]);
        assert!(tail.read_on().unwrap().0.is_empty());
        writer.write(&row(3)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"4,0.1").unwrap();
        assert_eq!(tail.read_on().unwrap().0, [row(3)]);
        assert!(tail.read_on().unwrap().0.is_empty(), "what is not whole is no row");
        std::fs::write(&path, &whole[..whole.len() - 20]).unwrap();
        let (again, anew) = tail.read_on().unwrap();
        assert_eq!((again, anew), (vec![row(0), row(1), row(2)], true));
    }
}
