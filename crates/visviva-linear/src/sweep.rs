//! L·y = b up the tree of fronts and Lᵀ·x = y down again, subtrees in parallel; bound by reading L twice.

use super::chunks::Shared;
use super::frontal::Fronts;
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

/// The vectors of a sweep: the solution, and what each front hands to its parent.
struct Vectors<'a> {
    factor: &'a [f64],
    x: Shared<'a>,
    handed: Shared<'a>,
}

impl Fronts {
    /// Overwrites x, in order of elimination, by the solution; `handed` holds [`Self::rows_len`] numbers.
    pub(super) fn solve(&self, factor: &[f64], x: &mut [f64], handed: &mut [f64]) {
        // Where nothing pushes, nothing moves.
        let pushed = |&&root: &&u32| {
            let root = &self.fronts[root as usize];
            let first = self.fronts[root.first_descendant].first_column;
            x[first..root.first_column + root.width].iter().any(|&b| b != 0.0)
        };
        let roots: Vec<u32> = self.roots.iter().filter(pushed).copied().collect();
        let vectors = Vectors { factor, x: Shared::new(x), handed: Shared::new(handed) };
        self.each(&roots, &|s| self.climb(s, &vectors));
        self.each(&roots, &|s| self.descend(s, &vectors));
    }

    /// The first half alone, up to what stays.
    pub(super) fn solve_lower(&self, factor: &[f64], x: &mut [f64], handed: &mut [f64]) {
        let vectors = Vectors { factor, x: Shared::new(x), handed: Shared::new(handed) };
        self.each(&self.roots, &|s| self.climb(s, &vectors));
    }

    /// The second half, where x holds the solution for what stays.
    pub(super) fn solve_upper(&self, factor: &[f64], x: &mut [f64], handed: &mut [f64]) {
        let vectors = Vectors { factor, x: Shared::new(x), handed: Shared::new(handed) };
        self.each(&self.roots, &|s| self.descend(s, &vectors));
    }

    fn each(&self, fronts: &[u32], work: &(dyn Fn(usize) + Sync)) {
        if fronts.len() < 2 || rayon::current_num_threads() == 1 {
            fronts.iter().for_each(|&s| work(s as usize));
        } else {
            fronts.par_iter().with_max_len(1).for_each(|&s| work(s as usize));
        }
    }

    fn climb(&self, s: usize, vectors: &Vectors) {
        if self.fronts[s].is_task {
            return (self.fronts[s].first_descendant..=s).for_each(|k| self.forward(k, vectors));
        }
        self.each(&self.fronts[s].children, &|child| self.climb(child, vectors));
        self.forward(s, vectors);
    }

    fn descend(&self, s: usize, vectors: &Vectors) {
        if self.fronts[s].is_task {
            return (self.fronts[s].first_descendant..=s).rev().for_each(|k| self.backward(k, vectors));
        }
        self.backward(s, vectors);
        self.each(&self.fronts[s].children, &|child| self.descend(child, vectors));
    }

    fn forward(&self, s: usize, vectors: &Vectors) {
        let front = &self.fronts[s];
        let (width, below) = (front.width, front.below);
        // SAFETY: a front's own part of both vectors; its children are done and only read.
        let (own, handed) = unsafe {
            (
                vectors.x.slice(front.first_column..front.first_column + width),
                vectors.handed.slice(front.places_at..front.places_at + below),
            )
        };
        handed.fill(0.0);
        for &child in &front.children {
            let child = &self.fronts[child as usize];
            let range = child.places_at..child.places_at + child.below;
            // SAFETY: as above.
            let values = unsafe { vectors.handed.read(range.clone()) };
            for (&place, value) in self.places[range].iter().zip(values) {
                match (place as usize).checked_sub(width) {
                    None => own[place as usize] += value,
                    Some(k) => handed[k] += value,
                }
            }
        }
        if front.stays {
            return;
        }
        let (top, low) = self.panels(s, vectors.factor);
        let mut own = MatMut::from_column_major_slice_mut(own, width, 1);
        solve_lower_triangular_in_place(top, own.as_mut(), Par::Seq);
        let handed = MatMut::from_column_major_slice_mut(handed, below, 1);
        matmul(handed, Accum::Add, low, own.as_ref(), -1.0, Par::Seq);
    }

    fn backward(&self, s: usize, vectors: &Vectors) {
        let front = &self.fronts[s];
        if front.stays {
            return;
        }
        let (width, below) = (front.width, front.below);
        let range = front.places_at..front.places_at + below;
        // SAFETY: a front's own part of both vectors.
        let (own, above) = unsafe {
            (vectors.x.slice(front.first_column..front.first_column + width), vectors.handed.slice(range.clone()))
        };
        for (value, &row) in above.iter_mut().zip(&self.rows[range]) {
            // SAFETY: rows below a front's columns belong to its ancestors, which are done.
            *value = unsafe { vectors.x.read(row as usize..row as usize + 1)[0] };
        }
        let (top, low) = self.panels(s, vectors.factor);
        let mut own = MatMut::from_column_major_slice_mut(own, width, 1);
        let above = MatRef::from_column_major_slice(above, below, 1);
        matmul(own.as_mut(), Accum::Add, low.transpose(), above, -1.0, Par::Seq);
        solve_upper_triangular_in_place(top.transpose(), own, Par::Seq);
    }

    fn panels<'a>(&self, s: usize, factor: &'a [f64]) -> (MatRef<'a, f64>, MatRef<'a, f64>) {
        let front = &self.fronts[s];
        let height = front.width + front.below;
        let own = &factor[front.factor_at..front.factor_at + height * front.width];
        MatRef::from_column_major_slice(own, height, front.width).split_at_row(front.width)
    }
}
