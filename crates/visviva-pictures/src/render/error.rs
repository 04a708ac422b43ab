//! What can be wrong with a picture or a film.
use crate::image::ImageError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum RenderError {
    #[error(transparent)]
    Image(#[from] ImageError),
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
    #[error("no program `{0}` was found; a GIF or numbered frames need none")]
    NoEncoder(String),
    #[error("ffmpeg could not write the film: {0}")]
    Film(String),
}
