//! Gmsh .msh files: versions 2 and 4.1, text and binary of either byte order.
//!
//! The format: <https://gmsh.info/doc/texinfo/gmsh.html#Gmsh-file-formats>. Sections other than the nodes and elements
//! are passed over, so a file without `$Entities` reads as well as one with.

mod v2;
mod v4;
mod write;

pub use write::write;

use super::{Element, Format, RawMesh, Reader};
use nalgebra::Vector3;
use std::collections::HashMap;
use visviva_shapes::formats::{Cursor, Encoding, Place, ReadError, beginning, excerpt};

pub(super) const FORMAT: Format = Format {
    name: "Gmsh",
    endings: &["msh"],
    holds: &[Element::Tets, Element::Triangles],
    sniff: |data| beginning(data).starts_with(b"$"),
    trusts_ending: false,
    read: Reader::Elements(read),
    write: Some(write),
};

/// Reads versions 2 and 4.1.
pub fn read(data: &[u8]) -> Result<RawMesh, ReadError> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let mut cursor = Cursor::new(data);
    let mut builder = Builder::default();
    let mut version = None;
    loop {
        let rest = cursor.rest();
        cursor.pos += rest.len() - rest.trim_ascii_start().len();
        let start = cursor.pos;
        let Some(line) = cursor.line() else { break };
        let Some(name) = line.strip_prefix(b"$").and_then(|n| std::str::from_utf8(n).ok()) else {
            return Err(cursor.syntax(start, "a section such as $Nodes", format!("{:?}", excerpt(line))));
        };
        match (name, version) {
            ("MeshFormat", None) => version = Some(header(&mut cursor)?),
            ("NOD" | "NOE", None) => return Err(old(&cursor, start, "1")),
            ("ParametricNodes", _) => {
                let (place, what) = (cursor.place_at(start), "a section $ParametricNodes".into());
                let advice = "save without them (in Gmsh: Mesh.SaveParametric = 0)".into();
                return Err(ReadError::Unsupported { place, what, advice });
            }
            ("Nodes", Some(2)) => v2::nodes(&mut cursor, &mut builder)?,
            ("Elements", Some(2)) => v2::elements(&mut cursor, &mut builder)?,
            ("Nodes", Some(_)) => v4::nodes(&mut cursor, &mut builder)?,
            ("Elements", Some(_)) => v4::elements(&mut cursor, &mut builder)?,
            ("Nodes" | "Elements", None) => return Err(cursor.syntax(start, "$MeshFormat first", format!("${name}"))),
            _ => {
                let end = format!("$End{name}");
                if name.is_empty() || !cursor.skip_past(end.as_bytes()) {
                    return Err(cursor.truncated(&end));
                }
                continue;
            }
        }
        let expected = format!("$End{name}");
        let found = cursor.token(&expected)?;
        if found != expected {
            return Err(cursor.syntax(cursor.pos - found.len(), &expected, format!("{:?}", excerpt(found.as_bytes()))));
        }
    }
    match version {
        Some(_) => Ok(builder.raw),
        None => Err(cursor.truncated("$MeshFormat")),
    }
}

/// The major version; sets the cursor's encoding.
fn header(cursor: &mut Cursor) -> Result<u8, ReadError> {
    let start = cursor.pos;
    let version = cursor.token_here("the version")?;
    let binary = cursor.int("0 for text or 1 for binary")?;
    let size_bytes = cursor.int("the data size")?;
    cursor.end_record()?;
    let major = match version {
        "4.1" => 4,
        _ if version == "2" || version.starts_with("2.") => 2,
        _ => return Err(old(cursor, start, version)),
    };
    match (binary, size_bytes) {
        (0, _) => return Ok(major),
        (1, 8) | (1, 4) => cursor.size_bytes = size_bytes as usize,
        _ => return Err(cursor.syntax(start, "data size 4 or 8", format!("type {binary}, size {size_bytes}"))),
    }
    let mark = cursor.bytes(4, "the byte-order mark")?;
    cursor.encoding = match mark {
        [1, 0, 0, 0] => Encoding::Little,
        [0, 0, 0, 1] => Encoding::Big,
        _ => return Err(cursor.syntax(cursor.pos - 4, "the integer 1 as byte-order mark", format!("{mark:?}"))),
    };
    Ok(major)
}

