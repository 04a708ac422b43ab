//! All that pages may ask about: scenes and runs, by names that the program gave them. What is not here cannot be reached.

use crate::error::AskError;
use crate::live::LiveRun;
use crate::replay::ShownRun;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use visviva::run::RunFolder;
use visviva::scene::{Scene, SceneSource};

/// A scene that pages may start.
#[derive(Debug, Clone)]
pub struct OfferedScene {
    pub name: String,
    pub source: SceneSource,
}

/// Of these the shapes are kept in memory; of others they are read again.
const KEPT_OPEN: usize = 16;
/// So many runs are listed at most.
const MOST_RUNS: usize = 300;
/// Below the folder of runs.
const DEEPEST: usize = 2;
/// A folder without a summary that was written to so recently is of a run that goes on.
const RECENT: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub struct Shelf {
    pub scenes: Vec<OfferedScene>,
    /// Where runs are looked for and begun
    pub runs_below: PathBuf,
    runs: Mutex<Vec<Entry>>,
    open: Mutex<VecDeque<(String, Arc<ShownRun>)>>,
    /// Grows when a run is added
    version: AtomicUsize,
    /// One run begins at a time
    turn: Arc<Semaphore>,
}

#[derive(Debug, Clone)]
struct Entry {
    id: String,
    path: PathBuf,
    live: Option<LiveRun>,
    /// Whether a page shows it without being asked to
    at_once: bool,
}

impl Shelf {
    pub fn new(scenes: Vec<OfferedScene>, runs_below: PathBuf) -> Self {
        Self {
            scenes,
            runs_below,
            runs: Mutex::default(),
            open: Mutex::default(),
            version: AtomicUsize::default(),
            turn: Arc::new(Semaphore::new(1)),
        }
    }

