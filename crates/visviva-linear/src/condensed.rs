//! A factorisation in two, for bodies in contact: each body is eliminated down to the nodes that touch something, and what is left of
//! all bodies, together with their contacts, is a small system of its own.
//!
//! ```text
//! A = │ I  B │     S = T − Bᵀ I⁻¹ B
//!     │ Bᵀ T │
//! ```
//!
//! Contacts are part of T alone: a body whose own numbers are the same keeps its factor and its part of S.

use super::analysis::Analysis;
use super::block_matrix::BlockMatrix;
use super::cholesky::{Cholesky, WORN};
use super::error::{LinearError, expect_len};
use super::ordering::{is_permutation, order, postordered};
use super::pattern::BlockPattern;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// It pays where at most one node in so many touches something.
const FEW: usize = 4;

/// Nodes that no longer touch stay among those left until these are more than twice as many as those that do, and so many. Bodies with
/// no more nodes are left whole.
const SLACK: usize = 24;

const NONE: u32 = u32::MAX;

/// What touches in a system: its pattern without contact, and the nodes whose blocks contact changes, ascending.
#[derive(Debug, Clone, Copy)]
pub struct Touching<'a> {
    pub base: &'a Arc<BlockPattern>,
    pub nodes: &'a [u32],
}

#[derive(Debug, Default)]
pub(super) struct Condensed {
    base: Option<Arc<BlockPattern>>,
    parts: Vec<Part>,
    part_of: Vec<u32>,
    /// All nodes that are left, part by part, and the place of each node among them
    left: Vec<u32>,
    place: Vec<u32>,
    joined: Option<Joined>,
    cholesky: Cholesky,
    rest: Vec<f64>,
    factored: bool,
    memory: Option<CondensedMemory>,
}

/// The system of what is left.
#[derive(Debug)]
struct Joined {
    matrix: BlockMatrix,
    /// Its pattern without contact
    base: BlockPattern,
    /// The pattern of the whole system that it was made for
    whole: u64,
    /// Slots here and in the whole system of the blocks that both have
    copies: Vec<[u32; 2]>,
}

/// Nodes that hang together without contact.
#[derive(Debug, Default)]
struct Part {
    /// Ascending
    nodes: Vec<u32>,
    touching: Vec<u32>,
    /// Its nodes in order of elimination, those that are left last and ascending
    order: Vec<u32>,
    left: usize,
    /// What elimination cost with the ordering as it was made
    order_flops: f64,
    /// With so many that touch, or more, it is left whole
    whole_from: Option<usize>,
    /// None where nothing is eliminated
    analysis: Option<Analysis>,
    /// Slots of the base for its own
    slots: Vec<u32>,
    lower: Vec<f64>,
    /// The numbers that the factor was made from, and whether that went well
    before: Vec<f64>,
    holds: bool,
    factor: Vec<f64>,
    updates: Vec<f64>,
    x: Vec<f64>,
    handed: Vec<f64>,
    moves: bool,
}

/// What later factorisations depend on: how parts are divided and in which order they are eliminated.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct CondensedMemory {
    parts: Vec<PartMemory>,
    order: Vec<u32>,
    order_flops: f64,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct PartMemory {
    order: Vec<u32>,
    left: usize,
    order_flops: f64,
    whole_from: Option<usize>,
}

impl Condensed {
    pub(super) fn restored(memory: CondensedMemory) -> Self {
        Self { memory: Some(memory), ..Self::default() }
    }

    pub(super) fn memory(&self) -> CondensedMemory {
        if let Some(memory) = &self.memory {
            return memory.clone();
        }
        let of = |part: &Part| {
            let Part { left, order_flops, whole_from, .. } = *part;
            PartMemory { order: part.order.clone(), left, order_flops, whole_from }
        };
        let (order, order_flops) = self.cholesky.ordering();
        CondensedMemory { parts: self.parts.iter().map(of).collect(), order: order.to_vec(), order_flops }
    }

