//! What a parameter goes through: a list, or a range from one number to another.

use super::keys::as_number;
use crate::SweepError;
use toml::{Table, Value};

#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    Listed(Vec<Value>),
    Between(Range),
}

/// Evenly spaced, on a logarithmic scale where that is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    from: f64,
    to: f64,
    count: Option<usize>,
    logarithmic: bool,
    /// Whole numbers only
    whole: bool,
}

/// A table that is a range and no part of a scene: both its ends are single values.
pub fn is_range(table: &Table) -> bool {
    let single = |key| table.get(key).is_some_and(|value| !value.is_table() && !value.is_array());
    single("from") && single("to")
}

/// Digits that are kept: enough for any purpose, and names and tables stay readable.
const DIGITS: usize = 10;

fn rounded(value: f64) -> f64 {
    format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value)
}

impl Values {
    pub fn read(key: &str, value: &Value) -> Result<Self, SweepError> {
        let wrong = |problem: String| SweepError::Values { key: key.to_owned(), problem };
        match value {
            Value::Array(items) if items.is_empty() => Err(wrong("the list is empty".into())),
            Value::Array(items) => Ok(Self::Listed(items.clone())),
            Value::Table(table) if is_range(table) => Range::read(table).map(Self::Between).map_err(wrong),
            _ => Err(wrong(
                "write a list, such as [1, 2, 5], or a range: { from = 1, to = 9, count = 3, scale = \"log\" }; to keep \
                 one value for all points put it into [set]"
                    .into(),
            )),
        }
    }

    /// All of them, where they are counted.
    pub fn all(self, key: &str) -> Result<Vec<Value>, SweepError> {
        match self {
            Self::Listed(items) => Ok(items),
            Self::Between(range) => match range.count {
                Some(count @ 2..) => Ok((0..count).map(|k| range.at(k as f64 / (count - 1) as f64)).collect()),
                _ => Err(SweepError::Values {
                    key: key.to_owned(),
                    problem: "a range needs its `count` here, at least 2".into(),
                }),
            },
        }
    }

    /// The one at a place from 0 to 1: samples are drawn so.
    pub fn at(&self, place: f64) -> Value {
        match self {
            Self::Listed(items) => items[((place * items.len() as f64) as usize).min(items.len() - 1)].clone(),
            Self::Between(range) => range.at(place),
        }
    }

    /// Whether it says how many values there are, which samples decide for all.
    pub fn has_count(&self) -> bool {
        matches!(self, Self::Between(Range { count: Some(_), .. }))
    }
}

impl Range {
    fn read(table: &Table) -> Result<Self, String> {
        let end = |key: &str| {
            let number = table.get(key).and_then(as_number).filter(|number| number.is_finite());
            number.ok_or(format!("`{key}` must be a number"))
        };
        let (from, to) = (end("from")?, end("to")?);
        if let Some(unknown) =
            table.keys().find(|key| !["from", "to", "count", "scale", "whole"].contains(&key.as_str()))
        {
            return Err(format!("`{unknown}` is no part of a range: there are from, to, count, scale, whole"));
        }
        let count = match table.get("count") {
            None => None,
            Some(Value::Integer(count @ 2..=100_000)) => Some(*count as usize),
            Some(other) => return Err(format!("count = {other}: it must be a whole number from 2 to 100000")),
        };
        let logarithmic = match table.get("scale").and_then(Value::as_str).unwrap_or("linear") {
            "linear" => false,
            "log" if from > 0.0 && to > 0.0 => true,
            "log" => return Err("a logarithmic range needs positive ends".into()),
            other => return Err(format!("scale = \"{other}\": it is \"linear\" or \"log\"")),
        };
        let whole = match table.get("whole") {
            None => false,
            Some(Value::Boolean(whole)) => *whole,
            Some(other) => return Err(format!("whole = {other}: it is true or false")),
        };
        Ok(Self { from, to, count, logarithmic, whole })
    }

    fn at(&self, place: f64) -> Value {
        let Self { from, to, .. } = *self;
        let between = if self.logarithmic { from * (to / from).powf(place) } else { from + (to - from) * place };
        let value = match place {
            0.0 => from,
            1.0 => to,
            _ => rounded(between),
        };
        if self.whole { Value::Integer(value.round() as i64) } else { Value::Float(value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Values, SweepError> {
        let table: Table = format!("v = {text}").parse().unwrap();
        Values::read("v", &table["v"])
    }

    fn numbers(text: &str) -> Vec<f64> {
        read(text).unwrap().all("v").unwrap().iter().map(|value| as_number(value).unwrap()).collect()
    }

    #[test]
    fn ranges_hold_their_ends_and_read_well_between() {
        assert_eq!(numbers("{ from = 1, to = 2, count = 3 }"), [1.0, 1.5, 2.0]);
        assert_eq!(numbers("{ from = 1e4, to = 1e6, count = 3, scale = \"log\" }"), [1e4, 1e5, 1e6]);
        assert_eq!(numbers("{ from = \"1/4\", to = 1, count = 2 }"), [0.25, 1.0]);
        assert_eq!(
            read("{ from = 1, to = 4, count = 4, whole = true }").unwrap().all("v").unwrap()[1],
            Value::Integer(2)
        );
        assert_eq!(numbers("[\"1/60\", 0.5]"), [1.0 / 60.0, 0.5]);
    }

    #[test]
    fn what_is_no_list_and_no_range_is_refused() {
        for (text, part) in [
            ("[]", "empty"),
            ("3", "write a list"),
            ("{ from = -1, to = 2, count = 3, scale = \"log\" }", "positive"),
            ("{ from = 1, to = 2, steps = 3 }", "`steps` is no part"),
            ("{ from = 1, to = 2, count = 1 }", "count = 1"),
            ("{ from = \"a\", to = 2 }", "`from` must be a number"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        assert!(read("{ from = 1, to = 2 }").unwrap().all("v").unwrap_err().to_string().contains("count"));
    }
}
