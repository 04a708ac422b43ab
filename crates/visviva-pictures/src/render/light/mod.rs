//! The studio: its lights with their shadows, and what they make of a colour.
mod depth_map;
mod lights;
mod shade;

pub(super) use lights::{Ball, Lights, Seen};
pub(super) use shade::{Studio, Tones, smooth};
