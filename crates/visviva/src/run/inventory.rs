//! What a run folder holds, kept in every checkpoint: by it a resumption, and whoever reads the run, knows what was damaged since.

use super::error::{At, OutputError};
use super::inputs;
use super::run_folder::RunFolder;
use super::run_mesh::MESH_FILES;
use serde::{Deserialize, Serialize};
use std::fs;
use xxhash_rust::xxh3::xxh3_64;

/// A file's first bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Within the run's folder
    pub name: String,
    pub length: u64,
    /// XXH3 of them
    pub hash: u64,
}

/// A frame as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FrameRecord {
    pub index: u64,
    pub step: u64,
    /// `[s]`
    pub t: f64,
    /// XXH3 of its file
    pub hash: u64,
    /// And of the contacts beside it, where they are written
    pub contacts: Option<u64>,
}

/// Everything that a run depends on when it goes on.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Inventory {
    /// Word for word: where it is lost it is put back
    pub run_toml: String,
    /// Hash of the run.toml before the last change under way: a crash may have left that one
    pub earlier_toml: Option<u64>,
    /// What no step changes: the mesh and the scene's files
    pub fixed: Vec<Fingerprint>,
    /// What grows by rows, as far as it had come
    pub rows: Vec<Fingerprint>,
    pub frames: Vec<FrameRecord>,
}

impl Fingerprint {
    pub fn of(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.to_owned(), length: bytes.len() as u64, hash: xxh3_64(bytes) }
    }
}

impl Inventory {
    /// Of a folder that has just been made.
    pub(crate) fn at_start(folder: &RunFolder) -> Result<Self, OutputError> {
        let run_toml = folder.run_toml()?;
        let copies = inputs::named_in(&run_toml).into_iter().map(|name| format!("{}/{name}", inputs::INPUTS));
        let mesh = MESH_FILES.iter().map(|name| format!("mesh/{name}"));
        let mut fixed: Vec<Fingerprint> = Vec::new();
        for name in mesh.chain(copies) {
            let path = folder.path().join(&name);
            if path.is_file() && fixed.iter().all(|known| known.name != name) {
                fixed.push(Fingerprint::of(&name, &fs::read(&path).at(&path)?));
            }
        }
        Ok(Self { run_toml, fixed, ..Self::default() })
    }

    /// What the run did up to a step, and nothing after it.
    pub(crate) fn keep_until(&mut self, step: u64) {
        self.frames.retain(|frame| frame.step <= step);
    }

    /// Takes another run.toml for the one from here on.
    pub(crate) fn describe(&mut self, run_toml: String) {
        if run_toml != self.run_toml {
            self.earlier_toml = Some(xxh3_64(self.run_toml.as_bytes()));
            self.run_toml = run_toml;
        }
    }
}
