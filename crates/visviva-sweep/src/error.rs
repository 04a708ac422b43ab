//! Why a sweep cannot be run as it stands.

use std::path::PathBuf;
use visviva::run::{MeasureError, OutputError};
use visviva::scene::LoadError;

#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    #[error("{file}: {problem}")]
    File { file: String, problem: String },
    #[error("`{key}`: {problem}")]
    Values { key: String, problem: String },
    #[error("`{key}` stands in [{first}] and in [{second}]: give it once")]
    Twice { key: String, first: &'static str, second: &'static str },
    #[error("the columns of [list] go on together: `{key}` has {count} values and `{other}` has {other_count}")]
    Uneven { key: String, count: usize, other: String, other_count: usize },
    #[error("nothing is swept: name keys and their values in [grid], [list] or [sample.over]")]
    Nothing,
    #[error("{count} points are more than the {most} that a sweep may have")]
    TooMany { count: usize, most: usize },
    #[error("point {point} ({name}): {problem}")]
    Point { point: usize, name: String, problem: String },
    #[error(
        "points {first} and {second} would have the same folder, {name}: their values are the same, or differ only in what names \
         of folders do not show. Take one of them out"
    )]
    SameFolder { first: usize, second: usize, name: String },
    #[error("measures: {0}")]
    Measure(#[from] MeasureError),
    #[error("measures: `{measure}` is of a body `{body}`, and the scene has {bodies}")]
    NoSuchBody { measure: String, body: String, bodies: String },
    #[error("there is no point {index}: they are counted from 0 to {last}")]
    NoSuchPoint { index: usize, last: usize },
    #[error("{}: this folder is there and no point of this sweep; choose another folder for the sweep (`out`)", path.display())]
    Foreign { path: PathBuf },
    #[error(
        "{count} points in {} were run with other settings or another version of the program, such as {name}: allow overwriting \
         to run them anew, or choose another folder (`out`)",
        folder.display()
    )]
    Other { count: usize, folder: PathBuf, name: String },
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("{}: {problem}", path.display())]
    Write { path: PathBuf, problem: std::io::Error },
}
