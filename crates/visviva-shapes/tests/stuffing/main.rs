//! Solids made from distance fields, held to what the method promises.

mod checks;
mod fields;
mod originals;
mod promises;
mod riding;
mod solids;
mod surfaces;
