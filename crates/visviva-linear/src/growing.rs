//! A fixed elastic pattern and the contact pairs of the moment: the union changes only when it must.
//!
//! A pattern that holds keeps its symbolic factorisation, so pairs that went out of contact stay as explicit zeros until
//! they outnumber the living ones.

use super::error::LinearError;
use super::pattern::{BlockPattern, PINNED};
use std::collections::HashSet;
use std::sync::Arc;

/// Departed pairs tolerated beyond as many as there are living ones.
const SLACK: usize = 64;

#[derive(Debug, Clone)]
pub struct GrowingPattern {
    base: Arc<BlockPattern>,
    union: Arc<BlockPattern>,
    /// Pairs beyond the base, i < j, ascending.
    extra: Vec<[u32; 2]>,
    wanted: Vec<[u32; 2]>,
}

impl GrowingPattern {
    pub fn new(base: Arc<BlockPattern>) -> Self {
        Self { union: Arc::clone(&base), base, extra: Vec::new(), wanted: Vec::new() }
    }

    /// As it stood with these extra pairs, for a run that continues from a checkpoint.
    pub fn restored(base: Arc<BlockPattern>, extra: Vec<[u32; 2]>) -> Result<Self, LinearError> {
        let union = if extra.is_empty() { Arc::clone(&base) } else { Arc::new(base.extended(&extra)?) };
        Ok(Self { union, base, extra, wanted: Vec::new() })
    }

    /// The pattern covering the base and these stencils; the same `Arc` as long as nothing must change.
    pub fn update<'a>(
        &mut self,
        stencils: impl IntoIterator<Item = &'a [u32]>,
    ) -> Result<&Arc<BlockPattern>, LinearError> {
        let node_count = self.base.node_count();
        self.wanted.clear();
        // Two stiff bodies touch at dozens of pairs, all of the same rows.
        let mut seen = HashSet::new();
        for stencil in stencils.into_iter().filter(|&stencil| seen.insert(stencil)) {
            for (k, &a) in stencil.iter().enumerate().filter(|&(_, &a)| a != PINNED) {
                if a as usize >= node_count {
                    return Err(LinearError::NoSuchNode { node: a as usize, node_count });
                }
                for &b in stencil[..k].iter().filter(|&&b| b != PINNED) {
                    if self.base.slot(a, b).is_none() {
                        self.wanted.push([a.min(b), a.max(b)]);
                    }
                }
            }
        }
        self.wanted.sort_unstable();
        self.wanted.dedup();
        let covered = self.wanted.iter().all(|pair| self.extra.binary_search(pair).is_ok());
        if covered && self.extra.len() <= 2 * self.wanted.len() + SLACK {
            return Ok(&self.union);
        }
        if !covered && self.extra.len() + self.wanted.len() <= 2 * self.wanted.len() + SLACK {
            self.extra.extend_from_slice(&self.wanted);
            self.extra.sort_unstable();
            self.extra.dedup();
        } else {
            self.extra.clone_from(&self.wanted);
        }
        self.union =
            if self.extra.is_empty() { Arc::clone(&self.base) } else { Arc::new(self.base.extended(&self.extra)?) };
        Ok(&self.union)
    }

    pub fn base(&self) -> &Arc<BlockPattern> {
        &self.base
    }

    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.union
    }

    /// The pairs beyond the base: what a checkpoint keeps of this.
    pub fn extra(&self) -> &[[u32; 2]] {
        &self.extra
    }
}
