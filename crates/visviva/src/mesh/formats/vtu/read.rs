//! Reads VTU: arrays as text, inline base64, or appended raw or base64, plain or in zlib blocks, of either byte order.

use super::base64_runs::Decoder;
use super::tags::bound_attributes;
use crate::mesh::formats::{RawMesh, vtk};
use flate2::read::ZlibDecoder;
use nalgebra::Vector3;
use roxmltree::{Document, Node};
use std::io::Read;
use visviva_shapes::formats::{Place, ReadError, Scalar, excerpt};

/// Reads all pieces of an unstructured grid into one mesh.
pub fn read(data: &[u8]) -> Result<RawMesh, ReadError> {
    // Raw appended data is no XML: parse what stands before it.
    let (xml, appended) = match find(data, b"<AppendedData") {
        Some(at) => (&data[..at], Some(Appended::find(data, at)?)),
        None => (data, None),
    };
    let text = std::str::from_utf8(xml).map_err(|e| ReadError::Syntax {
        place: Place::Byte(e.valid_up_to()),
        expected: "UTF-8 text".into(),
        found: "other bytes".into(),
    })?;
    bound_attributes(text)?;
    let closed = if appended.is_some() { format!("{text}</VTKFile>") } else { text.to_owned() };
    let document = Document::parse(&closed).map_err(|e| ReadError::Syntax {
        place: Place::Line(e.pos().row as usize),
        expected: "well-formed XML, not cut short".into(),
        found: e.to_string(),
    })?;
    let root = document.root_element();
    let file = VtuFile {
        header: header_scalar(root)?,
        big_endian: root.attribute("byte_order") == Some("BigEndian"),
        compressor: root.attribute("compressor").unwrap_or(""),
        appended,
        length: data.len(),
    };
    let grid = child(root, "UnstructuredGrid").ok_or_else(|| ReadError::Unsupported {
        place: place(root),
        what: format!("a VTK file of type {:?}", root.attribute("type").unwrap_or("none")),
        advice: "export an unstructured grid (.vtu)".into(),
    })?;
    let mut raw = RawMesh::default();
    for piece in grid.children().filter(|n| n.has_tag_name("Piece")) {
        file.read_piece(piece, &mut raw)?;
    }
    Ok(raw)
}

/// Points or cells that a byte of a file may stand for: zlib packs regular meshes tightly, but not more so.
const MOST_IN_A_BYTE: usize = 8;

struct VtuFile<'a> {
    header: Scalar,
    big_endian: bool,
    compressor: &'a str,
    appended: Option<Appended<'a>>,
    /// Of the whole file `[bytes]`
    length: usize,
}

/// The bytes behind the underscore.
struct Appended<'a> {
    raw: bool,
    start: usize,
    bytes: &'a [u8],
}

impl<'a> Appended<'a> {
    fn find(data: &'a [u8], at: usize) -> Result<Self, ReadError> {
        let truncated = || ReadError::Truncated { place: Place::Byte(data.len()), expected: "appended data".into() };
        let tag = at + find(&data[at..], b">").ok_or_else(truncated)?;
        let start = tag + find(&data[tag..], b"_").ok_or_else(truncated)? + 1;
        let raw = find(&data[at..tag], b"base64").is_none();
        Ok(Appended { raw, start, bytes: &data[start..] })
    }
}

