//! From element blocks to the matrix, and from element gradients to the nodes, in an order no thread can change.
//!
//! Elements are evaluated in parallel into a flat buffer; each block of the matrix then sums its contributions in the
//! order of the stencils. The upper triangle is gathered, the lower mirrored, so that the matrix is symmetric to the bit.

use super::block_matrix::BlockMatrix;
use super::chunks::{Shared, for_each_chunk};
use super::error::{LinearError, expect_len};
use super::pattern::{BlockPattern, PINNED};

/// Rows gathered by one task.
const ROWS: usize = 64;

/// Which stencil blocks flow into which matrix blocks, and which stencil gradients into which nodes.
#[derive(Debug, Clone)]
pub struct Scatter {
    fingerprint: u64,
    node_count: usize,
    block_count: usize,
    entry_count: usize,
    /// Upper slots row by row: slots `upper[k]` sum `sources[source_start[k]..source_start[k + 1]]`.
    row_start: Vec<u32>,
    upper: Vec<u32>,
    source_start: Vec<u32>,
    /// Stencil block index, doubled, plus one where it enters transposed.
    sources: Vec<u32>,
    entry_start: Vec<u32>,
    entries: Vec<u32>,
}

impl Scatter {
    /// Learns where the stencils' blocks go; the pattern must cover them all.
    pub fn new<'a, S>(pattern: &BlockPattern, stencils: S) -> Result<Self, LinearError>
    where
        S: IntoIterator<Item = &'a [u32]>,
    {
        let node_count = pattern.node_count();
        let (mut to_slot, mut to_node) = (Vec::new(), Vec::new());
        let (mut block_count, mut entry_count) = (0u32, 0u32);
        for stencil in stencils {
            for (a, &na) in stencil.iter().enumerate() {
                if na != PINNED {
                    if na as usize >= node_count {
                        return Err(LinearError::NoSuchNode { node: na as usize, node_count });
                    }
                    to_node.push((na, entry_count));
                }
                entry_count += 1;
                for (b, &nb) in stencil.iter().enumerate().skip(a) {
                    if na != PINNED && nb != PINNED {
                        let missing = LinearError::MissingBlock { row: na as usize, col: nb as usize };
                        if nb as usize >= node_count {
                            return Err(missing);
                        }
                        let slot = pattern.slot(na.min(nb), na.max(nb)).ok_or(missing)? as u32;
                        to_slot.push((slot, 2 * block_count + u32::from(na > nb)));
                        // A node twice in one stencil: H_ab and its transpose meet on the diagonal.
                        if na == nb && a != b {
                            to_slot.push((slot, 2 * block_count + 1));
                        }
                    }
                    block_count += 1;
                }
            }
        }
        // Sorting is stable in the stencils' order: the code and the entry number grow with it.
        to_slot.sort_unstable();
        to_node.sort_unstable();
        let (mut upper, mut source_start) = (Vec::new(), vec![0u32]);
        let mut row_start = vec![0u32; node_count + 1];
        let mut entry_start = vec![0u32; node_count + 1];
        let (mut s, mut e) = (0, 0);
        for i in 0..node_count {
            for slot in pattern.diagonal[i]..pattern.row_start[i + 1] {
                let first = s;
                while s < to_slot.len() && to_slot[s].0 == slot {
                    s += 1;
                }
                if s > first {
                    upper.push(slot);
                    source_start.push(s as u32);
                }
            }
            row_start[i + 1] = upper.len() as u32;
            while e < to_node.len() && to_node[e].0 as usize == i {
                e += 1;
            }
            entry_start[i + 1] = e as u32;
        }
        let sources = to_slot.into_iter().map(|(_, source)| source).collect();
        let entries = to_node.into_iter().map(|(_, entry)| entry).collect();
        let (block_count, entry_count) = (block_count as usize, entry_count as usize);
        let fingerprint = pattern.fingerprint();
        Ok(Self {
            fingerprint,
            node_count,
            block_count,
            entry_count,
            row_start,
            upper,
            source_start,
            sources,
            entry_start,
            entries,
        })
    }

