//! Triangles and wires that are wrong, as a small VTU to look at: body, index and kind of fault of each.

use anyhow::Context;
use nalgebra::Vector3;
use std::collections::BTreeSet;
use std::path::Path;
use visviva::mesh::formats::vtu::{self, Cells, DataArray, Layout, Values};
use visviva::run::whole_file;

/// What is wrong with a triangle or a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Intersection = 1,
    SmallGap = 2,
    Inverted = 3,
    Swallowed = 4,
}

#[derive(Debug, Default)]
pub struct FaultDrawing {
    triangles: Shown<3>,
    wires: Shown<2>,
}

/// Cells of N corners with [kind, body, index] of each.
#[derive(Debug, Default)]
struct Shown<const N: usize> {
    corners: Vec<[Vector3<f64>; N]>,
    labels: Vec<[i64; 3]>,
    known: BTreeSet<[i64; 3]>,
}

impl<const N: usize> Shown<N> {
    fn add(&mut self, kind: Fault, body: i64, index: i64, corners: [Vector3<f64>; N]) {
        let label = [kind as i64, body, index];
        let is_new = self.known.insert(label) || kind == Fault::Inverted;
        if is_new && corners.iter().flatten().all(|c| c.is_finite()) {
            self.corners.push(corners);
            self.labels.push(label);
        }
    }

    /// Vertices of each cell, which share none; `first` is the number of the first.
    fn cells(&self, first: usize) -> Vec<[u32; N]> {
        (0..self.corners.len()).map(|cell| std::array::from_fn(|i| (first + N * cell + i) as u32)).collect()
    }
}

impl FaultDrawing {
    /// `triangle` counts within its body, or tets where they are what is wrong; each is shown once for a kind.
    pub fn add(&mut self, kind: Fault, body: i64, triangle: i64, corners: [Vector3<f64>; 3]) {
        self.triangles.add(kind, body, triangle, corners);
    }

    /// `wire` counts within its body.
    pub fn add_wire(&mut self, kind: Fault, body: i64, wire: i64, ends: [Vector3<f64>; 2]) {
        self.wires.add(kind, body, wire, ends);
    }

    pub fn is_empty(&self) -> bool {
        self.triangles.labels.is_empty() && self.wires.labels.is_empty()
    }

    /// The array `triangle` holds a wire's index where the cell is a line.
    pub fn write(&self, path: &Path, time: Option<f64>) -> anyhow::Result<()> {
        let Self { triangles, wires } = self;
        let positions = [triangles.corners.as_flattened(), wires.corners.as_flattened()].concat();
        let (cells, lines) = (triangles.cells(0), wires.cells(3 * triangles.corners.len()));
        let label = |k: usize| triangles.labels.iter().chain(&wires.labels).map(|label| label[k]).collect::<Vec<i64>>();
        let (kinds, bodies, indices) = (label(0), label(1), label(2));
        let array = |name, values| DataArray { name, components: 1, values: Values::I64(values) };
        let cell_data = [array("body", &bodies), array("triangle", &indices), array("kind", &kinds)];
        let frame = vtu::Frame {
            positions: &positions,
            cells: Cells::Wired(&cells, &lines),
            point_data: &[],
            cell_data: &cell_data,
            time,
            interpolated: false,
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