impl VtuFile<'_> {
    fn read_piece(&self, piece: Node, raw: &mut RawMesh) -> Result<(), ReadError> {
        let base = raw.positions.len();
        let (points, cells) = (self.piece_count(piece, "NumberOfPoints")?, self.piece_count(piece, "NumberOfCells")?);
        // ParaView writes empty pieces without arrays.
        if points == 0 && cells == 0 {
            return Ok(());
        }
        let array = child(piece, "Points").and_then(|n| child(n, "DataArray"));
        let array = array.ok_or_else(|| missing(piece, "<Points> with a <DataArray>"))?;
        let x = self.numbers(array, "coordinates", 3 * points)?.reals();
        raw.positions.extend(x.chunks_exact(3).map(Vector3::from_column_slice));
        let cell_node = child(piece, "Cells").ok_or_else(|| missing(piece, "<Cells>"))?;
        let integers = |name: &str, count: usize| {
            let named = |n: &Node| n.has_tag_name("DataArray") && n.attribute("Name") == Some(name);
            let array = cell_node.children().find(named).ok_or_else(|| missing(cell_node, name))?;
            self.numbers(array, name, count)?.integers(array)
        };
        let mut offsets = integers("offsets", cells)?;
        let types = integers("types", cells)?;
        // The last cell ends where the list of nodes does.
        let last = offsets.last().copied().unwrap_or(0);
        let nodes = integers("connectivity", usize::try_from(last).unwrap_or(0))?;
        offsets.insert(0, 0);
        vtk::add_cells(raw, base, || place(cell_node), &types, &offsets, &nodes)
    }

    /// How many points or cells a piece says it has; a lie of any size must not cost memory.
    fn piece_count(&self, piece: Node, name: &str) -> Result<usize, ReadError> {
        let declared: usize = attribute(piece, name)?;
        match declared <= MOST_IN_A_BYTE * self.length {
            true => Ok(declared),
            false => {
                let found = format!("{declared} in a file of {} bytes", self.length);
                Err(ReadError::Syntax { place: place(piece), expected: format!("a possible {name}"), found })
            }
        }
    }

    /// The numbers of an array, of which there must be so many: no more of them than that is unpacked.
    fn numbers(&self, array: Node, what: &str, count: usize) -> Result<Numbers, ReadError> {
        let kind = array.attribute("type").unwrap_or("");
        let scalar = Scalar::named(kind).ok_or_else(|| syntax(array, "a number type such as Float64", kind))?;
        let inline = array.text().unwrap_or("").as_bytes();
        let wanted = Wanted { what, count, size: scalar.bytes() };
        let bytes = match array.attribute("format").unwrap_or("ascii") {
            "ascii" => {
                let words = Numbers::words(array, scalar)?;
                wanted.check(array, words.len())?;
                return Ok(words);
            }
            "binary" => self.payload(array, &mut Source::Base64(Decoder::new(inline)), &wanted),
            "appended" => {
                let offset: usize = attribute(array, "offset")?;
                let appended = self.appended.as_ref().ok_or_else(|| missing(array, "<AppendedData>"))?;
                let end = || ReadError::Truncated {
                    place: Place::Byte(appended.start + appended.bytes.len()),
                    expected: format!("the array at offset {offset}"),
                };
                let bytes = appended.bytes.get(offset..).ok_or_else(end)?;
                match appended.raw {
                    true => self.payload(array, &mut Source::Raw(bytes), &wanted),
                    false => {
                        // The text ends where the next tag begins.
                        let text = bytes.split(|&b| b == b'<').next().unwrap_or(&[]);
                        self.payload(array, &mut Source::Base64(Decoder::new(text)), &wanted)
                    }
                }
            }
            other => Err(syntax(array, "format ascii, binary or appended", other)),
        }?;
        Ok(Numbers::Bytes(scalar, bytes, self.big_endian))
    }

    /// The array's bytes, out of their blocks.
    fn payload(&self, array: Node, source: &mut Source, wanted: &Wanted) -> Result<Vec<u8>, ReadError> {
        let name = array.attribute("Name").unwrap_or("points");
        let cut = || ReadError::Truncated { place: place(array), expected: format!("the data of array {name:?}") };
        // Asked only here: VTK names a compressor even where all arrays are text.
        let compressed = match self.compressor {
            "" => false,
            "vtkZLibDataCompressor" => true,
            other => {
                let what = format!("compression by {:?}", excerpt(other.as_bytes()));
                let advice = "export with zlib compression or none".into();
                return Err(ReadError::Unsupported { place: place(array), what, advice });
            }
        };
        let mut header = |count: usize| {
            let bytes = source.take(count.checked_mul(self.header.bytes())?)?;
            let numbers = self.header.integers(&bytes, self.big_endian).into_iter();
            numbers.map(|n| usize::try_from(n).ok()).collect::<Option<Vec<usize>>>()
        };
        let first = header(1).and_then(|h| h.first().copied()).ok_or_else(cut)?;
        if !compressed {
            wanted.check_bytes(array, first)?;
            return source.take(first).ok_or_else(cut);
        }
        let sizes = header(first.saturating_add(2)).ok_or_else(cut)?;
        let (block, last) = (sizes[0], sizes[1]);
        let unpacked = |i: usize| if i + 1 == first && last > 0 { last } else { block };
        // Before anything is unpacked.
        wanted.check_bytes(array, (0..first).fold(0, |sum: usize, i| sum.saturating_add(unpacked(i))))?;
        let mut all = Vec::new();
        for (i, &packed) in sizes[2..].iter().enumerate() {
            let expected = unpacked(i);
            let packed = source.take(packed).ok_or_else(cut)?;
            let before = all.len();
            // One byte more than wanted shows a block that is too long, without unpacking all of a bomb.
            let read = ZlibDecoder::new(packed.as_slice()).take(expected as u64 + 1).read_to_end(&mut all);
            if read.is_err() || all.len() - before != expected {
                let expected = format!("zlib block {i} of array {name:?} with {expected} bytes");
                return Err(syntax(array, &expected, "a damaged block"));
            }
        }
        Ok(all)
    }
}

/// How many numbers an array must have, and of how many bytes each.
struct Wanted<'a> {
    what: &'a str,
    count: usize,
    size: usize,
}

impl Wanted<'_> {
    fn check(&self, array: Node, actual: usize) -> Result<(), ReadError> {
        let (declared, actual) = (self.count as u64, actual as u64);
        let what = format!("the piece's number of {}", self.what);
        if declared == actual { Ok(()) } else { Err(ReadError::Count { place: place(array), what, declared, actual }) }
    }

    fn check_bytes(&self, array: Node, bytes: usize) -> Result<(), ReadError> {
        if !bytes.is_multiple_of(self.size) {
            let expected = format!("a whole number of {} of {} bytes each", self.what, self.size);
            return Err(syntax(array, &expected, &format!("{bytes} bytes")));
        }
        self.check(array, bytes / self.size)
    }
}

