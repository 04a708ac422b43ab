//! What hinders a solve: who cuts its steps short, and what is left undone where it gives up.

use serde::{Deserialize, Serialize};

/// Who ends a step of Newton's early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocker {
    /// Two that would touch; bodies are counted first, then obstacles
    Surfaces([u32; 2]),
    /// Elements that would invert
    Elements,
}

/// The shortest of a solve's steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShortStep {
    /// Of the way that was wanted, below 1
    pub part: f64,
    /// None where the energy would have risen, or a body turned too far
    pub by: Option<Blocker>,
}

impl ShortStep {
    pub fn shorter(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        a.into_iter().chain(b).min_by(|a, b| a.part.total_cmp(&b.part))
    }
}

/// Which of Newton's tests its last direction did not meet, by the larger share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unmet {
    /// How far a node would still go `[m]`
    Motion,
    /// Which part of the push between two surfaces is wrong
    ContactForce,
    /// Which part of what a contact loses, by friction or restitution, is wrong
    ContactLoss,
    /// None: the direction itself was not found to its end, for too many barriers take part
    Direction,
}

/// Why Newton went no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GivenUp {
    IterationsSpent,
    /// No step along its direction lowers the objective in floating point
    NoStepLowers,
}

/// Where a solve that did not converge would still go, and what holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stuck {
    /// The one that wants to go furthest
    pub node: usize,
    /// How far in the last Newton direction `[m]`
    pub wanted: f64,
    /// Whether that is more than a solution may be off
    pub is_far: bool,
    pub unmet: Unmet,
    /// In the unit of what is unmet
    pub left: f64,
    pub allowed: f64,
    /// Whose it is, and what that touches or runs into
    pub surfaces: [Option<u32>; 2],
    pub why: GivenUp,
}
