//! The pipeline behind the command `visviva`, for other front ends to call.

pub mod args;
pub mod closed_pipe;
pub mod commands;
pub mod condition;
pub mod failure;
pub mod fault_drawing;
pub mod gallery;
pub mod results;
pub mod runner;
pub mod scene_args;
pub mod scene_exceptions;
pub mod table;
