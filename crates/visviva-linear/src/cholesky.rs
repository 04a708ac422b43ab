//! Sparse Cholesky A = LLᵀ by supernodes, its symbolic part and all buffers kept while the pattern holds.
//!
//! Always supernodal: 3×3 blocks give every column two companions.

use super::block_matrix::BlockMatrix;
use super::error::{LinearError, expect_len};
use super::frontal::Fronts;
use super::ordering::{is_permutation, order, postordered};
use super::pattern::BlockPattern;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::SymbolicSupernodalParams;
use faer::sparse::linalg::cholesky::{simplicial, supernodal};

/// An ordering made for another pattern is given up when it costs this much more than it did there.
const WORN: f64 = 1.5;

/// Neighbouring supernodes are made one where they have at most so many nodes and at most this part of what they store is zero: those
/// that faer recommends, in blocks.
const RELAX: [(usize, f64); 4] = [(1, 1.0), (5, 0.8), (16, 0.1), (usize::MAX, 0.05)];

#[derive(Default)]
pub struct Cholesky {
    order: Vec<u32>,
    /// What the factorisation cost for the pattern the ordering was made for.
    order_flops: f64,
    analysis: Option<Analysis>,
    lower: Vec<f64>,
    /// The numbers that the factor was made from, and whether that went well, tree by tree
    before: Vec<f64>,
    holds_tree: Vec<bool>,
    factor: Vec<f64>,
    updates: Vec<f64>,
    x: Vec<f64>,
    handed: Vec<f64>,
    factored: bool,
    analysis_count: usize,
}

/// All that depends on the pattern alone.
#[derive(Debug)]
struct Analysis {
    fingerprint: u64,
    lower_len: usize,
    /// Slots of the blocks on and below the diagonal, in order of elimination; `slot_start` by column.
    slot_start: Vec<u32>,
    slots: Vec<u32>,
    factor_len: usize,
    fronts: Fronts,
}

// Millions of numbers help nobody: the sizes tell more.
impl std::fmt::Debug for Cholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cholesky").field("nodes", &self.order.len()).field("factor_len", &self.factor.len()).finish()
    }
}

impl Cholesky {
    pub fn new() -> Self {
        Self::default()
    }

    /// Continues with an ordering from [`Self::ordering`].
    pub(super) fn set_ordering(&mut self, order: Vec<u32>, flops: f64) {
        *self = Self { order, order_flops: flops, analysis_count: self.analysis_count, ..Self::default() };
    }

    pub(super) fn ordering(&self) -> (&[u32], f64) {
        (&self.order, self.order_flops)
    }

    /// Whether this pattern's symbolic factorisation is at hand.
    pub fn holds(&self, pattern: &BlockPattern) -> bool {
        self.analysis.as_ref().is_some_and(|analysis| analysis.fingerprint == pattern.fingerprint())
    }

    /// Symbolic factorisations so far.
    pub fn analysis_count(&self) -> usize {
        self.analysis_count
    }

    /// Numbers in the factor L.
    pub fn factor_len(&self) -> usize {
        self.factor.len()
    }

    /// Factors the matrix; the symbolic part only where the pattern is new.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), LinearError> {
        self.factored = false;
        if !self.holds(matrix.pattern()) {
            self.analyse(matrix.pattern())?;
        }
        let Some(analysis) = &self.analysis else {
            return Err(LinearError::NotFactored);
        };
        std::mem::swap(&mut self.lower, &mut self.before);
        self.lower.resize(analysis.lower_len, 0.0);
        analysis.permute(matrix, &mut self.lower);
        // Bodies that do not touch have trees of their own; one whose numbers are the same keeps its factor.
        let fronts = &analysis.fronts;
        self.holds_tree.resize(fronts.roots.len(), false);
        for (tree, holds) in self.holds_tree.iter_mut().enumerate() {
            let entries = fronts.entries_of_tree(tree);
            *holds &= self.before.len() == self.lower.len() && self.before[entries.clone()] == self.lower[entries];
        }
        let result = fronts.factor(&self.lower, &mut self.factor, &mut self.updates, &self.holds_tree);
        self.holds_tree.fill(result.is_ok());
        match result {
            Ok(()) => {
                self.factored = true;
                Ok(())
            }
            Err(column) => Err(LinearError::NotPositiveDefinite { node: self.order[column / 3] as usize }),
        }
    }

    /// Overwrites b by the solution of A·x = b.
    pub fn solve(&mut self, b: &mut [f64]) -> Result<(), LinearError> {
        let (true, Some(analysis)) = (self.factored, &self.analysis) else {
            return Err(LinearError::NotFactored);
        };
        expect_len("right-hand side", b.len(), self.x.len())?;
        for (x, &node) in self.x.chunks_exact_mut(3).zip(&self.order) {
            x.copy_from_slice(&b[3 * node as usize..3 * node as usize + 3]);
        }
        analysis.fronts.solve(&self.factor, &mut self.x, &mut self.handed);
        for (x, &node) in self.x.chunks_exact(3).zip(&self.order) {
            b[3 * node as usize..3 * node as usize + 3].copy_from_slice(x);
        }
        Ok(())
    }

    fn analyse(&mut self, pattern: &BlockPattern) -> Result<(), LinearError> {
        self.analysis = None;
        self.analysis_count += 1;
        // A few contact blocks more or less leave a good ordering good, and ordering is what costs most here.
        let mut kept = is_permutation(&self.order, pattern.node_count());
        loop {
            // New blocks change the elimination tree: its postorder is renewed even where the ordering is kept.
            self.order = postordered(pattern, &if kept { std::mem::take(&mut self.order) } else { order(pattern) });
            let analysis = Analysis::new(pattern, &self.order)?;
            let flops = analysis.fronts.flops;
            if kept && flops > WORN * self.order_flops {
                kept = false;
                continue;
            }
            if !kept {
                self.order_flops = flops;
            }
            self.holds_tree.clear();
            self.factor.resize(analysis.factor_len, 0.0);
            self.lower.resize(analysis.lower_len, 0.0);
            self.x.resize(3 * pattern.node_count(), 0.0);
            self.updates.resize(analysis.fronts.updates_len(), 0.0);
            self.handed.resize(analysis.fronts.rows_len(), 0.0);
            self.analysis = Some(analysis);
            return Ok(());
        }
    }
}

