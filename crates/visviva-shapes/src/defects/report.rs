//! Defects in words: a line for each kind, with the first few places and what to do.

use super::{Defects, Hole};
use crate::FirstFew;
use nalgebra::Vector3;
use std::fmt;

/// Why a surface bounds no solid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoSolid {
    #[error("the surface has no faces")]
    Empty,
    #[error("the surface is open: {}; close it (in Blender: Mesh > Clean Up > Fill Holes), or make it a shell", holes(.0))]
    Open(Vec<Hole>),
    #[error("the surface around face {0} has only one side, like a Möbius strip: it encloses nothing")]
    OneSided(u32),
}

impl Defects {
    /// Whether nothing is wrong.
    pub fn is_none(&self) -> bool {
        self.lines().is_empty()
    }

    /// What keeps the surface from bounding a solid. Crossings, crowded edges and pinches do not: inside is where the surface
    /// winds around.
    pub fn check_solid(&self) -> Result<(), NoSolid> {
        match (self.face_count, self.one_sided.first()) {
            (0, _) => Err(NoSolid::Empty),
            (_, Some(&face)) => Err(NoSolid::OneSided(face)),
            _ if !self.holes.is_empty() => Err(NoSolid::Open(self.holes.clone())),
            _ => Ok(()),
        }
    }

    /// One for each kind of fault that there is.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let faces = |list: &[u32]| {
            format!("{} {}", if list.len() == 1 { "face" } else { "faces" }, first_few(list.iter().copied()))
        };
        if !self.holes.is_empty() {
            lines.push(format!("{}; close it", holes(&self.holes)));
        }
        if let Some(first) = self.crowded_edges.first() {
            let ([a, b], at) = (first.edge, place(&first.at));
            lines.push(format!(
                "{} where more than two faces meet, the first between vertices {a} and {b} near {at} ({}): separate them",
                count(self.crowded_edges.len(), "edge", "edges"),
                faces(&first.faces)
            ));
        }
        if let Some((vertex, at)) = self.pinched_vertices.first() {
            let many = count(self.pinched_vertices.len(), "vertex", "vertices");
            lines.push(format!(
                "{many} where parts touch in a point alone, the first {vertex} at {}: split it",
                place(at)
            ));
        }
        if !self.flipped.is_empty() {
            let (many, which) = (self.flipped.len(), faces(&self.flipped));
            lines
                .push(format!("{many} of {} faces look the other way than their neighbours: {which}", self.face_count));
        }
        if let Some(first) = self.inside_out.first() {
            let many = count(self.inside_out.len(), "closed part is", "closed parts are");
            lines.push(format!("{many} inside out, the first around face {first}"));
        }
        if let Some(first) = self.one_sided.first() {
            let many = count(self.one_sided.len(), "part has", "parts have");
            lines.push(format!("{many} only one side, like a Möbius strip, the first around face {first}: cut it"));
        }
        if let Some([later, first]) = self.duplicates.first() {
            let many = count(self.duplicates.len(), "face", "faces");
            lines.push(format!("{many} more than once, the first {later}, which has the corners of face {first}"));
        }
        if !self.without_area.is_empty() {
            lines.push(format!("no area: {}", faces(&self.without_area)));
        }
        if let Some([a, b]) = self.doubled_vertices.first() {
            let many = count(self.doubled_vertices.len(), "vertex lies", "vertices lie");
            lines.push(format!("{many} where another does, the first two are {a} and {b}: merge them"));
        }
        if let Some(first) = self.crossings.first() {
            let (at, [a, b]) = (place(&first.at), first.polygons);
            let least = if self.are_crossings_all { "" } else { "at least " };
            let many = count(self.crossings.len(), "pair of faces crosses", "pairs of faces cross");
            lines.push(format!("{least}{many}, the first faces {a} and {b} near {at}"));
        } else if !self.are_crossings_all {
            lines.push("too many faces lie near each other to look for crossings among all of them".into());
        }
        lines
    }
}

impl fmt::Display for Defects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (faces, parts) = (count(self.face_count, "face", "faces"), count(self.part_count, "part", "parts"));
        write!(f, "{faces} in {parts}")?;
        let lines = self.lines();
        if lines.is_empty() { write!(f, ": nothing is wrong") } else { write!(f, "\n  {}", lines.join("\n  ")) }
    }
}

/// The largest first, three at most.
fn holes(holes: &[Hole]) -> String {
    let mut order: Vec<&Hole> = holes.iter().collect();
    order.sort_by(|a, b| b.length.total_cmp(&a.length));
    let tell = |hole: &&Hole| {
        format!("a rim of {}, {:.3e} m long, at {}", count(hole.edges, "edge", "edges"), hole.length, place(&hole.at))
    };
    let told: Vec<String> = order.iter().take(3).map(tell).collect();
    let more = if order.len() > 3 { ", …" } else { "" };
    format!("{} ({}{more})", count(holes.len(), "hole", "holes"), told.join("; "))
}

pub(crate) fn count(many: usize, one: &str, more: &str) -> String {
    format!("{many} {}", if many == 1 { one } else { more })
}

fn first_few(indices: impl Iterator<Item = u32>) -> FirstFew {
    FirstFew::of(indices.map(|index| index as usize))
}

/// Four digits find it.
fn place(at: &Vector3<f64>) -> String {
    let digits = |c: f64| {
        let rounded = format!("{c:.3e}").parse::<f64>().unwrap_or(c);
        format!("{rounded:?}")
    };
    format!("({}, {}, {})", digits(at.x), digits(at.y), digits(at.z))
}