    /// Takes in a run and names it; one that is known keeps its name.
    pub fn add(&self, path: &Path, live: Option<LiveRun>, at_once: bool) -> Result<String, AskError> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut runs = self.runs.lock()?;
        let next = format!("r{}", runs.len() + 1);
        let entry = match runs.iter_mut().find(|known| known.path == path) {
            Some(known) => known,
            None => {
                self.version.fetch_add(1, Ordering::Relaxed);
                runs.push(Entry { id: next, path, live: None, at_once: false });
                runs.last_mut().ok_or(AskError::NoSuchRun(String::new()))?
            }
        };
        if live.is_some() {
            // Its folder was written anew.
            self.open.lock()?.retain(|(id, _)| *id != entry.id);
        }
        entry.live = live.or(entry.live.take());
        entry.at_once |= at_once;
        Ok(entry.id.clone())
    }

    pub fn hello(&self) -> Result<Value, AskError> {
        let runs = self.runs.lock()?;
        let at_once: Vec<&Entry> = runs.iter().filter(|run| run.at_once).collect();
        let mode = match &at_once[..] {
            [] => "start",
            runs if runs.iter().any(|run| run.live.is_some()) => "live",
            _ => "replay",
        };
        let ids: Vec<&str> = at_once.iter().map(|run| run.id.as_str()).collect();
        Ok(json!({ "version": env!("CARGO_PKG_VERSION"), "mode": mode, "runs": ids }))
    }

    pub fn scene(&self, name: &str) -> Result<&OfferedScene, AskError> {
        let found = self.scenes.iter().find(|scene| scene.name == name);
        found.ok_or_else(|| AskError::NoSuchScene(name.to_owned()))
    }

    fn entry(&self, id: &str) -> Result<Entry, AskError> {
        let runs = self.runs.lock()?;
        runs.iter().find(|run| run.id == id).cloned().ok_or_else(|| AskError::NoSuchRun(id.to_owned()))
    }

    pub fn folder(&self, id: &str) -> Result<PathBuf, AskError> {
        Ok(self.entry(id)?.path)
    }

    /// One that can be steered.
    pub fn live(&self, id: &str) -> Result<LiveRun, AskError> {
        self.entry(id)?.live.filter(|live| !live.is_over()).ok_or(AskError::NotLive)
    }

    /// How far it is, where it goes on here.
    pub fn progress_of(&self, id: &str) -> Option<LiveRun> {
        self.entry(id).ok()?.live
    }

    /// Another number when there are more runs.
    pub fn version(&self) -> usize {
        self.version.load(Ordering::Relaxed)
    }

    /// To begin a run, which takes all cores for a while.
    pub fn turn_to_begin(&self) -> Result<OwnedSemaphorePermit, AskError> {
        let turn = self.turn.clone().try_acquire_owned();
        turn.map_err(|_| AskError::Words("another run is just beginning: try again in a moment".to_owned()))
    }

    /// Those that go on here.
    pub fn live_runs(&self) -> Vec<String> {
        let is_live = |run: &&Entry| run.live.as_ref().is_some_and(|live| !live.is_over());
        self.runs.lock().map_or(Vec::new(), |runs| runs.iter().filter(is_live).map(|run| run.id.clone()).collect())
    }

    /// In another process, as its folder tells.
    pub fn is_going_on(&self, id: &str) -> bool {
        self.entry(id).is_ok_and(|run| run.live.is_none() && run.state() == "running")
    }

    /// Those with a thread of their own.
    pub fn wait_for_live_runs(&self) {
        while !self.live_runs().is_empty() {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Its shapes, from memory or from the disk.
    pub fn run(&self, id: &str) -> Result<Arc<ShownRun>, AskError> {
        let entry = self.entry(id)?;
        if let Some((_, open)) = self.open.lock()?.iter().find(|(known, _)| known == id) {
            return Ok(open.clone());
        }
        let shown = Arc::new(ShownRun::open(&entry.path)?);
        let mut open = self.open.lock()?;
        open.push_back((entry.id, shown.clone()));
        if open.len() > KEPT_OPEN {
            open.pop_front();
        }
        Ok(shown)
    }

    /// What `open` tells.
    pub fn description(&self, id: &str) -> Result<Value, AskError> {
        let entry = self.entry(id)?;
        let mut told = self.run(id)?.description()?;
        told["id"] = json!(id);
        told["name"] = json!(name_of(&entry.path));
        told["live"] = json!(entry.live.as_ref().is_some_and(|live| !live.is_over()));
        told["state"] = json!(entry.state());
        Ok(told)
    }

    pub fn list(&self) -> Result<Value, AskError> {
        self.look_for_runs()?;
        let scenes: Vec<Value> = self.scenes.iter().filter_map(scene_told).collect();
        let runs = self.runs.lock()?.clone();
        let told = |run: &Entry| {
            let folder = RunFolder::at(&run.path);
            let scene = folder.scene().ok()?;
            let frames = folder.frames().ok()?;
            Some(json!({
                "id": run.id,
                "name": name_of(&run.path),
                "title": scene.title,
                "frames": frames.len(),
                "duration": frames.last().map_or(0.0, |frame| frame.t),
                "state": run.state(),
                "folder": run.path.display().to_string(),
            }))
        };
        let runs: Vec<Value> = runs.iter().filter_map(told).collect();
        Ok(json!({ "scenes": scenes, "runs": runs }))
    }

    /// Links are not followed out of the folder of runs.
    fn look_for_runs(&self) -> Result<(), AskError> {
        let Ok(root) = self.runs_below.canonicalize() else { return Ok(()) };
        let mut found = Vec::new();
        gather(&root, DEEPEST, &mut found);
        found.sort();
        for path in found.into_iter().filter_map(|path| path.canonicalize().ok()).filter(|path| path.starts_with(&root))
        {
            self.add(&path, None, false)?;
        }
        Ok(())
    }
}

fn gather(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
        if found.len() >= MOST_RUNS {
            return;
        }
        if RunFolder::open(&path).is_ok() {
            found.push(path);
        } else if depth > 1 {
            gather(&path, depth - 1, found);
        }
    }
}

fn scene_told(scene: &OfferedScene) -> Option<Value> {
    let Scene { title, description, bodies, run, .. } = scene.source.parse(&[]).ok()?;
    Some(json!({
        "name": scene.name,
        "title": title,
        "summary": description.trim(),
        "bodies": bodies.len(),
        "duration": run.duration.value,
    }))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Entry {
    /// Of one that goes on elsewhere only its folder tells.
    fn state(&self) -> String {
        if let Some(live) = &self.live {
            return live.progress().state.to_string();
        }
        let folder = RunFolder::at(&self.path);
        let ending = folder.summary().ok().flatten().map(|summary| summary["ending"]["kind"].clone());
        let written = folder.stats_path().metadata().and_then(|file| file.modified()).ok();
        let recent = written.and_then(|at| SystemTime::now().duration_since(at).ok()).is_some_and(|age| age < RECENT);
        let state = match ending.as_ref().and_then(Value::as_str) {
            Some("failed") => "failed",
            None if recent => "running",
            _ => "finished",
        };
        state.to_owned()
    }
}
