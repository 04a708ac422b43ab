//! Scenes: written in code or in TOML, checked, and built into a model, a start and a plan. All quantities in SI units.
//!
//! [`settings`](Scene) is what a user writes, `text` its TOML, `check` what is refused before a run, `build` what becomes of it.

mod build;
mod check;
mod inputs;
mod settings;
#[cfg(test)]
mod tests;
mod text;

pub use crate::readable::suggestion;
pub use build::{BuildError, Built, DrumShape, FoundGround};
pub use check::{ContactPlace, PlaceKind, StartContact, unwatched};
pub use inputs::{Content, Input};
pub use settings::*;
pub use text::{LoadError, SceneSource, json_schema};