impl Analysis {
    /// All in blocks: the three columns of a node have one pattern, and a ninth of the entries tells it.
    fn new(pattern: &BlockPattern, order: &[u32]) -> Result<Self, LinearError> {
        let n = pattern.node_count();
        let too_large = || LinearError::TooLarge { node_count: n };
        let mut place = vec![0u32; n];
        for (k, &node) in order.iter().enumerate() {
            place[node as usize] = k as u32;
        }
        let Triangle { start, rows, .. } = Triangle::new(pattern, order, &place, |row, col| row <= col);
        let upper = SymbolicSparseColMat::new_checked(n, n, start, None, rows);
        let lower = Triangle::new(pattern, order, &place, |row, col| row >= col);
        let (mut tree, mut counts) = (vec![0i32; n], vec![0u32; n]);
        let scratch = simplicial::prefactorize_symbolic_cholesky_scratch::<u32>(n, upper.row_idx().len())
            .or(supernodal::factorize_supernodal_symbolic_cholesky_scratch::<u32>(n));
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| too_large())?;
        let stack = MemStack::new(&mut memory);
        let tree = simplicial::prefactorize_symbolic_cholesky(&mut tree, &mut counts, upper.as_ref(), stack);
        let params = SymbolicSupernodalParams { relax: Some(&RELAX) };
        let symbolic = supernodal::factorize_supernodal_symbolic_cholesky(upper.as_ref(), tree, &counts, stack, params)
            .map_err(|_| too_large())?;
        // Places in the factor are kept in 32 bits.
        let factor_len = 9 * symbolic.len_val();
        u32::try_from(factor_len).map_err(|_| too_large())?;
        let fronts = Fronts::new(&symbolic, &lower.start, &lower.rows);
        Ok(Self {
            fingerprint: pattern.fingerprint(),
            lower_len: 9 * lower.slots.len() - 3 * n,
            slot_start: lower.start,
            slots: lower.slots,
            factor_len,
            fronts,
        })
    }

    /// Copies the blocks below the diagonal into compressed columns: three columns a block, each a column of Aᵀ's row.
    fn permute(&self, matrix: &BlockMatrix, lower: &mut [f64]) {
        let mut rest = lower;
        for column in self.slot_start.windows(2) {
            let slots = &self.slots[column[0] as usize..column[1] as usize];
            let height = 3 * slots.len();
            let (c0, tail) = rest.split_at_mut(height);
            let (c1, tail) = tail.split_at_mut(height - 1);
            let (c2, tail) = tail.split_at_mut(height - 2);
            rest = tail;
            let h = matrix.at(slots[0] as usize);
            c0[..3].copy_from_slice(&[h[0], h[3], h[6]]);
            c1[..2].copy_from_slice(&[h[4], h[7]]);
            c2[0] = h[8];
            let below = c0[3..].chunks_exact_mut(3).zip(c1[2..].chunks_exact_mut(3)).zip(c2[1..].chunks_exact_mut(3));
            for (((c0, c1), c2), &slot) in below.zip(&slots[1..]) {
                // The block of (column, row) is the transpose of the one wanted.
                let h = matrix.at(slot as usize);
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
