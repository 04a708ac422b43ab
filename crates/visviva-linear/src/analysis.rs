//! All of a factorisation that depends on the pattern alone: which columns are eliminated together, and where every number goes.

use super::block_matrix::BlockMatrix;
use super::error::LinearError;
use super::frontal::Fronts;
use super::pattern::BlockPattern;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::SymbolicSupernodalParams;
use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use faer::sparse::linalg::cholesky::{simplicial, supernodal};

/// Neighbouring supernodes are made one where they have at most so many nodes and at most this part of what they store is zero: those
/// that faer recommends, in blocks.
const RELAX: [(usize, f64); 4] = [(1, 1.0), (5, 0.8), (16, 0.1), (usize::MAX, 0.05)];

#[derive(Debug)]
pub(super) struct Analysis {
    pub(super) fingerprint: u64,
    pub(super) lower_len: usize,
    /// Slots of the blocks on and below the diagonal, in order of elimination; `slot_start` by column.
    slot_start: Vec<u32>,
    slots: Vec<u32>,
    pub(super) factor_len: usize,
    pub(super) fronts: Fronts,
}

/// Columns eliminated together, and the rows below them; in blocks.
#[derive(Debug)]
pub(super) struct Supernodes {
    /// And where the last one ends
    begin: Vec<usize>,
    row_start: Vec<usize>,
    rows: Vec<u32>,
    /// The last one is left standing
    pub(super) leaves: bool,
}

impl Supernodes {
    fn new(symbolic: &SymbolicSupernodalCholesky<u32>, eliminated: usize) -> Self {
        let n = symbolic.nrows();
        let mut nodes = Self { begin: Vec::new(), row_start: vec![0], rows: Vec::new(), leaves: eliminated < n };
        for s in 0..symbolic.n_supernodes() {
            let (begin, end) = (symbolic.supernode_begin()[s] as usize, symbolic.supernode_end()[s] as usize);
            if begin >= eliminated {
                break;
            }
            nodes.begin.push(begin);
            nodes.rows.extend(eliminated.min(end) as u32..end as u32);
            nodes.rows.extend_from_slice(symbolic.supernode(s).pattern());
            nodes.row_start.push(nodes.rows.len());
        }
        if nodes.leaves {
            nodes.begin.push(eliminated);
            nodes.row_start.push(nodes.rows.len());
        }
        nodes.begin.push(n);
        nodes
    }

    pub(super) fn node_count(&self) -> usize {
        self.begin.last().copied().unwrap_or(0)
    }

    pub(super) fn count(&self) -> usize {
        self.begin.len() - 1
    }

    pub(super) fn columns(&self, s: usize) -> std::ops::Range<usize> {
        self.begin[s]..self.begin[s + 1]
    }

    pub(super) fn rows_below(&self, s: usize) -> &[u32] {
        &self.rows[self.row_start[s]..self.row_start[s + 1]]
    }

    /// Numbers that all their columns hold
    fn factor_len(&self) -> usize {
        let len = |s: usize| 9 * self.columns(s).len() * (self.columns(s).len() + self.rows_below(s).len());
        (0..self.count()).map(len).sum()
    }
}

