//! What a mesh file holds, as it stands there.

use super::Element;
use crate::mesh::{Mesh, TetMesh, TriMesh, Warning, WiredSurface};
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// A mesh of all kinds of elements, before any check beyond the file's own syntax and that nodes exist.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RawMesh {
    /// `[m]`
    pub positions: Vec<Vector3<f64>>,
    pub tets: Vec<[u32; 4]>,
    pub triangles: Vec<[u32; 3]>,
    /// Pieces of polylines
    pub lines: Vec<[u32; 2]>,
    /// How many elements of each other kind were passed over.
    pub skipped: BTreeMap<String, usize>,
}

impl RawMesh {
    pub(super) fn skip(&mut self, kind: impl Into<String>) {
        *self.skipped.entry(kind.into()).or_default() += 1;
    }

    pub(super) fn skipped_warnings(&self) -> Vec<Warning> {
        let lines = (!self.lines.is_empty()).then_some(("lines", self.lines.len()));
        let skipped = self.skipped.iter().map(|(kind, &count)| (kind.as_str(), count)).chain(lines);
        skipped.map(|(kind, count)| Warning::Skipped { kind: kind.to_owned(), count }).collect()
    }

    /// Which kinds there are.
    pub(super) fn elements(&self) -> impl Iterator<Item = Element> {
        let there = [
            (Element::Tets, self.tets.is_empty()),
            (Element::Triangles, self.triangles.is_empty()),
            (Element::Lines, self.lines.is_empty()),
        ];
        there.into_iter().filter(|(_, none)| !none).map(|(element, _)| element)
    }

    /// How many of what, for a message.
    pub(super) fn summary(&self) -> String {
        let mut held = vec![format!("{} nodes", self.positions.len())];
        let counts =
            [("tetrahedra", self.tets.len()), ("triangles", self.triangles.len()), ("lines", self.lines.len())];
        held.extend(counts.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{n} {kind}")));
        held.extend(self.skipped.iter().map(|(kind, n)| format!("{n} {kind}")));
        held.join(", ")
    }
}

impl From<TetMesh> for RawMesh {
    fn from(mesh: TetMesh) -> Self {
        Self { positions: mesh.positions, tets: mesh.tets, ..Self::default() }
    }
}

impl From<TriMesh> for RawMesh {
    fn from(mesh: TriMesh) -> Self {
        Self { positions: mesh.positions, triangles: mesh.triangles, ..Self::default() }
    }
}

impl From<WiredSurface> for RawMesh {
    fn from(mesh: WiredSurface) -> Self {
        Self { lines: mesh.wires, ..mesh.surface.into() }
    }
}

impl From<Mesh> for RawMesh {
    fn from(mesh: Mesh) -> Self {
        match mesh {
            Mesh::Tets(mesh) => mesh.into(),
            Mesh::Surface(mesh) => mesh.into(),
        }
    }
}
