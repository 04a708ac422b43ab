//! Making the folder of a new run: whole or not at all, and never over what no run has written.

use super::checkpoint_pair::CHECKPOINTS;
use super::error::{At, OutputError};
use super::frames::{TIMES_HEADER, frame_index};
use super::history::History;
use super::inputs::{self, INPUTS, InputFile};
use super::kept_checkpoints::kept_step;
use super::run_folder::{RUN, RunFolder};
use super::run_mesh::{MESH_FILES, RunMesh};
use super::stats::StatsWriter;
use super::{CONTACTS, FRAMES, KEPT, TIMES, whole_file};
use std::fs;
use std::path::{Path, PathBuf};

/// Where new parts wait until all are written.
const STAGING: &str = ".new.partial";
/// Folders whose content belongs to a run
const FOLDERS: [&str; 5] = ["mesh", FRAMES, CONTACTS, KEPT, INPUTS];

/// What a run starts with.
#[derive(Debug, Clone, Copy)]
pub struct NewRun<'a> {
    /// The scene as it is run
    pub toml: &'a str,
    pub mesh: &'a RunMesh,
    /// To be copied
    pub inputs: &'a [InputFile],
    /// Of the run that it leaves
    pub history: Option<History<'a>>,
}

impl RunFolder {
    /// Whether a new run may be made there: to be asked before long work, and asked again by [`RunFolder::create`].
    pub fn check_vacant(path: &Path, overwrite: bool) -> Result<(), OutputError> {
        check_vacant(path, overwrite, &[]).map(|_| ())
    }

    /// Makes the folder of a new run with all but its steps; if they cannot be written, an old run stays as it was.
    ///
    /// A folder that is not empty is refused, unless it may be overwritten and is a run's: then a run's files are replaced and
    /// all others stay.
    pub fn create(path: &Path, overwrite: bool, new: NewRun<'_>) -> Result<Self, OutputError> {
        let old = check_vacant(path, overwrite, new.inputs)?;
        let made = make_folders(path)?;
        let staging = path.join(STAGING);
        let staged = stage(&staging, new).and_then(|()| {
            remove_all(&old)?;
            // Last of all run.toml: with it the folder is a run's.
            let parts = ["mesh", FRAMES, CONTACTS, INPUTS, "stats.csv", "bodies.csv", RUN];
            for part in parts.into_iter().filter(|part| staging.join(part).exists()) {
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
        staged.map(|()| Self::at(path))
    }
}

/// The files of an old run that give way to the new one.
fn check_vacant(path: &Path, overwrite: bool, new: &[InputFile]) -> Result<Vec<PathBuf>, OutputError> {
    if path.exists() && !path.is_dir() {
        return Err(OutputError::NotAFolder { path: path.to_owned() });
    }
    let contents = if path.exists() { entries(path)? } else { Vec::new() };
    if !contents.is_empty() && !overwrite {
        return Err(OutputError::NotEmpty { path: path.to_owned() });
    }
    let copied = inputs::named_in(&fs::read_to_string(path.join(RUN)).unwrap_or_default());
    let mut old = Vec::new();
    let mut foreign = Vec::new();
    for entry in contents {
        // A link to a folder leads away from the run: what lies there is not ours to remove.
        let inner = if entry.is_dir() && !entry.is_symlink() { name(&entry) } else { "" };
        match inner {
            STAGING => old.push(entry),
            _ if FOLDERS.contains(&inner) => {
                let own =
                    |p: &PathBuf| is_own(inner, p) || inner == INPUTS && copied.iter().any(|copy| copy == name(p));
                let (own, other): (Vec<_>, Vec<_>) = entries(&entry)?.into_iter().partition(own);
                old.extend(own);
                foreign.extend(other);
            }
            _ if is_own("", &entry) => old.push(entry),
            _ => foreign.push(entry),
        }
    }
    let taken = |p: &PathBuf| p.is_symlink() || p.exists() && !p.is_dir();
    let linked = FOLDERS.into_iter().map(|part| path.join(part)).find(taken);
    let in_the_way = |p: &&PathBuf| new.iter().any(|input| path.join(INPUTS).join(&input.name) == **p);
    let unknown = if path.join(RUN).is_file() { foreign.iter().find(in_the_way) } else { foreign.first() };
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
        CONTACTS => frame_index(name).is_some(),
        KEPT => kept_step(name).is_some(),
        FRAMES => name == "times.csv" || frame_index(name).is_some(),
        INPUTS => false,
        _ => [RUN, "stats.csv", "bodies.csv", "summary.json"].contains(&name) || CHECKPOINTS.contains(&name),
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

fn stage(staging: &Path, new: NewRun<'_>) -> Result<(), OutputError> {
    if staging.exists() {
        fs::remove_dir_all(staging).at(staging)?;
    }
    for folder in [staging.to_owned(), staging.join("mesh"), staging.join(FRAMES)] {
        fs::create_dir(&folder).at(&folder)?;
    }
    new.mesh.write(&staging.join("mesh"))?;
    inputs::write(new.inputs, &staging.join(INPUTS))?;
    for (name, content) in [(RUN, new.toml), (TIMES, &format!("{TIMES_HEADER}\n"))] {
        let path = staging.join(name);
        fs::write(&path, content).at(&path)?;
    }
    StatsWriter::create(&staging.join("stats.csv"))?;
    new.history.map_or(Ok(()), |history| history.write(staging))
}

fn remove_all(paths: &[PathBuf]) -> Result<(), OutputError> {
    // Last of all run.toml: as long as it stands, a second attempt is not refused.
    let (run, others): (Vec<_>, Vec<_>) = paths.iter().partition(|p| name(p) == RUN);
    let mut paths = others.into_iter().chain(run).filter(|p| name(p) != STAGING);
    paths.try_for_each(|path| fs::remove_file(path).at(path))
}
