//! What can be wrong with a file, with the line, byte or element that shows it.

use std::fmt;

/// Where in a file something was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of text, from 1.
    Line(usize),
    /// A byte offset, from 0.
    Byte(usize),
    /// One of a list that the file numbers from 0, such as its accessors.
    Item(&'static str, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
            Place::Item(list, item) => write!(f, "{list} {item}"),
        }
    }
}

/// Everything that a reader refuses. Elements count from 0, lines from 1.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{place}: expected {expected}, found {found}")]
    Syntax { place: Place, expected: String, found: String },
    #[error("{place}: the file ends where {expected} should be; it is truncated, export or copy it again")]
    Truncated { place: Place, expected: String },
    #[error("{place}: {what} says {declared}, but there are {actual}")]
    Count { place: Place, what: String, declared: u64, actual: u64 },
    #[error("{place}: {what} is not supported: {advice}")]
    Unsupported { place: Place, what: String, advice: String },
    #[error("{place}: {kind} {element} refers to node {node}, which the file does not hold")]
    UnknownNode { place: Place, kind: &'static str, element: u64, node: i64 },
    #[error("it does not begin like a file of its ending, but with {begins:?}")]
    NotRecognised { begins: String },
    #[error("{count} {what} are more than the {limit} that fit")]
    TooMany { what: &'static str, count: u128, limit: u128 },
    #[error("{place}: {file:?}, which it refers to, cannot be read: {reason}; put it beside the file, or embed it")]
    Beside { place: Place, file: String, reason: String },
}
