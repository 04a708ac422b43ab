//! What is not as a run left it, file by file.

use super::frames::{frame_name, times_text};
use super::inventory::{Fingerprint, FrameRecord, Inventory};
use super::run_folder::{RUN, RunFolder};
use super::stats::Stats;
use super::{CONTACTS, FRAMES, TIMES};
use rayon::prelude::*;
use std::fmt;
use std::fs;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// A file and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Within the run's folder
    pub file: String,
    pub harm: Harm,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Harm {
    /// Gone, or empty
    Missing,
    /// It ends too early; what is left of it, in words
    Cut(String),
    /// Other bytes than were written; more of it, in words
    Altered(String),
    /// It cannot be read, and why
    Unreadable(String),
    /// A frame on the disk that times.csv does not list
    Unlisted,
}

impl Damage {
    pub(super) fn new(file: impl Into<String>, harm: Harm) -> Self {
        Self { file: file.into(), harm }
    }

    /// Whether nothing is there that putting it back would overwrite.
    pub(crate) fn is_absence(&self) -> bool {
        matches!(self.harm, Harm::Missing | Harm::Cut(_))
    }

    /// Whether the checkpoint or the scene tell what it held.
    pub(crate) fn can_be_rebuilt(&self) -> bool {
        self.file == RUN || self.file == TIMES || self.file.starts_with("mesh/")
    }

    /// Whether the statistics have it.
    pub(crate) fn is_of_rows(&self) -> bool {
        self.file.ends_with(".csv") && self.file != TIMES
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.file;
        match &self.harm {
            Harm::Missing => write!(f, "{file} is missing"),
            Harm::Cut(left) => write!(f, "{file} is cut: {left}"),
            Harm::Altered(what) => write!(f, "{file} was altered{what}"),
            Harm::Unreadable(why) => write!(f, "{file} cannot be read: {why}"),
            Harm::Unlisted => write!(f, "{file} is not listed in {TIMES}"),
        }
    }
}

impl Inventory {
    /// All that is not as it was; what a run wrote after this inventory is left out.
    pub fn damage(&self, folder: &RunFolder) -> Vec<Damage> {
        let path = folder.path();
        let mut found: Vec<Damage> = self.scene_harm(path).map(|harm| Damage::new(RUN, harm)).into_iter().collect();
        let fixed = self.fixed.iter().filter_map(|file| Some(Damage::new(&file.name, file.harm(path, true)?)));
        found.extend(fixed);
        found.extend(self.damage_of_rows(folder));
        found.extend(self.times_harm(path).map(|harm| Damage::new(TIMES, harm)));
        let of_frame = |frame: &FrameRecord| {
            let name = frame_name(frame.index);
            let contacts = frame.contacts.map(|hash| (format!("{CONTACTS}/{name}"), hash));
            let files = [Some((format!("{FRAMES}/{name}"), frame.hash)), contacts].into_iter().flatten();
            let harm = |(file, hash): (String, u64)| Some(Damage { harm: hash_harm(&path.join(&file), hash)?, file });
            files.filter_map(harm).collect::<Vec<_>>()
        };
        found.extend(self.frames.par_iter().flat_map_iter(of_frame).collect::<Vec<_>>());
        found
    }

    /// Of the statistics alone.
    pub(super) fn damage_of_rows(&self, folder: &RunFolder) -> Vec<Damage> {
        let harm = |file: &Fingerprint| Some(Damage::new(&file.name, file.harm(folder.path(), false)?));
        self.rows.iter().filter_map(harm).collect()
    }

    fn scene_harm(&self, path: &Path) -> Option<Harm> {
        match read(&path.join(RUN)) {
            Err(harm) => Some(harm),
            Ok(bytes) if bytes == self.run_toml.as_bytes() || Some(xxh3_64(&bytes)) == self.earlier_toml => None,
            Ok(bytes) => Some(Harm::Altered(first_difference(&self.run_toml, &bytes))),
        }
    }

    fn times_harm(&self, path: &Path) -> Option<Harm> {
        let wanted = times_text(&self.frames);
        let bytes = match read(&path.join(TIMES)) {
            Ok(bytes) => bytes,
            Err(harm) => return Some(harm),
        };
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        match &bytes[..] {
            bytes if bytes.starts_with(wanted.as_bytes()) => None,
            bytes if wanted.as_bytes().starts_with(&bytes[..whole]) => {
                let listed = bytes[..whole].iter().filter(|&&b| b == b'\n').count().saturating_sub(1);
                Some(Harm::Cut(format!("it lists {listed} of {} frames", self.frames.len())))
            }
            bytes => Some(Harm::Altered(first_difference(&wanted, bytes))),
        }
    }
}

impl Fingerprint {
    /// Of the file as a whole, or of as much as was there then.
    fn harm(&self, folder: &Path, whole: bool) -> Option<Harm> {
        let path = folder.join(&self.name);
        let bytes = match read(&path) {
            Ok(bytes) => bytes,
            Err(harm) => return Some(harm),
        };
        let (length, found) = (self.length as usize, bytes.len());
        match bytes.get(..length) {
            Some(then) if xxh3_64(then) == self.hash && (!whole || found == length) => None,
            None if !whole => Some(Harm::Cut(rows_left(&path, found, length))),
            _ => Some(Harm::Altered(unreadable_row(&path).map_or(String::new(), |why| format!(" ({why})")))),
        }
    }
}

fn hash_harm(path: &Path, hash: u64) -> Option<Harm> {
    match read(path) {
        Ok(bytes) => (xxh3_64(&bytes) != hash).then(|| Harm::Altered(String::new())),
        Err(harm) => Some(harm),
    }
}

/// An empty file is as good as none.
fn read(path: &Path) -> Result<Vec<u8>, Harm> {
    match fs::read(path) {
        Ok(bytes) if bytes.is_empty() => Err(Harm::Missing),
        Ok(bytes) => Ok(bytes),
        Err(_) if path.symlink_metadata().is_err() => Err(Harm::Missing),
        Err(error) => Err(Harm::Unreadable(error.to_string())),
    }
}

/// The line where a text is no longer what it was.
fn first_difference(then: &str, now: &[u8]) -> String {
    let now = String::from_utf8_lossy(now);
    let differs = then.lines().zip(now.lines()).position(|(a, b)| a != b);
    let line = differs.unwrap_or(then.lines().count().min(now.lines().count())) + 1;
    match (then.lines().nth(line - 1), now.lines().nth(line - 1)) {
        (Some(then), Some(now)) => format!(" in line {line}: {now:?} where {then:?} was"),
        _ => format!(" from line {line} on"),
    }
}

fn rows_left(path: &Path, found: usize, wanted: usize) -> String {
    let last = Stats::read(path).ok().and_then(|stats| stats.rows.last().map(|row| row.step));
    let left = last.map(|step| format!("its rows end at step {step}"));
    left.or_else(|| unreadable_row(path)).unwrap_or_else(|| format!("{found} of {wanted} bytes are left"))
}

fn unreadable_row(path: &Path) -> Option<String> {
    let is_stats = path.file_name().is_some_and(|name| name == "stats.csv");
    let problem = is_stats.then(|| Stats::read(path).err()).flatten()?.to_string();
    // Its path is told already.
    problem.split_once("stats.csv, ").map(|(_, problem)| problem.to_owned())
}
