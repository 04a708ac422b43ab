//! What a page may want of a live run. Orders are carried out between two steps.

use crate::error::AskError;
use serde_json::Value;
use tokio::sync::oneshot;

/// Where the answer goes; whoever asked may be gone.
pub type Reply = oneshot::Sender<Result<Value, AskError>>;

#[derive(Debug)]
pub enum Order {
    Pause,
    Go,
    /// So many steps, then a pause
    Step(u32),
    Stop,
    /// Simulated seconds a second at most
    Pace(Option<f64>),
    /// As a page words it
    Change(Value),
    Grab {
        /// Of those simulated
        vertex: u32,
        /// `[m]`
        point: [f64; 3],
        /// `[N/m]`
        stiffness: Option<f64>,
    },
    Release,
    /// The scene with all changes so far
    Save,
}
