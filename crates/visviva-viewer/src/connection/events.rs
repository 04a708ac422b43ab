//! What a page is told unasked: that there are more runs, and that those it looks at or that go on here have come further. Only the
//! last state counts, however many steps or seconds lie before it.

use crate::live::Progress;
use crate::shelf::Shelf;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// More than a page can show.
const MOST_WATCHED: usize = 32;
/// Between two looks at a folder that another process writes.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub struct Events {
    live: Vec<Watched>,
    /// Runs that may go on elsewhere
    elsewhere: Elsewhere,
    last_look: Option<Instant>,
    /// Of the shelf, as it was told
    version: usize,
}

#[derive(Debug)]
struct Watched {
    run: String,
    progress: watch::Receiver<Progress>,
    changes: usize,
}

/// Runs whose folders tell whether another process writes them, each with the frames that were told; none before the first look.
#[derive(Debug, Default)]
pub struct Elsewhere(Vec<(String, Option<usize>)>);

impl Events {
    /// Of what comes from now on.
    pub fn new(shelf: &Shelf) -> Self {
        Self { version: shelf.version(), ..Self::default() }
    }

    /// From now on, where it may come further.
    pub fn watch(&mut self, run: &str, shelf: &Shelf) {
        let elsewhere = &mut self.elsewhere.0;
        let known = self.live.iter().any(|watched| watched.run == run) || elsewhere.iter().any(|(id, _)| id == run);
        if known || self.live.len() + elsewhere.len() >= MOST_WATCHED {
            return;
        }
        match shelf.progress_of(run) {
            Some(live) => {
                let mut progress = live.watch();
                progress.mark_changed();
                self.live.push(Watched { run: run.to_owned(), progress, changes: 0 });
            }
            None => elsewhere.push((run.to_owned(), None)),
        }
    }

    /// Each at most once, as it is now. Nothing is read from a disk.
    pub fn news(&mut self, shelf: &Shelf) -> Vec<Value> {
        let mut news = Vec::new();
        if shelf.version() != self.version {
            self.version = shelf.version();
            news.push(json!({ "event": "listed" }));
        }
        shelf.live_runs().iter().for_each(|run| self.watch(run, shelf));
        self.live.retain_mut(|Watched { run, progress, changes }| {
            if !progress.has_changed().unwrap_or(false) {
                return true;
            }
            let now = progress.borrow_and_update();
            if now.changes.len() != *changes {
                *changes = now.changes.len();
                news.push(json!({ "event": "changed", "run": run, "changes": *now.changes }));
            }
            news.push(now.event(run));
            !now.state.is_over()
        });
        news
    }

    /// What is to be looked at now, by someone who may wait for a disk; it is put back with `looked`.
    pub fn take_due(&mut self) -> Option<Elsewhere> {
        let due = self.last_look.is_none_or(|last| last.elapsed() > LOOK_INTERVAL);
        (due && !self.elsewhere.0.is_empty()).then(|| std::mem::take(&mut self.elsewhere))
    }

    pub fn looked(&mut self, elsewhere: Elsewhere) {
        (self.elsewhere, self.last_look) = (elsewhere, Some(Instant::now()));
    }
}

impl Elsewhere {
    /// Reads folders. Those that do not go on are no longer looked at.
    pub fn news(&mut self, shelf: &Shelf) -> Vec<Value> {
        let mut news = Vec::new();
        self.0.retain_mut(|(run, told)| {
            let goes_on = shelf.is_going_on(run);
            if !goes_on && told.is_none() {
                return false;
            }
            let Ok(shown) = shelf.run(run) else { return false };
            let (frames, rows) = (shown.frames().unwrap_or_default(), shown.row_count().unwrap_or_default());
            if *told != Some(frames.len()) || !goes_on {
                *told = Some(frames.len());
                let t = frames.last().map_or(0.0, |frame| frame.t);
                news.push(Progress::elsewhere(frames.len(), rows, t, goes_on).event(run));
            }
            goes_on
        });
        news
    }
}
