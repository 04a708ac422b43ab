//! The native half of the Python package `visviva`: what the library knows, as objects and arrays of Python.
//!
//! `python/visviva` is the half that people see; it names, explains and joins what is here.

mod arrays;
mod checkpoint;
mod command;
mod error;
mod meshes;
mod pictures;
mod run;
mod scene;
mod session;
mod sweep;
mod words;

/// Private: use `visviva`.
#[pyo3::pymodule(name = "_visviva")]
mod native {
    #[pymodule_export]
    use super::checkpoint::Checkpoint;
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::pictures::{figure, picture};
    #[pymodule_export]
    use super::run::{condition, export, export_formats, measure, stats, summary, verify};
    #[pymodule_export]
    use super::scene::{Scene, gallery, integrators, materials, schema};
    #[pymodule_export]
    use super::session::Session;
    #[pymodule_export]
    use super::sweep::Sweep;
    #[pymodule_export]
    use super::words::inline;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
