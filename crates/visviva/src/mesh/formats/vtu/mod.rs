//! VTU, VTK's XML unstructured grid.
//!
//! The format: <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>. An array is a 64-bit byte count
//! and its bytes or, compressed, \[blocks, block size, last partial size, compressed sizes …\] and zlib blocks.

mod base64_runs;
mod read;
mod tags;
mod write;

pub use read::read;
pub(super) use write::escape;
pub use write::{Cells, DataArray, Frame, Layout, Values, write};
use write::{Group, write_groups};

use super::{Element, Format, RawMesh, Reader};
use crate::mesh::MeshError;
use std::io::Write;
use visviva_shapes::formats::beginning;

pub(super) const FORMAT: Format = Format {
    name: "VTU",
    endings: &["vtu"],
    holds: &[Element::Tets, Element::Triangles],
    sniff: |data| beginning(data).starts_with(b"<"),
    trusts_ending: false,
    read: Reader::Elements(read),
    write: Some(write_mesh),
};

/// A frame without data.
fn write_mesh(out: &mut dyn Write, mesh: &RawMesh) -> Result<(), MeshError> {
    let cells = Cells::Tets(&mesh.tets);
    let frame =
        Frame { positions: &mesh.positions, cells, point_data: &[], cell_data: &[], time: None, interpolated: false };
    let groups = [Group::tets(&mesh.tets), Group::triangles(&mesh.triangles)];
    write_groups(out, &frame, &groups, Layout::Appended, true)
}
