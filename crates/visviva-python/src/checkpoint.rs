//! Where a session can go back to or go on from.

use crate::error::OrRaise;
use pyo3::prelude::*;
use std::path::PathBuf;

/// All that a session carries from step to step.
#[pyclass(frozen, module = "visviva._visviva")]
#[derive(Debug)]
pub struct Checkpoint(pub visviva::session::Checkpoint);

#[pymethods]
impl Checkpoint {
    /// Steps done when it was made.
    #[getter]
    fn steps(&self) -> u64 {
        self.0.steps()
    }

    /// Writes it into a file, whole or not at all.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        self.0.write(&path).or_raise()
    }

    /// One that was written, or a run folder's `checkpoint.bin`.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        visviva::session::Checkpoint::read(&path).or_raise().map(Self)
    }

    fn __repr__(&self) -> String {
        format!("<visviva.Checkpoint after {} steps>", self.steps())
    }
}
