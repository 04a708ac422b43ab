//! Why a run cannot be drawn.
use crate::render::RenderError;
use std::path::PathBuf;
use thiserror::Error;
use visviva::run::OutputError;

#[derive(Debug, Error)]
pub enum RunPictureError {
    #[error("{}: frames {missing:?} are missing in the middle: the folder was copied in part", path.display())]
    MissingFrames { path: PathBuf, missing: Vec<u64> },
    #[error("{}: the run has no frames yet", path.display())]
    NoFrames { path: PathBuf },
    #[error(transparent)]
    Folder(#[from] OutputError),
    #[error("colouring by energy needs the scene's bodies: {0}")]
    Bodies(OutputError),
    #[error(transparent)]
    Render(#[from] RenderError),
}
