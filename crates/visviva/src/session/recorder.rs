//! The observer that writes a run folder: a row a step, frames, checkpoints and, at the end, a summary.

use super::{Observer, ObserverError, SeenFrame, Session, SessionError, Summary};
use crate::integrate::StepReport;
use crate::run::{
    BodyRow, BodyStatsWriter, Damage, Fingerprint, FrameRecord, History, Inventory, NewRun, OutputError, RUN,
    RunFolder, SoleWriter, StatsWriter,
};
use crate::scene::{BranchPoint, ChangeEntry, Number, Provenance, Scene};
use std::path::{Path, PathBuf};
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

pub(super) struct Recorder {
    folder: RunFolder,
    /// Until the run has ended
    writer: Option<SoleWriter>,
    /// What the folder holds, as the next checkpoint says it
    inventory: Inventory,
    beginning: Beginning,
    /// Where a folder is gone on with, or begins with another's history: rows up to the checkpoint, as far as they are whole
    known_rows: Vec<Fingerprint>,
    stats: Option<StatsWriter>,
    /// Where the scene asks for them
    body_stats: Option<BodyStatsWriter>,
    next_frame: u64,
    last_checkpoint: Instant,
    /// What was written since the last checkpoint and may not be on the disk yet
    unsynced: Vec<PathBuf>,
    /// What run.toml says of what may change
    written: (Vec<ChangeEntry>, Number),
    /// After an error nothing more is written: the folder can be resumed from its last checkpoint
    failure: Option<String>,
}

/// Where a recorder begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beginning {
    /// With a folder that was just made, at the start or with the history of another
    New,
    /// Where a folder's checkpoint stands
    Resumed,
    /// The same, though some of its rows or frames are lost
    ResumedDespiteDamage,
    /// Where the session went back to
    Again,
}

impl Session {
    /// Writes everything into a folder from here on, the scene's files included.
    pub fn record(&mut self, path: &Path, options: &RecordOptions) -> Result<(), SessionError> {
        let steps = self.steps();
        if steps > 0 {
            return Err(SessionError::UnderWay { steps });
        }
        self.record_after(path, options, None, None)
    }

    /// Writes everything into a folder from here on; it begins with the history of the run that this one branched from.
    pub(super) fn record_after(
        &mut self,
        path: &Path,
        options: &RecordOptions,
        history: Option<History<'_>>,
        branch: Option<BranchPoint>,
    ) -> Result<(), SessionError> {
        let mut scene = self.scene.clone();
        let inputs = scene.refer_to_copies()?;
        scene.write_out_materials();
        scene.provenance = Some(Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            threads: rayon::current_num_threads(),
            scene: options.scene_name.clone(),
            branch,
        });
        let toml = toml::to_string_pretty(&scene)?;
        let new = NewRun { toml: &toml, mesh: &self.mesh(), inputs: &inputs, history };
        let writer = SoleWriter::of(path)?;
        let folder = RunFolder::create(path, options.overwrite, new)?;
        let writer = writer.or_of(path)?;
        scene.folder = path.to_owned();
        self.scene = scene;
        let mut inventory = Inventory::at_start(&folder)?;
        if let Some(History { inventory: before, .. }) = history {
            inventory.frames.clone_from(&before.frames);
            inventory.rows.clone_from(&before.rows);
        }
        self.observe(Recorder::new(folder, writer, inventory, &self.scene))
    }
}

impl Recorder {
    fn new(folder: RunFolder, writer: SoleWriter, inventory: Inventory, scene: &Scene) -> Self {
        let written = (scene.changes.clone(), scene.run.duration.clone());
        let known_rows = inventory.rows.clone();
        Self {
            folder,
            writer: Some(writer),
            inventory,
            beginning: Beginning::New,
            known_rows,
            stats: None,
            body_stats: None,
            next_frame: 0,
            last_checkpoint: Instant::now(),
            unsynced: Vec::new(),
            written,
            failure: None,
        }
    }

    /// Goes on in a folder.
    pub fn resumed(
        folder: RunFolder,
        writer: SoleWriter,
        inventory: Inventory,
        scene: &Scene,
        damage: &[Damage],
    ) -> Self {
        let whole = damage.is_empty();
        let beginning = if whole { Beginning::Resumed } else { Beginning::ResumedDespiteDamage };
        let is_whole = |rows: &&Fingerprint| damage.iter().all(|part| part.file != rows.name);
        let known_rows = inventory.rows.iter().filter(is_whole).cloned().collect();
        Self { beginning, known_rows, ..Self::new(folder, writer, inventory, scene) }
    }

