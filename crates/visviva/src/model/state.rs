//! What changes: positions, velocities and the time. Everything else about a world is fixed.

use serde::{Deserialize, Serialize};

/// Generalised coordinates of all nodes, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Positions `[m]`
    pub x: Vec<f64>,
    /// Velocities `[m/s]`
    pub v: Vec<f64>,
    /// Time `[s]`
    pub t: f64,
}

impl State {
    pub fn new(x: Vec<f64>, v: Vec<f64>) -> Self {
        assert_eq!(x.len(), v.len(), "one velocity for each coordinate");
        Self { x, v, t: 0.0 }
    }
}
