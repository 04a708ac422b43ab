//! A body filled with tetrahedra.

use crate::field::TriangleField;
use nalgebra::Vector3;
use rayon::prelude::*;

/// Nodes and the tets between them, (b − a) · ((c − a) × (d − a)) > 0 for each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solid {
    /// `[m]`
    pub positions: Vec<Vector3<f64>>,
    pub tets: Vec<[u32; 4]>,
}

/// The faces of a positive tet, seen counter-clockwise from outside.
pub const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

impl Solid {
    /// The corners of a tet `[m]`.
    pub fn corners(&self, tet: [u32; 4]) -> [Vector3<f64>; 4] {
        tet.map(|node| self.positions[node as usize])
    }

    /// `[m³]`
    pub fn volume(&self) -> f64 {
        self.tets.iter().map(|&tet| volume(&self.corners(tet))).sum()
    }

    /// Faces that belong to one tet only, counter-clockwise seen from outside, in the order of the tets.
    pub fn boundary(&self) -> Vec<[u32; 3]> {
        let face = |number: usize| FACES[number % 4].map(|k| self.tets[number / 4][k]);
        let mut faces: Vec<([u32; 3], usize)> = (0..4 * self.tets.len()).map(|n| (sorted(face(n)), n)).collect();
        faces.par_sort_unstable();
        let alone = faces.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1).map(|same| same[0].1);
        let mut numbers: Vec<usize> = alone.collect();
        numbers.sort_unstable();
        numbers.into_iter().map(face).collect()
    }

    /// Numbers the nodes that tets use anew, in their order.
    pub(crate) fn drop_unused(&mut self) {
        let mut used = vec![false; self.positions.len()];
        self.tets.iter().flatten().for_each(|&node| used[node as usize] = true);
        let mut number = vec![0; used.len()];
        let kept = (0..used.len()).filter(|&node| used[node]);
        kept.enumerate().for_each(|(count, node)| number[node] = count as u32);
        let mut used = used.iter();
        self.positions.retain(|_| *used.next().unwrap_or(&false));
        self.tets.iter_mut().flatten().for_each(|node| *node = number[*node as usize]);
    }

    /// The boundary as a surface, for distances.
    pub fn boundary_field(&self) -> TriangleField {
        TriangleField::new(&self.positions, &self.boundary())
    }
}

/// `[m³]`, negative for an inverted tet.
pub fn volume([a, b, c, d]: &[Vector3<f64>; 4]) -> f64 {
    (b - a).dot(&(c - a).cross(&(d - a))) / 6.0
}

fn sorted(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}
