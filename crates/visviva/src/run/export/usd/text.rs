//! Values as .usda writes them, in single precision.

use std::fmt::{Display, Write};

pub fn number(value: f64) -> String {
    let mut text = String::new();
    push(&mut text, value);
    text
}

pub fn triple(value: [f64; 3]) -> String {
    let mut text = String::new();
    push_tuple(&mut text, value);
    text
}

pub fn tuples<const N: usize>(values: &[[f64; N]]) -> String {
    // A number has up to a dozen characters.
    let mut text = String::with_capacity(14 * N * values.len() + 2);
    push_list(&mut text, values, |text, &value| push_tuple(text, value));
    text
}

pub fn counts(values: &[u32]) -> String {
    let mut text = String::new();
    push_list(&mut text, values, |text, value| append(text, value));
    text
}

/// A string on one line.
pub fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace(|c: char| c.is_control(), " ");
    format!("\"{escaped}\"")
}

fn push_list<T>(text: &mut String, items: &[T], push: impl Fn(&mut String, &T)) {
    text.push('[');
    for (index, item) in items.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { ", " });
        push(text, item);
    }
    text.push(']');
}

fn push_tuple<const N: usize>(text: &mut String, values: [f64; N]) {
    text.push('(');
    for (index, value) in values.into_iter().enumerate() {
        text.push_str(if index == 0 { "" } else { ", " });
        push(text, value);
    }
    text.push(')');
}

/// Small ones with an exponent: a velocity of 1e-17 is common.
fn push(text: &mut String, value: f64) {
    let value = value as f32;
    match value {
        _ if value.is_nan() => text.push_str("nan"),
        _ if value != 0.0 && value.abs() < 1e-4 => append(text, &format_args!("{value:e}")),
        _ => append(text, &value),
    }
}

fn append(text: &mut String, value: &impl Display) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{value}");
}
