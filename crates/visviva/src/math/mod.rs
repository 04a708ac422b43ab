//! Small dense algebra.

pub mod band;
pub mod gmres;
pub mod vector;
