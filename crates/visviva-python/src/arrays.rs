//! Numbers of the library as NumPy arrays and back. What was made for Python is handed over without a copy.

use crate::error::refused;
use nalgebra::Vector3;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

pub type Rows<'py, T> = Bound<'py, PyArray2<T>>;

/// A flat list as rows of N.
pub fn rows<T: Element>(py: Python<'_>, flat: Vec<T>, columns: usize) -> PyResult<Rows<'_, T>> {
    let count = flat.len() / columns;
    flat.into_pyarray(py).reshape([count, columns])
}

/// Points, a row each; the list itself becomes the array.
pub fn points<'py>(py: Python<'py>, points: Vec<Vector3<f64>>) -> PyResult<Rows<'py, f64>> {
    rows(py, points.into_iter().flat_map(|point| [point.x, point.y, point.z]).collect(), 3)
}

/// Corners of cells, a row each.
pub fn cells<'py, const N: usize>(py: Python<'py>, cells: &[[u32; N]]) -> PyResult<Rows<'py, u32>> {
    rows(py, cells.as_flattened().to_vec(), N)
}

pub fn column<T: Element>(py: Python<'_>, values: impl IntoIterator<Item = T>) -> Bound<'_, PyArray1<T>> {
    values.into_iter().collect::<Vec<_>>().into_pyarray(py)
}

/// Finite vectors, a row for each of `count` things.
pub fn vectors(array: &PyReadonlyArray2<'_, f64>, count: usize, what: &str) -> PyResult<Vec<f64>> {
    let shape = array.shape();
    if shape != [count, 3] {
        return Err(refused(format!(
            "{what}: an array of shape ({}, {}), where ({count}, 3) is needed",
            shape[0], shape[1]
        )));
    }
    let flat: Vec<f64> = array.as_array().iter().copied().collect();
    match flat.iter().position(|value| !value.is_finite()) {
        Some(at) => Err(refused(format!("{what}: row {} holds {}, which is no finite number", at / 3, flat[at]))),
        None => Ok(flat),
    }
}
