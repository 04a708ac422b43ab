//! Taking up a run from its folder: from the newest checkpoint that all it depends on is still there for.

use super::recorder::Recorder;
use super::{Checkpoint, Session, SessionError};
use crate::run::{Damage, Inventory, OutputError, RUN, RunFolder, SoleWriter, checkpoint};
use crate::scene::Run;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A checkpoint that can be read.
pub(super) struct Candidate {
    pub path: PathBuf,
    pub inventory: Inventory,
    pub checkpoint: Checkpoint,
}

impl Session {
    /// Goes on with the run in a folder, from its last checkpoint. What is missing is put back where it can be; what was altered
    /// since is named, and nothing is touched then.
    pub fn resume(path: &Path) -> Result<Self, SessionError> {
        Self::take_up(path, false)
    }

    /// Goes on whatever was altered, as long as the scene still gives the same bodies. What is replaced is kept beside it.
    pub fn resume_despite_damage(path: &Path) -> Result<Self, SessionError> {
        Self::take_up(path, true)
    }

    fn take_up(path: &Path, despite_damage: bool) -> Result<Self, SessionError> {
        let folder = RunFolder::open_damaged(path)?;
        let writer = SoleWriter::of(path)?;
        let mut notes = Vec::new();
        let candidates = read_checkpoints(folder.checkpoint_paths().to_vec(), &mut notes)?;
        let newest = candidates.first().map_or(Vec::new(), |newest| newest.inventory.damage(&folder));
        let Some((chosen, damage)) = choose(candidates, &folder, &newest, despite_damage) else {
            return Err(OutputError::Damaged { path: path.to_owned(), damage: newest }.into());
        };
        let Candidate { path: file, mut inventory, checkpoint } = chosen;
        let is_edited = |part: &Damage| part.file == RUN && !part.is_absence();
        let mut scene = folder.scene_of(inventory.run_toml.clone())?;
        if damage.iter().any(is_edited) {
            let edited = folder.scene()?;
            // Steps and frames are counted: their numbers must go on meaning the same times.
            let steps = |run: &Run| (run.h.value, run.frame_rate, run.step_bounds());
            if steps(&edited.run) != steps(&scene.run) {
                return Err(SessionError::OtherSteps);
            }
            inventory.describe(folder.run_toml()?);
            scene = edited;
        }
        let built = folder.build(&scene)?;
        let mut session = Self::from_built(scene, built)?;
        session.go_on_from(checkpoint)?;

        // From here on the folder is written to.
        let again = |part: &&Damage| !damage.contains(part);
        for part in newest.iter().filter(|part| again(part) || part.is_of_rows()) {
            folder.keep(part)?;
        }
        if folder.checkpoint_paths()[0] != file {
            let what: Vec<String> = newest.iter().filter(again).map(|part| format!("{part}; ")).collect();
            let (name, steps) = (file.file_name().unwrap_or_default().display(), session.steps());
            let what = what.concat();
            notes.push(format!("{what}going on from {name}, after step {steps}: what came later is computed again"));
            folder.set_aside_newer_than(&file)?;
        }
        let (rebuilt, kept): (Vec<Damage>, Vec<Damage>) =
            damage.iter().cloned().partition(|part| part.can_be_rebuilt() && !is_edited(part));
        notes.extend(folder.mend(&rebuilt, &session.mesh(), &mut inventory)?);
        notes.extend(kept.iter().map(|part| format!("{part}; the run goes on all the same")));
        if folder.run_toml()? != inventory.run_toml {
            // A crash came between a change under way and its run.toml.
            folder.write_run_toml(&inventory.run_toml)?;
        }
        session.warnings.extend(notes);
        let recorder = Recorder::resumed(folder, writer, inventory, &session.scene, &damage);
        session.observe(recorder)?;
        Ok(session)
    }
}

/// The newest first; a damaged one is only noted, as long as another can be read.
pub(super) fn read_checkpoints(paths: Vec<PathBuf>, notes: &mut Vec<String>) -> Result<Vec<Candidate>, SessionError> {
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for path in paths {
        match checkpoint::read::<(Inventory, Checkpoint)>(&path) {
            Ok((inventory, checkpoint)) => found.push(Candidate { path, inventory, checkpoint }),
            Err(error) => errors.push(error),
        }
    }
    if found.is_empty() {
        // The newest is the one worth telling.
        return errors.into_iter().next().map_or(Ok(found), |error| Err(error.into()));
    }
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.checkpoint.steps()));
    // A run has no older checkpoint before its second one.
    let is_absence =
        |error: &OutputError| matches!(error, OutputError::Io { error, .. } if error.kind() == ErrorKind::NotFound);
    notes.extend(errors.iter().filter(|error| !is_absence(error)).map(OutputError::to_string));
    Ok(found)
}

/// The newest checkpoint from which nothing is lost, and what is to be put back for it. What was altered is not written over unless
/// that is allowed.
fn choose(
    candidates: Vec<Candidate>,
    folder: &RunFolder,
    newest: &[Damage],
    despite_damage: bool,
) -> Option<(Candidate, Vec<Damage>)> {
    if !despite_damage && !newest.iter().all(Damage::is_absence) {
        return None;
    }
    let mut candidates = candidates.into_iter();
    let first = candidates.next()?;
    if newest.iter().all(Damage::can_be_rebuilt) {
        return Some((first, newest.to_vec()));
    }
    let older = candidates.map(|older| (older.inventory.damage(folder), older));
    let mut whole = older.filter(|(damage, _)| damage.iter().all(Damage::can_be_rebuilt));
    let served = whole.next().map(|(damage, older)| (older, damage));
    served.or_else(|| despite_damage.then(|| (first, newest.to_vec())))
}
