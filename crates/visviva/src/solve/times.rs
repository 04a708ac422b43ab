//! Where the time goes.

use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PhaseTimes {
    /// Element gradients and Hessians
    pub evaluate: Duration,
    /// Gathering them into the matrix and the right-hand side
    pub assemble: Duration,
    /// Factoring or iterating
    pub linear: Duration,
    /// Step bounds and energies of trial steps
    pub line_search: Duration,
    /// Of the line search: seeking candidates for contact
    pub broad_phase: Duration,
    /// Of the line search: how far surfaces may go
    pub ccd: Duration,
}
