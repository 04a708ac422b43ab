//! Legacy VTK unstructured grids, text or binary (big-endian), with the cell layouts before and since version 5.
//!
//! The format: <https://docs.vtk.org/en/latest/vtk_file_formats/vtk_legacy_file_format.html>.

use super::{Element, Format, RawMesh, Reader};
use nalgebra::Vector3;
use visviva_shapes::formats::{Cursor, Encoding, Place, ReadError, Scalar, beginning, excerpt, node_index};

pub(super) const FORMAT: Format = Format {
    name: "legacy VTK",
    endings: &["vtk"],
    holds: &[Element::Tets, Element::Triangles],
    sniff: |data| beginning(data).starts_with(b"# vtk"),
    trusts_ending: false,
    read: Reader::Elements(read),
    write: None,
};

/// The cells as one list of node numbers and where each cell's begin; n+1 offsets for n cells.
struct Cells {
    place: Place,
    offsets: Vec<i64>,
    nodes: Vec<i64>,
}

/// Reads an unstructured grid.
pub fn read(data: &[u8]) -> Result<RawMesh, ReadError> {
    let mut cursor = Cursor::new(data);
    let first = String::from_utf8_lossy(cursor.line().unwrap_or(&[])).into_owned();
    let version: f64 = first.rsplit(' ').next().and_then(|v| v.parse().ok()).unwrap_or(0.0);
    cursor.line().ok_or_else(|| cursor.truncated("the title"))?;
    let binary = match cursor.token("ASCII or BINARY")? {
        "ASCII" => false,
        "BINARY" => true,
        other => return Err(cursor.syntax(cursor.pos, "ASCII or BINARY", format!("{:?}", excerpt(other.as_bytes())))),
    };
    let mut raw = RawMesh::default();
    let (mut cells, mut types) = (None, None);
    while types.is_none() || cells.is_none() {
        let start = cursor.pos;
        match cursor.token("POINTS, CELLS and CELL_TYPES")?.to_ascii_uppercase().as_str() {
            "DATASET" => {
                let kind = cursor.token("UNSTRUCTURED_GRID")?;
                if kind != "UNSTRUCTURED_GRID" {
                    let what = format!("a VTK dataset {:?}", excerpt(kind.as_bytes()));
                    let advice = "export an unstructured grid of tetrahedra".into();
                    return Err(ReadError::Unsupported { place: cursor.place_at(start), what, advice });
                }
            }
            "POINTS" => {
                let count: usize = cursor.parse("the number of points")?;
                let scalar = scalar(&mut cursor)?;
                let x = Numbers::read(&mut cursor, binary, scalar, count.saturating_mul(3))?.reals();
                raw.positions = x.chunks_exact(3).map(Vector3::from_column_slice).collect();
            }
            "CELLS" => cells = Some(read_cells(&mut cursor, binary, version >= 5.0)?),
            "CELL_TYPES" => {
                let count: usize = cursor.parse("the number of cells")?;
                types = Some(Numbers::read(&mut cursor, binary, Scalar::I32, count)?.integers());
            }
            "FIELD" => skip_field(&mut cursor, binary)?,
            "METADATA" => skip_metadata(&mut cursor),
            other => {
                return Err(cursor.syntax(
                    start,
                    "POINTS, CELLS or CELL_TYPES",
                    format!("{:?}", excerpt(other.as_bytes())),
                ));
            }
        }
    }
    if let (Some(cells), Some(types)) = (cells, types) {
        add_cells(&mut raw, 0, || cells.place, &types, &cells.offsets, &cells.nodes)?;
    }
    Ok(raw)
}

fn read_cells(cursor: &mut Cursor, binary: bool, offsets_apart: bool) -> Result<Cells, ReadError> {
    let place = cursor.place_at(cursor.pos);
    let count: usize = cursor.parse("the number of cells")?;
    let size: usize = cursor.parse("the size of the cell list")?;
    if offsets_apart {
        let mut list = |name: &str, length: usize| {
            let start = cursor.pos;
            let found = cursor.token(name)?;
            if found != name {
                return Err(cursor.syntax(start, name, format!("{:?}", excerpt(found.as_bytes()))));
            }
            let scalar = scalar(cursor)?;
            Ok(Numbers::read(cursor, binary, scalar, length)?.integers())
        };
        return Ok(Cells { place, offsets: list("OFFSETS", count)?, nodes: list("CONNECTIVITY", size)? });
    }
    let flat = Numbers::read(cursor, binary, Scalar::I32, size)?.integers();
    let mut rest = flat.as_slice();
    let (mut offsets, mut nodes) = (vec![0], Vec::with_capacity(flat.len()));
    while let Some((&length, tail)) = rest.split_first() {
        let own = usize::try_from(length).ok().and_then(|n| tail.split_at_checked(n));
        let (own, tail) = own.ok_or_else(|| ReadError::Syntax {
            place,
            expected: format!("cell {} with its own number of nodes", offsets.len() - 1),
            found: format!("{length} where {} numbers are left", tail.len()),
        })?;
        nodes.extend_from_slice(own);
        offsets.push(nodes.len() as i64);
        rest = tail;
    }
    if offsets.len() - 1 != count {
        let (declared, actual) = (count as u64, offsets.len() as u64 - 1);
        return Err(ReadError::Count { place, what: "the cell count".into(), declared, actual });
    }
    Ok(Cells { place, offsets, nodes })
}

