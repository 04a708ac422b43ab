//! Errors of the library as exceptions of the package, in the same words: `SceneError` for what is asked, `RunError` for what happens.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::fmt::Display;
use visviva::scene::{BuildError, LoadError};
use visviva::session::SessionError;
use visviva_cli::failure::Usage;

static SCENE_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static RUN_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

fn raised(cell: &PyOnceLock<Py<PyType>>, name: &str, message: impl Display) -> PyErr {
    Python::attach(|py| match cell.import(py, "visviva.errors", name) {
        Ok(class) => PyErr::from_type(class.clone(), message.to_string()),
        Err(problem) => PyImportError::new_err(format!("visviva.errors: {problem}; meanwhile: {message}")),
    })
}

/// What cannot be done as it was asked for: the message names the value and what is allowed.
pub fn refused(message: impl Display) -> PyErr {
    raised(&SCENE_ERROR, "SceneError", message)
}

/// What went wrong under way.
pub fn failed(message: impl Display) -> PyErr {
    raised(&RUN_ERROR, "RunError", message)
}

/// The exception that an error is.
pub trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, LoadError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(refused)
    }
}

impl<T> OrRaise<T> for Result<T, BuildError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(refused)
    }
}

impl<T> OrRaise<T> for Result<T, SessionError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| {
            let asked = matches!(
                error,
                SessionError::Build(_)
                    | SessionError::Target(_)
                    | SessionError::Gravity(_)
                    | SessionError::PushCount { .. }
                    | SessionError::PushNotFinite { .. }
                    | SessionError::NoSuchPin { .. }
                    | SessionError::PinNotFinite { .. }
                    | SessionError::UnderWay { .. }
            );
            if asked { refused(error) } else { failed(error.with_advice()) }
        })
    }
}

impl<T> OrRaise<T> for Result<T, visviva::run::OutputError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(failed)
    }
}

/// Of the command: a mistake in the request, or one in the work.
impl<T> OrRaise<T> for anyhow::Result<T> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| if error.is::<Usage>() { refused(error) } else { failed(format!("{error:#}")) })
    }
}

impl<T> OrRaise<T> for Result<T, visviva_pictures::run::RunPictureError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(failed)
    }
}
