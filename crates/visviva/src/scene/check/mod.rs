//! What is refused before a run begins, each with what is wrong and what to do: impossible values, surfaces that cross
//! themselves, starts in which surfaces intersect or elements are inside out. And what is legal but hardly meant, told as warnings.

mod contact;
mod crossing;
mod hints;
mod inversion;
mod nested;
mod reach;
mod shape;
mod start_energy;
mod start_forces;
mod turning;
mod units;
mod unwatched;
mod values;

pub(super) use contact::start_contact;
pub use contact::{ContactPlace, PlaceKind, StartContact};
pub(super) use crossing::crossing;
pub(super) use hints::{hints, smooth_obstacles};
pub(super) use inversion::inversion;
pub(super) use nested::nested;
pub(super) use reach::reach;
pub(super) use shape::{cut, shape};
pub(super) use start_energy::start_energy;
pub(super) use turning::turning;
pub(super) use units::units;
pub use unwatched::unwatched;
pub(super) use values::values;
