//! Mesh files: a format is a file here and a line in [`FORMATS`]. Its content tells which one a file has.

pub mod gmsh;
mod load;
pub mod obj;
mod objects;
pub mod pvd;
mod raw;
pub mod vtk;
pub mod vtu;

pub use load::{
    Content, Loaded, load_content, load_mesh, load_polygons, load_tet_mesh, load_tri_mesh, load_wired_surface,
};
pub use raw::RawMesh;

use super::{MeshError, Place};
use load::in_file;
use std::io::Write;
use std::path::Path;
use visviva_shapes::formats as surfaces;
use visviva_shapes::formats::{Objects, ReadError, beginning, excerpt};

/// How meshes are kept in files.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// As messages call it
    pub name: &'static str,
    /// Of file names, without the dot
    pub endings: &'static [&'static str],
    /// What we read from it and write to it
    pub holds: &'static [Element],
    /// Whether the whole bytes of a file are of this format
    sniff: fn(&[u8]) -> bool,
    /// Whether its ending is believed where no content tells: damaged files then get this format's messages
    trusts_ending: bool,
    read: Reader,
    /// None where we only read it
    write: Option<Writer>,
}

/// What comes of a file's bytes.
#[derive(Debug, Clone, Copy)]
enum Reader {
    /// Tets and triangles
    Elements(fn(&[u8]) -> Result<RawMesh, ReadError>),
    /// Objects of polygons
    Polygons(surfaces::Format),
}

/// What meshes are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    Tets,
    Triangles,
    Lines,
}

impl Element {
    /// As messages call them
    pub fn name(self) -> &'static str {
        match self {
            Element::Tets => "tets",
            Element::Triangles => "triangles",
            Element::Lines => "lines",
        }
    }
}

/// Writes a mesh of elements that the format holds, coordinates to the last bit.
type Writer = fn(&mut dyn Write, &RawMesh) -> Result<(), MeshError>;

/// How files begin that are not ours: their ending says nothing, whatever it is.
const FOREIGN: [(&[u8], &str); 9] = [
    (b"PK\x03\x04", "a zip archive, such as a 3MF file"),
    (b"\x1f\x8b", "a file packed by gzip"),
    (b"\x89HDF", "an HDF5 file"),
    (b"MeshVersionFormatted", "a Medit mesh"),
    (b"ISO-10303-21", "a STEP file"),
    (b"BLENDER", "a Blender file"),
    (b"Kaydara FBX", "an FBX file"),
    (b"PXR-USDC", "a USD file"),
    (b"#usda", "a USD file"),
];

/// Every format there is. STL comes first: the first 80 bytes of a binary file are free and may look like anything.
pub const FORMATS: [Format; 8] = [
    Format::of_polygons(surfaces::stl::FORMAT, &[Element::Triangles], None),
    gmsh::FORMAT,
    vtk::FORMAT,
    vtu::FORMAT,
    Format::of_polygons(surfaces::ply::FORMAT, &[Element::Triangles, Element::Lines], None),
    Format::of_polygons(surfaces::off::FORMAT, &[Element::Triangles], None),
    Format::of_polygons(surfaces::gltf::FORMAT, &[Element::Triangles, Element::Lines], None),
    Format::of_polygons(surfaces::obj::FORMAT, &[Element::Triangles, Element::Lines], Some(obj::write)),
];

impl Format {
    const fn of_polygons(format: surfaces::Format, holds: &'static [Element], write: Option<Writer>) -> Self {
        let surfaces::Format { name, endings, sniff, .. } = format;
        Self { name, endings, holds, sniff, trusts_ending: true, read: Reader::Polygons(format), write }
    }

