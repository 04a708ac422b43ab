//! Which faces meet at each edge.

use crate::Polygons;

/// Where a face runs along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    /// Lower vertex first
    pub edge: [u32; 2],
    pub polygon: u32,
    /// Where in the corners of all polygons it begins
    pub corner: u32,
    /// From the lower to the higher vertex
    pub rises: bool,
}

/// All sides of polygons, those of one edge beside each other; edges ascend. Corners that are repeated have no side between.
pub(crate) fn sides(polygons: &Polygons) -> Vec<Side> {
    let mut sides = Vec::with_capacity(polygons.corners.len());
    for polygon in 0..polygons.len() {
        let range = polygons.range(polygon);
        for corner in range.clone() {
            let next = if corner + 1 == range.end { range.start } else { corner + 1 };
            let (a, b) = (polygons.corners[corner], polygons.corners[next]);
            if a != b {
                let (edge, rises) = if a < b { ([a, b], true) } else { ([b, a], false) };
                sides.push(Side { edge, polygon: polygon as u32, corner: corner as u32, rises });
            }
        }
    }
    sides.sort_unstable();
    sides
}

/// The sides of each edge.
pub(crate) fn by_edge(sides: &[Side]) -> impl Iterator<Item = &[Side]> {
    sides.chunk_by(|a, b| a.edge == b.edge)
}
