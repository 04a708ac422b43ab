//! A run folder as a page is told of it: what is seen, frame by frame, and the rows of its statistics.

mod description;
mod fields;
mod planes;
mod quantised;
mod rows;
mod shown_run;

pub use quantised::frame_message;
pub use shown_run::{ShownRun, Span};