impl Analysis {
    /// Of an elimination in this order that leaves the last `left` nodes standing. All in blocks: the three columns of a node have one
    /// pattern, and a ninth of the entries tells it.
    pub(super) fn new(pattern: &BlockPattern, order: &[u32], left: usize) -> Result<Self, LinearError> {
        let n = pattern.node_count();
        let eliminated = n - left;
        let too_large = || LinearError::TooLarge { node_count: n };
        let mut place = vec![0u32; n];
        for (k, &node) in order.iter().enumerate() {
            place[node as usize] = k as u32;
        }
        let Triangle { start, rows, .. } = Triangle::new(pattern, order, &place, |row, col| row <= col);
        let upper = SymbolicSparseColMat::new_checked(n, n, start, None, rows);
        let lower = Triangle::new(pattern, &order[..eliminated], &place, |row, col| row >= col);
        let (mut tree, mut counts) = (vec![0i32; n], vec![0u32; n]);
        let scratch = simplicial::prefactorize_symbolic_cholesky_scratch::<u32>(n, upper.row_idx().len())
            .or(supernodal::factorize_supernodal_symbolic_cholesky_scratch::<u32>(n));
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| too_large())?;
        let stack = MemStack::new(&mut memory);
        let tree = simplicial::prefactorize_symbolic_cholesky(&mut tree, &mut counts, upper.as_ref(), stack);
        let params = SymbolicSupernodalParams { relax: Some(&RELAX) };
        let symbolic = supernodal::factorize_supernodal_symbolic_cholesky(upper.as_ref(), tree, &counts, stack, params)
            .map_err(|_| too_large())?;
        let supernodes = Supernodes::new(&symbolic, eliminated);
        // Places in the factor are kept in 32 bits.
        let factor_len = supernodes.factor_len();
        u32::try_from(factor_len).map_err(|_| too_large())?;
        let fronts = Fronts::new(&supernodes, &lower.start, &lower.rows);
        Ok(Self {
            fingerprint: pattern.fingerprint(),
            lower_len: 9 * lower.slots.len() - 3 * eliminated,
            slot_start: lower.start,
            slots: lower.slots,
            factor_len,
            fronts,
        })
    }

    /// What elimination adds to the nodes that stay: the lower triangle of a square.
    pub(super) fn what_is_left<'a>(&self, factor: &'a [f64]) -> &'a [f64] {
        let last = self.fronts.fronts.last().filter(|front| front.stays);
        last.map_or(&[], |front| &factor[front.factor_at..front.factor_at + front.width * front.width])
    }

    /// Copies the blocks below the diagonal into compressed columns: three columns a block, each a column of Aᵀ's row. `slot_of` tells
    /// where the matrix has a slot of the pattern.
    pub(super) fn permute(&self, matrix: &BlockMatrix, slot_of: impl Fn(usize) -> usize, lower: &mut [f64]) {
        let mut rest = lower;
        for column in self.slot_start.windows(2) {
            let slots = &self.slots[column[0] as usize..column[1] as usize];
            let height = 3 * slots.len();
            let (c0, tail) = rest.split_at_mut(height);
            let (c1, tail) = tail.split_at_mut(height - 1);
            let (c2, tail) = tail.split_at_mut(height - 2);
            rest = tail;
            let h = matrix.at(slot_of(slots[0] as usize));
            c0[..3].copy_from_slice(&[h[0], h[3], h[6]]);
            c1[..2].copy_from_slice(&[h[4], h[7]]);
            c2[0] = h[8];
            let below = c0[3..].chunks_exact_mut(3).zip(c1[2..].chunks_exact_mut(3)).zip(c2[1..].chunks_exact_mut(3));
            for (((c0, c1), c2), &slot) in below.zip(&slots[1..]) {
                // The block of (column, row) is the transpose of the one wanted.
                let h = matrix.at(slot_of(slot as usize));
                for r in 0..3 {
                    (c0[r], c1[r], c2[r]) = (h[3 * r], h[3 * r + 1], h[3 * r + 2]);
                }
            }
        }
    }
}

/// One triangle of the reordered pattern in compressed columns of blocks, and the slots of their values.
struct Triangle {
    start: Vec<u32>,
    rows: Vec<u32>,
    slots: Vec<u32>,
}

impl Triangle {
    fn new(pattern: &BlockPattern, order: &[u32], place: &[u32], keep: impl Fn(u32, u32) -> bool) -> Self {
        let capacity = pattern.block_count() / 2 + order.len();
        let (mut start, mut rows) = (vec![0u32], Vec::with_capacity(capacity));
        let mut slots = Vec::with_capacity(capacity);
        let mut column = Vec::new();
        for (col, &node) in order.iter().enumerate() {
            let range = pattern.row_range(node as usize);
            let placed = range.clone().map(|slot| (place[pattern.cols[slot] as usize], slot as u32));
            column.clear();
            column.extend(placed.filter(|&(row, _)| keep(row, col as u32)));
            column.sort_unstable();
            rows.extend(column.iter().map(|&(row, _)| row));
            slots.extend(column.iter().map(|&(_, slot)| slot));
            start.push(rows.len() as u32);
        }
        Self { start, rows, slots }
    }
}
