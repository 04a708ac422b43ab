//! Solids made from distance fields, held to what the method promises.

mod checks;
mod fields;
mod riding;
mod solids;
