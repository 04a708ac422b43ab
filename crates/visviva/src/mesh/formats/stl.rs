//! STL surfaces, text and binary: loose triangles, whose corners are joined where they agree to the last bit.
//!
//! A binary file is 80 free bytes, a count n and n records of 50 bytes; it is known by its length, because some programs
//! begin those free bytes with `solid` too. Normals, names and attributes are passed over: corners tell them better.

use super::cursor::Cursor;
use super::{Element, Format, RawMesh, excerpt};
use crate::mesh::{MeshError, Place};
use nalgebra::Vector3;
use std::collections::BTreeMap;

pub(super) const FORMAT: Format = Format {
    name: "STL",
    endings: &["stl"],
    holds: &[Element::Triangles],
    sniff,
    trusts_ending: true,
    read,
    write: None,
};

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
pub fn read(data: &[u8]) -> Result<RawMesh, MeshError> {
    match declared_length(data) {
        Some((_, wanted)) if wanted == data.len() as u64 => read_binary(data),
        _ if is_text(data) => read_text(data),
        // No binary file is without zeros, and a text begins otherwise.
        _ if !data.is_empty() && !data.contains(&0) => Err(MeshError::UnknownFormat { begins: excerpt(data) }),
        Some((declared, wanted)) => {
            let actual = ((data.len() - HEADER) / RECORD) as u64;
            if wanted > data.len() as u64 {
                let expected = format!("triangle {actual} of {declared}");
                return Err(MeshError::Truncated { place: Place::Byte(data.len()), expected });
            }
            let what = "the count of triangles in the header".into();
            Err(MeshError::Count { place: Place::Byte(80), what, declared, actual })
        }
        None => {
            let expected = "the header of an STL file, `solid` or 84 bytes".into();
            Err(MeshError::Truncated { place: Place::Byte(data.len()), expected })
        }
    }
}

fn read_binary(data: &[u8]) -> Result<RawMesh, MeshError> {
    let mut joined = Joined::default();
    for (t, record) in data[HEADER..].chunks_exact(RECORD).enumerate() {
        let mut corners = [Vector3::<f64>::zeros(); 3];
        // Twelve bytes of normal come first.
        for (k, b) in record[12..48].chunks_exact(4).enumerate() {
            let value = f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            if !value.is_finite() {
                let place = Place::Byte(HEADER + RECORD * t + 12 + 4 * k);
                let expected = format!("a finite coordinate in triangle {t}");
                return Err(MeshError::Syntax { place, expected, found: value.to_string() });
            }
            corners[k / 3][k % 3] = value;
        }
        joined.push(corners);
    }
    Ok(joined.raw)
}

fn read_text(data: &[u8]) -> Result<RawMesh, MeshError> {
    let mut joined = Joined::default();
    let mut cursor = Cursor::new(data);
    // Several solids may follow each other; they become one surface.
    while !cursor.rest().trim_ascii_start().is_empty() {
        word(&mut cursor, &["solid"])?;
        cursor.line();
        while word(&mut cursor, &["facet", "endsolid"])? == "facet" {
            word(&mut cursor, &["normal"])?;
            for _ in 0..3 {
                // Some programs write `nan` as the normal of a needle.
                cursor.parse::<f64>("a component of the normal")?;
            }
            word(&mut cursor, &["outer"])?;
            word(&mut cursor, &["loop"])?;
            let mut corners = [Vector3::<f64>::zeros(); 3];
            for corner in &mut corners {
                word(&mut cursor, &["vertex"])?;
                for k in 0..3 {
                    corner[k] = cursor.parse("a coordinate")?;
                    if !corner[k].is_finite() {
                        return Err(cursor.syntax(cursor.pos, "a finite coordinate", corner[k].to_string()));
                    }
                }
            }
            joined.push(corners);
            word(&mut cursor, &["endloop"])?;
            word(&mut cursor, &["endfacet"])?;
        }
        cursor.line();
    }
    Ok(joined.raw)
}

