//! The rows of the matrix that a contact pair couples, and its blocks there: Jᵀ H J with the weights of its vertices.

use crate::model::Attachment;
use nalgebra::{Matrix3, Vector3};

/// Four vertices on four nodes each, at most.
const MOST: usize = 16;

#[derive(Debug, Clone)]
pub struct ContactStencil {
    rows: [u32; MOST],
    count: usize,
    /// Weight of each row in each vertex
    weights: [[f64; 4]; MOST],
    vertex_count: usize,
    /// Every vertex is a row of its own
    plain: bool,
}

impl ContactStencil {
    /// `rows` gives each node's row, or that it is pinned.
    pub fn new(vertices: &[u32], attachments: &[Attachment], rows: &[u32]) -> Self {
        let mut stencil =
            Self { rows: [0; MOST], count: 0, weights: [[0.0; 4]; MOST], vertex_count: vertices.len(), plain: true };
        for (a, &vertex) in vertices.iter().enumerate() {
            let attachment = &attachments[vertex as usize];
            stencil.plain &= matches!(attachment, Attachment::Node(_));
            for (node, weight) in attachment.parts() {
                let row = rows[node as usize];
                let known = if stencil.plain { None } else { stencil.rows().iter().position(|&r| r == row) };
                let slot = known.unwrap_or(stencil.count);
                stencil.rows[slot] = row;
                stencil.weights[slot][a] += weight;
                stencil.count = stencil.count.max(slot + 1);
            }
        }
        stencil
    }

    pub fn rows(&self) -> &[u32] {
        &self.rows[..self.count]
    }

    /// What a slot's row receives of a field on the vertices: its part of Jᵀ v
    pub fn transposed(&self, slot: usize, field: &[Vector3<f64>; 4]) -> Vector3<f64> {
        (0..self.vertex_count).fold(Vector3::zeros(), |sum, a| sum + self.weights[slot][a] * field[a])
    }

    /// Upper blocks in the matrix's order from those of the vertices, H.
    pub fn blocks(&self, vertex_block: impl Fn(usize, usize) -> Matrix3<f64>, out: &mut Vec<[f64; 9]>) {
        out.clear();
        let mut push = |block: &Matrix3<f64>| out.push(std::array::from_fn(|i| block.as_slice()[i]));
        if self.plain {
            for a in 0..self.count {
                (a..self.count).for_each(|b| push(&vertex_block(a, b)));
            }
            return;
        }
        // H J first: each row's part of it serves all blocks of its column.
        let n = self.vertex_count;
        let mut h = [[Matrix3::zeros(); 4]; 4];
        for a in 0..n {
            (0..n).for_each(|b| h[a][b] = vertex_block(a, b));
        }
        let mut hj = [[Matrix3::zeros(); MOST]; 4];
        for s in 0..self.count {
            for b in (0..n).filter(|&b| self.weights[s][b] != 0.0) {
                (0..n).for_each(|a| hj[a][s] += self.weights[s][b] * h[a][b]);
            }
        }
        for r in 0..self.count {
            for s in r..self.count {
                let touching = (0..n).filter(|&a| self.weights[r][a] != 0.0);
                push(&touching.fold(Matrix3::zeros(), |sum, a| sum + self.weights[r][a] * hj[a][s]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::linear::PINNED;

    #[test]
    fn blocks_are_the_congruence_of_the_vertices_blocks() {
        // Two vertices of one affine body, one of another whose first node is pinned, one of its own.
        let attachments = [
            Attachment::Affine { first: 0, weights: [0.4, 0.1, 0.2, 0.3] },
            Attachment::Affine { first: 0, weights: [0.2, 0.5, 0.4, -0.1] },
            Attachment::Affine { first: 4, weights: [1.0, 0.3, -0.2, -0.1] },
            Attachment::Node(8),
        ];
        let rows = [3, 4, 5, 6, PINNED, 0, 1, 2, 7];
        let stencil = ContactStencil::new(&[0, 1, 2, 3], &attachments, &rows);
        assert_eq!(stencil.rows(), [3, 4, 5, 6, PINNED, 0, 1, 2, 7]);
        let h = |a: usize, b: usize| {
            let entry = |r: usize, c: usize| (1.0 + (3 * a + r) as f64) * (1.0 + (3 * b + c) as f64);
            Matrix3::from_fn(|r, c| entry(r, c).sin() + if a == b && r == c { 4.0 } else { 0.0 })
        };
        let mut blocks = Vec::new();
        stencil.blocks(h, &mut blocks);
        let weight = |node: usize, a: usize| {
            attachments[a].parts().find(|&(n, _)| n as usize == node).map_or(0.0, |(_, weight)| weight)
        };
        let mut next = blocks.iter();
        for r in 0..9 {
            for s in r..9 {
                let expected = (0..16).fold(Matrix3::zeros(), |sum, k| {
                    let (a, b) = (k / 4, k % 4);
                    sum + weight(r, a) * weight(s, b) * h(a, b)
                });
                let got = Matrix3::from_column_slice(next.next().unwrap());
                assert!((got - expected).norm() < 1e-13);
            }
        }
    }
}
