//! What the parser says, in words for people: no types of a programming language.

use crate::readable::did_you_mean;

/// Types as the parser calls them, and what a user writes.
const TYPES: [(&str, &str); 12] = [
    ("f64", "a number"),
    ("usize", "a whole number, 0 or more"),
    ("u64", "a whole number, 0 or more"),
    ("u32", "a whole number, 0 or more"),
    ("a boolean", "true or false"),
    ("a string", "text in quotes"),
    ("a sequence", "a list (of tables: each in double brackets)"),
    ("a map", "a table"),
    ("an array of length 2", "a list of 2 values, such as [0, 1]"),
    ("an array of length 3", "a list of 3 values, such as [0, 0, 1]"),
    ("an array of length 4", "a list of 4 values, such as [0, 0, 0, 1]"),
    ("a tuple of size 2", "a list of 2 values, such as [0, 1]"),
];

/// A message of the parser, with the likeliest name where one is unknown.
pub fn in_plain_words(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if let (true, [wrong, known @ ..]) =
        (message.starts_with("unknown field") || message.starts_with("unknown variant"), &quoted[..])
    {
        return format!("{}{}", message.replacen("unknown variant", "unknown value", 1), did_you_mean(wrong, known));
    }
    if let Some(key) = message.strip_prefix("missing field ") {
        return format!("{key} is missing");
    }
    let found = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    if let Some((found, expected)) = found.and_then(|rest| rest.split_once(", expected ")) {
        // A name of several lines may follow.
        let known = TYPES.iter().find(|(name, _)| *name == expected).map(|(_, plain)| *plain);
        return format!("expected {}, found {}", known.unwrap_or(expected), plain_value(found));
    }
    if let Some((count, _)) = message.strip_prefix("invalid length ").and_then(|rest| rest.split_once(", expected ")) {
        return format!("{count} values here are too many or too few");
    }
    message.to_owned()
}

/// "integer `5`" is 5.
fn plain_value(found: &str) -> String {
    match found {
        "map" => "a table".to_owned(),
        "sequence" => "a list".to_owned(),
        _ => {
            let value = ["integer ", "floating point ", "boolean "].iter().find_map(|kind| found.strip_prefix(kind));
            let value = value.map(|value| value.trim_matches('`').to_owned());
            value.unwrap_or_else(|| found.replacen("string ", "the text ", 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::in_plain_words;

    #[test]
    fn no_type_of_a_programming_language_is_left() {
        for (message, plain) in [
            ("invalid type: string \"fast\", expected f64", "expected a number, found the text \"fast\""),
            ("invalid value: integer `-1`, expected usize", "expected a whole number, 0 or more, found -1"),
            ("invalid type: boolean `true`, expected a string", "expected text in quotes, found true"),
            (
                "invalid type: map, expected a sequence",
                "expected a list (of tables: each in double brackets), found a table",
            ),
            ("missing field `h`", "`h` is missing"),
            (
                "unknown variant `dekay`, expected `decay` or `curve`",
                "unknown value `dekay`, expected `decay` or `curve`; did you mean `decay`?",
            ),
            ("something else", "something else"),
        ] {
            assert_eq!(in_plain_words(message), plain);
        }
    }
}