    /// What a factorisation of so many nodes costs, where that is known.
    pub(super) fn flops(&self, node_count: usize) -> Option<f64> {
        let (nodes, flops) = match &self.memory {
            Some(memory) => {
                let of_parts = memory.parts.iter().map(|part| (part.order.len(), part.order_flops));
                of_parts.fold((0, memory.order_flops), |(n, sum), (nodes, flops)| (n + nodes, sum + flops))
            }
            None => {
                let of_parts = self.parts.iter().map(|part| (part.order.len(), part.order_flops));
                let joined = self.cholesky.ordering().1;
                of_parts.fold((0, joined), |(n, sum), (nodes, flops)| (n + nodes, sum + flops))
            }
        };
        (node_count > 0 && nodes == node_count).then_some(flops)
    }

    /// Whether a system that touches there is worth dividing.
    pub(super) fn pays(touching: Touching<'_>) -> bool {
        !touching.nodes.is_empty() && FEW * touching.nodes.len() <= touching.base.node_count()
    }

    /// Factors the matrix, whose pattern is the one without contact or one extended from it.
    pub(super) fn factor(&mut self, matrix: &BlockMatrix, touching: Touching<'_>) -> Result<(), LinearError> {
        self.factored = false;
        self.divide(touching)?;
        let base = touching.base;
        let moved = matrix.pattern().slots_of(base.fingerprint()).ok_or(LinearError::ForeignPattern)?;
        let outcomes: Vec<Result<(), LinearError>> =
            self.parts.par_iter_mut().with_max_len(1).map(|part| part.factor(matrix, moved)).collect();
        outcomes.into_iter().collect::<Result<(), LinearError>>()?;
        if !self.left.is_empty() {
            self.join(matrix)?;
        }
        self.factored = true;
        Ok(())
    }

    /// Overwrites b by the solution of A·x = b.
    pub(super) fn solve(&mut self, b: &mut [f64]) -> Result<(), LinearError> {
        if !self.factored {
            return Err(LinearError::NotFactored);
        }
        expect_len("right-hand side", b.len(), 3 * self.part_of.len())?;
        let pushes: &[f64] = b;
        self.parts.par_iter_mut().with_max_len(1).for_each(|part| part.solve_lower(pushes));
        if !self.left.is_empty() {
            self.rest.clear();
            self.parts.iter().for_each(|part| self.rest.extend_from_slice(part.rest()));
            self.cholesky.solve(&mut self.rest)?;
        }
        let mut at = 0;
        for part in &mut self.parts {
            let end = at + 3 * part.left;
            part.take_rest(&self.rest[at..end]);
            at = end;
        }
        self.parts.par_iter_mut().with_max_len(1).for_each(Part::solve_upper);
        for part in &self.parts {
            for (x, &node) in part.x.chunks_exact(3).zip(&part.order) {
                b[3 * node as usize..3 * node as usize + 3].copy_from_slice(x);
            }
        }
        Ok(())
    }

    /// Sees to it that all that touches is left.
    fn divide(&mut self, Touching { base, nodes }: Touching<'_>) -> Result<(), LinearError> {
        if self.base.as_ref().is_none_or(|known| known.fingerprint() != base.fingerprint()) {
            self.begin(base);
        }
        self.parts.iter_mut().for_each(|part| part.touching.clear());
        for &node in nodes {
            let part = self.part_of.get(node as usize);
            let part = *part.ok_or(LinearError::NoSuchNode { node: node as usize, node_count: base.node_count() })?;
            self.parts[part as usize].touching.push(node);
        }
        let outcomes: Vec<Result<bool, LinearError>> =
            self.parts.par_iter_mut().with_max_len(1).map(|part| part.divide(base)).collect();
        let mut changed = self.joined.is_none();
        for outcome in outcomes {
            changed |= outcome.inspect_err(|_| self.joined = None)?;
        }
        if changed {
            self.gather_left()?;
        }
        Ok(())
    }

