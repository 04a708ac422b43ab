//! What mending did, in words.

use crate::FirstFew;
use crate::defects::count;
use std::fmt;

/// One thing that was done. Faces are numbered as in the original.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// So many vertices were where others are
    Welded(usize),
    /// So many vertices on rims were within a distance `[m]` of others
    CracksClosed(usize, f64),
    /// Faces whose corners lie on one line or in one point
    WithoutExtent(FirstFew),
    /// Faces with the corners of others
    Duplicates(FirstFew),
    /// Faces that looked the other way than their neighbours
    Turned(FirstFew),
    /// So many closed parts were inside out
    PartsTurned(usize),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faces = |which: &FirstFew| format!("{}: {which}", count(which.count, "face", "faces"));
        match self {
            Note::Welded(many) => {
                write!(f, "merged {} with others at the same point", count(*many, "vertex", "vertices"))
            }
            Note::CracksClosed(many, distance) => {
                let vertices = count(*many, "vertex", "vertices");
                write!(f, "closed cracks: merged {vertices} on open edges with others within {distance:.1e} m")
            }
            Note::WithoutExtent(which) => write!(f, "dropped {} (no area)", faces(which)),
            Note::Duplicates(which) => write!(f, "dropped {} (there already)", faces(which)),
            Note::Turned(which) => {
                write!(f, "turned {} (they looked the other way than their neighbours)", faces(which))
            }
            Note::PartsTurned(many) => {
                write!(f, "turned {} outward", count(*many, "part that was inside out", "parts that were inside out"))
            }
        }
    }
}
