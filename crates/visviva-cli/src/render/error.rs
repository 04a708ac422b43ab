//! What can be wrong with a picture or its files.
use crate::chart::ChartError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum RenderError {
    #[error("an image of {width} by {height} pixels has no area")]
    EmptyImage { width: usize, height: usize },
    #[error("an image of {width} by {height} pixels is too large: no side may pass {limit}")]
    TooLarge { width: usize, height: usize, limit: usize },
    #[error("vertex {vertex} of body {body} lies nowhere: its position is not finite")]
    NotFinite { body: usize, vertex: usize },
    #[error("body {body} has {vertices} vertices and {values} field values")]
    FieldLength { body: usize, vertices: usize, values: usize },
    #[error("triangle {triangle} of body {body} names vertex {index}, and the body has {vertices}")]
    Index { body: usize, triangle: usize, index: u32, vertices: usize },
    #[error("wire {wire} of body {body} names vertex {index}, and the body has {vertices}")]
    WireIndex { body: usize, wire: usize, index: u32, vertices: usize },
    #[error("the camera sees nothing: {0}")]
    Camera(&'static str),
    #[error("the frame is {found:?} pixels, and the earlier ones are {expected:?}")]
    FrameSize { expected: (usize, usize), found: (usize, usize) },
    #[error("{0} frames a second cannot be shown")]
    Rate(f64),
    #[error("the text of the picture could not be drawn: {0}")]
    Text(#[from] ChartError),
    #[error("the picture could not be encoded: {0}")]
    Encode(String),
    #[error("{path} could not be written: {source}")]
    Write { path: PathBuf, source: io::Error },
    #[error("no program `{0}` was found; a GIF or numbered frames need none")]
    NoEncoder(String),
    #[error("ffmpeg could not write the film: {0}")]
    Film(String),
}

impl RenderError {
    /// For `map_err` on writing to a path.
    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> RenderError {
        let path = path.into();
        move |source| RenderError::Write { path, source }
    }
}