    /// Takes on a pattern, as it was known before where there is a memory of it.
    fn begin(&mut self, base: &Arc<BlockPattern>) {
        let part = |nodes: Vec<u32>| Part { x: vec![0.0; 3 * nodes.len()], nodes, ..Part::default() };
        self.parts = base.components().into_iter().map(part).collect();
        self.part_of = vec![0; base.node_count()];
        for (k, part) in self.parts.iter().enumerate() {
            part.nodes.iter().for_each(|&node| self.part_of[node as usize] = k as u32);
        }
        self.base = Some(Arc::clone(base));
        (self.joined, self.cholesky) = (None, Cholesky::new());
        let Some(memory) = self.memory.take().filter(|memory| memory.parts.len() == self.parts.len()) else { return };
        for (part, known) in self.parts.iter_mut().zip(memory.parts) {
            let mut nodes = known.order.clone();
            nodes.sort_unstable();
            let left = known.order.len().checked_sub(known.left).map(|first| &known.order[first..]);
            if nodes == part.nodes && left.is_some_and(<[u32]>::is_sorted) {
                (part.order, part.left, part.order_flops) = (known.order, known.left, known.order_flops);
                part.whole_from = known.whole_from;
            }
        }
        self.cholesky.set_ordering(memory.order, memory.order_flops);
    }

    /// Numbers what is left anew.
    fn gather_left(&mut self) -> Result<(), LinearError> {
        self.left = self.parts.iter().flat_map(|part| part.left_nodes()).copied().collect();
        self.place.clear();
        self.place.resize(self.part_of.len(), NONE);
        self.left.iter().zip(0..).for_each(|(&node, place)| self.place[node as usize] = place);
        let Some(base) = &self.base else { return Ok(()) };
        // Elimination couples all that is left of a part.
        let mut stencils: Vec<Vec<u32>> = Vec::new();
        for part in &self.parts {
            let places = part.left_nodes().iter().map(|&node| self.place[node as usize]);
            if part.analysis.is_some() {
                stencils.push(places.collect());
            } else {
                let row = |&node: &u32| base.row(node as usize).iter().map(move |&other| [node, other]);
                let pairs = part.left_nodes().iter().flat_map(row);
                stencils.extend(pairs.map(|pair| pair.map(|node| self.place[node as usize]).to_vec()));
            }
        }
        let pattern = BlockPattern::from_stencils(self.left.len(), stencils.iter().map(|places| places.as_slice()))?;
        let matrix = BlockMatrix::zeros(Arc::new(pattern.clone()));
        self.joined = Some(Joined { matrix, base: pattern, whole: !base.fingerprint(), copies: Vec::new() });
        Ok(())
    }

    /// Factors the system of what is left.
    fn join(&mut self, matrix: &BlockMatrix) -> Result<(), LinearError> {
        let joined = self.joined.as_mut().ok_or(LinearError::NotFactored)?;
        if joined.whole != matrix.pattern().fingerprint() {
            joined.copy_pattern(matrix.pattern(), &self.left, &self.place)?;
        }
        joined.copy(matrix);
        let mut first = 0;
        for part in &self.parts {
            if let Some(analysis) = &part.analysis {
                joined.add_part(first, part.left, analysis.what_is_left(&part.factor));
            }
            first += part.left;
        }
        self.cholesky.factor(&joined.matrix).map_err(|error| match error {
            LinearError::NotPositiveDefinite { node } => {
                LinearError::NotPositiveDefinite { node: self.left[node] as usize }
            }
            other => other,
        })
    }
}

