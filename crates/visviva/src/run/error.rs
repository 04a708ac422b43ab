//! What can go wrong with the files of a run, each with its path and what to do about it.

use super::checkpoint::CheckpointError;
use super::damage::Damage;
use super::npy::NpyError;
use crate::mesh::MeshError;
use crate::scene::{BuildError, LoadError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: the disk is full; free some space, then go on from the last checkpoint", path.display())]
    DiskFull { path: PathBuf },
    #[error("{}: {error}", path.display())]
    Npy { path: PathBuf, error: NpyError },
    #[error("{}: {error}", path.display())]
    Checkpoint { path: PathBuf, error: CheckpointError },
    #[error("{}: {error}", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
    #[error("{}, line {line}: {problem}", path.display())]
    Line { path: PathBuf, line: usize, problem: String },

    #[error("{}: there is no such folder", path.display())]
    NoSuchFolder { path: PathBuf },
    #[error("{}: this is a file; a run needs a folder", path.display())]
    NotAFolder { path: PathBuf },
    #[error("{}: the folder is not empty; choose another, or allow overwriting", path.display())]
    NotEmpty { path: PathBuf },
    #[error("{}: the folder holds {foreign}, which no run has written; it is not overwritten, choose another", path.display())]
    Foreign { path: PathBuf, foreign: String },
    #[error("{}: another run is writing here; let it end or stop it first, or choose another folder", path.display())]
    Busy { path: PathBuf },
    #[error("{}: not the folder of a run (it holds no run.toml)", path.display())]
    NotARunFolder { path: PathBuf },
    #[error("{}: the run lacks its {part}; it was damaged or copied in part (`visviva resume` puts back what it can)", path.display())]
    MissingPart { path: PathBuf, part: &'static str },
    #[error("{}: frame {index} is not there; {count} frames are", path.display())]
    NoSuchFrame { path: PathBuf, index: u64, count: usize },
    #[error("{}: {what}", path.display())]
    Mesh { path: PathBuf, what: String },
    #[error("{}: cannot be exported: {error}", path.display())]
    Export { path: PathBuf, error: Box<MeshError> },
    #[error("{}: {what}", path.display())]
    NothingToExport { path: PathBuf, what: &'static str },
    #[error(
        "{}: this format holds no times, and the frames are not evenly spaced after t = {after} s. Let them be interpolated to \
         even times, or export mdd or usd, which hold times",
        path.display()
    )]
    UnevenFrames { path: PathBuf, after: f64 },
    #[error(
        "{}: it would hold {:.1} GB, and this format ends at {:.1} GB. Export fewer frames (--every, --fps), or usd, which has \
         no such end",
        path.display(),
        *bytes as f64 / 1e9,
        *most as f64 / 1e9
    )]
    TooLong { path: PathBuf, bytes: u64, most: u64 },
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("{}: {error}{hint}", path.display())]
    Build { path: PathBuf, error: Box<BuildError>, hint: &'static str },
    #[error(
        "{}: its scene now gives {what}: run.toml or a file that it names was changed. Put it back as it was, or run the scene again",
        path.display()
    )]
    OtherMesh { path: PathBuf, what: String },
    #[error(
        "{}: the rows {}, and the checkpoint stands at step {steps}: rows were lost. Put the file back, or run the scene again",
        path.display(),
        last.map_or("are gone".to_owned(), |last| format!("end at step {last}"))
    )]
    LostRows { path: PathBuf, last: Option<u64>, steps: u64 },
    #[error("{}: {}. Put back what it was, or go on with what is there (resume --force)", path.display(), list(damage))]
    Damaged { path: PathBuf, damage: Vec<Damage> },
    #[error("the mesh of `{name}` cannot be copied into the run folder: {error}")]
    Input { name: String, error: Box<MeshError> },
    #[error("the frame has {found} nodes, the mesh {expected}")]
    NodeCount { found: usize, expected: usize },
    #[error("{}: shape {found:?} where {expected} is needed", path.display())]
    Shape { path: PathBuf, found: Vec<usize>, expected: String },
}

impl OutputError {
    pub fn io(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::DiskFull { path },
            _ => Self::Io { path, error },
        }
    }
}

/// The first few of them.
fn list(damage: &[Damage]) -> String {
    let told: Vec<String> = damage.iter().take(5).map(Damage::to_string).collect();
    let more = damage.len().saturating_sub(told.len());
    let rest = if more > 0 { format!("; and {more} files more are not as the run left them") } else { String::new() };
    format!("{}{rest}", told.join("; "))
}

/// Puts the path on an error of the file system.
pub(super) trait At<T> {
    fn at(self, path: &Path) -> Result<T, OutputError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, OutputError> {
        self.map_err(|error| OutputError::io(path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_called_one() {
        let error = OutputError::io(Path::new("runs/a"), ErrorKind::StorageFull.into());
        assert!(matches!(error, OutputError::DiskFull { .. }));
        let text = error.to_string();
        assert!(text.contains("runs/a") && text.contains("disk is full"), "{text}");
    }
}