fn old(cursor: &Cursor, pos: usize, version: &str) -> ReadError {
    let what = format!("Gmsh format version {:?}", excerpt(version.as_bytes()));
    let advice = "save it as 4.1 or 2.2 (gmsh in.msh -save -format msh41 -o out.msh)".into();
    ReadError::Unsupported { place: cursor.place_at(pos), what, advice }
}

/// What is read so far, and the index of each node number.
#[derive(Default)]
struct Builder {
    raw: RawMesh,
    index: HashMap<i64, u32>,
}

impl Builder {
    fn node(&mut self, cursor: &Cursor, start: usize, tag: i64, x: [f64; 3]) -> Result<(), ReadError> {
        let index = self.raw.positions.len();
        if index >= u32::MAX as usize {
            return Err(ReadError::TooMany { what: "nodes", count: index as u128 + 1, limit: u32::MAX as u128 });
        }
        if self.index.insert(tag, index as u32).is_some() {
            return Err(cursor.syntax(start, "a new node number", format!("{tag} again")));
        }
        self.raw.positions.push(Vector3::from(x));
        Ok(())
    }

    /// Reads one element's node numbers, by `size` or `int`, and keeps it or counts it as skipped.
    fn element<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        kind: &Kind,
        tag: i64,
        start: usize,
        number: fn(&mut Cursor<'a>, &str) -> Result<i64, ReadError>,
    ) -> Result<(), ReadError> {
        let mut nodes = [0; 4];
        for k in 0..kind.nodes {
            let node = number(cursor, "a node number")?;
            if !kind.kept() {
                continue;
            }
            let unknown = || {
                let (place, element) = (cursor.place_at(start), tag.max(0) as u64);
                ReadError::UnknownNode { place, kind: "element", element, node }
            };
            nodes[k] = *self.index.get(&node).ok_or_else(unknown)?;
        }
        match kind.code {
            4 => self.raw.tets.push(nodes),
            2 => self.raw.triangles.push([nodes[0], nodes[1], nodes[2]]),
            _ => self.raw.skip(kind.name),
        }
        Ok(())
    }
}

/// One of Gmsh's element types.
struct Kind {
    code: i64,
    nodes: usize,
    name: &'static str,
}

impl Kind {
    fn kept(&self) -> bool {
        matches!(self.code, 2 | 4)
    }

    fn of(code: i64, place: impl FnOnce() -> Place) -> Result<Self, ReadError> {
        let (nodes, name) = match code {
            1 => (2, "lines"),
            2 => (3, "triangles"),
            3 => (4, "quadrangles"),
            4 => (4, "tetrahedra"),
            5 => (8, "hexahedra"),
            6 => (6, "prisms"),
            7 => (5, "pyramids"),
            8 => (3, "second-order lines"),
            9 => (6, "second-order triangles"),
            10 => (9, "second-order quadrangles"),
            12 => (27, "second-order hexahedra"),
            13 => (18, "second-order prisms"),
            14 => (14, "second-order pyramids"),
            15 => (1, "points"),
            16 => (8, "second-order quadrangles"),
            17 => (20, "second-order hexahedra"),
            18 => (15, "second-order prisms"),
            19 => (13, "second-order pyramids"),
            20 => (9, "high-order triangles"),
            21 => (10, "high-order triangles"),
            22 => (12, "high-order triangles"),
            23 | 24 => (15, "high-order triangles"),
            25 => (21, "high-order triangles"),
            26..=28 => (code as usize - 22, "high-order lines"),
            92 => (64, "high-order hexahedra"),
            93 => (125, "high-order hexahedra"),
            11 | 29 | 30 | 31 => {
                let what = format!("element type {code}, a tetrahedron of higher order,");
                let advice = "export linear, 4-node tetrahedra (in Gmsh: Mesh.ElementOrder = 1)".into();
                return Err(ReadError::Unsupported { place: place(), what, advice });
            }
            _ => {
                let advice = "export 4-node tetrahedra or 3-node triangles".into();
                return Err(ReadError::Unsupported { place: place(), what: format!("element type {code}"), advice });
            }
        };
        Ok(Kind { code, nodes, name })
    }
}
