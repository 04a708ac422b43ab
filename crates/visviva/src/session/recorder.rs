//! The observer that writes a run folder: a row a step, frames, checkpoints and, at the end, a summary.

use super::{Observer, ObserverError, SeenFrame, Session, SessionError, Summary};
use crate::integrate::StepReport;
use crate::run::{BodyStatsWriter, NewRun, OutputError, RunFolder, StatsWriter};
use crate::scene::{ChangeEntry, Number, Provenance, Scene};
use std::path::Path;
use std::time::{Duration, Instant};

/// How a run is recorded; nothing here changes its results.
#[derive(Debug, Clone, Default)]
pub struct RecordOptions {
    /// Whether an older run in the folder gives way
    pub overwrite: bool,
    /// The scene's path or gallery name, for whoever finds the folder
    pub scene_name: String,
}

/// Wall-clock time between checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(20);

struct Recorder {
    folder: RunFolder,
    stats: Option<StatsWriter>,
    /// Where the scene asks for them
    body_stats: Option<BodyStatsWriter>,
    next_frame: u64,
    last_checkpoint: Instant,
    /// What run.toml says of what may change
    written: (Vec<ChangeEntry>, Number),
    /// After an error nothing more is written: the folder can be resumed from its last checkpoint
    failure: Option<String>,
}

impl Session {
    /// Writes everything into a folder from here on, the scene's files included.
    pub fn record(&mut self, path: &Path, options: &RecordOptions) -> Result<(), SessionError> {
        let steps = self.steps();
        if steps > 0 {
            return Err(SessionError::UnderWay { steps });
        }
        let mut scene = self.scene.clone();
        let inputs = scene.refer_to_copies()?;
        scene.provenance = Some(Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            threads: rayon::current_num_threads(),
            scene: options.scene_name.clone(),
        });
        let toml = toml::to_string_pretty(&scene)?;
        let new = NewRun { toml: &toml, mesh: &self.mesh(), inputs: &inputs };
        let folder = RunFolder::create(path, options.overwrite, new)?;
        scene.folder = path.to_owned();
        self.scene = scene;
        self.observe(Recorder::new(folder, &self.scene))
    }

    /// Goes on with the run in a folder, from its last checkpoint.
    pub fn resume(path: &Path) -> Result<Self, SessionError> {
        let folder = RunFolder::open(path)?;
        let scene = folder.scene()?;
        let built = folder.build(&scene)?;
        let mut session = Self::from_built(scene, built)?;
        session.go_on_in(&folder)?;
        let recorder = Recorder::new(folder, &session.scene);
        session.observe(recorder)?;
        Ok(session)
    }
}

impl Recorder {
    fn new(folder: RunFolder, scene: &Scene) -> Self {
        let written = (scene.changes.clone(), scene.run.duration.clone());
        Self {
            folder,
            stats: None,
            body_stats: None,
            next_frame: 0,
            last_checkpoint: Instant::now(),
            written,
            failure: None,
        }
    }

    fn unless_it_failed(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), ObserverError>,
    ) -> Result<(), ObserverError> {
        if let Some(failure) = &self.failure {
            return Err(format!("nothing is recorded any more since an error: {failure}").into());
        }
        write(self).inspect_err(|error| self.failure = Some(error.to_string()))
    }

    /// Writes run.toml anew where it no longer tells what is run.
    fn describe(&mut self, scene: &Scene) -> Result<(), ObserverError> {
        let now = (scene.changes.clone(), scene.run.duration.clone());
        if now != self.written {
            self.folder.write_run_toml(&toml::to_string_pretty(scene)?)?;
            self.written = now;
        }
        Ok(())
    }

    fn write_parts(&mut self, session: &Session) -> Result<(), ObserverError> {
        let Some(body_stats) = &mut self.body_stats else { return Ok(()) };
        let (parts, names) = (session.parts(), session.model().bodies.iter().map(|body| body.name.as_str()));
        Ok(body_stats.write(session.steps(), session.time(), names.zip(&parts))?)
    }

    fn checkpoint(&mut self, session: &Session) -> Result<(), ObserverError> {
        // No row may come later to the disk than the checkpoint that counts on it.
        self.stats.as_ref().map_or(Ok(()), StatsWriter::sync)?;
        session.checkpoint().write(&self.folder.checkpoint_path())?;
        self.last_checkpoint = Instant::now();
        Ok(())
    }

    fn begin_at(&mut self, session: &Session) -> Result<(), ObserverError> {
        let (steps, path) = (session.steps(), self.folder.stats_path());
        let (mut stats, last) = StatsWriter::resume(&path, steps)?;
        match last {
            None if steps == 0 => stats.write(session.row())?,
            Some(last) if last == steps => {}
            last => return Err(OutputError::LostRows { path, last, steps }.into()),
        }
        self.stats = Some(stats);
        if session.scene().run.by_body {
            let (body_stats, last) = BodyStatsWriter::resume(&self.folder.body_stats_path(), steps)?;
            self.body_stats = Some(body_stats);
            if last.is_none() {
                self.write_parts(session)?;
            }
        }
        self.next_frame = self.folder.rewind(steps)?;
        self.describe(session.scene())?;
        self.checkpoint(session)
    }
}

impl Observer for Recorder {
    fn begin(&mut self, session: &Session) -> Result<(), ObserverError> {
        self.unless_it_failed(|recorder| recorder.begin_at(session))
    }

    fn change(&mut self, session: &Session) -> Result<(), ObserverError> {
        self.unless_it_failed(|recorder| recorder.describe(session.scene()))
    }

    fn frame(&mut self, session: &Session, frame: SeenFrame<'_>) -> Result<(), ObserverError> {
        let SeenFrame { index, contacts } = frame;
        if index < self.next_frame {
            return Ok(());
        }
        self.unless_it_failed(|recorder| {
            if let Some(contacts) = contacts {
                recorder.folder.write_contacts(index, contacts)?;
            }
            let (x, v) = (session.positions(), session.velocities());
            recorder.folder.write_frame(index, session.steps(), session.time(), x, v)?;
            recorder.next_frame = index + 1;
            Ok(())
        })
    }

    fn step(&mut self, session: &Session, _report: &StepReport) -> Result<(), ObserverError> {
        self.unless_it_failed(|recorder| {
            if let Some(stats) = &mut recorder.stats {
                stats.write(session.row())?;
            }
            recorder.write_parts(session)?;
            if recorder.last_checkpoint.elapsed() > CHECKPOINT_INTERVAL { recorder.checkpoint(session) } else { Ok(()) }
        })
    }

    fn end(&mut self, session: &Session, summary: &Summary) -> Result<(), ObserverError> {
        self.unless_it_failed(|recorder| {
            recorder.describe(session.scene())?;
            recorder.checkpoint(session)?;
            Ok(recorder.folder.write_summary(&serde_json::to_value(summary)?)?)
        })
    }
}
