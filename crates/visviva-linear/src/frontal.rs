//! The numbers of A = LLᵀ by the multifrontal method (Duff and Reid 1983), parallel over subtrees and over tiles of large fronts.
//!
//! A supernode's front takes in its columns of A and its children's updates, is eliminated, and leaves the update
//! U = −L₂L₂ᵀ to its parent. What is a task and what a tile depends on the sizes alone: the same bits for any number of threads.

use super::analysis::Supernodes;
use super::chunks::{Shared, for_each_chunk};
use super::dense::{self, Panel};
use rayon::prelude::*;

/// Subtrees of at most this share of the work, or this many multiplications, are tasks done in one go.
const TASK_SHARE: f64 = 1.0 / 24.0;
const TASK_FLOPS: f64 = 2e6;

/// Children with this many rows share the columns of their update among threads, so many at a time.
const SHARED_COLUMNS: usize = 256;
const COLUMNS: usize = 32;

/// The tree of fronts, in postorder, and where each keeps its numbers.
#[derive(Debug)]
pub(super) struct Fronts {
    pub(super) fronts: Vec<Front>,
    pub(super) roots: Vec<u32>,
    /// Rows of all fronts below their columns, and the same as places in the parent's front.
    pub(super) rows: Vec<u32>,
    pub(super) places: Vec<u32>,
    /// For every such row, the end of the run of neighbouring places it belongs to, counted in its front.
    runs: Vec<u32>,
    /// Where in L each number of the permuted matrix goes.
    targets: Vec<u32>,
    updates_len: usize,
    pub(super) flops: f64,
}

#[derive(Debug, Default)]
pub(super) struct Front {
    pub(super) first_column: usize,
    pub(super) width: usize,
    /// Rows below the front's own columns.
    pub(super) below: usize,
    pub(super) factor_at: usize,
    update_at: usize,
    pub(super) places_at: usize,
    entries: std::ops::Range<usize>,
    pub(super) children: Vec<u32>,
    pub(super) first_descendant: usize,
    pub(super) is_task: bool,
    /// Only gathers what the others leave of it
    pub(super) stays: bool,
}

impl Fronts {
    /// Of supernodes, and the lower triangle's columns of blocks.
    pub(super) fn new(supernodes: &Supernodes, column_start: &[u32], rows: &[u32]) -> Self {
        let count = supernodes.count();
        // A column of blocks holds three of numbers, which begin at the diagonal; those that stay have none.
        let entry = |column: usize| {
            let column = column.min(column_start.len() - 1);
            9 * column_start[column] as usize - 3 * column
        };
        let nodes = supernodes.node_count();
        let mut owner = vec![0u32; nodes];
        for s in 0..count {
            owner[supernodes.columns(s)].fill(s as u32);
        }
        let (mut fronts, mut roots) = (Vec::<Front>::with_capacity(count), Vec::new());
        let mut parents = Vec::with_capacity(count);
        let mut work = vec![0.0; count];
        let mut factor_at = 0;
        for s in 0..count {
            let (pattern, columns) = (supernodes.rows_below(s), supernodes.columns(s));
            let (first_column, width, below) = (3 * columns.start, 3 * columns.len(), 3 * pattern.len());
            let entries = entry(columns.start)..entry(columns.end);
            let stays = supernodes.leaves && s + 1 == count;
            if !stays {
                work[s] = (((width + below) as f64).powi(3) - (below as f64).powi(3)) / 3.0;
            }
            let front = Front { first_column, width, below, factor_at, entries, stays, ..Front::default() };
            factor_at += width * (width + below);
            fronts.push(Front { first_descendant: s, ..front });
            parents.push(pattern.first().map(|&row| owner[row as usize] as usize));
        }
        let flops = work.iter().sum::<f64>();
        for s in 0..count {
            match parents[s] {
                Some(parent) => {
                    work[parent] += work[s];
                    fronts[parent].children.push(s as u32);
                    fronts[parent].first_descendant = fronts[parent].first_descendant.min(fronts[s].first_descendant);
                }
                None => roots.push(s as u32),
            }
            fronts[s].is_task = work[s] <= TASK_FLOPS.max(TASK_SHARE * flops);
        }
        let (below_rows, places, runs) = (Vec::new(), Vec::new(), Vec::new());
        let targets = vec![0; entry(nodes)];
        let mut tree = Self { fronts, roots, rows: below_rows, places, runs, targets, updates_len: 0, flops };
        tree.locate(supernodes, &parents, column_start, rows);
        tree.lay_out_updates(&parents);
        tree
    }

