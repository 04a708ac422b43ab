//! The pipeline behind the command `visviva`, for other front ends to call.
pub mod chart;
pub mod render;