impl Joined {
    /// Takes on the contacts of the whole system's pattern.
    fn copy_pattern(&mut self, whole: &BlockPattern, left: &[u32], place: &[u32]) -> Result<(), LinearError> {
        let blocks = || {
            let row = |(at, &node): (usize, &u32)| {
                let others = whole.row_range(node as usize).map(move |slot| (at as u32, slot));
                others.map(|(at, slot)| (at, place[whole.cols[slot] as usize], slot as u32))
            };
            left.iter().enumerate().flat_map(row).filter(|&(_, other, _)| other != NONE)
        };
        let pairs: Vec<[u32; 2]> = blocks().filter(|(a, b, _)| a < b).map(|(a, b, _)| [a, b]).collect();
        let pattern = Arc::new(self.base.extended(&pairs)?);
        self.copies.clear();
        for (row, col, slot) in blocks() {
            let missing = LinearError::MissingBlock { row: row as usize, col: col as usize };
            self.copies.push([pattern.slot(row, col).ok_or(missing)? as u32, slot]);
        }
        self.matrix.reset(&pattern);
        self.whole = whole.fingerprint();
        Ok(())
    }

    fn copy(&mut self, whole: &BlockMatrix) {
        let pattern = Arc::clone(self.matrix.pattern());
        self.matrix.reset(&pattern);
        for &[here, there] in &self.copies {
            self.matrix.values[9 * here as usize..9 * here as usize + 9].copy_from_slice(whole.at(there as usize));
        }
    }

    /// Adds the lower triangle of what elimination makes of the `count` nodes of a part, which begin at `first`.
    fn add_part(&mut self, first: usize, count: usize, lower: &[f64]) {
        let height = 3 * count;
        let pattern = Arc::clone(self.matrix.pattern());
        // The nodes of a part stand side by side, and all of them are coupled: so do their blocks in each row.
        let row = |i: usize| pattern.slot((first + i) as u32, first as u32).expect("a part's nodes are coupled");
        let rows: Vec<usize> = (0..count).map(row).collect();
        let values = &mut self.matrix.values;
        for j in 0..count {
            for i in j..count {
                let (below, above) = (9 * (rows[i] + j), 9 * (rows[j] + i));
                for c in 0..3 {
                    let column = &lower[(3 * j + c) * height + 3 * i..][..3];
                    for r in if i == j { c } else { 0 }..3 {
                        values[below + 3 * c + r] += column[r];
                        if i != j || r != c {
                            values[above + 3 * r + c] += column[r];
                        }
                    }
                }
            }
        }
    }
}

impl Part {
    fn left_nodes(&self) -> &[u32] {
        &self.order[self.order.len() - self.left..]
    }

    /// Divides its nodes anew where what touches now is not left, or too much is; whether it did.
    fn divide(&mut self, base: &BlockPattern) -> Result<bool, LinearError> {
        let much = FEW * self.touching.len() > 2 * self.nodes.len();
        let whole =
            self.nodes.len() <= SLACK || much || self.whole_from.is_some_and(|from| self.touching.len() >= from);
        let (wanted, left) = (&self.touching, self.left_nodes());
        let covers = self.order.len() == self.nodes.len() && wanted.iter().all(|node| left.binary_search(node).is_ok());
        let suits = covers && (whole || left.len() <= 2 * wanted.len() + SLACK);
        if suits && (self.analysis.is_some() || self.left == self.nodes.len()) {
            return Ok(false);
        }
        let left: Vec<u32> = if suits {
            left.to_vec()
        } else if whole && !wanted.is_empty() {
            self.nodes.clone()
        } else if left.len() <= wanted.len() + SLACK {
            let mut both = [left, wanted].concat();
            both.sort_unstable();
            both.dedup();
            both
        } else {
            wanted.clone()
        };
        self.analyse(base, left)?;
        if self.is_dense() && self.left > self.touching.len() {
            self.analyse(base, self.touching.clone())?;
        }
        if self.is_dense() {
            self.whole_from = Some(self.touching.len());
            self.analyse(base, self.nodes.clone())?;
        }
        Ok(true)
    }

    /// Whether what is left, all of it coupled, costs more than what is eliminated.
    fn is_dense(&self) -> bool {
        self.analysis.as_ref().is_some_and(|analysis| 9.0 * (self.left as f64).powi(3) > analysis.fronts.flops)
    }

