//! Triangles that are wrong, as a small VTU to look at: body, triangle and kind of fault of each.

use anyhow::Context;
use nalgebra::Vector3;
use std::collections::BTreeSet;
use std::path::Path;
use visviva::mesh::formats::vtu::{self, Cells, DataArray, Layout, Values};
use visviva::output::whole_file;

/// What is wrong with a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Intersection = 1,
    SmallGap = 2,
    InvertedTet = 3,
    Swallowed = 4,
}

#[derive(Debug, Default)]
pub struct Offending {
    corners: Vec<Vector3<f64>>,
    bodies: Vec<i64>,
    triangles: Vec<i64>,
    kinds: Vec<i64>,
    known: BTreeSet<[i64; 3]>,
}

impl Offending {
    /// `triangle` counts within its body, or tets where they are what is wrong; each is shown once for a kind.
    pub fn add(&mut self, kind: Fault, body: i64, triangle: i64, corners: [Vector3<f64>; 3]) {
        let is_new = self.known.insert([kind as i64, body, triangle]) || kind == Fault::InvertedTet;
        if !is_new || corners.iter().flatten().any(|c| !c.is_finite()) {
            return;
        }
        self.corners.extend(corners);
        self.bodies.push(body);
        self.triangles.push(triangle);
        self.kinds.push(kind as i64);
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    pub fn write(&self, path: &Path, time: Option<f64>) -> anyhow::Result<()> {
        let cells: Vec<[u32; 3]> = (0..self.kinds.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let array = |name, values| DataArray { name, components: 1, values: Values::I64(values) };
        let cell_data = [array("body", &self.bodies), array("triangle", &self.triangles), array("kind", &self.kinds)];
        let frame = vtu::Frame {
            positions: &self.corners,
            cells: Cells::Triangles(&cells),
            point_data: &[],
            cell_data: &cell_data,
            time,
        };
        let mut bytes = Vec::new();
        vtu::write(&mut bytes, &frame, Layout::Inline, false)?;
        whole_file::write(path, &bytes).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Corners for messages [m]: as many digits as tell them apart from each other in a scene of metres.
pub fn show_corners(corners: &[Vector3<f64>]) -> String {
    let show = |p: &Vector3<f64>| format!("({:.6}, {:.6}, {:.6})", p.x, p.y, p.z);
    corners.iter().map(show).collect::<Vec<_>>().join(" ")
}
