//! Scenes as Python writes them: dictionaries with the words of scene files, and back.

use crate::error::refused;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString};
use toml::{Table, Value};

/// Tables within tables: beyond what any scene has, before they fill the stack.
const DEEPEST: usize = 32;

/// What a scene file would hold. `place` is the key so far, for messages.
pub fn to_toml(object: &Bound<'_, PyAny>, place: &str) -> PyResult<Value> {
    convert(object, place, 0)
}

/// A whole table.
pub fn to_table(object: &Bound<'_, PyAny>) -> PyResult<Table> {
    match to_toml(object, "")? {
        Value::Table(table) => Ok(table),
        _ => Err(refused(format!("a scene is a dictionary, not a {}", kind(object)))),
    }
}

fn convert(object: &Bound<'_, PyAny>, place: &str, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(refused(format!("{}: dictionaries lie too deep in each other", named(place))));
    }
    if object.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(object.extract()?));
    }
    if object.is_instance_of::<PyString>() {
        return Ok(Value::String(object.extract()?));
    }
    if object.is_instance_of::<PyInt>() {
        return integer(object, place);
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(object.extract()?));
    }
    if let Ok(mapping) = object.cast::<PyMapping>() {
        return table(mapping, place, depth);
    }
    // Arrays and numbers of NumPy say what they are in Python.
    if object.hasattr("tolist")? {
        return convert(&object.call_method0("tolist")?, place, depth + 1);
    }
    if let Ok(items) = object.cast::<PySequence>() {
        let item = |(index, item): (usize, PyResult<Bound<'_, PyAny>>)| {
            convert(&item?, &joined(place, &index.to_string()), depth + 1)
        };
        return items.try_iter()?.enumerate().map(item).collect::<PyResult<_>>().map(Value::Array);
    }
    if object.hasattr("__fspath__")? {
        return Ok(Value::String(object.call_method0("__fspath__")?.extract()?));
    }
    Err(refused(format!(
        "{}: a {} is no value of a scene; give a number, text, True or False, a list or a dictionary",
        named(place),
        kind(object)
    )))
}

fn integer(object: &Bound<'_, PyAny>, place: &str) -> PyResult<Value> {
    object.extract().map(Value::Integer).map_err(|_| refused(format!("{}: {object} is too large", named(place))))
}

fn table(mapping: &Bound<'_, PyMapping>, place: &str, depth: usize) -> PyResult<Value> {
    let mut table = Table::new();
    for pair in mapping.items()?.try_iter()? {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
        let Ok(key) = key.extract::<String>() else {
            return Err(refused(format!("{}: the key {key} is not text", named(place))));
        };
        // What is None is not there.
        if !value.is_none() {
            let value = convert(&value, &joined(place, &key), depth + 1)?;
            table.insert(key, value);
        }
    }
    Ok(Value::Table(table))
}

fn joined(place: &str, key: &str) -> String {
    if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
}

fn named(place: &str) -> &str {
    if place.is_empty() { "the scene" } else { place }
}

fn kind(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "thing".to_owned(), |name| name.to_string())
}

/// The same as Python writes it.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Boolean(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Integer(value) => value.into_pyobject(py)?.into_any(),
        Value::Float(value) => value.into_pyobject(py)?.into_any(),
        Value::String(value) => value.into_pyobject(py)?.into_any(),
        Value::Datetime(value) => value.to_string().into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let items = items.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Table(table) => {
            let words = PyDict::new(py);
            for (key, value) in table {
                words.set_item(key, to_python(py, value)?)?;
            }
            words.into_any()
        }
    })
}

/// A value as it stands after `=` in a scene file.
#[pyfunction]
pub fn inline(value: &Bound<'_, PyAny>, place: &str) -> PyResult<String> {
    to_toml(value, place).map(|value| value.to_string())
}
