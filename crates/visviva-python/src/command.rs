//! The command `visviva`, for those who installed the package.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs a command line, its program's name first, and says how it went: 0, 1 for a failure, 2 for a mistake in the request.
#[pyfunction]
pub fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
    visviva_cli::closed_pipe::end_quietly();
    py.detach(|| visviva_cli::commands::run(args))
}
