//! How far a run has come, as pages are told.

use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use visviva::scene::ChangeEntry;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum State {
    #[default]
    Running,
    Paused,
    Finished,
    Failed,
}

impl State {
    pub fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Failed)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
            Self::Failed => "failed",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    pub frames: usize,
    pub rows: usize,
    /// `[s]`
    pub t: f64,
    pub state: State,
    /// By the clock since it began `[s]`
    pub wall: f64,
    /// About as long it will take `[s]`
    pub remaining: Option<f64>,
    /// What else is worth knowing
    pub words: String,
    /// Those made so far, without what the mouse did
    pub changes: Arc<Vec<ChangeEntry>>,
}

impl Progress {
    /// Of a run that another process writes.
    pub fn elsewhere(frames: usize, rows: usize, t: f64, goes_on: bool) -> Self {
        let state = if goes_on { State::Running } else { State::Finished };
        Self { frames, rows, t, state, ..Self::default() }
    }

    pub fn event(&self, run: &str) -> Value {
        json!({
            "event": "progress",
            "run": run,
            "frames": self.frames,
            "rows": self.rows,
            "t": self.t,
            "state": self.state.to_string(),
            "wall": self.wall,
            "remaining": self.remaining,
            "words": self.words,
        })
    }
}
