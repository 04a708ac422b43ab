//! Which nodes are unknowns, and their rows in the matrix.

use crate::model::bodies::Model;
use crate::solve::linear::{LinearError, PINNED};
use crate::solve::stage::SolveError;

#[derive(Debug)]
pub struct Unknowns {
    /// In their order
    nodes: Vec<u32>,
    /// Row of each node, or `PINNED`
    rows: Vec<u32>,
}

impl Unknowns {
    pub fn new(model: &Model) -> Self {
        let mut rows = vec![PINNED; model.node_count()];
        let nodes: Vec<u32> = (0..rows.len() as u32).filter(|&node| !model.mass.is_pinned(node as usize)).collect();
        for (row, &node) in nodes.iter().enumerate() {
            rows[node as usize] = row as u32;
        }
        Self { nodes, rows }
    }

    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.iter().map(|&node| node as usize)
    }

    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    pub fn row(&self, node: usize) -> u32 {
        self.rows[node]
    }

    /// Σ g·d, g on the unknowns and d on all nodes
    pub fn dot(&self, g: &[f64], d: &[f64]) -> f64 {
        self.sum(g, d, |g, d| g * d)
    }

    pub fn sum(&self, g: &[f64], d: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
        let rows = g.chunks_exact(3).zip(self.nodes());
        rows.map(|(g, node)| (0..3).map(|c| term(g[c], d[3 * node + c])).sum::<f64>()).sum()
    }

    /// d ← a solution on all nodes, zero on those that are pinned
    pub fn spread(&self, solution: &[f64], d: &mut [f64]) {
        d.fill(0.0);
        for (solution, node) in solution.chunks_exact(3).zip(self.nodes()) {
            d[3 * node..3 * node + 3].copy_from_slice(solution);
        }
    }

    /// The rows of the bodies chosen
    pub fn rows_of(&self, model: &Model, chosen: &[bool]) -> Vec<bool> {
        let mut rows = vec![false; self.nodes.len()];
        for (body, _) in model.bodies.iter().zip(chosen).filter(|&(_, &chosen)| chosen) {
            let of_body = self.rows[body.nodes.clone()].iter().filter(|&&row| row != PINNED);
            of_body.for_each(|&row| rows[row as usize] = true);
        }
        rows
    }

    /// Names an error's node in the numbering of the user.
    pub fn named(&self) -> impl Fn(LinearError) -> SolveError + Copy + '_ {
        let coordinate = |row: usize| 3 * self.nodes.get(row).map_or(0, |&node| node as usize);
        move |error| match error {
            LinearError::NotFinite { .. } => SolveError::NotFinite { what: "the forces" },
            LinearError::NotPositiveDefinite { node } => {
                SolveError::NotPositiveDefinite { coordinate: coordinate(node) }
            }
            other => SolveError::Linear(other),
        }
    }
}
