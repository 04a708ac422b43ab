//! A symmetric matrix of 3×3 blocks over a pattern, both triangles stored.
//!
//! Blocks are column-major, as nalgebra's: entry (r, c) at 3c + r. Stencil blocks come in upper-triangle order
//! (0,0)(0,1)…(0,k−1)(1,1)…(k−1,k−1), block (a, b) being ∂²E/∂x_a∂x_b.

use super::chunks::{Shared, for_each_chunk};
use super::error::{LinearError, expect_len};
use super::pattern::BlockPattern;
use std::sync::Arc;

/// Rows of a product that are worth a task.
const ROWS: usize = 512;

/// Unused values behind the last block, so that the product may load four lanes of a three-lane column.
pub(super) const PAD: usize = 3;

#[derive(Debug, Clone)]
pub struct BlockMatrix {
    pattern: Arc<BlockPattern>,
    pub(super) values: Vec<f64>,
}

impl BlockMatrix {
    pub fn zeros(pattern: Arc<BlockPattern>) -> Self {
        let values = vec![0.0; 9 * pattern.block_count() + PAD];
        Self { pattern, values }
    }

    /// Takes on a pattern and becomes zero; the buffer is kept.
    pub fn reset(&mut self, pattern: &Arc<BlockPattern>) {
        self.values.clear();
        self.values.resize(9 * pattern.block_count() + PAD, 0.0);
        self.pattern = Arc::clone(pattern);
    }

    /// Becomes another matrix; the buffer is kept.
    pub fn copy_from(&mut self, other: &Self) {
        self.values.clone_from(&other.values);
        self.pattern = Arc::clone(&other.pattern);
    }

    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    pub fn node_count(&self) -> usize {
        self.pattern.node_count()
    }

    /// Block (row, col), column-major.
    pub fn block(&self, row: u32, col: u32) -> Option<&[f64; 9]> {
        self.pattern.slot(row, col).map(|slot| self.at(slot))
    }

    pub(super) fn at(&self, slot: usize) -> &[f64; 9] {
        self.values[9 * slot..].first_chunk().expect("a slot of this pattern")
    }

    fn add_at(&mut self, slot: usize, value: impl Fn(usize, usize) -> f64) {
        let block = &mut self.values[9 * slot..9 * slot + 9];
        for c in 0..3 {
            for r in 0..3 {
                block[3 * c + r] += value(r, c);
            }
        }
    }

    /// y ← A x
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        let y = Shared::new(y);
        for_each_chunk(self.node_count(), ROWS, |rows| {
            // SAFETY: chunks do not overlap.
            let y = unsafe { y.slice(3 * rows.start..3 * rows.end) };
            super::product::multiply_rows(self, rows, x, y);
        });
    }

    /// Adds s·I₃ to each diagonal block, s being one number a node: a lumped mass over h².
    pub fn add_diagonal(&mut self, scalars: &[f64]) -> Result<(), LinearError> {
        expect_len("diagonal", scalars.len(), self.node_count())?;
        for (&slot, &s) in self.pattern.diagonal.iter().zip(scalars) {
            for k in [0, 4, 8] {
                self.values[9 * slot as usize + k] += s;
            }
        }
        Ok(())
    }

    /// Adds a stencil's blocks one by one, for the few whose stencils change all the time: contact and friction.
    ///
    /// A node that occurs twice in a stencil receives H_ab + H_baᵀ on its diagonal, as the chain rule wants.
    pub fn add_stencil(&mut self, nodes: &[u32], blocks: &[[f64; 9]]) -> Result<(), LinearError> {
        expect_len("blocks of a stencil", blocks.len(), nodes.len() * (nodes.len() + 1) / 2)?;
        let mut next = blocks.iter();
        for (a, &row) in nodes.iter().enumerate() {
            for (beyond, (&col, block)) in nodes[a..].iter().zip(&mut next).enumerate() {
                if let Some(slot) = self.pattern.slot_of_stencil(row, col)? {
                    self.add_pair(slot, beyond > 0, block);
                }
            }
        }
        Ok(())
    }

    /// The same for a stencil whose slots are known.
    pub fn add_to_slots(&mut self, slots: &StencilSlots, blocks: &[[f64; 9]]) -> Result<(), LinearError> {
        expect_len("blocks of a stencil", blocks.len(), slots.slots.len())?;
        if slots.fingerprint != self.pattern.fingerprint() {
            return Err(LinearError::ForeignPattern);
        }
        let mut next = slots.slots.iter().zip(blocks);
        for a in 0..slots.node_count {
            for (beyond, (slot, block)) in (&mut next).take(slots.node_count - a).enumerate() {
                if let Some(slot) = slot {
                    self.add_pair(*slot as usize, beyond > 0, block);
                }
            }
        }
        Ok(())
    }

    /// A block and, of two different places in a stencil, its transpose.
    fn add_pair(&mut self, slot: usize, both: bool, h: &[f64; 9]) {
        self.add_at(slot, |r, c| h[3 * c + r]);
        if both {
            self.add_at(self.pattern.mirror[slot] as usize, |r, c| h[3 * r + c]);
        }
    }
}

/// Where a stencil's blocks stand in a pattern; none where a node is pinned.
#[derive(Debug, Clone, PartialEq)]
pub struct StencilSlots {
    fingerprint: u64,
    node_count: usize,
    slots: Vec<Option<u32>>,
}

impl StencilSlots {
    pub fn new(pattern: &BlockPattern, nodes: &[u32]) -> Result<Self, LinearError> {
        let mut slots = Vec::with_capacity(nodes.len() * (nodes.len() + 1) / 2);
        for (a, &row) in nodes.iter().enumerate() {
            for &col in &nodes[a..] {
                slots.push(pattern.slot_of_stencil(row, col)?.map(|slot| slot as u32));
            }
        }
        Ok(Self { fingerprint: pattern.fingerprint(), node_count: nodes.len(), slots })
    }

    pub fn block_count(&self) -> usize {
        self.slots.len()
    }
}

/// Writes weight·I₃ for each block of a stencil: a coupled mass matrix, such as an affine body's 4×4, as stencil blocks.
pub fn scalar_blocks(weights: &[f64], blocks: &mut [[f64; 9]]) {
    for (&w, block) in weights.iter().zip(blocks) {
        *block = [w, 0.0, 0.0, 0.0, w, 0.0, 0.0, 0.0, w];
    }
}
