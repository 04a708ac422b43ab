//! Vertices that become one: at the same point to the last bit, or on rims within a hair of each other.

use super::{Mended, Note};
use crate::Polygons;
use crate::defects::edges::{by_edge, sides};
use crate::formats::welding::Welding;
use nalgebra::Vector3;
use std::collections::HashMap;

/// Width of a crack, in diagonals of the box around the surface.
const CRACK: f64 = 1e-6;

impl Mended {
    pub(super) fn weld(&mut self) {
        let mut welding = Welding::default();
        let new_of: Vec<u32> = self.mesh.positions.iter().map(|&position| welding.vertex(position)).collect();
        let merged = new_of.len() - welding.positions.len();
        if merged > 0 {
            self.renumber(&new_of, welding.positions);
            self.notes.push(Note::Welded(merged));
        }
    }

    pub(super) fn close_cracks(&mut self) {
        let positions = &self.mesh.positions;
        let (low, high) = positions
            .iter()
            .fold((Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)), |(low, high), x| {
                (low.inf(x), high.sup(x))
            });
        let width = CRACK * (high - low).norm();
        if !(width > 0.0 && width.is_finite()) {
            return;
        }
        let mut on_rim: Vec<u32> =
            by_edge(&sides(&self.mesh.polygons)).filter(|run| run.len() == 1).flat_map(|run| run[0].edge).collect();
        on_rim.sort_unstable();
        on_rim.dedup();
        let mut kept = Kept { width, low, cells: HashMap::new() };
        let mut joins = vec![None; positions.len()];
        for &vertex in &on_rim {
            joins[vertex as usize] = kept.near(vertex, positions);
        }
        let merged = joins.iter().flatten().count();
        if merged > 0 {
            let (mut new_of, mut fresh) = (Vec::with_capacity(joins.len()), Vec::new());
            for (vertex, join) in joins.iter().enumerate() {
                // Who is joined to comes first, so that its number is known.
                new_of.push(join.map_or(fresh.len() as u32, |kept: u32| new_of[kept as usize]));
                if join.is_none() {
                    fresh.push(positions[vertex]);
                }
            }
            self.renumber(&new_of, fresh);
            self.notes.push(Note::CracksClosed(merged, width));
        }
    }

    fn renumber(&mut self, new_of: &[u32], positions: Vec<Vector3<f64>>) {
        let new = |vertex: u32| new_of[vertex as usize];
        self.mesh.positions = positions;
        self.vertex_of.iter_mut().for_each(|vertex| *vertex = new(*vertex));
        let mut polygons = Polygons::default();
        for corners in self.mesh.polygons.iter() {
            let mut corners: Vec<u32> = corners.iter().map(|&vertex| new(vertex)).collect();
            // A side that has shrunk to a point is none.
            corners.dedup();
            while corners.len() > 1 && corners.first() == corners.last() {
                corners.pop();
            }
            polygons.push(&corners);
        }
        self.mesh.polygons = polygons;
        self.mesh.lines.iter_mut().for_each(|line| *line = line.map(new));
    }
}

/// Vertices that stay, by cells of a crack's width: they lie apart, so a cell has but a few.
struct Kept {
    width: f64,
    low: Vector3<f64>,
    cells: HashMap<[i64; 3], Vec<u32>>,
}

impl Kept {
    /// The first kept vertex within a crack's width; the vertex itself is kept where there is none.
    fn near(&mut self, vertex: u32, positions: &[Vector3<f64>]) -> Option<u32> {
        let position = positions[vertex as usize];
        let cell: [i64; 3] = ((position - self.low) / self.width).map(|c| c as i64).into();
        for [i, j, k] in (0..27).map(|n| [n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1]) {
            let others = self.cells.get(&[cell[0] + i, cell[1] + j, cell[2] + k]);
            let is_near = |other: &&u32| (positions[**other as usize] - position).norm() <= self.width;
            if let Some(&other) = others.and_then(|others| others.iter().find(is_near)) {
                return Some(other);
            }
        }
        self.cells.entry(cell).or_default().push(vertex);
        None
    }
}
