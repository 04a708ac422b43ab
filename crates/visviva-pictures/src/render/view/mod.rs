//! The eye: a camera, how to place it, and its screen.
mod camera;
mod fit;
mod screen;

pub use camera::{Camera, Lens};
pub use fit::Fit;
pub(super) use screen::View;
