//! What a page is told unasked: that there are more runs, and that those it looks at or that go on here have come further. Only the last state counts, however many steps or
//! seconds lie before it.

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
    /// Runs that may go on elsewhere, with the frames told
    elsewhere: Vec<(String, usize)>,
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

impl Events {
    /// Of what comes from now on.
    pub fn new(shelf: &Shelf) -> Self {
        Self { version: shelf.version(), ..Self::default() }
    }

    /// From now on, where it may come further.
    pub fn watch(&mut self, run: &str, shelf: &Shelf) {
        let known =
            self.live.iter().any(|watched| watched.run == run) || self.elsewhere.iter().any(|(id, _)| id == run);
        if known || self.live.len() + self.elsewhere.len() >= MOST_WATCHED {
            return;
        }
        match shelf.progress_of(run) {
            Some(live) => {
                let mut progress = live.watch();
                progress.mark_changed();
                self.live.push(Watched { run: run.to_owned(), progress, changes: 0 });
            }
            None if shelf.is_going_on(run) => self.elsewhere.push((run.to_owned(), 0)),
            None => {}
        }
    }

    /// Each at most once, as it is now.
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
        if self.last_look.is_none_or(|last| last.elapsed() > LOOK_INTERVAL) {
            self.last_look = Some(Instant::now());
            self.elsewhere.retain_mut(|(run, told)| {
                let Ok(shown) = shelf.run(run) else { return false };
                let (frames, rows) = (shown.frames().unwrap_or_default(), shown.row_count().unwrap_or_default());
                let goes_on = shelf.is_going_on(run);
                if frames.len() != *told || !goes_on {
                    *told = frames.len();
                    let t = frames.last().map_or(0.0, |frame| frame.t);
                    news.push(Progress::elsewhere(frames.len(), rows, t, goes_on).event(run));
                }
                goes_on
            });
        }
        news
    }
}
