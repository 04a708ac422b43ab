//! Runs a scene into a run folder, with progress on the terminal and an end on Ctrl-C or another signal.

mod finding_ground;
mod in_words;
mod progress;
mod stop;
mod sweep_progress;

pub use in_words::in_words;
pub use stop::{say, stop_on_signals, stop_on_signals_saying};
pub use sweep_progress::SweepProgress;

use crate::failure::Usage;
use finding_ground::find_ground;
use progress::Progress;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use visviva::readable::moment;
use visviva::run::{OutputError, RunFolder};
use visviva::scene::{Built, Ground, Number, Scene, SceneSource};
use visviva::session::{Branch, Branched, RecordOptions, Session, SessionError, Summary};

/// How a run is carried out; nothing here changes its results.
#[derive(Debug, Clone)]
pub struct RunOptions {
    pub folder: PathBuf,
    pub overwrite: bool,
    pub quiet: bool,
    /// Set from outside to end after the current step
    pub stop: Arc<AtomicBool>,
}

/// Runs a scene.
pub fn run(source: &SceneSource, scene: Scene, built: Built, options: &RunOptions) -> anyhow::Result<Summary> {
    carry_on(begin(source, scene, built, options)?, options)
}

/// A session at its start that writes its folder.
pub fn begin(source: &SceneSource, scene: Scene, built: Built, options: &RunOptions) -> anyhow::Result<Session> {
    // First what may be refused, so that no folder is left behind: the cheap things before the long search for rest.
    RunFolder::check_vacant(&options.folder, options.overwrite).map_err(|error| by_blame(error.into()))?;
    let (mut scene, mut built) = (scene, built);
    let found = find_ground(&mut built, options)?;
    if let Some(found) = found.filter(|_| built.plan.bodies.is_empty()) {
        scene.energy.ground = Ground::Joules(found.energy);
    }
    let mut session = Session::from_built(scene, built).map_err(by_blame)?;
    let record = RecordOptions { overwrite: options.overwrite, scene_name: source.name.clone() };
    session.record(&options.folder, &record).map_err(by_blame)?;
    Ok(session)
}

/// Goes on with a run that was cut short, interrupted or is to last longer; nothing where it is complete.
pub fn resume(
    folder: &Path,
    despite_damage: bool,
    duration: Option<&Number>,
    options: &RunOptions,
) -> anyhow::Result<Option<Summary>> {
    let mut session = if despite_damage { Session::resume_despite_damage(folder)? } else { Session::resume(folder)? };
    session.warnings().iter().for_each(|warning| eprintln!("warning: {warning}"));
    if let Some(duration) = duration {
        session.set_duration(duration.clone()).map_err(by_blame)?;
    }
    let summary = RunFolder::open(folder)?.summary().unwrap_or_else(|error| {
        eprintln!("warning: {error}; it is written anew");
        None
    });
    let told = summary.is_some_and(|summary| summary["ending"]["kind"] == "completed");
    if told && session.is_over() {
        return Ok(None);
    }
    carry_on(session, options).map(Some)
}

/// Branches from a run, and carries the branch out.
pub fn branch(parent: &Path, branch: &Branch, options: &RunOptions) -> anyhow::Result<Summary> {
    let scene_name = RunFolder::at(parent).scene().ok().and_then(|scene| scene.provenance).unwrap_or_default().scene;
    let record = RecordOptions { overwrite: options.overwrite, scene_name };
    let begun = Session::branch(parent, branch, &options.folder, &record).map_err(by_blame)?;
    let Branched { session, point, notes } = begun;
    session.warnings().iter().for_each(|warning| eprintln!("warning: {warning}"));
    if !options.quiet {
        let (parent, time, folder) = (&point.parent, moment(point.time), options.folder.display());
        say(&format!("branch of {parent} at t = {time} s into {folder}"));
        notes.iter().for_each(|note| say(&format!("note: {note}")));
    }
    carry_on(session, options)
}

/// To the end. What held steps that did not converge is said even where nothing else is.
pub fn carry_on(mut session: Session, options: &RunOptions) -> anyhow::Result<Summary> {
    session.observe(options.stop.clone())?;
    watch(&mut session, options)?;
    let summary = session.run()?;
    say_what_did_not_converge(&summary);
    Ok(summary)
}

/// Shows progress on the terminal, where it may.
pub fn watch(session: &mut Session, options: &RunOptions) -> anyhow::Result<()> {
    if !options.quiet {
        session.observe(Progress::default())?;
    }
    Ok(())
}

pub fn say_what_did_not_converge(summary: &Summary) {
    summary.unconverged_in_words().iter().for_each(|line| say(line));
}

/// What must be asked for otherwise is a mistake of use. The library speaks of allowing; the command has a flag for it.
fn by_blame(error: SessionError) -> anyhow::Error {
    match error {
        error if error.is_about_the_scene() => Usage(error.to_string()).into(),
        SessionError::Output(OutputError::NotEmpty { path }) => {
            let path = path.display();
            Usage(format!("{path} is not empty: choose another folder with --out, or replace the run with --overwrite"))
                .into()
        }
        _ => error.into(),
    }
}
