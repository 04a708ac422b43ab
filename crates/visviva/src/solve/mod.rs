//! From a stage to its minimiser: the linear systems underneath.

pub mod linear;
