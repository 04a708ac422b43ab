//! Vertices that are one where they agree to the last bit.

use nalgebra::Vector3;
use std::collections::HashMap;

/// A position's bits, by which points are the same; adding zero makes −0 and 0 one.
pub fn key(position: &Vector3<f64>) -> [u64; 3] {
    position.map(|c| (c + 0.0).to_bits()).into()
}

/// Vertices numbered as they first come.
#[derive(Debug, Default)]
pub(crate) struct Welding {
    pub positions: Vec<Vector3<f64>>,
    vertices: HashMap<[u64; 3], u32>,
}

impl Welding {
    /// The number of the vertex at a position `[m]`.
    pub fn vertex(&mut self, position: Vector3<f64>) -> u32 {
        *self.vertices.entry(key(&position)).or_insert_with(|| {
            self.positions.push(position);
            self.positions.len() as u32 - 1
        })
    }
}
