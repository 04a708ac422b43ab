//! A live run as pages reach it: orders go in, how far it is comes out, and where it stands while it pauses.

use super::{Order, Progress, Reply};
use crate::error::AskError;
use serde_json::Value;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex};
use tokio::sync::{oneshot, watch};

/// More of them wait for no step that people could mean.
pub(super) const WAITING_ORDERS: usize = 256;

#[derive(Debug, Clone)]
pub struct LiveRun {
    pub(super) orders: SyncSender<(Order, Reply)>,
    pub(super) progress: Arc<watch::Sender<Progress>>,
    pub(super) standing: Arc<Mutex<Option<Standing>>>,
}

/// Where the simulated vertices are between two frames.
#[derive(Debug, Clone)]
pub struct Standing {
    /// `[s]`
    pub t: f64,
    /// `[m]`
    pub vertices: Arc<Vec<[f64; 3]>>,
}

impl LiveRun {
    pub fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    pub fn watch(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    pub fn is_over(&self) -> bool {
        self.progress.borrow().state.is_over()
    }

    /// None while it runs: its frames tell more.
    pub fn standing(&self) -> Option<Standing> {
        self.standing.lock().ok()?.clone()
    }

    /// To be carried out after the step that is under way.
    pub fn order(&self, order: Order) -> Result<oneshot::Receiver<Result<Value, AskError>>, AskError> {
        let (reply, answer) = oneshot::channel();
        self.orders.try_send((order, reply)).map_err(|error| match error {
            TrySendError::Full(_) => {
                AskError::Words("the run is in a long step and too much waits for it; try again".to_owned())
            }
            TrySendError::Disconnected(_) => AskError::NotLive,
        })?;
        Ok(answer)
    }
}
