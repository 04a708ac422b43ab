//! Writes VTU for ParaView: one frame with its data, arrays inline or appended, plain or in zlib blocks.

use super::base64_runs::encode;
use crate::mesh::MeshError;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use nalgebra::Vector3;
use std::io::Write;

/// VTK's own block size `[bytes]`.
const BLOCK: usize = 1 << 15;

/// A named array over the points or the cells; the values of one point lie together.
#[derive(Debug, Clone, Copy)]
pub struct DataArray<'a> {
    pub name: &'a str,
    /// Values a point or cell: 1 for a scalar, 3 for a vector.
    pub components: usize,
    pub values: Values<'a>,
}

/// The numbers of an array.
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    F64(&'a [f64]),
    F32(&'a [f32]),
    I64(&'a [i64]),
}

/// What joins the points.
#[derive(Debug, Clone, Copy)]
pub enum Cells<'a> {
    Tets(&'a [[u32; 4]]),
    Triangles(&'a [[u32; 3]]),
    /// Triangles, then lines
    Wired(&'a [[u32; 3]], &'a [[u32; 2]]),
    /// A cell for each position
    Points,
}

/// Where the arrays stand: raw bytes after the XML (smaller, faster) or base64 in it (any XML tool reads it).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Appended,
    Inline,
}

/// One frame to write.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Positions `[m]`.
    pub positions: &'a [Vector3<f64>],
    pub cells: Cells<'a>,
    pub point_data: &'a [DataArray<'a>],
    pub cell_data: &'a [DataArray<'a>],
    /// Simulated time `[s]`, shown by ParaView.
    pub time: Option<f64>,
    /// Whether it lies between two frames that were computed; the field `interpolated` then says 1.
    pub interpolated: bool,
}

/// Nodes of equal cells, one after the other, and what cells they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group<'a> {
    nodes: &'a [u32],
    /// Nodes a cell
    size: usize,
    /// VTK's number of the kind of cell
    code: u8,
}

impl<'a> Group<'a> {
    pub fn tets(tets: &'a [[u32; 4]]) -> Self {
        Self { nodes: tets.as_flattened(), size: 4, code: 10 }
    }

    pub fn triangles(triangles: &'a [[u32; 3]]) -> Self {
        Self { nodes: triangles.as_flattened(), size: 3, code: 5 }
    }

    fn lines(lines: &'a [[u32; 2]]) -> Self {
        Self { nodes: lines.as_flattened(), size: 2, code: 3 }
    }

    fn len(&self) -> usize {
        self.nodes.len() / self.size
    }
}

/// Writes one frame; `compress` by zlib.
pub fn write(out: &mut dyn Write, frame: &Frame, layout: Layout, compress: bool) -> Result<(), MeshError> {
    match frame.cells {
        Cells::Tets(tets) => write_groups(out, frame, &[Group::tets(tets)], layout, compress),
        Cells::Triangles(triangles) => write_groups(out, frame, &[Group::triangles(triangles)], layout, compress),
        Cells::Wired(triangles, lines) => {
            write_groups(out, frame, &[Group::triangles(triangles), Group::lines(lines)], layout, compress)
        }
        Cells::Points => {
            let each: Vec<u32> = (0..frame.positions.len() as u32).collect();
            write_groups(out, frame, &[Group { nodes: &each, size: 1, code: 1 }], layout, compress)
        }
    }
}

