//! Wavefront OBJ: `v`, `vt`, `f`, `l`, `o`, `g` and `usemtl`; normals, colours of vertices, curves and materials' files are
//! passed over.
//!
//! The format: <https://paulbourke.net/dataformats/obj/>. Each `o` is a mesh; groups are where there is no `o` and none shares a
//! vertex with another.

mod objects;

use super::{Cursor, Format, Objects, Place, ReadError, beginning, excerpt, node_index};
use crate::Polygons;
use nalgebra::Vector3;
use objects::{Sections, split};
use std::collections::HashMap;

pub const FORMAT: Format =
    Format { name: "Wavefront OBJ", endings: &["obj"], sniff, read: |data, _| Ok(split(read(data)?)) };

/// In place of the number of a texture coordinate or a material
const NONE: u32 = u32::MAX;

/// The whole file with numbers as they stand in it, from 0.
#[derive(Debug, Default)]
struct Content {
    positions: Vec<Vector3<f64>>,
    texture: Vec<[f64; 2]>,
    materials: Vec<String>,
    polygons: Polygons,
    /// Of each corner, or `NONE`
    texture_of: Vec<u32>,
    /// Of each polygon, or `NONE`
    material_of: Vec<u32>,
    lines: Vec<[u32; 2]>,
    /// By `o`
    objects: Sections,
    /// By `g`
    groups: Sections,
    others: Objects,
}

/// The first line that says something begins with a word of the format.
fn sniff(data: &[u8]) -> bool {
    const WORDS: [&[u8]; 12] = [b"v", b"vn", b"vt", b"vp", b"f", b"l", b"p", b"o", b"g", b"s", b"mtllib", b"usemtl"];
    let mut lines = beginning(data).split(|&b| b == b'\n').map(|line| line.trim_ascii());
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    let mut words = first.unwrap_or(&[]).split(|b| b.is_ascii_whitespace());
    words.next().is_some_and(|word| WORDS.contains(&word)) && words.next().is_some()
}

fn read(data: &[u8]) -> Result<Content, ReadError> {
    let mut content = Content::default();
    let mut material_numbers = HashMap::new();
    let mut material = NONE;
    let mut cursor = Cursor::new(data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data));
    let mut number = 0;
    while let Some(bytes) = cursor.line() {
        number += 1;
        let place = Place::Line(number);
        let mut line = String::from_utf8_lossy(bytes);
        if line.ends_with('\\') && !line.trim_start().starts_with('#') {
            let mut whole = line.into_owned();
            while whole.ends_with('\\') {
                let Some(bytes) = cursor.line() else { break };
                number += 1;
                whole.pop();
                whole.push(' ');
                whole.push_str(&String::from_utf8_lossy(bytes));
            }
            line = whole.into();
        }
        let (word, rest) = line.trim_start().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let mut values = rest.split('#').next().unwrap_or("").split_whitespace();
        match word {
            "v" => {
                let mut position = Vector3::zeros();
                for k in 0..3 {
                    position[k] = finite(values.next(), "a coordinate", place)?;
                }
                content.positions.push(position);
            }
            "vt" => {
                let u = finite(values.next(), "a texture coordinate", place)?;
                let v = values.next().map_or(Ok(0.0), |word| finite(Some(word), "a texture coordinate", place))?;
                content.texture.push([u, v]);
            }
            "f" => content.polygon(values, material, place)?,
            "l" => content.polyline(values, place)?,
            "p" => content.others.skip("points"),
            "o" => content
                .objects
                .begin(rest.trim(), [content.polygons.len(), content.lines.len(), content.positions.len()]),
            "g" => content
                .groups
                .begin(rest.trim(), [content.polygons.len(), content.lines.len(), content.positions.len()]),
            "usemtl" => {
                let name = rest.trim();
                material = *material_numbers.entry(name.to_owned()).or_insert_with(|| {
                    content.materials.push(name.to_owned());
                    content.materials.len() as u32 - 1
                });
            }
            _ => {}
        }
    }
    Ok(content)
}

impl Content {
    fn polygon<'a>(
        &mut self,
        words: impl Iterator<Item = &'a str>,
        material: u32,
        place: Place,
    ) -> Result<(), ReadError> {
        let first = self.polygons.corners.len();
        for word in words {
            let vertex = self.vertex(word, place, "face", self.polygons.len())?;
            let texture = self.texture_at(word, place)?;
            self.polygons.corners.push(vertex);
            self.texture_of.push(texture);
        }
        let corners = self.polygons.corners.len() - first;
        if corners < 3 {
            return Err(syntax(place, "at least three corners", Some(&corners.to_string())));
        }
        self.polygons.ends.push(self.polygons.corners.len() as u32);
        self.material_of.push(material);
        Ok(())
    }

    fn polyline<'a>(&mut self, words: impl Iterator<Item = &'a str>, place: Place) -> Result<(), ReadError> {
        let mut last = None;
        let mut count = 0;
        for word in words {
            let vertex = self.vertex(word, place, "line", self.lines.len())?;
            self.lines.extend(last.map(|last| [last, vertex]));
            last = Some(vertex);
            count += 1;
        }
        if count < 2 { Err(syntax(place, "at least two ends", Some(&count.to_string()))) } else { Ok(()) }
    }

    /// Of `v`, `v/vt`, `v//vn` or `v/vt/vn`; negative numbers count back from the newest.
    fn vertex(&self, word: &str, place: Place, kind: &'static str, element: usize) -> Result<u32, ReadError> {
        let first = word.split('/').next().unwrap_or("");
        let given: i64 = first.parse().map_err(|_| syntax(place, "a vertex number", Some(word)))?;
        let element = element as u64;
        from_one(given, self.positions.len()).ok_or(ReadError::UnknownNode { place, kind, element, node: given })
    }

    fn texture_at(&mut self, word: &str, place: Place) -> Result<u32, ReadError> {
        let Some(given) = word.split('/').nth(1).filter(|given| !given.is_empty()) else { return Ok(NONE) };
        let given = given.parse().map_err(|_| syntax(place, "the number of a texture coordinate", Some(word)))?;
        let known = from_one(given, self.texture.len());
        if known.is_none() {
            self.others.skip("texture coordinates that the file does not hold");
        }
        Ok(known.unwrap_or(NONE))
    }
}

fn from_one(given: i64, count: usize) -> Option<u32> {
    let index = if given < 0 { (count as i64).saturating_add(given) } else { given - 1 };
    node_index(index, count)
}

fn finite(word: Option<&str>, expected: &str, place: Place) -> Result<f64, ReadError> {
    let value = word.and_then(|word| word.parse().ok()).ok_or_else(|| syntax(place, expected, word))?;
    let finite = || syntax(place, &expected.replacen("a ", "a finite ", 1), word);
    if f64::is_finite(value) { Ok(value) } else { Err(finite()) }
}

fn syntax(place: Place, expected: &str, found: Option<&str>) -> ReadError {
    let found = found.map_or("the end of the line".into(), |word| format!("{:?}", excerpt(word.as_bytes())));
    ReadError::Syntax { place, expected: expected.into(), found }
}