enum Source<'a> {
    Raw(&'a [u8]),
    Base64(Decoder<'a>),
}

impl Source<'_> {
    fn take(&mut self, count: usize) -> Option<Vec<u8>> {
        match self {
            Source::Raw(bytes) => {
                let (taken, rest) = bytes.split_at_checked(count)?;
                *bytes = rest;
                Some(taken.to_vec())
            }
            Source::Base64(decoder) => decoder.take(count),
        }
    }
}

enum Numbers {
    Reals(Vec<f64>),
    Integers(Vec<i64>),
    Bytes(Scalar, Vec<u8>, bool),
}

impl Numbers {
    fn words(array: Node, scalar: Scalar) -> Result<Self, ReadError> {
        let words = array.text().unwrap_or("").split_ascii_whitespace();
        Ok(match scalar.is_integer() {
            true => Numbers::Integers(parse_all(array, words)?),
            false => Numbers::Reals(parse_all(array, words)?),
        })
    }

    fn len(&self) -> usize {
        match self {
            Numbers::Reals(reals) => reals.len(),
            Numbers::Integers(integers) => integers.len(),
            Numbers::Bytes(scalar, bytes, _) => bytes.len() / scalar.bytes(),
        }
    }

    fn reals(self) -> Vec<f64> {
        match self {
            Numbers::Reals(reals) => reals,
            Numbers::Integers(integers) => integers.into_iter().map(|i| i as f64).collect(),
            Numbers::Bytes(scalar, bytes, big_endian) => scalar.reals(&bytes, big_endian),
        }
    }

    fn integers(self, array: Node) -> Result<Vec<i64>, ReadError> {
        match self {
            Numbers::Integers(integers) => Ok(integers),
            Numbers::Bytes(scalar, bytes, big_endian) if scalar.is_integer() => Ok(scalar.integers(&bytes, big_endian)),
            _ => Err(syntax(array, "integers", array.attribute("type").unwrap_or("none"))),
        }
    }
}

fn parse_all<'a, T: std::str::FromStr>(array: Node, words: impl Iterator<Item = &'a str>) -> Result<Vec<T>, ReadError> {
    words.map(|w| w.parse().map_err(|_| syntax(array, "a number in this array", w))).collect()
}

fn header_scalar(root: Node) -> Result<Scalar, ReadError> {
    match root.attribute("header_type").unwrap_or("UInt32") {
        "UInt32" => Ok(Scalar::U32),
        "UInt64" => Ok(Scalar::U64),
        other => Err(syntax(root, "header_type UInt32 or UInt64", other)),
    }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|n| n.has_tag_name(name))
}

fn place(node: Node) -> Place {
    Place::Line(node.document().text_pos_at(node.range().start).row as usize)
}

fn syntax(node: Node, expected: &str, found: &str) -> ReadError {
    ReadError::Syntax {
        place: place(node),
        expected: expected.into(),
        found: format!("{:?}", excerpt(found.as_bytes())),
    }
}

fn missing(node: Node, what: &str) -> ReadError {
    ReadError::Syntax { place: place(node), expected: what.into(), found: "none".into() }
}

fn attribute<T: std::str::FromStr>(node: Node, name: &str) -> Result<T, ReadError> {
    let value = node.attribute(name).ok_or_else(|| missing(node, &format!("the attribute {name}")))?;
    value.trim().parse().map_err(|_| syntax(node, &format!("a number in {name}"), value))
}

fn find(data: &[u8], needle: &[u8]) -> Option<usize> {
    data.windows(needle.len()).position(|w| w == needle)
}

#[cfg(test)]
mod tests {
    use super::super::base64_runs::encode;
    use super::*;

    /// A file of so many points, whose coordinates are packed into one block of this size; what is packed is rubbish.
    fn bomb(points: u64, block: u64) -> String {
        let header: Vec<u8> = [1, block, 0, 8].into_iter().flat_map(u64::to_le_bytes).collect();
        let data = encode(&header) + &encode(b"rubbish!");
        format!(
            "<VTKFile header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid>\n\
             <Piece NumberOfPoints=\"{points}\" NumberOfCells=\"1\"><Points>\n\
             <DataArray type=\"Float64\" format=\"binary\">{data}</DataArray></Points></Piece></UnstructuredGrid></VTKFile>"
        )
    }

    #[test]
    fn a_bomb_is_refused_by_its_declared_size_and_never_unpacked() {
        let refusal = |points, block| read(bomb(points, block).as_bytes()).unwrap_err().to_string();
        let long = refusal(12, 1 << 31);
        assert!(
            long.starts_with("line 3: the piece's number of coordinates says 36, but there are 268435456"),
            "{long}"
        );
        assert!(refusal(12, 288).contains("damaged block"), "what has the right size is unpacked");
        let crowded = refusal(1 << 40, 24 << 40);
        assert!(
            crowded.starts_with("line 2: expected a possible NumberOfPoints, found 1099511627776 in a file of"),
            "{crowded}"
        );
    }
}
