//! The folder of a run, complete and self-describing.
//!
//! run.toml       what was run             summary.json    how it went (at the end)
//! stats.csv      a row a step             checkpoint.bin  where it can go on
//! mesh/          rest.npy tets.npy triangles.npy bodies.json
//! frames/        000000.npy …, (2, nodes, 3): positions and velocities; times.csv
//! contacts/      000000.npy …, (pairs, 14), where they are wanted

use super::error::{At, OutputError};
use super::frames::{TIMES_HEADER, frame_index};
use super::run_mesh::RunMesh;
use super::stats::StatsWriter;
use super::whole_file;
use std::fs;
use std::path::{Path, PathBuf};

const RUN: &str = "run.toml";
/// Where new parts wait until all are written.
const STAGING: &str = ".new.partial";
const MESH_FILES: [&str; 7] =
    ["rest.npy", "tets.npy", "triangles.npy", "wires.npy", "vertex_nodes.npy", "vertex_weights.npy", "bodies.json"];
/// What every run has from its first moment.
const PARTS: [&str; 7] = [
    "run.toml",
    "stats.csv",
    "mesh/rest.npy",
    "mesh/tets.npy",
    "mesh/triangles.npy",
    "mesh/bodies.json",
    "frames/times.csv",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Makes the folder of a new run with all but its steps; if they cannot be written, an old run stays as it was.
    ///
    /// A folder that is not empty is refused, unless it may be overwritten and is a run's: then a run's files are replaced and
    /// all others stay.
    pub fn create(path: &Path, overwrite: bool, run_toml: &str, mesh: &RunMesh) -> Result<Self, OutputError> {
        let old = check_vacant(path, overwrite)?;
        let made = make_folders(path)?;
        let staging = path.join(STAGING);
        let staged = stage(&staging, run_toml, mesh).and_then(|()| {
            remove_all(&old)?;
            // Last of all run.toml: with it the folder is a run's.
            for part in ["mesh", "frames", "stats.csv", RUN] {
                let place = path.join(part);
                if place.is_dir() {
                    // Foreign files stay where they are: the folder too.
                    for entry in entries(&staging.join(part))? {
                        let place = place.join(entry.file_name().unwrap_or_default());
                        fs::rename(&entry, &place).at(&place)?;
                    }
                } else {
                    fs::rename(staging.join(part), &place).at(&place)?;
                }
            }
            Ok(())
        });
        // The first error is the one worth telling.
        let _ = fs::remove_dir_all(&staging);
        if let (Err(_), Some(top)) = (&staged, made.first()) {
            let _ = fs::remove_dir_all(top);
        }
        staged.map(|()| Self { path: path.to_owned() })
    }

    /// The folder of a run that is going on, has ended or was cut short.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let path = path.to_owned();
        if !path.exists() {
            return Err(OutputError::NoSuchFolder { path });
        }
        if !path.is_dir() {
            return Err(OutputError::NotAFolder { path });
        }
        if !path.join(RUN).is_file() {
            return Err(OutputError::NotARunFolder { path });
        }
        match PARTS.into_iter().find(|part| !path.join(part).is_file()) {
            Some(part) => Err(OutputError::MissingPart { path, part }),
            None => Ok(Self { path }),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn stats_path(&self) -> PathBuf {
        self.path.join("stats.csv")
    }

    pub fn checkpoint_path(&self) -> PathBuf {
        self.path.join("checkpoint.bin")
    }

    pub fn run_toml(&self) -> Result<String, OutputError> {
        let path = self.path.join(RUN);
        fs::read_to_string(&path).at(&path)
    }

    /// Reads the shapes and checks that they fit together.
    pub fn mesh(&self) -> Result<RunMesh, OutputError> {
        RunMesh::read(&self.path.join("mesh"))
    }

    pub fn write_summary(&self, summary: &serde_json::Value) -> Result<(), OutputError> {
        let path = self.path.join("summary.json");
        whole_file::write(&path, format!("{summary:#}\n").as_bytes()).at(&path)
    }

    /// Nothing while the run goes on, or where it was cut short.
    pub fn summary(&self) -> Result<Option<serde_json::Value>, OutputError> {
        let path = self.path.join("summary.json");
        if !path.exists() {
            return Ok(None);
        }
        let value = serde_json::from_slice(&fs::read(&path).at(&path)?);
        value.map(Some).map_err(|error| OutputError::Json { path, error })
    }
}

/// The files of an old run that give way to the new one.
fn check_vacant(path: &Path, overwrite: bool) -> Result<Vec<PathBuf>, OutputError> {
    if path.exists() && !path.is_dir() {
        return Err(OutputError::NotAFolder { path: path.to_owned() });
    }
    let contents = if path.exists() { entries(path)? } else { Vec::new() };
    if !contents.is_empty() && !overwrite {
        return Err(OutputError::NotEmpty { path: path.to_owned() });
    }
    let mut old = Vec::new();
    let mut foreign = Vec::new();
    for entry in contents {
        // A link to a folder leads away from the run: what lies there is not ours to remove.
        let inner = if entry.is_dir() && !entry.is_symlink() { name(&entry) } else { "" };
        match inner {
            STAGING => old.push(entry),
            "mesh" | "frames" | "contacts" => {
                let (own, other): (Vec<_>, Vec<_>) = entries(&entry)?.into_iter().partition(|p| is_own(inner, p));
                old.extend(own);
                foreign.extend(other);
            }
            _ if is_own("", &entry) => old.push(entry),
            _ => foreign.push(entry),
        }
    }
    let taken = |p: &PathBuf| p.is_symlink() || p.exists() && !p.is_dir();
    let linked = ["mesh", "frames", "contacts"].into_iter().map(|part| path.join(part)).find(taken);
    let unknown = if path.join(RUN).is_file() { None } else { foreign.first() };
    if let Some(foreign) = linked.as_ref().or(unknown) {
        let foreign = foreign.strip_prefix(path).unwrap_or(foreign).display().to_string();
        return Err(OutputError::Foreign { path: path.to_owned(), foreign });
    }
    Ok(old)
}

/// Whether a run writes a file of this name there, or wrote it in part.
fn is_own(folder: &str, path: &Path) -> bool {
    let name = name(path);
    let name = whole_file::final_name(name).unwrap_or(name);
    let known = match folder {
        "mesh" => MESH_FILES.contains(&name),
        "contacts" => frame_index(name).is_some(),
        "frames" => name == "times.csv" || frame_index(name).is_some(),
        _ => [RUN, "stats.csv", "summary.json", "checkpoint.bin"].contains(&name),
    };
    known && (path.is_symlink() || !path.is_dir())
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or("")
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, OutputError> {
    let entries = fs::read_dir(folder).at(folder)?;
    let mut paths = entries.map(|e| e.map(|e| e.path())).collect::<Result<Vec<_>, _>>().at(folder)?;
    paths.sort();
    Ok(paths)
}

/// Makes a folder and those above it; returns the ones that were not there.
fn make_folders(path: &Path) -> Result<Vec<PathBuf>, OutputError> {
    let above = path.ancestors().filter(|p| !p.as_os_str().is_empty());
    let mut absent: Vec<PathBuf> = above.take_while(|p| !p.exists()).map(Path::to_owned).collect();
    absent.reverse();
    for (k, folder) in absent.iter().enumerate() {
        if let Err(error) = fs::create_dir(folder) {
            absent[..k].iter().rev().for_each(|made| drop(fs::remove_dir(made)));
            return Err(OutputError::io(folder, error));
        }
    }
    Ok(absent)
}

fn stage(staging: &Path, run_toml: &str, mesh: &RunMesh) -> Result<(), OutputError> {
    if staging.exists() {
        fs::remove_dir_all(staging).at(staging)?;
    }
    for folder in [staging.to_owned(), staging.join("mesh"), staging.join("frames")] {
        fs::create_dir(&folder).at(&folder)?;
    }
    mesh.write(&staging.join("mesh"))?;
    for (name, content) in [(RUN, run_toml), ("frames/times.csv", &format!("{TIMES_HEADER}\n"))] {
        let path = staging.join(name);
        fs::write(&path, content).at(&path)?;
    }
    StatsWriter::create(&staging.join("stats.csv")).map(drop)
}

fn remove_all(paths: &[PathBuf]) -> Result<(), OutputError> {
    // Last of all run.toml: as long as it stands, a second attempt is not refused.
    let (run, others): (Vec<_>, Vec<_>) = paths.iter().partition(|p| name(p) == RUN);
    let mut paths = others.into_iter().chain(run).filter(|p| name(p) != STAGING);
    paths.try_for_each(|path| fs::remove_file(path).at(path))
}