    /// Finds the place of every row in the parent's front, and of every number of A in its own.
    fn locate(&mut self, supernodes: &Supernodes, parents: &[Option<usize>], column_start: &[u32], rows: &[u32]) {
        // The place of a block's first row
        let place_in = |front: &Front, pattern: &[u32], row: u32| match 3 * row as usize - front.first_column {
            k if k < front.width => k,
            _ => front.width + 3 * pattern.partition_point(|&other| other < row),
        };
        for s in 0..self.fronts.len() {
            let pattern = supernodes.rows_below(s);
            self.fronts[s].places_at = self.places.len();
            let front = &self.fronts[s];
            let height = front.width + front.below;
            let mut entry = front.entries.start;
            for j in (0..if front.stays { 0 } else { front.width }).step_by(3) {
                let column = (front.first_column + j) / 3;
                let rows = &rows[column_start[column] as usize..column_start[column + 1] as usize];
                // Of the diagonal block the second column lacks one row, the third two.
                let len = 3 * rows.len();
                let starts = [entry, entry + len - 1, entry + 2 * len - 3];
                for (k, &row) in rows.iter().enumerate() {
                    let place = place_in(front, pattern, row);
                    for (c, start) in starts.into_iter().enumerate() {
                        let to = front.factor_at + (j + c) * height + place;
                        for r in if k == 0 { c..3 } else { 0..3 } {
                            self.targets[start + 3 * k + r] = (to + r) as u32;
                        }
                    }
                }
                entry += 3 * len - 3;
            }
            if let Some(parent) = parents[s] {
                let above = supernodes.rows_below(parent);
                for &row in pattern {
                    let place = place_in(&self.fronts[parent], above, row) as u32;
                    self.places.extend(place..place + 3);
                    self.rows.extend(3 * row..3 * row + 3);
                }
                let places = &self.places[front.places_at..];
                self.runs.resize(self.places.len(), 0);
                for k in (0..places.len()).rev() {
                    let joined = places.get(k + 1).is_some_and(|&next| next == places[k] + 1);
                    self.runs[front.places_at + k] =
                        if joined { self.runs[front.places_at + k + 1] } else { k as u32 + 1 };
                }
            }
        }
    }

    /// Inside a task updates lie on two stacks, by even and odd depth, so that a front and its children never collide;
    /// above the tasks each has its own room.
    fn lay_out_updates(&mut self, parents: &[Option<usize>]) {
        let mut end = 0;
        let mut depth = vec![0usize; self.fronts.len()];
        for s in (0..self.fronts.len()).rev() {
            depth[s] = parents[s].map_or(0, |parent| depth[parent] + 1);
        }
        let mut s = 0;
        while s < self.fronts.len() {
            // The largest task that begins here; postorder keeps it in one piece.
            let mut root = s;
            while let Some(parent) = parents[root].filter(|&parent| self.fronts[parent].is_task) {
                root = parent;
            }
            if !self.fronts[s].is_task {
                self.fronts[s].update_at = end;
                end += self.fronts[s].room();
                s += 1;
                continue;
            }
            let (mut top, mut peak) = ([0usize; 2], [0usize; 2]);
            for k in s..=root {
                let (own, childs) = (depth[k] % 2, (depth[k] + 1) % 2);
                self.fronts[k].update_at = top[own];
                top[own] += self.fronts[k].room();
                peak[own] = peak[own].max(top[own]);
                if let Some(&first) = self.fronts[k].children.first() {
                    top[childs] = self.fronts[first as usize].update_at;
                }
            }
            for k in s..=root {
                self.fronts[k].update_at += end + if depth[k] % 2 == 1 { peak[0] } else { 0 };
            }
            end += peak[0] + peak[1];
            s = root + 1;
        }
        self.updates_len = end;
    }

    /// Numbers the updates need at the same time.
    pub(super) fn updates_len(&self) -> usize {
        self.updates_len
    }

    /// Numbers handed up the tree in a sweep.
    pub(super) fn rows_len(&self) -> usize {
        self.rows.len()
    }

    /// Which numbers of the permuted lower triangle a whole tree is made from: postorder keeps them in one piece.
    pub(super) fn entries_of_tree(&self, tree: usize) -> std::ops::Range<usize> {
        let root = &self.fronts[self.roots[tree] as usize];
        self.fronts[root.first_descendant].entries.start..root.entries.end
    }

    /// Fills `factor` from the permuted lower triangle, but for the trees that it holds already; the error is the first column
    /// whose pivot is not positive.
    pub(super) fn factor(
        &self,
        lower: &[f64],
        factor: &mut [f64],
        updates: &mut [f64],
        holds_tree: &[bool],
    ) -> Result<(), usize> {
        let numbers = Numbers { lower, factor: Shared::new(factor), updates: Shared::new(updates) };
        let changed: Vec<u32> =
            self.roots.iter().zip(holds_tree).filter(|&(_, &holds)| !holds).map(|(&s, _)| s).collect();
        self.subtrees(&changed, &numbers)
    }

