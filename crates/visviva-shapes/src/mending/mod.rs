//! What is safe to mend: vertices that coincide become one, faces without extent or there twice go, the rest turns outward.
//!
//! Holes stay: what would close them is a guess. Vertices only nearly at one point are joined on rims alone, where they are
//! cracks; a small part of a closed surface keeps its shape.

mod note;
mod vertices;

pub use note::Note;

use crate::defects::edges::{Side, by_edge, sides};
use crate::defects::{Crossing, CrowdedEdge, Defects, Hole, duplicates, facing, has_no_area};
use crate::{FirstFew, PolygonMesh, Polygons};
use std::collections::HashMap;

/// A surface that is as good as mending makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mended {
    /// Without texture coordinates and materials: the original has them
    pub mesh: PolygonMesh,
    /// Which vertex of it each original vertex has become
    pub vertex_of: Vec<u32>,
    /// Which original polygon each of its polygons was
    pub polygon_of: Vec<u32>,
    /// What was done, for people
    pub notes: Vec<Note>,
}

impl PolygonMesh {
    /// Mends what is safe to mend.
    pub fn mend(&self) -> Mended {
        let mesh = PolygonMesh {
            name: self.name.clone(),
            positions: self.positions.clone(),
            polygons: self.polygons.clone(),
            lines: self.lines.clone(),
            ..PolygonMesh::default()
        };
        let vertex_of = (0..self.positions.len() as u32).collect();
        let polygon_of = (0..self.polygons.len() as u32).collect();
        let mut mended = Mended { mesh, vertex_of, polygon_of, notes: Vec::new() };
        mended.weld();
        mended.close_cracks();
        mended.drop_without_extent();
        mended.drop_duplicates();
        mended.turn();
        mended
    }
}

impl Mended {
    /// What is still wrong, with faces and vertices numbered as in the original.
    pub fn defects(&self) -> Defects {
        let mut first_original = vec![u32::MAX; self.mesh.positions.len()];
        for (original, &vertex) in self.vertex_of.iter().enumerate().rev() {
            first_original[vertex as usize] = original as u32;
        }
        let vertex = |v: u32| first_original[v as usize];
        let face = |polygon: u32| self.polygon_of[polygon as usize];
        let faces = |list: Vec<u32>| list.into_iter().map(face).collect::<Vec<u32>>();
        let found = Defects::of(&self.mesh);
        let hole = |hole: Hole| Hole { vertices: hole.vertices.into_iter().map(vertex).collect(), ..hole };
        let crowded = |edge: CrowdedEdge| CrowdedEdge { edge: edge.edge.map(vertex), faces: faces(edge.faces), ..edge };
        let crossing = |crossing: Crossing| Crossing { polygons: crossing.polygons.map(face), ..crossing };
        Defects {
            holes: found.holes.into_iter().map(hole).collect(),
            crowded_edges: found.crowded_edges.into_iter().map(crowded).collect(),
            pinched_vertices: found.pinched_vertices.into_iter().map(|(v, at)| (vertex(v), at)).collect(),
            flipped: faces(found.flipped),
            inside_out: faces(found.inside_out),
            one_sided: faces(found.one_sided),
            duplicates: found.duplicates.into_iter().map(|pair| pair.map(face)).collect(),
            without_area: faces(found.without_area),
            doubled_vertices: found.doubled_vertices.into_iter().map(|pair| pair.map(vertex)).collect(),
            crossings: found.crossings.into_iter().map(crossing).collect(),
            ..found
        }
    }

    /// Faces of fewer than three corners; and those whose corners lie on one line, where no face loses its only neighbour.
    fn drop_without_extent(&mut self) {
        let is_flat = |corners: &[u32]| has_no_area(corners, &self.mesh.positions);
        let flat: Vec<bool> = self.mesh.polygons.iter().map(is_flat).collect();
        if !flat.contains(&true) {
            return;
        }
        let sides = sides(&self.mesh.polygons);
        let mut uses: HashMap<[u32; 2], u32> = by_edge(&sides).map(|run| (run[0].edge, run.len() as u32)).collect();
        let mut own: Vec<Vec<[u32; 2]>> = vec![Vec::new(); self.mesh.polygons.len()];
        for &Side { edge, polygon, .. } in sides.iter().filter(|side| flat[side.polygon as usize]) {
            own[polygon as usize].push(edge);
        }
        let dropped = self.keep(|polygon, corners| {
            let edges = &own[polygon];
            // They ascend, as the sides do.
            let has_only_neighbour = |run: &[[u32; 2]]| uses[&run[0]] as usize == run.len() + 1;
            let is_safe = distinct(corners) < 3 || !edges.chunk_by(|a, b| a == b).any(has_only_neighbour);
            if !flat[polygon] || !is_safe {
                return true;
            }
            for edge in edges {
                uses.entry(*edge).and_modify(|uses| *uses -= 1);
            }
            false
        });
        self.note(dropped, Note::WithoutExtent);
    }

    fn drop_duplicates(&mut self) {
        let later: Vec<u32> = duplicates(&self.mesh).into_iter().map(|[later, _]| later).collect();
        let dropped = self.keep(|polygon, _| later.binary_search(&(polygon as u32)).is_err());
        self.note(dropped, Note::Duplicates);
    }

    /// Turns faces the way of their neighbours, and closed parts outward.
    fn turn(&mut self) {
        let patches = facing::patches(&self.mesh, &sides(&self.mesh.polygons));
        let (mut turned, mut whole) = (Vec::new(), 0);
        for patch in patches.iter().filter(|patch| !patch.is_one_sided) {
            let against = |polygon: &&u32| patch.flipped.binary_search(polygon).is_ok() != patch.is_inside_out;
            for &polygon in patch.polygons.iter().filter(against) {
                let range = self.mesh.polygons.range(polygon as usize);
                self.mesh.polygons.corners[range].reverse();
            }
            whole += usize::from(patch.is_inside_out);
            turned.extend(patch.flipped.iter().map(|&polygon| self.polygon_of[polygon as usize] as usize));
        }
        turned.sort_unstable();
        self.note(turned, Note::Turned);
        if whole > 0 {
            self.notes.push(Note::PartsTurned(whole));
        }
    }

    /// Keeps some polygons; gives the original numbers of the others.
    fn keep(&mut self, mut is_kept: impl FnMut(usize, &[u32]) -> bool) -> Vec<usize> {
        let (mut polygons, mut polygon_of, mut dropped) = (Polygons::default(), Vec::new(), Vec::new());
        for (polygon, corners) in self.mesh.polygons.iter().enumerate() {
            if is_kept(polygon, corners) {
                polygons.push(corners);
                polygon_of.push(self.polygon_of[polygon]);
            } else {
                dropped.push(self.polygon_of[polygon] as usize);
            }
        }
        (self.mesh.polygons, self.polygon_of) = (polygons, polygon_of);
        dropped
    }

    fn note(&mut self, faces: Vec<usize>, note: fn(FirstFew) -> Note) {
        if !faces.is_empty() {
            self.notes.push(note(FirstFew::of(faces)));
        }
    }
}

/// How many different vertices; three are as good as more.
fn distinct(corners: &[u32]) -> usize {
    let Some(&first) = corners.first() else { return 0 };
    let Some(&second) = corners.iter().find(|&&corner| corner != first) else { return 1 };
    if corners.iter().any(|&corner| corner != first && corner != second) { 3 } else { 2 }
}