    /// Blocks in the flat buffer: k(k+1)/2 for each stencil of k nodes, pinned ones included, in the order given.
    pub fn block_count(&self) -> usize {
        self.block_count
    }

    /// 3-vectors in the flat gradient buffer: k for each stencil of k nodes.
    pub fn entry_count(&self) -> usize {
        self.entry_count
    }

    /// Adds all stencil blocks to a matrix over this map's pattern or one extended from it.
    pub fn add_blocks(&self, blocks: &[[f64; 9]], matrix: &mut BlockMatrix) -> Result<(), LinearError> {
        self.add_blocks_but(blocks, &vec![false; self.node_count], matrix)
    }

    /// The same, for all rows but some that no stencil joins to others.
    pub fn add_blocks_but(
        &self,
        blocks: &[[f64; 9]],
        left_out: &[bool],
        matrix: &mut BlockMatrix,
    ) -> Result<(), LinearError> {
        expect_len("stencil blocks", blocks.len(), self.block_count)?;
        expect_len("rows left out", left_out.len(), self.node_count)?;
        let pattern = std::sync::Arc::clone(matrix.pattern());
        let moved = pattern.slots_of(self.fingerprint).ok_or(LinearError::ForeignPattern)?;
        let values = Shared::new(&mut matrix.values);
        for_each_chunk(self.node_count, ROWS, |rows| {
            let wanted = rows.filter(|&row| !left_out[row]);
            for k in wanted.flat_map(|row| self.row_start[row] as usize..self.row_start[row + 1] as usize) {
                let mut sum = [0.0; 9];
                for &source in &self.sources[self.source_start[k] as usize..self.source_start[k + 1] as usize] {
                    let h = &blocks[source as usize / 2];
                    if source % 2 == 0 {
                        (0..9).for_each(|e| sum[e] += h[e]);
                    } else {
                        (0..9).for_each(|e| sum[e] += h[TRANSPOSED[e]]);
                    }
                }
                let slot = moved.map_or(self.upper[k], |slots| slots[self.upper[k] as usize]) as usize;
                let mirror = pattern.mirror[slot] as usize;
                // SAFETY: each upper slot belongs to one row, each row to one task, and so does its mirror slot.
                let block = unsafe { values.slice(9 * slot..9 * slot + 9) };
                (0..9).for_each(|e| block[e] += sum[e]);
                if mirror != slot {
                    // SAFETY: as above.
                    let block = unsafe { values.slice(9 * mirror..9 * mirror + 9) };
                    (0..9).for_each(|e| block[e] += sum[TRANSPOSED[e]]);
                }
            }
        });
        Ok(())
    }

    /// Adds all stencil gradients, three numbers an entry, to the nodes' gradient.
    pub fn add_gradient(&self, entries: &[[f64; 3]], gradient: &mut [f64]) -> Result<(), LinearError> {
        expect_len("stencil gradients", entries.len(), self.entry_count)?;
        expect_len("gradient", gradient.len(), 3 * self.node_count)?;
        let gradient = Shared::new(gradient);
        for_each_chunk(self.node_count, 4 * ROWS, |rows| {
            // SAFETY: the tasks' row ranges do not overlap.
            let out = unsafe { gradient.slice(3 * rows.start..3 * rows.end) };
            for (i, sum) in rows.zip(out.chunks_exact_mut(3)) {
                for &entry in &self.entries[self.entry_start[i] as usize..self.entry_start[i + 1] as usize] {
                    (0..3).for_each(|c| sum[c] += entries[entry as usize][c]);
                }
            }
        });
        Ok(())
    }
}

/// Where each entry of a transposed block comes from.
const TRANSPOSED: [usize; 9] = [0, 3, 6, 1, 4, 7, 2, 5, 8];
