//! Objects of polygons as one mesh of triangles, and the other way round.

use super::RawMesh;
use crate::mesh::MeshError;
use std::collections::HashMap;
use visviva_shapes::formats::Objects;
use visviva_shapes::{PolygonMesh, position_key};

impl From<Objects> for RawMesh {
    /// Vertices of different objects at one point become one: objects may be patches of one surface.
    fn from(objects: Objects) -> Self {
        let skipped = objects.skipped.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect();
        let mut raw = Self { skipped, ..Self::default() };
        let mut earlier: HashMap<[u64; 3], u32> = HashMap::new();
        let is_alone = objects.meshes.len() == 1;
        for mesh in objects.meshes {
            let cut = mesh.triangulate();
            let mut nodes = Vec::with_capacity(mesh.positions.len());
            for position in &mesh.positions {
                let node = earlier.get(&position_key(position)).copied().unwrap_or(raw.positions.len() as u32);
                if node as usize == raw.positions.len() {
                    raw.positions.push(*position);
                }
                nodes.push(node);
            }
            raw.triangles.extend(cut.triangles.iter().map(|triangle| triangle.map(|vertex| nodes[vertex as usize])));
            raw.lines.extend(mesh.lines.iter().map(|line| line.map(|vertex| nodes[vertex as usize])));
            if !is_alone {
                for (position, node) in mesh.positions.iter().zip(nodes) {
                    earlier.entry(position_key(position)).or_insert(node);
                }
            }
        }
        raw
    }
}

/// One object of the triangles of a mesh, which must have some.
pub(super) fn of_triangles(raw: RawMesh) -> Result<Objects, MeshError> {
    if raw.triangles.is_empty() {
        return Err(lacking(&raw));
    }
    let polygons = raw.triangles.into_iter().collect();
    let mesh = PolygonMesh { positions: raw.positions, polygons, lines: raw.lines, ..PolygonMesh::default() };
    Ok(Objects { meshes: vec![mesh], ..Objects::default() })
}

/// The objects that have polygons; there must be one.
pub(super) fn with_polygons(objects: Objects) -> Result<Objects, MeshError> {
    if objects.meshes.iter().all(|mesh| mesh.polygons.is_empty()) {
        return Err(lacking(&objects.into()));
    }
    let Objects { mut meshes, skipped } = objects;
    meshes.retain(|mesh| !mesh.polygons.is_empty());
    Ok(Objects { meshes, skipped })
}

fn lacking(raw: &RawMesh) -> MeshError {
    MeshError::NothingWanted { wanted: "polygons", held: raw.summary() }
}