/// The next word, which must be one of these in any case.
fn word(cursor: &mut Cursor, allowed: &[&'static str]) -> Result<&'static str, MeshError> {
    let expected = format!("`{}`", allowed.join("` or `"));
    let found = cursor.token(&expected)?;
    let known = allowed.iter().copied().find(|known| known.eq_ignore_ascii_case(found));
    known.ok_or_else(|| cursor.syntax(cursor.pos - found.len(), &expected, format!("{:?}", excerpt(found.as_bytes()))))
}

#[derive(Default)]
struct Joined {
    raw: RawMesh,
    nodes: BTreeMap<[u64; 3], u32>,
}

impl Joined {
    fn push(&mut self, corners: [Vector3<f64>; 3]) {
        let triangle = corners.map(|corner| {
            // Adding zero makes −0 and 0 one.
            let key = corner.map(|c| (c + 0.0).to_bits()).into();
            *self.nodes.entry(key).or_insert_with(|| {
                self.raw.positions.push(corner);
                self.raw.positions.len() as u32 - 1
            })
        });
        let [a, b, c] = triangle;
        // Programs leave needles that rounding to single precision has closed.
        if a == b || b == c || c == a {
            self.raw.skip("triangles with two equal corners");
        } else {
            self.raw.triangles.push(triangle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::icosphere;
    use crate::mesh::{TriMesh, load_tri_mesh};

    /// Coordinates that single precision holds, so that both kinds of file hold them too.
    fn sphere() -> TriMesh {
        let mut mesh = icosphere(1.0, 1).unwrap();
        mesh.positions.iter_mut().for_each(|x| *x = x.map(|c| f64::from(c as f32)));
        mesh
    }

    fn binary(mesh: &TriMesh, title: &str) -> Vec<u8> {
        let mut bytes = title.as_bytes().to_vec();
        bytes.resize(80, 0);
        bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
        for triangle in &mesh.triangles {
            bytes.extend([0; 12]);
            for c in triangle.iter().flat_map(|&i| mesh.positions[i as usize].iter().copied().collect::<Vec<_>>()) {
                bytes.extend((c as f32).to_le_bytes());
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    fn text(mesh: &TriMesh) -> String {
        let mut text = String::from("solid a ball\n");
        for triangle in &mesh.triangles {
            text += " facet normal 0 0 1\n  outer loop\n";
            for x in triangle.map(|i| mesh.positions[i as usize]) {
                text += &format!("   vertex {:?} {:?} {:?}\n", x.x, x.y, x.z);
            }
            text += "  endloop\n endfacet\n";
        }
        text + "endsolid a ball\n"
    }

    /// The same triangles corner by corner, whatever the numbering.
    fn soup(positions: &[Vector3<f64>], triangles: &[[u32; 3]]) -> Vec<[Vector3<f64>; 3]> {
        triangles.iter().map(|t| t.map(|i| positions[i as usize])).collect()
    }

    #[test]
    fn text_and_binary_give_back_the_joined_surface() {
        let mesh = sphere();
        let wanted = soup(&mesh.positions, &mesh.triangles);
        let shouted = text(&mesh).to_uppercase().replace('\n', "\r\n");
        for data in [binary(&mesh, "made by hand"), binary(&mesh, "solid"), text(&mesh).into_bytes(), shouted.into()] {
            let raw = read(&data).unwrap();
            assert_eq!(raw.positions.len(), 42);
            assert_eq!(soup(&raw.positions, &raw.triangles), wanted);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ball.STL");
        // Free bytes that look like another format.
        std::fs::write(&path, binary(&mesh, "<$ # vtk")).unwrap();
        let loaded = load_tri_mesh(&path).unwrap();
        assert_eq!(loaded.mesh.validate_sheet().unwrap().len(), 120);
        assert_eq!(loaded.warnings, []);
    }

    #[test]
    fn signed_zeros_join_and_closed_needles_are_counted() {
        let facet = |x: &str| format!("facet normal nan 0 0 outer loop {x} endloop endfacet\n");
        let first = facet("vertex 0 0 0 vertex 1 0 0 vertex 0 1 0");
        let second = facet("vertex -0 0 0 vertex 0 1 -0 vertex 0 0 1e0");
        let needle = facet("vertex 0 0 0 vertex 1 0 0 vertex 1 0 0");
        let raw = read(format!("solid\n{first}endsolid\nsolid two\n{second}{needle}endsolid two").as_bytes()).unwrap();
        assert_eq!((raw.positions.len(), raw.triangles), (4, vec![[0, 1, 2], [0, 2, 3]]));
        assert_eq!(raw.skipped.into_values().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn bad_files_are_refused_with_their_place() {
        let refusal = |data: &[u8]| read(data).unwrap_err().to_string();
        let mesh = sphere();
        let whole = binary(&mesh, "solid");
        let short = refusal(&whole[..HEADER + RECORD * 7 + 11]);
        assert!(short.starts_with("byte 445: the file ends where triangle 7 of 80 should be"), "{short}");
        let long = refusal(&[whole.clone(), vec![0; 100]].concat());
        assert_eq!(long, "byte 80: the count of triangles in the header says 80, but there are 82");
        let mut spoiled = whole.clone();
        spoiled[HEADER + RECORD * 3 + 16..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(refusal(&spoiled), "byte 250: expected a finite coordinate in triangle 3, found NaN");
        assert!(refusal(&whole[..60]).contains("ends where the header"));
        assert!(refusal(b"").contains("ends where the header"));

        let whole = text(&mesh);
        let cut = refusal(whole.strip_suffix("endsolid a ball\n").unwrap().as_bytes());
        assert!(cut.starts_with("line 562: the file ends where `facet` or `endsolid` should be"), "{cut}");
        let nan = refusal(whole.replacen("vertex ", "vertex nan ", 1).as_bytes());
        assert_eq!(nan, "line 4: expected a finite coordinate, found NaN");
        let four = refusal(whole.replacen("  endloop", "   vertex 1 2 3\n  endloop", 1).as_bytes());
        assert_eq!(four, "line 7: expected `endloop`, found \"vertex\"");
        let two = refusal(whole.replacen("vertex ", "vertex x", 1).as_bytes());
        assert!(two.starts_with("line 4: expected a coordinate, found"), "{two}");
    }

    #[test]
    fn no_cut_and_no_changed_byte_makes_the_reader_panic_or_believe() {
        let mut mesh = sphere();
        mesh.triangles.truncate(6);
        for whole in [binary(&mesh, "solid"), text(&mesh).into_bytes()] {
            for length in 0..whole.len() - 16 {
                assert!(read(&whole[..length]).is_err(), "cut at {length}");
            }
            for at in 0..whole.len() {
                for byte in [0, b' ', b'9', 0xff] {
                    let mut spoiled = whole.clone();
                    spoiled[at] = byte;
                    // Either outcome is right; returning is the claim.
                    let _ = read(&spoiled);
                }
            }
        }
    }
}
