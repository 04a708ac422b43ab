//! From a file to a mesh that is checked: what is wanted of it is taken, what is left out is told.

use super::{RawMesh, read_objects, read_raw};
use crate::mesh::{Mesh, MeshError, TetMesh, TriMesh, Warning, WiredSurface};
use std::path::Path;
use visviva_shapes::PolygonMesh;

/// A mesh, checked, with what was changed or left out on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded<M> {
    pub mesh: M,
    pub warnings: Vec<Warning>,
}

/// Reads what a file holds: its tets where there are any, else its triangles.
pub fn load_mesh(path: impl AsRef<Path>) -> Result<Loaded<Mesh>, MeshError> {
    load(path.as_ref(), |raw| match (raw.tets.is_empty(), raw.triangles.is_empty()) {
        (false, _) => Ok(tets(raw)?.map(Mesh::Tets)),
        (true, false) => Ok(triangles(raw)?.map(Mesh::Surface)),
        (true, true) => Err(raw.lacks("tetrahedra or triangles")),
    })
}

/// What a body may be made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Tets(Loaded<TetMesh>),
    /// As their maker keeps them, unchecked
    Surfaces(Loaded<Vec<PolygonMesh>>),
}

/// Reads what a file holds: its tets where there are any, else its objects of polygons.
pub fn load_content(path: impl AsRef<Path>) -> Result<Content, MeshError> {
    in_file(path.as_ref(), |path| {
        let data = std::fs::read(path)?;
        let raw = read_raw(&data, path)?;
        if raw.tets.is_empty() {
            let warnings = raw.skipped_warnings();
            return Ok(Content::Surfaces(Loaded { mesh: read_objects(&data, path)?.meshes, warnings }));
        }
        Ok(Content::Tets(tets(raw)?))
    })
}

/// Reads and validates the tets of a file. Nodes that no tet uses are dropped with a warning; so are triangles, because the
/// boundary is computed.
pub fn load_tet_mesh(path: impl AsRef<Path>) -> Result<Loaded<TetMesh>, MeshError> {
    load(path.as_ref(), tets)
}

/// Reads and validates the triangles of a file. Nodes that no triangle uses are dropped with a warning.
pub fn load_tri_mesh(path: impl AsRef<Path>) -> Result<Loaded<TriMesh>, MeshError> {
    load(path.as_ref(), triangles)
}

/// As [`load_tri_mesh`], with the lines of an OBJ file as wires.
pub fn load_wired_surface(path: impl AsRef<Path>) -> Result<Loaded<WiredSurface>, MeshError> {
    load(path.as_ref(), |mut raw| {
        if raw.triangles.is_empty() && raw.lines.is_empty() {
            return Err(raw.lacks("triangles or lines"));
        }
        let wires = std::mem::take(&mut raw.lines);
        let warnings = raw.skipped_warnings();
        let surface = TriMesh { positions: raw.positions, triangles: raw.triangles };
        Ok(WiredSurface { surface, wires }.checked()?.after(warnings))
    })
}

/// Reads the objects of a file as their maker keeps them: polygons, names, texture coordinates and materials. Only numbers are
/// checked; what is wrong with a surface is another's to judge.
pub fn load_polygons(path: impl AsRef<Path>) -> Result<Vec<PolygonMesh>, MeshError> {
    in_file(path.as_ref(), |path| Ok(read_objects(&std::fs::read(path)?, path)?.meshes))
}

fn load<M>(path: &Path, take: impl FnOnce(RawMesh) -> Result<Loaded<M>, MeshError>) -> Result<Loaded<M>, MeshError> {
    in_file(path, |path| take(read_raw(&std::fs::read(path)?, path)?))
}

fn tets(raw: RawMesh) -> Result<Loaded<TetMesh>, MeshError> {
    if raw.tets.is_empty() {
        return Err(raw.lacks("tetrahedra"));
    }
    let warnings = raw.skipped_warnings();
    Ok(TetMesh { positions: raw.positions, tets: raw.tets }.checked()?.after(warnings))
}

fn triangles(raw: RawMesh) -> Result<Loaded<TriMesh>, MeshError> {
    if raw.triangles.is_empty() {
        return Err(raw.lacks("triangles"));
    }
    let warnings = raw.skipped_warnings();
    Ok(TriMesh { positions: raw.positions, triangles: raw.triangles }.checked()?.after(warnings))
}

impl RawMesh {
    fn lacks(&self, wanted: &'static str) -> MeshError {
        MeshError::NothingWanted { wanted, held: self.summary() }
    }
}

impl<M> Loaded<M> {
    /// With what was to be told before.
    fn after(mut self, mut earlier: Vec<Warning>) -> Self {
        earlier.append(&mut self.warnings);
        Self { warnings: earlier, ..self }
    }

    /// The same, with another mesh.
    pub fn map<N>(self, change: impl FnOnce(M) -> N) -> Loaded<N> {
        Loaded { mesh: change(self.mesh), warnings: self.warnings }
    }
}

/// Runs `f` and puts the file's name on its error.
pub(super) fn in_file<T>(path: &Path, f: impl FnOnce(&Path) -> Result<T, MeshError>) -> Result<T, MeshError> {
    f(path).map_err(|source| MeshError::InFile { path: path.to_owned(), source: Box::new(source) })
}
