//! Runs a scene into a run folder, with progress on the terminal and an end on Ctrl-C or another signal.

mod in_words;
mod progress;
mod stop;
mod sweep_progress;

pub use in_words::in_words;
pub use stop::{say, stop_on_signals};
pub use sweep_progress::SweepProgress;

use crate::failure::{OrUsage, Usage};
use progress::Progress;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use visviva::run::{OutputError, RunFolder};
use visviva::scene::{Built, Scene, SceneSource};
use visviva::session::{RecordOptions, Session, SessionError, Summary};

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
    // First what may be refused, so that no folder is left behind.
    let mut session = match Session::from_built(scene, built) {
        Err(error) if error.is_about_the_scene() => return Err(error).or_usage(),
        begun => begun?,
    };
    let record = RecordOptions { overwrite: options.overwrite, scene_name: source.name.clone() };
    session.record(&options.folder, &record).map_err(explain_existing)?;
    Ok(session)
}

/// Goes on with a run that was cut short or interrupted; nothing where it is complete.
pub fn resume(folder: &Path, despite_damage: bool, options: &RunOptions) -> anyhow::Result<Option<Summary>> {
    let session = if despite_damage { Session::resume_despite_damage(folder)? } else { Session::resume(folder)? };
    session.warnings().iter().for_each(|warning| eprintln!("warning: {warning}"));
    let summary = RunFolder::open(folder)?.summary().unwrap_or_else(|error| {
        eprintln!("warning: {error}; it is written anew");
        None
    });
    let told = summary.is_some_and(|summary| summary["ending"]["kind"] == "completed");
    if told && session.steps() >= session.scene().run.step_count() {
        return Ok(None);
    }
    carry_on(session, options).map(Some)
}

/// To the end. What held steps that did not converge is said even where nothing else is.
pub fn carry_on(mut session: Session, options: &RunOptions) -> anyhow::Result<Summary> {
    session.observe(options.stop.clone())?;
    if !options.quiet {
        session.observe(Progress::default())?;
    }
    let summary = session.run()?;
    summary.unconverged_in_words().iter().for_each(|line| say(line));
    Ok(summary)
}

/// The library speaks of allowing; the command has a flag for it.
fn explain_existing(error: SessionError) -> anyhow::Error {
    match error {
        SessionError::Output(OutputError::NotEmpty { path }) => {
            let path = path.display();
            Usage(format!("{path} is not empty: choose another folder with --out, or replace the run with --overwrite"))
                .into()
        }
        _ => error.into(),
    }
}
