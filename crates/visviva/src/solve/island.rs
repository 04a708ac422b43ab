//! An island: bodies that touch each other or are joined, and all that hang together through them.

use crate::model::Hold;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq)]
pub struct Island {
    pub bodies: Vec<usize>,
    /// Of its bodies
    pub nodes: Vec<Range<usize>>,
    /// By pins and joints; fast where it touches an obstacle or is held twice
    pub hold: Hold,
    /// Whether any of its bodies touches anything
    pub touches: bool,
}

impl Island {
    pub fn nodes(&self) -> impl Iterator<Item = usize> + Clone {
        self.nodes.iter().cloned().flatten()
    }
}
