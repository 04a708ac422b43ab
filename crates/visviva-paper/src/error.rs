//! Why experiments cannot be run or judged as they stand.

use std::path::PathBuf;
use visviva::run::{MeasureError, OutputError};
use visviva::scene::LoadError;
use visviva_pictures::ImageError;

#[derive(Debug, thiserror::Error)]
pub enum PaperError {
    #[error("no experiment is called `{name}`: there are {known}{near}")]
    UnknownExperiment { name: String, known: String, near: String },
    #[error("experiment {name}: {problem}")]
    Experiment { name: String, problem: String },
    #[error("{experiment}, run `{run}`: {problem}")]
    Run { experiment: String, run: String, problem: String },
    #[error(
        "{count} runs in {} are of another version of this program, such as {name}. Run them anew with --overwrite, take them as they \
         are with --older (the report says so), or choose another folder with --runs",
        folder.display()
    )]
    OtherVersion { count: usize, folder: PathBuf, name: String },
    #[error("{}: this folder is there and was not written by experiments; choose another one with --runs", path.display())]
    Foreign { path: PathBuf },
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Measure(#[from] MeasureError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("a picture cannot be made: {0}")]
    Image(#[from] ImageError),
    #[error("{}: {problem}. --keep goes on with a report of this program and tier that is in --out", path.display())]
    Kept { path: PathBuf, problem: String },
    #[error("{}: {problem}", path.display())]
    Write { path: PathBuf, problem: std::io::Error },
}
