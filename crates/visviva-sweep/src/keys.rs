//! Keys of a scene as sweeps and plots name them: `run.h`, `body.ball.translate.2`, `material.0.density`.

use toml::{Table, Value};
use visviva::scene::Number;

/// The value of a key in a scene's text. Items are counted from 0 or called by name; a body's `material` that is a name leads on
/// to that material.
pub fn look_up<'a>(scene: &'a Table, key: &str) -> Option<&'a Value> {
    let mut parts = key.split('.').peekable();
    let mut place = scene.get(parts.next()?)?;
    while let Some(part) = parts.next() {
        place = match place {
            Value::Table(table) => table.get(part)?,
            Value::Array(items) => item(items, part)?,
            _ => return None,
        };
        if let (true, Value::String(name), true) = (part == "material", place, parts.peek().is_some()) {
            place = item(scene.get("material")?.as_array()?, name)?;
        }
    }
    Some(place)
}

fn item<'a>(items: &'a [Value], key: &str) -> Option<&'a Value> {
    let called = items.iter().find(|item| item.get("name").and_then(Value::as_str) == Some(key));
    called.or_else(|| items.get(key.parse::<usize>().ok()?))
}

/// A number, or a text that is one: `"1/120"`.
pub fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Float(x) => Some(*x),
        Value::String(text) => text.parse::<Number>().ok().map(|number| number.value),
        _ => None,
    }
}

/// As a person reads it: texts without their quotes.
pub fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Nested tables as dotted keys; `is_value` says where a table is a value itself.
pub fn flattened(table: &Table, is_value: impl Fn(&Table) -> bool + Copy) -> Vec<(String, Value)> {
    let each = table.iter().flat_map(|(key, value)| match value {
        Value::Table(inner) if !is_value(inner) => {
            flattened(inner, is_value).into_iter().map(|(rest, value)| (format!("{key}.{rest}"), value)).collect()
        }
        other => vec![(key.clone(), other.clone())],
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lead_by_index_by_name_and_through_a_material() {
        let scene: Table =
            "run.h = \"1/60\"\n[[material]]\nname = \"rubber\"\ndensity = 900\n[[body]]\nname = \"ball\"\n\
                            material = \"rubber\"\ntranslate = [0, 0, 2]\n"
                .parse()
                .unwrap();
        let number = |key| look_up(&scene, key).and_then(as_number);
        assert_eq!(number("run.h"), Some(1.0 / 60.0));
        assert_eq!(number("body.ball.translate.2"), Some(2.0));
        assert_eq!(number("body.0.material.density"), Some(900.0));
        assert_eq!(number("material.rubber.density"), Some(900.0));
        for absent in ["run.x", "body.1.name", "body.bell.name", "run.h.x", ""] {
            assert_eq!(look_up(&scene, absent), None, "{absent}");
        }
    }

    #[test]
    fn tables_are_taken_apart_down_to_what_is_a_value() {
        let table: Table = "run.h = [1, 2]\nenergy.tau = { from = 1, to = 2 }".parse().unwrap();
        let keys: Vec<String> =
            flattened(&table, |inner| inner.contains_key("from")).into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["energy.tau", "run.h"]);
    }
}
