//! Sparse Cholesky A = LLᵀ by supernodes, its symbolic part and all buffers kept while the pattern holds.
//!
//! Always supernodal: 3×3 blocks give every column two companions.

use super::analysis::Analysis;
use super::block_matrix::BlockMatrix;
use super::error::{LinearError, expect_len};
use super::ordering::{is_permutation, order, postordered};
use super::pattern::BlockPattern;

/// An ordering made for another pattern is given up when it costs this much more than it did there.
pub(super) const WORN: f64 = 1.5;

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
        analysis.permute(matrix, |slot| slot, &mut self.lower);
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
            let analysis = Analysis::new(pattern, &self.order, 0)?;
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