    /// All run even where one fails: which failure is told must not depend on who was first.
    fn subtrees(&self, roots: &[u32], numbers: &Numbers) -> Result<(), usize> {
        let first = |a: Result<(), usize>, b: Result<(), usize>| match (a, b) {
            (Err(a), Err(b)) => Err(a.min(b)),
            (a, b) => a.and(b),
        };
        if roots.len() < 2 || rayon::current_num_threads() == 1 {
            return roots.iter().map(|&s| self.subtree(s as usize, numbers)).fold(Ok(()), first);
        }
        roots.par_iter().with_max_len(1).map(|&s| self.subtree(s as usize, numbers)).reduce(|| Ok(()), first)
    }

    fn subtree(&self, s: usize, numbers: &Numbers) -> Result<(), usize> {
        if self.fronts[s].is_task {
            return (self.fronts[s].first_descendant..=s).try_for_each(|k| self.eliminate(k, numbers));
        }
        self.subtrees(&self.fronts[s].children, numbers)?;
        self.eliminate(s, numbers)
    }

    fn eliminate(&self, s: usize, numbers: &Numbers) -> Result<(), usize> {
        let front = &self.fronts[s];
        let (width, below) = (front.width, front.below);
        let height = width + below;
        {
            // SAFETY: a front's part of L is touched by its own elimination only.
            let own = unsafe { numbers.factor.slice(front.factor_at..front.factor_at + height * width) };
            own.fill(0.0);
            for e in front.entries.clone() {
                own[self.targets[e] as usize - front.factor_at] = numbers.lower[e];
            }
            self.extend(front, numbers, 0..width, own, 0, height);
        }
        if front.stays {
            return Ok(());
        }
        let panel = Panel { at: numbers.factor.at(front.factor_at), width, height };
        {
            // SAFETY: a front's update is written by its own elimination, and its room is free before that.
            let scratch = unsafe { numbers.updates.slice(front.update_at..front.update_at + front.room()) };
            // SAFETY: the panel is this front's part of L.
            unsafe { dense::eliminate(panel, scratch) }.map_err(|k| front.first_column + k)?;
        }
        if below > 0 {
            // SAFETY: panel and update are this front's own.
            unsafe { dense::update(panel, numbers.updates.at(front.update_at)) };
            // SAFETY: as above; the rooms of the children lie elsewhere.
            let update = unsafe { numbers.updates.slice(front.update_at..front.update_at + below * below) };
            self.extend(front, numbers, width..height, update, width, below);
        }
        Ok(())
    }

    /// Adds the children's updates that fall into these columns; `out` begins at row and column `shift` of the front.
    fn extend(
        &self,
        front: &Front,
        numbers: &Numbers,
        columns: std::ops::Range<usize>,
        out: &mut [f64],
        shift: usize,
        stride: usize,
    ) {
        let out = Shared::new(out);
        for &child in &front.children {
            let child = &self.fronts[child as usize];
            let below = child.below;
            let places = &self.places[child.places_at..child.places_at + below];
            let runs = &self.runs[child.places_at..child.places_at + below];
            let first = places.partition_point(|&other| (other as usize) < columns.start);
            let last = places.partition_point(|&other| (other as usize) < columns.end);
            let add = |j: usize| {
                // SAFETY: the child is finished, and nobody writes its update before its parent is.
                let update =
                    unsafe { numbers.updates.read(child.update_at + j * below..child.update_at + (j + 1) * below) };
                let start = (places[j] as usize - shift) * stride;
                // SAFETY: different columns of the child go to different columns here.
                let column = unsafe { out.slice(start..start + stride) };
                // Rows come in runs, three at the least: adding them one by one took a sixth of the whole factorisation.
                let mut i = j;
                while i < below {
                    let end = runs[i] as usize;
                    let to = &mut column[places[i] as usize - shift..][..end - i];
                    to.iter_mut().zip(&update[i..end]).for_each(|(to, value)| *to += value);
                    i = end;
                }
            };
            if below < SHARED_COLUMNS {
                (first..last).for_each(add);
            } else {
                for_each_chunk(last - first, COLUMNS, |chunk| chunk.for_each(|k| add(first + k)));
            }
        }
    }
}

impl Front {
    /// Numbers reserved for the update, and before it for the scratch of the dense elimination.
    fn room(&self) -> usize {
        (self.below * self.below).max(dense::scratch_len(self.width))
    }
}

struct Numbers<'a> {
    lower: &'a [f64],
    factor: Shared<'a>,
    updates: Shared<'a>,
}
