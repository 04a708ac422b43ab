//! The header of a PLY file: which elements follow, and the properties of each.

use crate::formats::{Cursor, Encoding, ReadError, Scalar, excerpt};

/// A kind of records.
#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
}

#[derive(Debug)]
pub(super) struct Property {
    pub name: String,
    pub kind: Scalar,
    /// How the length of a list is kept; None for a single number
    pub length: Option<Scalar>,
}

impl Element {
    /// Where a single number of one of these names is.
    pub fn number(&self, names: &[&str]) -> Option<usize> {
        self.properties.iter().position(|property| property.length.is_none() && names.contains(&property.name.as_str()))
    }

    /// Where a list of one of these names is.
    pub fn list(&self, names: &[&str]) -> Option<usize> {
        self.properties.iter().position(|property| property.length.is_some() && names.contains(&property.name.as_str()))
    }
}

/// The elements in their order; sets the cursor's encoding and leaves it at the first record.
pub(super) fn read(cursor: &mut Cursor) -> Result<Vec<Element>, ReadError> {
    let mut elements: Vec<Element> = Vec::new();
    let mut encoding = None;
    let quoted = |words: &[&str]| format!("{:?}", excerpt(words.join(" ").as_bytes()));
    cursor.line();
    loop {
        let start = cursor.pos;
        let line = cursor.line().ok_or_else(|| cursor.truncated("end_header"))?;
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["end_header"] => break,
            [] | ["comment" | "obj_info", ..] => {}
            ["format", kind, _] => {
                encoding = Some(match kind {
                    "ascii" => Encoding::Text,
                    "binary_little_endian" => Encoding::Little,
                    "binary_big_endian" => Encoding::Big,
                    _ => {
                        let expected = "ascii, binary_little_endian or binary_big_endian";
                        return Err(cursor.syntax(start, expected, quoted(&[kind])));
                    }
                });
            }
            ["element", name, count] => {
                let count =
                    count.parse().map_err(|_| cursor.syntax(start, "a number of elements", quoted(&[count])))?;
                elements.push(Element { name: name.to_owned(), count, properties: Vec::new() });
            }
            ["property", ref rest @ ..] => {
                let scalar = |word: &str| {
                    Scalar::named(word)
                        .ok_or_else(|| cursor.syntax(start, "a number type such as float", quoted(&[word])))
                };
                let property = match *rest {
                    ["list", length, kind, name] => {
                        Property { name: name.to_owned(), kind: scalar(kind)?, length: Some(scalar(length)?) }
                    }
                    [kind, name] => Property { name: name.to_owned(), kind: scalar(kind)?, length: None },
                    _ => return Err(cursor.syntax(start, "a type and a name", quoted(rest))),
                };
                let element =
                    elements.last_mut().ok_or_else(|| cursor.syntax(start, "an element first", "a property"))?;
                element.properties.push(property);
            }
            _ => return Err(cursor.syntax(start, "format, element, property or end_header", quoted(&words))),
        }
    }
    cursor.encoding = encoding.ok_or_else(|| cursor.syntax(cursor.pos, "a line `format` in the header", "none"))?;
    Ok(elements)
}
