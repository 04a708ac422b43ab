//! What is refused before a run begins, each with what is wrong and what to do: impossible values, surfaces that cross
//! themselves, starts in which surfaces intersect or elements are inside out.

mod contact;
mod crossing;
mod inversion;
mod turning;
mod values;

pub(super) use contact::start_contact;
pub use contact::{ContactPlace, PlaceKind, StartContact};
pub(super) use crossing::crossing;
pub(super) use inversion::inversion;
pub(super) use turning::turning;
pub(super) use values::values;
