//! Wavefront OBJ surfaces: `v`, `f` with polygons cut into fans, and `l`; texture, normals and groups are passed over.

use super::cursor::Cursor;
use super::{Element, Format, RawMesh, beginning, node_index};
use crate::mesh::{MeshError, Place};
use nalgebra::Vector3;
use std::io::Write;

pub(super) const FORMAT: Format = Format {
    name: "Wavefront OBJ",
    endings: &["obj"],
    holds: &[Element::Triangles, Element::Lines],
    sniff,
    trusts_ending: true,
    read,
    write: Some(write),
};

/// The first line that says something begins with a word of the format.
fn sniff(data: &[u8]) -> bool {
    const WORDS: [&[u8]; 12] = [b"v", b"vn", b"vt", b"vp", b"f", b"l", b"p", b"o", b"g", b"s", b"mtllib", b"usemtl"];
    let mut lines = beginning(data).split(|&b| b == b'\n').map(|line| line.trim_ascii());
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    let mut words = first.unwrap_or(&[]).split(|b| b.is_ascii_whitespace());
    words.next().is_some_and(|word| WORDS.contains(&word)) && words.next().is_some()
}

/// Reads vertices, faces and lines.
pub fn read(data: &[u8]) -> Result<RawMesh, MeshError> {
    let mut raw = RawMesh::default();
    let mut cursor = Cursor::new(data);
    let mut number = 0;
    let (mut face, mut line_number) = (0, 0);
    while let Some(bytes) = cursor.line() {
        number += 1;
        let place = Place::Line(number);
        let line = String::from_utf8_lossy(bytes);
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        match words.next() {
            Some("v") => {
                let mut position = Vector3::zeros();
                for k in 0..3 {
                    let word = words.next();
                    position[k] =
                        word.and_then(|w| w.parse().ok()).ok_or_else(|| syntax(place, "a coordinate", word))?;
                }
                raw.positions.push(position);
            }
            Some("f") => {
                let mut corners = Vec::new();
                for word in words {
                    corners.push(corner(word, raw.positions.len(), place, "face", face)?);
                }
                if corners.len() < 3 {
                    return Err(syntax(place, "at least three corners", Some(&corners.len().to_string())));
                }
                for k in 1..corners.len() - 1 {
                    raw.triangles.push([corners[0], corners[k], corners[k + 1]]);
                }
                face += 1;
            }
            Some("l") => {
                let mut nodes = Vec::new();
                for word in words {
                    nodes.push(corner(word, raw.positions.len(), place, "line", line_number)?);
                }
                if nodes.len() < 2 {
                    return Err(syntax(place, "at least two ends", Some(&nodes.len().to_string())));
                }
                raw.lines.extend(nodes.windows(2).map(|pair| [pair[0], pair[1]]));
                line_number += 1;
            }
            Some("p") => raw.skip("points"),
            _ => {}
        }
    }
    Ok(raw)
}

/// `v`, `v/vt`, `v//vn` or `v/vt/vn`; negative numbers count back from the newest vertex.
fn corner(word: &str, node_count: usize, place: Place, kind: &'static str, element: u64) -> Result<u32, MeshError> {
    let first = word.split('/').next().unwrap_or("");
    let given: i64 = first.parse().map_err(|_| syntax(place, "a vertex number", Some(word)))?;
    let node = if given < 0 { (node_count as i64).saturating_add(given) } else { given - 1 };
    node_index(node, node_count).ok_or(MeshError::UnknownNode { place, kind, element, node: given })
}

/// Numbers count from 1.
pub fn write(out: &mut dyn Write, mesh: &RawMesh) -> Result<(), MeshError> {
    for x in &mesh.positions {
        // {:?} writes the shortest text that reads back to the same bits.
        writeln!(out, "v {:?} {:?} {:?}", x.x, x.y, x.z)?;
    }
    let number = |node: u32| u64::from(node) + 1;
    for [a, b, c] in mesh.triangles.iter().map(|t| t.map(number)) {
        writeln!(out, "f {a} {b} {c}")?;
    }
    for [a, b] in mesh.lines.iter().map(|l| l.map(number)) {
        writeln!(out, "l {a} {b}")?;
    }
    Ok(())
}

fn syntax(place: Place, expected: &str, found: Option<&str>) -> MeshError {
    let found = found.map_or("the end of the line".into(), |w| format!("{:?}", super::excerpt(w.as_bytes())));
    MeshError::Syntax { place, expected: expected.into(), found }
}
