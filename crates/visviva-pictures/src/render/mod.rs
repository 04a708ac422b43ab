//! Pictures of triangle surfaces and wires drawn on the CPU: no window, no GPU, the same pixels for any number of threads.
//!
//! A [`Picture`] says what is seen, a [`Renderer`] draws it and keeps its buffers for the next frame. On the way through:
//! `view` puts bodies on the screen, `raster` decides which is seen in each sample of a pixel, `light` how bright it is,
//! `overlay` writes over it, and `output` makes files of images.
mod error;
mod light;
mod output;
mod overlay;
mod picture;
mod raster;
mod renderer;
mod surface;
mod view;

pub use error::RenderError;
pub use output::{Animation, Frames, Movie, Sheet};
pub use overlay::Legend;
pub use picture::{Body, Ground, OBSTACLE_GREY, Paint, Picture, State, Style};
pub use renderer::Renderer;
pub use view::{Camera, Fit, Lens};

use crate::image::{ImageError, check_size};

/// Longest side of a picture `[px]`; a larger one would take gigabytes to draw.
const LARGEST_SIDE: usize = 8192;

fn check_picture_size(size: (usize, usize)) -> Result<(), ImageError> {
    check_size(size, LARGEST_SIDE)
}
