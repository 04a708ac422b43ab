//! A run that leaves another one at some time, with other wishes, into a folder of its own. The other is only read.

use super::new_settings::branched;
use super::resumption::{Candidate, read_checkpoints};
use super::{RecordOptions, Session, SessionError};
use crate::readable::moment;
use crate::run::{Damage, History, OutputError, RUN, RunFolder, Stats};
use crate::scene::{BranchPoint, BuildError, Number, Scene};
use std::path::{Path, PathBuf};

/// What is to be done otherwise, and from when on.
#[derive(Debug, Clone, Default)]
pub struct Branch {
    /// `[s]`; the nearest step counts
    pub from: f64,
    /// Keys of the scene, as `path.to.key=value`
    pub set: Vec<String>,
    /// Another one `[s]`
    pub duration: Option<Number>,
    /// Whether files that were altered may be passed over, and what they held be computed again
    pub despite_damage: bool,
}

/// A session that stands where its branch's own steps begin, and what its user should know of that.
#[derive(Debug)]
pub struct Branched {
    pub session: Session,
    pub point: BranchPoint,
    pub notes: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum BranchError {
    #[error("--set {assignment}: a run keeps this to its end, for {why}. To change it, run the scene anew")]
    Fixed { assignment: String, why: &'static str },
    #[error(
        "a branch at t = {from} s: it must lie before the end, which is at {duration} s; ask for a longer duration"
    )]
    AfterTheEnd { from: f64, duration: f64 },
    #[error(
        "a branch at t = {from} s: this run with adaptive steps has come to t = {reached} s only; let it go on first"
    )]
    NotReached { from: f64, reached: f64 },
    #[error("a branch at t = {0} s: it must be 0 or later")]
    BeforeTheStart(f64),
    #[error("{}: this is the run itself, which stays as it is; a branch needs a folder of its own", .0.display())]
    SameFolder(PathBuf),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Session {
    /// Begins a branch of the run in a folder, recorded into another: up to its nearest earlier checkpoint all is copied, from
    /// there on computed. What is set holds from the branch on.
    pub fn branch(
        parent: &Path,
        branch: &Branch,
        out: &Path,
        options: &RecordOptions,
    ) -> Result<Branched, SessionError> {
        let from = branch.from;
        if from.is_nan() || from < 0.0 {
            return Err(BranchError::BeforeTheStart(from).into());
        }
        let same = parent.canonicalize().ok().zip(out.canonicalize().ok()).is_some_and(|(parent, out)| parent == out);
        if same {
            return Err(BranchError::SameFolder(out.to_owned()).into());
        }
        let folder = RunFolder::open_damaged(parent)?;
        let mut notes = Vec::new();
        let candidates = read_checkpoints(all_checkpoints(&folder)?, &mut notes)?;
        let scene = whole_scene(&folder, &candidates, branch.despite_damage)?;

        let (step, time) = step_at(&folder, &scene, from)?;
        let (mut scene, left_out) = branched(&scene, step, &branch.set)?;
        scene.run.duration = branch.duration.clone().unwrap_or(scene.run.duration);
        if scene.run.step_bounds().map_or(step >= scene.run.step_count(), |_| time >= scene.run.duration.value) {
            return Err(BranchError::AfterTheEnd { from, duration: scene.run.duration.value }.into());
        }
        if (time - from).abs() > 1e-9 * from.max(1.0) {
            notes.push(format!(
                "no step ends at t = {from} s: the branch begins at t = {} s, where one does",
                moment(time)
            ));
        }
        if left_out > 0 {
            notes.push(format!("{left_out} later changes of the same kind, which that run has, are left out"));
        }

        let built = folder.build(&scene)?;
        let mut session = Self::from_built(scene, built)?;
        let usable = candidates.into_iter().filter(|candidate| candidate.checkpoint.steps() <= step);
        let begun = usable.map(|candidate| (lost(&candidate, &folder), candidate)).find(|(lost, _)| lost.is_empty());
        let begun = begun.map(|(_, candidate)| candidate);
        let inventory = match begun {
            Some(Candidate { inventory, checkpoint, .. }) => {
                session.go_on_from(checkpoint)?;
                Some(inventory)
            }
            None => None,
        };
        notes.push(session.where_it_begins(step));
        let point = BranchPoint { parent: parent.display().to_string(), step, time, set: branch.set.clone() };
        let history = inventory.as_ref().map(|inventory| History { folder: &folder, inventory });
        session.record_after(out, options, history, Some(point.clone()))?;
        Ok(Branched { session, point, notes })
    }

    fn where_it_begins(&self, step: u64) -> String {
        let (t, again) = (moment(self.time()), step - self.steps());
        match (self.steps(), again) {
            (0, 0) => "it begins at the start".to_owned(),
            (0, again) => format!(
                "no checkpoint before the branch was kept or is whole: from the start to there it is computed again (steps: \
                 {again}); run.keep_checkpoints = 0.5 keeps one every half second"
            ),
            (_, 0) => format!("all up to t = {t} s is copied"),
            (_, again) => format!(
                "all up to the checkpoint at t = {t} s is copied; from there to the branch it is computed again (steps: {again})"
            ),
        }
    }
}

/// The step that a branch begins after, and its time `[s]`. Adaptive steps are known from their rows alone.
fn step_at(folder: &RunFolder, scene: &Scene, from: f64) -> Result<(u64, f64), SessionError> {
    let h = scene.run.h.value;
    if scene.run.step_bounds().is_none() {
        let step = (from / h).round();
        return Ok((step as u64, step * h));
    }
    let rows = Stats::read(&folder.stats_path())?.rows;
    let reached = rows.last().map_or(0.0, |row| row.t);
    let first = rows.into_iter().find(|row| row.t >= from - 1e-9 * row.h);
    first.map(|row| (row.step, row.t)).ok_or_else(|| BranchError::NotReached { from, reached }.into())
}

/// The kept ones and the two last, in any order.
fn all_checkpoints(folder: &RunFolder) -> Result<Vec<PathBuf>, OutputError> {
    let kept = folder.kept_checkpoints()?.into_iter().map(|(_, path)| path);
    Ok(folder.checkpoint_paths().into_iter().chain(kept).collect())
}

/// As the newest checkpoint has it; what was altered since is named unless it may be.
fn whole_scene(folder: &RunFolder, candidates: &[Candidate], despite_damage: bool) -> Result<Scene, SessionError> {
    let path = folder.path().to_owned();
    let Some(newest) = candidates.first() else { return Ok(folder.scene()?) };
    let damage = newest.inventory.damage(folder);
    if !despite_damage && !damage.iter().all(Damage::is_absence) {
        return Err(OutputError::Damaged { path, damage }.into());
    }
    Ok(folder.scene_of(newest.inventory.run_toml.clone())?)
}

/// What a branch would have to copy and cannot. The scene is known from the newest checkpoint, and shapes and lists from the scene.
fn lost(candidate: &Candidate, folder: &RunFolder) -> Vec<Damage> {
    let damage = candidate.inventory.damage(folder).into_iter();
    damage.filter(|part| part.file != RUN && !part.can_be_rebuilt()).collect()
}