    fn unless_it_failed(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), ObserverError>,
    ) -> Result<(), ObserverError> {
        if let Some(failure) = &self.failure {
            return Err(format!("nothing is recorded any more since an error: {failure}").into());
        }
        if self.writer.is_none() {
            self.writer = Some(SoleWriter::of(self.folder.path())?);
        }
        write(self).inspect_err(|error| self.failure = Some(error.to_string()))
    }

    /// Writes run.toml anew where it no longer tells what is run, after a checkpoint that tells it too.
    fn describe(&mut self, session: &Session) -> Result<(), ObserverError> {
        if !self.tells_all(session) {
            let scene = session.scene();
            self.inventory.describe(toml::to_string_pretty(scene)?);
            self.written = (scene.changes.clone(), scene.run.duration.clone());
            self.checkpoint(session)?;
            self.folder.write_run_toml(&self.inventory.run_toml)?;
        }
        Ok(())
    }

    /// Whether run.toml does.
    fn tells_all(&self, session: &Session) -> bool {
        let scene = session.scene();
        self.written.0 == scene.changes && self.written.1 == scene.run.duration
    }

    fn write_parts(&mut self, session: &Session) -> Result<(), ObserverError> {
        let Some(body_stats) = &mut self.body_stats else { return Ok(()) };
        let (parts, ends) = (session.parts(), session.simulation.body_ends());
        let bodies = session.model().bodies.iter().zip(&parts).enumerate();
        let rows = bodies.map(|(at, (body, part))| BodyRow { name: &body.name, part, end: ends.get(at) });
        Ok(body_stats.write(session.steps(), session.time(), rows)?)
    }

    fn checkpoint(&mut self, session: &Session) -> Result<(), ObserverError> {
        self.sync()?;
        self.folder.write_checkpoint(&self.inventory, &session.checkpoint())?;
        self.last_checkpoint = Instant::now();
        Ok(())
    }

    /// Where the step passes a time at which one is to be kept.
    fn keep_checkpoint(&mut self, session: &Session) -> Result<(), ObserverError> {
        let Some(every) = session.scene().run.keep_checkpoints else { return Ok(()) };
        let (row, start) = (session.row(), session.clock().start_time);
        // A step that ends there by any rounding has passed it.
        let passed = |t: f64| ((t - start) / every + 1e-9).floor();
        if passed(row.t) > passed(row.t - row.h) {
            self.describe(session)?;
            self.sync()?;
            self.folder.keep_checkpoint(session.steps(), &self.inventory, &session.checkpoint())?;
        }
        Ok(())
    }

    /// Nothing may come later to the disk than the checkpoint that counts on it.
    fn sync(&mut self) -> Result<(), OutputError> {
        let stats = self.stats.as_ref().map(StatsWriter::sync).transpose()?;
        let body_stats = self.body_stats.as_ref().map(BodyStatsWriter::sync).transpose()?;
        self.inventory.rows = stats.into_iter().chain(body_stats).collect();
        self.folder.sync(std::mem::take(&mut self.unsynced))
    }

    fn begin_at(&mut self, session: &Session) -> Result<(), ObserverError> {
        let beginning = std::mem::replace(&mut self.beginning, Beginning::Again);
        let steps = session.steps();
        self.begin_rows(session, beginning)?;
        self.inventory.keep_until(steps);
        self.next_frame = self.inventory.frames.last().map_or(0, |frame| frame.index + 1);
        // First the checkpoint that does without what is then taken off.
        match beginning {
            Beginning::New => {
                let folder = self.folder.path();
                let fixed = self.inventory.fixed.iter().map(|file| folder.join(&file.name));
                let frames = self.inventory.frames.iter().flat_map(|frame| {
                    let contacts = frame.contacts.map(|_| self.folder.contacts_path(frame.index));
                    [Some(self.folder.frame_path(frame.index)), contacts].into_iter().flatten()
                });
                let lists = [folder.join(RUN), self.folder.times_path()];
                self.unsynced = fixed.chain(frames).chain(lists).collect();
                self.checkpoint(session)?;
            }
            Beginning::Resumed => {}
            Beginning::ResumedDespiteDamage => self.checkpoint(session)?,
            Beginning::Again => {
                let scene = session.scene();
                self.written = (scene.changes.clone(), scene.run.duration.clone());
                self.inventory.describe(toml::to_string_pretty(scene)?);
                self.sync()?;
                self.folder.write_only_checkpoint(&self.inventory, &session.checkpoint())?;
                self.folder.write_run_toml(&self.inventory.run_toml)?;
            }
        }
        self.stats.as_ref().map_or(Ok(()), StatsWriter::cut)?;
        self.body_stats.as_ref().map_or(Ok(()), BodyStatsWriter::cut)?;
        self.folder.list_frames(&self.inventory.frames)?;
        self.folder.remove_kept_after(steps)?;
        // A resumed run writes later frames again, each in the place of the one it had: none is taken off before.
        if beginning == Beginning::Again { Ok(self.folder.remove_frames_from(self.next_frame)?) } else { Ok(()) }
    }

    fn begin_rows(&mut self, session: &Session, beginning: Beginning) -> Result<(), ObserverError> {
        let forgiving = beginning == Beginning::ResumedDespiteDamage;
        let (steps, path) = (session.steps(), self.folder.stats_path());
        let known_rows = std::mem::take(&mut self.known_rows);
        let known = |path: &Path| known_rows.iter().find(|rows| path.ends_with(&rows.name));
        let (mut stats, last) = match known(&path) {
            Some(rows) => (StatsWriter::go_on(&path, rows)?, Some(steps)),
            None => match StatsWriter::resume(&path, steps) {
                Err(OutputError::Line { .. }) if forgiving => (StatsWriter::create(&path)?, None),
                resumed => resumed?,
            },
        };
        match last {
            None if steps == 0 => stats.write(session.row())?,
            Some(last) if last == steps => {}
            _ if forgiving => {}
            last => return Err(OutputError::LostRows { path, last, steps }.into()),
        }
        self.stats = Some(stats);
        if session.scene().run.by_body {
            let path = self.folder.body_stats_path();
            let (body_stats, last) = match known(&path) {
                Some(rows) => (BodyStatsWriter::go_on(&path, rows)?, Some(steps)),
                None => match BodyStatsWriter::resume(&path, steps) {
                    Err(OutputError::Line { .. }) if forgiving => BodyStatsWriter::create(&path)?,
                    resumed => resumed?,
                },
            };
            self.body_stats = Some(body_stats);
            if last.is_none() {
                self.write_parts(session)?;
            }
        }
        Ok(())
    }
}