    /// By the content, or else by the name; None where neither tells.
    pub fn of(data: &[u8], name: &Path) -> Option<&'static Self> {
        let told = FORMATS.iter().find(|format| (format.sniff)(data));
        told.or_else(|| Self::by_ending(name).filter(|format| format.trusts_ending))
    }

    fn by_ending(name: &Path) -> Option<&'static Self> {
        let ending = name.extension()?.to_str()?.to_ascii_lowercase();
        FORMATS.iter().find(|format| format.endings.contains(&ending.as_str()))
    }

    /// All of them for a message: `Gmsh (.msh: tets, triangles), …`.
    pub(super) fn list() -> String {
        let tell = |format: Self| format!("{} (.{}: {})", format.name, format.endings.join(", ."), format.contents());
        FORMATS.map(tell).join(", ")
    }

    fn contents(&self) -> String {
        self.holds.iter().map(|element| element.name()).collect::<Vec<_>>().join(", ")
    }

    /// The bytes of a file with this mesh.
    fn write(&self, mesh: &RawMesh) -> Result<Vec<u8>, MeshError> {
        let writer = self.write.ok_or_else(no_writer)?;
        if let Some(other) = mesh.elements().find(|element| !self.holds.contains(element)) {
            let holds = self.contents();
            return Err(MeshError::CannotHold { format: self.name, holds, other: other.name() });
        }
        let mut bytes = Vec::new();
        writer(&mut bytes, mesh)?;
        Ok(bytes)
    }
}

/// Reads the bytes of a mesh file; `name` gives the ending where the content does not tell.
pub fn read_raw(data: &[u8], name: &Path) -> Result<RawMesh, MeshError> {
    Ok(match reader(data, name)? {
        Reader::Elements(read) => read(data)?,
        Reader::Polygons(format) => format.read(data, name)?.into(),
    })
}

/// As [`read_raw`], with polygons as they stand in the file and objects apart. Formats without give one object of triangles.
pub fn read_objects(data: &[u8], name: &Path) -> Result<Objects, MeshError> {
    Ok(match reader(data, name)? {
        Reader::Elements(read) => objects::of_triangles(read(data)?)?,
        Reader::Polygons(format) => objects::with_polygons(format.read(data, name)?)?,
    })
}

/// A file's bytes with all that it refers to inside, so that a copy needs nothing beside it.
pub fn self_contained(data: Vec<u8>, path: &Path) -> Result<Vec<u8>, MeshError> {
    let is_gltf = Format::of(&data, path).is_some_and(|format| format.name == surfaces::gltf::FORMAT.name);
    if is_gltf { Ok(surfaces::gltf::self_contained(data, path)?) } else { Ok(data) }
}

fn reader(data: &[u8], name: &Path) -> Result<Reader, MeshError> {
    if data.is_empty() {
        return Err(ReadError::Truncated { place: Place::Byte(0), expected: "a mesh".into() }.into());
    }
    let foreign = FOREIGN.iter().find(|(begins, _)| beginning(data).starts_with(begins));
    let is_told = FORMATS.iter().any(|format| (format.sniff)(data));
    match (Format::of(data, name), foreign) {
        (_, Some((_, what))) if !is_told => Err(MeshError::ForeignFormat { what }),
        (Some(format), _) => Ok(format.read),
        (None, _) => Err(MeshError::UnknownFormat { begins: excerpt(beginning(data)) }),
    }
}

/// Writes a mesh in the format of the file's ending, bit for bit: reading it gives the same mesh.
pub fn write_mesh(path: impl AsRef<Path>, mesh: &RawMesh) -> Result<(), MeshError> {
    in_file(path.as_ref(), |path| Ok(std::fs::write(path, bytes_of(mesh, path)?)?))
}

/// What [`write_mesh`] writes to a file of this name.
pub fn bytes_of(mesh: &RawMesh, name: &Path) -> Result<Vec<u8>, MeshError> {
    Format::by_ending(name).ok_or_else(no_writer)?.write(mesh)
}

fn no_writer() -> MeshError {
    let can = FORMATS.iter().filter(|format| format.write.is_some()).flat_map(|format| format.endings);
    MeshError::NoWriter { endings: can.map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ") }
}
