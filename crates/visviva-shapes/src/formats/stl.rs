//! STL surfaces, text and binary: loose triangles, whose corners are joined where they agree to the last bit.
//!
//! A binary file is 80 free bytes, a count n and n records of 50 bytes; it is known by its length, because some programs
//! begin those free bytes with `solid` too. Normals and attributes are passed over: corners tell them better.
//!
//! A text may hold several solids. They are objects where each is closed by itself; else they are patches of one surface, as
//! flow solvers want it.

use super::welding::Welding;
use super::{Cursor, Format, Objects, Place, ReadError, excerpt};
use crate::{PolygonMesh, Polygons};
use nalgebra::Vector3;

pub const FORMAT: Format = Format { name: "STL", endings: &["stl"], sniff, read: |data, _| read(data) };

const HEADER: usize = 84;
const RECORD: usize = 50;

/// A length that fits its count, or `solid` with a facet or the end on the next line.
fn sniff(data: &[u8]) -> bool {
    let text = || {
        let mut lines = data.split(|&b| b == b'\n').map(|line| line.trim_ascii()).filter(|line| !line.is_empty());
        let second = lines.nth(1).unwrap_or(&[]);
        let begins = |word: &[u8]| second.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
        is_text(data) && (begins(b"facet") || begins(b"endsolid"))
    };
    declared_length(data).is_some_and(|(_, length)| length == data.len() as u64) || text()
}

/// The count of triangles that a binary header gives, and the length of the file with so many.
fn declared_length(data: &[u8]) -> Option<(u64, u64)> {
    let count = data.get(80..HEADER).map(|b| u64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])))?;
    Some((count, HEADER as u64 + RECORD as u64 * count))
}

/// A binary file is never without a zero byte; so a damaged one is not mistaken for text.
fn is_text(data: &[u8]) -> bool {
    let begin = data.trim_ascii_start().get(..5).unwrap_or(&[]);
    begin.eq_ignore_ascii_case(b"solid") && !data.contains(&0)
}

/// Reads either kind and joins the corners.
fn read(data: &[u8]) -> Result<Objects, ReadError> {
    match declared_length(data) {
        Some((_, wanted)) if wanted == data.len() as u64 => read_binary(data),
        _ if is_text(data) => read_text(data),
        // No binary file is without zeros, and a text begins otherwise.
        _ if !data.is_empty() && !data.contains(&0) => Err(ReadError::NotRecognised { begins: excerpt(data) }),
        Some((declared, wanted)) => {
            let actual = ((data.len() - HEADER) / RECORD) as u64;
            if wanted > data.len() as u64 {
                let expected = format!("triangle {actual} of {declared}");
                return Err(ReadError::Truncated { place: Place::Byte(data.len()), expected });
            }
            let what = "the count of triangles in the header".into();
            Err(ReadError::Count { place: Place::Byte(80), what, declared, actual })
        }
        None => {
            let expected = "the header of an STL file, `solid` or 84 bytes".into();
            Err(ReadError::Truncated { place: Place::Byte(data.len()), expected })
        }
    }
}

fn read_binary(data: &[u8]) -> Result<Objects, ReadError> {
    let mut soup = Soup::default();
    for (t, record) in data[HEADER..].chunks_exact(RECORD).enumerate() {
        let mut corners = [Vector3::<f64>::zeros(); 3];
        // Twelve bytes of normal come first.
        for (k, b) in record[12..48].chunks_exact(4).enumerate() {
            let value = f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            if !value.is_finite() {
                let place = Place::Byte(HEADER + RECORD * t + 12 + 4 * k);
                let expected = format!("a finite coordinate in triangle {t}");
                return Err(ReadError::Syntax { place, expected, found: value.to_string() });
            }
            corners[k / 3][k % 3] = value;
        }
        soup.triangles.push(corners);
    }
    Ok(objects(vec![soup]))
}

fn read_text(data: &[u8]) -> Result<Objects, ReadError> {
    let mut solids = Vec::new();
    let mut cursor = Cursor::new(data);
    while !cursor.rest().trim_ascii_start().is_empty() {
        word(&mut cursor, &["solid"])?;
        let name = String::from_utf8_lossy(cursor.line().unwrap_or(&[])).trim().to_owned();
        let mut soup = Soup { name, triangles: Vec::new() };
        while word(&mut cursor, &["facet", "endsolid"])? == "facet" {
            soup.triangles.push(facet(&mut cursor)?);
        }
        cursor.line();
        solids.push(soup);
    }
    Ok(objects(solids))
}

/// What follows the word `facet`.
fn facet(cursor: &mut Cursor) -> Result<[Vector3<f64>; 3], ReadError> {
    word(cursor, &["normal"])?;
    for _ in 0..3 {
        // Some programs write `nan` as the normal of a needle.
        cursor.parse::<f64>("a component of the normal")?;
    }
    word(cursor, &["outer"])?;
    word(cursor, &["loop"])?;
    let mut corners = [Vector3::<f64>::zeros(); 3];
    for corner in &mut corners {
        word(cursor, &["vertex"])?;
        for k in 0..3 {
            corner[k] = cursor.parse("a coordinate")?;
            if !corner[k].is_finite() {
                return Err(cursor.syntax(cursor.pos, "a finite coordinate", corner[k].to_string()));
            }
        }
    }
    word(cursor, &["endloop"])?;
    word(cursor, &["endfacet"])?;
    Ok(corners)
}

/// The next word, which must be one of these in any case.
fn word(cursor: &mut Cursor, allowed: &[&'static str]) -> Result<&'static str, ReadError> {
    let expected = format!("`{}`", allowed.join("` or `"));
    let found = cursor.token(&expected)?;
    let known = allowed.iter().copied().find(|known| known.eq_ignore_ascii_case(found));
    known.ok_or_else(|| cursor.syntax(cursor.pos - found.len(), &expected, format!("{:?}", excerpt(found.as_bytes()))))
}

/// A solid of the file.
#[derive(Debug, Default)]
struct Soup {
    name: String,
    triangles: Vec<[Vector3<f64>; 3]>,
}

fn objects(solids: Vec<Soup>) -> Objects {
    let mut objects = Objects::default();
    for Soup { name, triangles } in &solids {
        let mesh = joined(name.clone(), triangles.iter().copied(), &mut objects);
        objects.meshes.push(mesh);
    }
    if objects.meshes.len() > 1 && !objects.meshes.iter().all(is_closed) {
        objects = Objects::default();
        let all = solids.iter().flat_map(|soup| soup.triangles.iter().copied());
        let mesh = joined(String::new(), all, &mut objects);
        objects.meshes.push(mesh);
    }
    objects
}

fn joined(name: String, triangles: impl Iterator<Item = [Vector3<f64>; 3]>, objects: &mut Objects) -> PolygonMesh {
    let mut welding = Welding::default();
    let mut polygons = Polygons::default();
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| welding.vertex(corner));
        // Programs leave needles that rounding to single precision has closed.
        if a == b || b == c || c == a {
            objects.skip("triangles with two equal corners");
        } else {
            polygons.push(&[a, b, c]);
        }
    }
    PolygonMesh { name, positions: welding.positions, polygons, ..PolygonMesh::default() }
}

/// Whether each edge belongs to an even number of triangles.
fn is_closed(mesh: &PolygonMesh) -> bool {
    let sides = |corners: &[u32]| [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
    let ascending = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    let mut edges: Vec<[u32; 2]> = mesh.polygons.iter().flat_map(sides).map(ascending).collect();
    edges.sort_unstable();
    edges.chunk_by(|a, b| a == b).all(|run| run.len() % 2 == 0)
}
