//! How many attributes the tags of an XML file have, looked at before it is parsed.

use visviva_shapes::formats::{Place, ReadError};

/// Attributes of one tag; VTK writes a dozen, and comparing each with all others takes time by the square of their number.
const MOST_ATTRIBUTES: usize = 256;

/// Refuses a tag of more attributes than any tag has, before they are compared with each other.
pub(super) fn bound_attributes(text: &str) -> Result<(), ReadError> {
    let (mut rest, mut at) = (text, 0);
    while let Some(begin) = rest.find('<') {
        (rest, at) = (&rest[begin..], at + begin);
        let long = [("<!--", "-->"), ("<![CDATA[", "]]>")].into_iter().find(|(open, _)| rest.starts_with(open));
        let end = match long {
            Some((_, close)) => rest.find(close).map(|found| found + close.len()),
            None => tag_end(rest).map_err(|()| ReadError::Syntax {
                place: Place::Line(text[..at].matches('\n').count() + 1),
                expected: format!("at most {MOST_ATTRIBUTES} attributes of a tag"),
                found: "more".into(),
            })?,
        };
        // Where a tag does not end, the parser says so.
        let Some(end) = end else { return Ok(()) };
        (rest, at) = (&rest[end..], at + end);
    }
    Ok(())
}

/// Where the tag that a text begins with ends, if it does; an error where it has too many attributes.
fn tag_end(text: &str) -> Result<Option<usize>, ()> {
    let (mut quote, mut values) = (None, 0);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Ok(Some(at + 1)),
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                values += 1;
            }
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
        if values > MOST_ATTRIBUTES {
            return Err(());
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_of_too_many_attributes_is_refused_with_its_line_and_quotes_and_comments_are_none() {
        let many = |count: usize| (0..count).map(|i| format!(" a{i}='>'")).collect::<String>();
        assert!(bound_attributes(&format!("<a>\n<b{}/></a>", many(MOST_ATTRIBUTES))).is_ok());
        let error = bound_attributes(&format!("<a>\n<b{}/></a>", many(MOST_ATTRIBUTES + 1))).unwrap_err();
        assert!(error.to_string().starts_with("line 2: expected at most 256 attributes"), "{error}");
        assert!(bound_attributes(&format!("<!-- {} --><a t=\"'\"/>", many(1000))).is_ok());
        assert!(bound_attributes("<a b='").is_ok(), "what does not end is the parser's to refuse");
    }
}
