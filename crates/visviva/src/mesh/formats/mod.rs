//! Mesh files, one format a file; reading recognises the content first and the extension second.

mod base64;
mod cursor;
pub mod gmsh;
pub mod obj;
pub mod pvd;
mod scalar;
pub mod stl;
pub mod vtk;
pub mod vtu;
mod vtu_read;
mod wires;

pub use wires::{WiredSurface, load_wired_surface};

use super::{FirstFew, MeshError, Place, TetMesh, TriMesh, Warning};
use nalgebra::Vector3;
use std::collections::BTreeMap;
use std::path::Path;

/// A mesh from a file, checked, with what was changed or left out on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded<M> {
    pub mesh: M,
    pub warnings: Vec<Warning>,
}

/// What a file holds, before any check beyond its own syntax and that nodes exist.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RawMesh {
    pub positions: Vec<Vector3<f64>>,
    pub tets: Vec<[u32; 4]>,
    pub triangles: Vec<[u32; 3]>,
    /// Pieces of polylines
    pub lines: Vec<[u32; 2]>,
    /// How many elements of each other kind were passed over.
    pub skipped: BTreeMap<String, usize>,
}

/// Reads and validates the tets of a Gmsh, VTK or VTU file. Nodes that no tet uses are dropped with a warning; so are
/// triangles, because the boundary is computed.
pub fn load_tet_mesh(path: impl AsRef<Path>) -> Result<Loaded<TetMesh>, MeshError> {
    in_file(path.as_ref(), |path| {
        let raw = read_raw(&std::fs::read(path)?, path)?;
        if raw.tets.is_empty() {
            return Err(MeshError::NothingWanted { wanted: "tetrahedra", held: raw.summary() });
        }
        let mut warnings = raw.skipped_warnings();
        let mut mesh = TetMesh { positions: raw.positions, tets: raw.tets };
        warn_removed(mesh.remove_isolated(), &mut warnings);
        warnings.extend(mesh.validate()?);
        Ok(Loaded { mesh, warnings })
    })
}

/// Reads and validates the triangles of an OBJ, STL, Gmsh, VTK or VTU file. Nodes that no triangle uses are dropped with a
/// warning.
pub fn load_tri_mesh(path: impl AsRef<Path>) -> Result<Loaded<TriMesh>, MeshError> {
    in_file(path.as_ref(), |path| {
        let raw = read_raw(&std::fs::read(path)?, path)?;
        if raw.triangles.is_empty() {
            return Err(MeshError::NothingWanted { wanted: "triangles", held: raw.summary() });
        }
        let mut warnings = raw.skipped_warnings();
        let mut mesh = TriMesh { positions: raw.positions, triangles: raw.triangles };
        warn_removed(mesh.remove_isolated(), &mut warnings);
        mesh.validate()?;
        Ok(Loaded { mesh, warnings })
    })
}

/// Reads the bytes of a mesh file; `name` gives the extension where the content does not tell.
pub fn read_raw(data: &[u8], name: &Path) -> Result<RawMesh, MeshError> {
    let start = data.trim_ascii_start();
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let extension = name.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    // First, because the first 80 bytes of a binary STL file are free and may look like anything.
    if extension == "stl" {
        stl::read(data)
    } else if start.starts_with(b"$") {
        gmsh::read(data)
    } else if start.starts_with(b"# vtk") {
        vtk::read(data)
    } else if start.starts_with(b"<") {
        vtu::read(data)
    } else if data.is_empty() {
        Err(MeshError::Truncated { place: Place::Byte(0), expected: "a mesh".into() })
    } else if extension == "obj" {
        obj::read(data)
    } else {
        Err(MeshError::UnknownFormat { begins: excerpt(start) })
    }
}

impl RawMesh {
    fn skip(&mut self, kind: impl Into<String>) {
        *self.skipped.entry(kind.into()).or_default() += 1;
    }

    fn skipped_warnings(&self) -> Vec<Warning> {
        let lines = (!self.lines.is_empty()).then_some(("lines", self.lines.len()));
        let skipped = self.skipped.iter().map(|(kind, &count)| (kind.as_str(), count)).chain(lines);
        skipped.map(|(kind, count)| Warning::Skipped { kind: kind.to_owned(), count }).collect()
    }

    fn summary(&self) -> String {
        let mut held = vec![format!("{} nodes", self.positions.len())];
        let counts =
            [("tetrahedra", self.tets.len()), ("triangles", self.triangles.len()), ("lines", self.lines.len())];
        held.extend(counts.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{n} {kind}")));
        held.extend(self.skipped.iter().map(|(kind, n)| format!("{n} {kind}")));
        held.join(", ")
    }
}

fn warn_removed(removed: Vec<usize>, warnings: &mut Vec<Warning>) {
    if !removed.is_empty() {
        warnings.push(Warning::IsolatedRemoved { which: FirstFew::of(removed) });
    }
}

/// Runs `f` and puts the file's name on its error.
fn in_file<T>(path: &Path, f: impl FnOnce(&Path) -> Result<T, MeshError>) -> Result<T, MeshError> {
    f(path).map_err(|source| MeshError::InFile { path: path.to_owned(), source: Box::new(source) })
}

/// The first printable characters of something unexpected, short enough for a message.
fn excerpt(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(24)]).chars().filter(|c| !c.is_control()).collect()
}

/// The node index if the file's number names a node.
fn node_index(node: i64, node_count: usize) -> Option<u32> {
    u32::try_from(node).ok().filter(|&i| (i as usize) < node_count)
}