impl Observer for Recorder {
    fn begin(&mut self, session: &Session) -> Result<(), ObserverError> {
        self.unless_it_failed(|recorder| recorder.begin_at(session))
    }

    /// A hand moves with every step: what it did is written with the next checkpoint, which a resumed run begins from anyway.
    fn change(&mut self, session: &Session) -> Result<(), ObserverError> {
        let of_the_hand = session.changes().last().is_some_and(|made| made.change.is_of_the_hand());
        let lasts_as_long = session.scene().run.duration == self.written.1;
        if of_the_hand && lasts_as_long {
            return Ok(());
        }
        self.unless_it_failed(|recorder| recorder.describe(session))
    }

    fn frame(&mut self, session: &Session, frame: SeenFrame<'_>) -> Result<(), ObserverError> {
        let SeenFrame { index, contacts } = frame;
        if index < self.next_frame {
            return Ok(());
        }
        self.unless_it_failed(|recorder| {
            let contacts = contacts.map(|contacts| recorder.folder.write_contacts(index, contacts)).transpose()?;
            let (x, v) = (session.positions(), session.velocities());
            let frame = recorder.folder.write_frame(index, session.steps(), session.time(), x, v)?;
            recorder.unsynced.push(recorder.folder.frame_path(index));
            recorder.unsynced.extend(contacts.map(|_| recorder.folder.contacts_path(index)));
            recorder.inventory.frames.push(FrameRecord { contacts, ..frame });
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
            recorder.keep_checkpoint(session)?;
            if recorder.last_checkpoint.elapsed() <= CHECKPOINT_INTERVAL {
                return Ok(());
            }
            if recorder.tells_all(session) { recorder.checkpoint(session) } else { recorder.describe(session) }
        })
    }

    fn end(&mut self, session: &Session, summary: &Summary) -> Result<(), ObserverError> {
        self.unless_it_failed(|recorder| {
            recorder.describe(session)?;
            recorder.checkpoint(session)?;
            recorder.folder.write_summary(&serde_json::to_value(summary)?)?;
            recorder.writer = None;
            Ok(())
        })
    }
}
