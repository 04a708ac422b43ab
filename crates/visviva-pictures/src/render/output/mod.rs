//! What becomes of images: numbered frames, films and sheets.
mod animation;
mod frames;
mod movie;
mod sheet;

pub use animation::Animation;
pub use frames::Frames;
pub use movie::Movie;
pub use sheet::Sheet;

use super::RenderError;
use crate::image::Image;

/// All frames of a film have one size.
fn check_frame(expected: (usize, usize), image: &Image) -> Result<(), RenderError> {
    let found = (image.width, image.height);
    if found == expected { Ok(()) } else { Err(RenderError::FrameSize { expected, found }) }
}
