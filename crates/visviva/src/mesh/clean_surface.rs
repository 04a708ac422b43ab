//! A surface from another program, mended where that is safe, as triangles that its own vertices ride on.

use super::{FirstFew, Ride, TriMesh, Warning};
use visviva_shapes::PolygonMesh;
use visviva_shapes::defects::Defects;

/// What can be computed with, and what was made of the original.
#[derive(Debug, Clone, PartialEq)]
pub struct CleanSurface {
    pub mesh: TriMesh,
    /// Of each vertex of the original
    pub rides: Vec<Ride>,
    /// What was mended, for people
    pub notes: Vec<String>,
    /// What is still wrong, numbered as in the original
    pub defects: Defects,
}

impl CleanSurface {
    pub fn of(object: &PolygonMesh) -> Self {
        let mended = object.mend();
        let defects = mended.defects();
        let mut notes: Vec<String> = mended.notes.iter().map(ToString::to_string).collect();
        let triangles = mended.mesh.triangulate().triangles;
        let mut mesh = TriMesh { positions: mended.mesh.positions, triangles };
        let loose = mesh.remove_isolated();
        let is_loose = |vertex: u32| loose.binary_search(&(vertex as usize)).is_ok();
        let given = (0..mended.vertex_of.len()).filter(|&vertex| is_loose(mended.vertex_of[vertex]));
        let which = FirstFew::of(given);
        if which.count > 0 {
            notes.push(Warning::IsolatedRemoved { which }.to_string());
        }
        let ride = |&vertex: &u32| match loose.binary_search(&(vertex as usize)) {
            // Nobody sees a vertex without faces; it keeps its number.
            Ok(_) => Ride::on(0),
            Err(before) => Ride::on(vertex - before as u32),
        };
        Self { rides: mended.vertex_of.iter().map(ride).collect(), mesh, notes, defects }
    }
}
