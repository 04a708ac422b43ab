//! OFF, the format of Geomview: counts, a line for each vertex, a line for each face; one object.
//!
//! The format: <http://www.geomview.org/docs/html/OFF.html>. Columns with normals, colours and texture coordinates (`NOFF`,
//! `COFF`, `STOFF`) are passed over, and so are comments. Some collections write the counts right behind `OFF`.

use super::{Cursor, Format, Objects, Place, ReadError, beginning, excerpt, node_index};
use crate::PolygonMesh;
use nalgebra::Vector3;

pub const FORMAT: Format = Format { name: "OFF", endings: &["off"], sniff, read: |data, _| read(data) };

/// The letters before `OFF`, and what follows.
fn keyword(first: &str) -> Option<(&str, &str)> {
    let at = first.find("OFF")?;
    let (letters, rest) = (&first[..at], &first[at + 3..]);
    let is_known = ["", "ST", "C", "N", "CN", "STC", "STN", "STCN", "4", "n", "4n"].contains(&letters);
    let goes_on = rest.starts_with(|next: char| next.is_whitespace() || next.is_ascii_digit() || next == '#');
    (is_known && (rest.is_empty() || goes_on)).then_some((letters, rest))
}

fn sniff(data: &[u8]) -> bool {
    let mut lines = beginning(data).split(|&b| b == b'\n').map(|line| line.trim_ascii());
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or(&[]);
    std::str::from_utf8(first).is_ok_and(|first| keyword(first).is_some())
}

fn read(data: &[u8]) -> Result<Objects, ReadError> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let mut lines = Lines { cursor: Cursor::new(data), number: 0 };
    let (mut place, mut line) = lines.next("OFF")?;
    // The word may be left out.
    if let Some((letters, rest)) = keyword(&line) {
        if letters.contains(['4', 'n']) || rest.trim_start().starts_with("BINARY") {
            let what = format!("{:?}", excerpt(line.as_bytes()));
            let advice = "export text with three coordinates a vertex".into();
            return Err(ReadError::Unsupported { place, what, advice });
        }
        line = rest.trim().to_owned();
        if line.is_empty() {
            (place, line) = lines.next("the counts of vertices and faces")?;
        }
    }
    let mut words = line.split_whitespace();
    let vertex_count: usize = number(words.next(), "the count of vertices", place)?;
    let face_count: usize = number(words.next(), "the count of faces", place)?;

    let mut mesh = PolygonMesh::default();
    mesh.positions.reserve(lines.cursor.capacity(vertex_count, 6));
    for k in 0..vertex_count {
        let (place, line) = lines.next(&format!("vertex {k} of {vertex_count}"))?;
        let mut words = line.split_whitespace();
        let mut position = Vector3::<f64>::zeros();
        for k in 0..3 {
            position[k] = number(words.next(), "a coordinate", place)?;
            if !position[k].is_finite() {
                return Err(syntax(place, "a finite coordinate", position[k].to_string()));
            }
        }
        mesh.positions.push(position);
    }
    for face in 0..face_count {
        let (place, line) = lines.next(&format!("face {face} of {face_count}"))?;
        let mut words = line.split_whitespace();
        let corners: usize = number(words.next(), "the number of corners", place)?;
        if corners < 3 {
            return Err(syntax(place, "at least three corners", corners.to_string()));
        }
        for _ in 0..corners {
            let given = number(words.next(), "a vertex number", place)?;
            let unknown = || ReadError::UnknownNode { place, kind: "face", element: face as u64, node: given };
            mesh.polygons.corners.push(node_index(given, mesh.positions.len()).ok_or_else(unknown)?);
        }
        mesh.polygons.ends.push(mesh.polygons.corners.len() as u32);
    }
    Ok(Objects { meshes: vec![mesh], ..Objects::default() })
}

/// Lines that say something, without their comments.
struct Lines<'a> {
    cursor: Cursor<'a>,
    number: usize,
}

impl Lines<'_> {
    fn next(&mut self, expected: &str) -> Result<(Place, String), ReadError> {
        while let Some(line) = self.cursor.line() {
            self.number += 1;
            let line = String::from_utf8_lossy(line);
            let said = line.split('#').next().unwrap_or("").trim();
            if !said.is_empty() {
                return Ok((Place::Line(self.number), said.to_owned()));
            }
        }
        Err(self.cursor.truncated(expected))
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>, expected: &str, place: Place) -> Result<T, ReadError> {
    let found = || word.map_or("the end of the line".into(), |word| format!("{:?}", excerpt(word.as_bytes())));
    word.and_then(|word| word.parse().ok()).ok_or_else(|| syntax(place, expected, found()))
}

fn syntax(place: Place, expected: &str, found: String) -> ReadError {
    ReadError::Syntax { place, expected: expected.into(), found }
}
