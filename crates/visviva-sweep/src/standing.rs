//! Where a run is kept, how far it has come, as its folder says, and whose the folder is.
//!
//! `points/NAME` is the run folder; `identities/NAME.json` says of which point, and is locked by whoever runs it.

use crate::{Point, Sweep, SweepError};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use visviva::run::RunFolder;

/// A run's place among others of its kind.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    pub root: &'a Path,
    pub name: &'a str,
    pub identity: u64,
}

/// Of one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Nothing is there
    New,
    /// It can go on, from its last checkpoint or anew
    Begun,
    Finished,
    /// It ran into this, and would again
    Failed(String),
    /// The folder holds a run with other settings, or of another version of the program
    Other,
    /// The folder holds what no sweep has written
    Foreign,
}

#[derive(Debug, Serialize, Deserialize)]
struct Identity {
    identity: String,
}

/// The right to run a point, until it is dropped or its process ends.
#[derive(Debug)]
pub(crate) struct Claim(File);

impl Place<'_> {
    fn identity_path(&self) -> PathBuf {
        self.root.join("identities").join(format!("{}.json", self.name))
    }

    /// The run folder.
    pub fn folder(&self) -> PathBuf {
        self.root.join("points").join(self.name)
    }

    /// What the run that is there was known by.
    pub fn known_identity(&self) -> Option<u64> {
        fs::read_to_string(self.identity_path()).ok().and_then(|text| known_identity(&text))
    }

    pub fn standing(&self) -> Standing {
        let folder = self.folder();
        if !folder.exists() {
            return Standing::New;
        }
        match self.known_identity() {
            None => Standing::Foreign,
            Some(identity) if identity != self.identity => Standing::Other,
            Some(_) => ended(&folder),
        }
    }

    /// None where another process has it.
    pub(crate) fn claim(&self) -> Result<Option<Claim>, SweepError> {
        let path = self.identity_path();
        let fail = |problem| SweepError::Write { path: path.clone(), problem };
        fs::create_dir_all(self.root.join("identities")).map_err(fail)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Claim(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(problem)) => Err(fail(problem)),
        }
    }
}

impl Sweep {
    pub fn standing(&self, point: &Point) -> Standing {
        self.place(point).standing()
    }

    /// Refuses folders that are not this sweep's, and other runs in its own unless they may be overwritten.
    pub fn check_folders(&self, overwrite: bool) -> Result<(), SweepError> {
        let mut others = Vec::new();
        for point in &self.points {
            match self.standing(point) {
                Standing::Foreign => return Err(SweepError::Foreign { path: self.point_folder(point) }),
                Standing::Other => others.push(point),
                _ => {}
            }
        }
        match others[..] {
            [first, ..] if !overwrite => {
                Err(SweepError::Other { count: others.len(), folder: self.folder.clone(), name: first.name.clone() })
            }
            _ => Ok(()),
        }
    }
}

impl Claim {
    /// Makes the place this point's, and empty. Until the identity is written there is no folder, so that a crash leaves none that
    /// passes for another's.
    pub fn clear(&mut self, place: &Place<'_>) -> std::io::Result<()> {
        let folder = place.folder();
        // Points begin at the same time: the folder above is made by whoever comes first.
        folder.parent().map_or(Ok(()), fs::create_dir_all)?;
        if folder.exists() {
            let aside = folder.with_file_name(format!(".{}.replaced", place.name));
            if aside.exists() {
                fs::remove_dir_all(&aside)?;
            }
            fs::rename(&folder, &aside)?;
            fs::remove_dir_all(&aside)?;
        }
        let mut before = String::new();
        self.0.read_to_string(&mut before)?;
        if known_identity(&before) != Some(place.identity) {
            let identity = Identity { identity: format!("{:016x}", place.identity) };
            self.0.set_len(0)?;
            self.0.seek(SeekFrom::Start(0))?;
            self.0.write_all(serde_json::to_string(&identity)?.as_bytes())?;
            self.0.sync_all()?;
        }
        Ok(())
    }
}

fn known_identity(text: &str) -> Option<u64> {
    u64::from_str_radix(&serde_json::from_str::<Identity>(text).ok()?.identity, 16).ok()
}

fn ended(folder: &Path) -> Standing {
    let Ok(Some(summary)) = RunFolder::at(folder).summary() else { return Standing::Begun };
    match summary["ending"]["kind"].as_str() {
        Some("completed") => Standing::Finished,
        Some("failed") => Standing::Failed(summary["ending"]["reason"].as_str().unwrap_or_default().to_owned()),
        _ => Standing::Begun,
    }
}