/// Keeps tets and triangles, counts the rest; `base` is the index of the first of these cells' points. Finding a place means
/// counting lines, so only errors ask for it.
pub(super) fn add_cells(
    raw: &mut RawMesh,
    base: usize,
    place: impl Fn() -> Place,
    types: &[i64],
    offsets: &[i64],
    nodes: &[i64],
) -> Result<(), ReadError> {
    if offsets.len() != types.len() + 1 {
        let (declared, actual) = (types.len() as u64, offsets.len().saturating_sub(1) as u64);
        return Err(ReadError::Count { place: place(), what: "the number of cell types".into(), declared, actual });
    }
    let node_count = raw.positions.len() - base;
    for (c, (&code, ends)) in types.iter().zip(offsets.windows(2)).enumerate() {
        let range = usize::try_from(ends[0]).ok().zip(usize::try_from(ends[1]).ok());
        let own = range.and_then(|(from, to)| nodes.get(from..to)).ok_or_else(|| ReadError::Syntax {
            place: place(),
            expected: format!("offsets of cell {c} within its {} node numbers", nodes.len()),
            found: format!("{}..{}", ends[0], ends[1]),
        })?;
        let index = |node: i64| {
            let unknown = || ReadError::UnknownNode { place: place(), kind: "cell", element: c as u64, node };
            node_index(node, node_count).map(|i| i + base as u32).ok_or_else(unknown)
        };
        match (code, own) {
            (10, &[a, b, c, d]) => raw.tets.push([index(a)?, index(b)?, index(c)?, index(d)?]),
            (5, &[a, b, c]) => raw.triangles.push([index(a)?, index(b)?, index(c)?]),
            (10 | 5, _) => {
                let expected = if code == 10 { "4 nodes" } else { "3 nodes" };
                let found = format!("{} in cell {c}", own.len());
                return Err(ReadError::Syntax { place: place(), expected: expected.into(), found });
            }
            (24 | 64 | 71 | 78, _) => {
                let what = format!("cell {c} of VTK type {code}, a tetrahedron of higher order,");
                let advice = "export linear, 4-node tetrahedra".into();
                return Err(ReadError::Unsupported { place: place(), what, advice });
            }
            _ => raw.skip(cell_name(code)),
        }
    }
    Ok(())
}

fn cell_name(code: i64) -> String {
    match code {
        1 | 2 => "points".into(),
        3 | 4 => "lines".into(),
        6 | 7 => "polygons".into(),
        8 | 9 => "quadrangles".into(),
        11 | 12 => "hexahedra".into(),
        13 => "prisms".into(),
        14 => "pyramids".into(),
        _ => format!("cells of VTK type {code}"),
    }
}

fn skip_field(cursor: &mut Cursor, binary: bool) -> Result<(), ReadError> {
    cursor.token("a field's name")?;
    let arrays: usize = cursor.parse("the number of arrays")?;
    for _ in 0..arrays {
        if cursor.token("an array's name")? == "METADATA" {
            skip_metadata(cursor);
            cursor.token("an array's name")?;
        }
        let components: usize = cursor.parse("the number of components")?;
        let tuples: usize = cursor.parse("the number of tuples")?;
        let scalar = scalar(cursor)?;
        Numbers::read(cursor, binary, scalar, components.saturating_mul(tuples))?;
    }
    Ok(())
}

/// The rest of its own line, then everything up to an empty one.
fn skip_metadata(cursor: &mut Cursor) {
    cursor.line();
    while cursor.line().is_some_and(|line| !line.is_empty()) {}
}

fn scalar(cursor: &mut Cursor) -> Result<Scalar, ReadError> {
    let start = cursor.pos;
    let name = cursor.token("a number type")?;
    Scalar::named(name)
        .ok_or_else(|| cursor.syntax(start, "a number type such as double", format!("{:?}", excerpt(name.as_bytes()))))
}

/// An array as it stands in the file: words or bytes, all present and, as words, all numbers.
enum Numbers<'a> {
    Words(Vec<f64>, Vec<i64>),
    Bytes(Scalar, &'a [u8]),
}

impl<'a> Numbers<'a> {
    fn read(cursor: &mut Cursor<'a>, binary: bool, scalar: Scalar, count: usize) -> Result<Self, ReadError> {
        if binary {
            // The payload begins behind the header's newline.
            cursor.line();
            cursor.encoding = Encoding::Big;
            let bytes = cursor.bytes(count.saturating_mul(scalar.bytes()), &format!("{count} numbers"));
            cursor.encoding = Encoding::Text;
            return Ok(Numbers::Bytes(
                scalar,
                bytes.map_err(|_| ReadError::Truncated {
                    place: Place::Byte(cursor.pos),
                    expected: format!("{count} numbers"),
                })?,
            ));
        }
        let (mut reals, mut integers) = (Vec::new(), Vec::new());
        for _ in 0..count {
            if scalar.is_integer() {
                integers.push(cursor.parse("an integer")?);
            } else {
                reals.push(cursor.parse("a number")?);
            }
        }
        Ok(Numbers::Words(reals, integers))
    }

    fn reals(self) -> Vec<f64> {
        match self {
            Numbers::Words(reals, integers) if reals.is_empty() => integers.iter().map(|&i| i as f64).collect(),
            Numbers::Words(reals, _) => reals,
            Numbers::Bytes(scalar, bytes) => scalar.reals(bytes, true),
        }
    }

    fn integers(self) -> Vec<i64> {
        match self {
            Numbers::Words(_, integers) => integers,
            Numbers::Bytes(scalar, bytes) => scalar.integers(bytes, true),
        }
    }
}
