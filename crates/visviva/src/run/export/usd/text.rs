//! Values as .usda writes them, in single precision.

use std::fmt::Write;

/// Small ones with an exponent: a velocity of 1e-17 is common.
pub fn number(value: f64) -> String {
    let value = value as f32;
    match value {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value != 0.0 && value.abs() < 1e-4 => format!("{value:e}"),
        _ => format!("{value}"),
    }
}

pub fn triple([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", number(x), number(y), number(z))
}

pub fn triples(values: &[[f64; 3]]) -> String {
    list(values.iter().map(|&value| triple(value)))
}

pub fn pairs(values: &[[f64; 2]]) -> String {
    list(values.iter().map(|[u, v]| format!("({}, {})", number(*u), number(*v))))
}

pub fn counts(values: &[u32]) -> String {
    list(values.iter())
}

fn list(items: impl Iterator<Item: std::fmt::Display>) -> String {
    let mut text = String::from("[");
    for (index, item) in items.enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{item}", if index == 0 { "" } else { ", " });
    }
    text.push(']');
    text
}

/// A string on one line.
pub fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace(|c: char| c.is_control(), " ");
    format!("\"{escaped}\"")
}