    fn analyse(&mut self, base: &BlockPattern, left: Vec<u32>) -> Result<(), LinearError> {
        let is_left = |node: &u32| left.binary_search(node).is_ok();
        let inner: Vec<u32> = self.nodes.iter().filter(|node| !is_left(node)).copied().collect();
        let eliminated = &self.order[..self.order.len().saturating_sub(self.left)];
        // An ordering stays good where a few nodes are taken out of it.
        let mut kept: Vec<u32> = eliminated.iter().filter(|node| !is_left(node)).copied().collect();
        (self.holds, self.analysis) = (false, None);
        self.left = left.len();
        if inner.is_empty() {
            (self.order, self.order_flops) = (left, 0.0);
            return Ok(());
        }
        let (inside, _) = base.restricted(&inner);
        let (whole, slots) = base.restricted(&self.nodes);
        let place = |among: &[u32], node: &u32| among.binary_search(node).unwrap_or(0) as u32;
        loop {
            let local: Vec<u32> = kept.iter().map(|node| place(&inner, node)).collect();
            let is_kept = is_permutation(&local, inner.len());
            let local = postordered(&inside, &if is_kept { local } else { order(&inside) });
            self.order = local.iter().map(|&k| inner[k as usize]).chain(left.iter().copied()).collect();
            let order: Vec<u32> = self.order.iter().map(|node| place(&self.nodes, node)).collect();
            let analysis = Analysis::new(&whole, &order, left.len())?;
            let flops = analysis.fronts.flops;
            if is_kept && flops > WORN * self.order_flops {
                kept.clear();
                continue;
            }
            if !is_kept {
                self.order_flops = flops;
            }
            self.factor.resize(analysis.factor_len, 0.0);
            self.updates.resize(analysis.fronts.updates_len(), 0.0);
            self.handed.resize(analysis.fronts.rows_len(), 0.0);
            (self.analysis, self.slots) = (Some(analysis), slots);
            return Ok(());
        }
    }

    fn factor(&mut self, matrix: &BlockMatrix, moved: Option<&[u32]>) -> Result<(), LinearError> {
        let Some(analysis) = &self.analysis else { return Ok(()) };
        std::mem::swap(&mut self.lower, &mut self.before);
        self.lower.resize(analysis.lower_len, 0.0);
        let slot_of = |slot: usize| {
            let slot = self.slots[slot] as usize;
            moved.map_or(slot, |moved| moved[slot] as usize)
        };
        analysis.permute(matrix, slot_of, &mut self.lower);
        if self.holds && self.before == self.lower {
            return Ok(());
        }
        let fronts = &analysis.fronts;
        let none_held = vec![false; fronts.roots.len()];
        let outcome = fronts.factor(&self.lower, &mut self.factor, &mut self.updates, &none_held);
        self.holds = outcome.is_ok();
        outcome.map_err(|column| LinearError::NotPositiveDefinite { node: self.order[column / 3] as usize })
    }

    /// Up to what is left.
    fn solve_lower(&mut self, b: &[f64]) {
        for (x, &node) in self.x.chunks_exact_mut(3).zip(&self.order) {
            x.copy_from_slice(&b[3 * node as usize..3 * node as usize + 3]);
        }
        // Where nothing pushes, nothing moves.
        self.moves = self.x.iter().any(|&x| x != 0.0);
        if let Some(analysis) = self.analysis.as_ref().filter(|_| self.moves) {
            analysis.fronts.solve_lower(&self.factor, &mut self.x, &mut self.handed);
        }
    }

    fn rest(&self) -> &[f64] {
        &self.x[self.x.len() - 3 * self.left..]
    }

    fn take_rest(&mut self, rest: &[f64]) {
        let at = self.x.len() - rest.len();
        self.x[at..].copy_from_slice(rest);
        self.moves |= rest.iter().any(|&x| x != 0.0);
    }

    /// From what is left.
    fn solve_upper(&mut self) {
        if let Some(analysis) = self.analysis.as_ref().filter(|_| self.moves) {
            analysis.fronts.solve_upper(&self.factor, &mut self.x, &mut self.handed);
        }
    }
}