/// Writes these cells in place of the frame's.
pub(super) fn write_groups(
    out: &mut dyn Write,
    frame: &Frame,
    groups: &[Group],
    layout: Layout,
    compress: bool,
) -> Result<(), MeshError> {
    let cell_count: usize = groups.iter().map(Group::len).sum();
    let point_count = frame.positions.len();
    for (arrays, count) in [(frame.point_data, point_count), (frame.cell_data, cell_count)] {
        for array in arrays {
            let (expected, actual) = (count * array.components, array.values.len());
            if expected != actual {
                return Err(MeshError::DataLength { name: array.name.into(), expected, actual });
            }
        }
    }
    let mut document = Document { xml: String::new(), appended: Vec::new(), layout, compress };
    document.xml.push_str("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\"");
    document.xml.push_str(" byte_order=\"LittleEndian\" header_type=\"UInt64\"");
    document.xml.push_str(if compress { " compressor=\"vtkZLibDataCompressor\">\n" } else { ">\n" });
    document.xml.push_str("<UnstructuredGrid>\n");
    if let Some(time) = frame.time {
        let array = "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">";
        let mark =
            "<DataArray type=\"Int64\" Name=\"interpolated\" NumberOfTuples=\"1\" format=\"ascii\">1</DataArray>\n";
        let mark = if frame.interpolated { mark } else { "" };
        document.xml.push_str(&format!("<FieldData>\n{array}{time:?}</DataArray>\n{mark}</FieldData>\n"));
    }
    let piece = format!("<Piece NumberOfPoints=\"{point_count}\" NumberOfCells=\"{cell_count}\">\n");
    document.xml.push_str(&piece);
    document.section("PointData", frame.point_data)?;
    document.section("CellData", frame.cell_data)?;
    document.xml.push_str("<Points>\n");
    let x: Vec<u8> = frame.positions.iter().flat_map(|x| x.iter()).flat_map(|c| c.to_le_bytes()).collect();
    document.array("Float64", "Points", 3, &x)?;
    document.xml.push_str("</Points>\n<Cells>\n");
    let nodes: Vec<u8> = groups.iter().flat_map(|group| group.nodes).flat_map(|&i| (i as i64).to_le_bytes()).collect();
    let cells = groups.iter().flat_map(|group| (0..group.len()).map(move |_| (group.size, group.code)));
    let (sizes, codes): (Vec<usize>, Vec<u8>) = cells.unzip();
    let ends = sizes.iter().scan(0, |end, size| {
        *end += *size as i64;
        Some(*end)
    });
    let offsets: Vec<u8> = ends.flat_map(|end| end.to_le_bytes()).collect();
    document.array("Int64", "connectivity", 1, &nodes)?;
    document.array("Int64", "offsets", 1, &offsets)?;
    document.array("UInt8", "types", 1, &codes)?;
    document.xml.push_str("</Cells>\n</Piece>\n</UnstructuredGrid>\n");
    out.write_all(document.xml.as_bytes())?;
    if layout == Layout::Appended {
        out.write_all(b"<AppendedData encoding=\"raw\">\n_")?;
        out.write_all(&document.appended)?;
        out.write_all(b"\n</AppendedData>\n")?;
    }
    out.write_all(b"</VTKFile>\n")?;
    Ok(())
}

impl Values<'_> {
    fn len(&self) -> usize {
        match self {
            Values::F64(v) => v.len(),
            Values::F32(v) => v.len(),
            Values::I64(v) => v.len(),
        }
    }

    fn bytes(&self) -> (&'static str, Vec<u8>) {
        match self {
            Values::F64(v) => ("Float64", v.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Values::F32(v) => ("Float32", v.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Values::I64(v) => ("Int64", v.iter().flat_map(|x| x.to_le_bytes()).collect()),
        }
    }
}

struct Document {
    xml: String,
    appended: Vec<u8>,
    layout: Layout,
    compress: bool,
}

impl Document {
    fn section(&mut self, name: &str, arrays: &[DataArray]) -> Result<(), MeshError> {
        self.xml.push_str(&format!("<{name}>\n"));
        for array in arrays {
            let (kind, bytes) = array.values.bytes();
            self.array(kind, array.name, array.components, &bytes)?;
        }
        self.xml.push_str(&format!("</{name}>\n"));
        Ok(())
    }

    fn array(&mut self, kind: &str, name: &str, components: usize, bytes: &[u8]) -> Result<(), MeshError> {
        let (header, payload) =
            if self.compress { deflate(bytes)? } else { (vec![bytes.len() as u64], bytes.to_vec()) };
        let header: Vec<u8> = header.iter().flat_map(|n| n.to_le_bytes()).collect();
        let name = escape(name);
        self.xml.push_str(&format!("<DataArray type=\"{kind}\" Name=\"{name}\""));
        // As VTK does: meshio turns an explicit 1 into a matrix of one column.
        if components != 1 {
            self.xml.push_str(&format!(" NumberOfComponents=\"{components}\""));
        }
        match self.layout {
            Layout::Appended => {
                self.xml.push_str(&format!(" format=\"appended\" offset=\"{}\"/>\n", self.appended.len()));
                self.appended.extend(header);
                self.appended.extend(payload);
            }
            Layout::Inline => {
                // VTK encodes a compressed array's header as a run of its own, a plain array's together with the data.
                let text = match self.compress {
                    true => encode(&header) + &encode(&payload),
                    false => encode(&[header, payload].concat()),
                };
                self.xml.push_str(&format!(" format=\"binary\">\n{text}\n</DataArray>\n"));
            }
        }
        Ok(())
    }
}

/// The header's numbers and the zlib blocks one after the other.
fn deflate(bytes: &[u8]) -> Result<(Vec<u64>, Vec<u8>), MeshError> {
    let mut header = vec![bytes.len().div_ceil(BLOCK) as u64, BLOCK as u64, (bytes.len() % BLOCK) as u64];
    let mut payload = Vec::new();
    for block in bytes.chunks(BLOCK) {
        // The fast level: the low digits of f64 are noise, on which a slower one gains little.
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(block)?;
        let packed = encoder.finish()?;
        header.push(packed.len() as u64);
        payload.extend(packed);
    }
    Ok((header, payload))
}

pub(in crate::mesh::formats) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
