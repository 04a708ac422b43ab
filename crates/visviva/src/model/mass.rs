//! The mass: a constant block-diagonal scalar matrix ⊗ I_d, with pinned nodes taken out of the dynamics.
//!
//! A mesh node is lumped (1×1); an affine body couples its four nodes (4×4). A pinned node has no kinetic energy and m⁻¹ gives
//! it no acceleration, so that integrators need not know about pins.

use nalgebra::{Matrix4, Vector4};
use std::ops::Range;

#[derive(Debug, Clone)]
pub struct Mass {
    dimension: usize,
    /// Mass of each node `[kg]`; zero for nodes of a block
    lumped: Vec<f64>,
    /// 1/mass; zero where pinned and for nodes of a block
    inverse: Vec<f64>,
    blocks: Vec<Block>,
    pinned: Vec<bool>,
}

/// Four consecutive nodes whose masses are coupled.
#[derive(Debug, Clone)]
pub struct Block {
    pub first_node: usize,
    /// Mass with pinned rows and columns zeroed
    pub matrix: Matrix4<f64>,
    /// Mass as if nothing were pinned; zero where all is
    whole: Matrix4<f64>,
    inverse: Matrix4<f64>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MassError {
    #[error("node {node} has mass {mass} kg: masses must be positive and finite")]
    NotPositive { node: usize, mass: f64 },
    #[error("the mass block of nodes {first_node} to {} is not positive definite", first_node + 3)]
    BlockNotPositiveDefinite { first_node: usize },
}

impl Mass {
    /// `dimension` coordinates a node, one mass `[kg]` a node.
    pub fn lumped(dimension: usize, masses: Vec<f64>) -> Result<Self, MassError> {
        Self::new(dimension, masses, Vec::new(), Vec::new())
    }

    /// `blocks` give (first node, 4×4 mass matrix); the lumped masses of their nodes are ignored. `pinned` lists nodes.
    pub fn new(
        dimension: usize,
        mut masses: Vec<f64>,
        blocks: Vec<(usize, Matrix4<f64>)>,
        pinned_nodes: Vec<usize>,
    ) -> Result<Self, MassError> {
        let mut in_block = vec![false; masses.len()];
        let mut pinned = vec![false; masses.len()];
        for node in pinned_nodes {
            pinned[node] = true;
        }
        for (first, _) in &blocks {
            for node in *first..first + 4 {
                in_block[node] = true;
                masses[node] = 0.0;
            }
        }
        for (node, &mass) in masses.iter().enumerate() {
            // What never moves by forces, an obstacle, needs no mass.
            let possible = (mass > 0.0 || (pinned[node] && mass == 0.0)) && mass.is_finite();
            if !in_block[node] && !possible {
                return Err(MassError::NotPositive { node, mass });
            }
        }
        let free = |node: usize| !in_block[node] && !pinned[node];
        let inverse = (0..masses.len()).map(|node| if free(node) { 1.0 / masses[node] } else { 0.0 }).collect();
        let blocks = blocks
            .into_iter()
            .map(|(first_node, matrix)| Block::new(first_node, matrix, &pinned))
            .collect::<Result<_, _>>()?;
        Ok(Self { dimension, lumped: masses, inverse, blocks, pinned })
    }

    pub fn coordinate_count(&self) -> usize {
        self.dimension * self.lumped.len()
    }

    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The mass of each node that is not in a block `[kg]`.
    pub fn lumped_masses(&self) -> &[f64] {
        &self.lumped
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub fn is_pinned(&self, node: usize) -> bool {
        self.pinned[node]
    }

    /// y ← m x, zero on pinned nodes.
    pub fn apply(&self, x: &[f64], y: &mut [f64]) {
        let d = self.dimension;
        for (node, mass) in self.lumped.iter().enumerate() {
            let mass = if self.pinned[node] { 0.0 } else { *mass };
            for i in d * node..d * (node + 1) {
                y[i] = mass * x[i];
            }
        }
        self.apply_blocks(|block| &block.matrix, x, y);
    }

    /// The same with what couples free nodes to pinned ones of their block: momenta and moments of the bodies that they carry.
    pub fn weigh(&self, x: &[f64], y: &mut [f64]) {
        self.apply(x, y);
        self.apply_blocks(|block| &block.whole, x, y);
    }

    /// y ← m⁻¹ g, zero on pinned nodes.
    pub fn solve(&self, g: &[f64], y: &mut [f64]) {
        let d = self.dimension;
        for (node, inverse) in self.inverse.iter().enumerate() {
            for i in d * node..d * (node + 1) {
                y[i] = inverse * g[i];
            }
        }
        self.apply_blocks(|block| &block.inverse, g, y);
    }

    fn apply_blocks(&self, matrix: impl Fn(&Block) -> &Matrix4<f64>, x: &[f64], y: &mut [f64]) {
        let d = self.dimension;
        for block in &self.blocks {
            for axis in 0..d {
                let at = |i: usize| d * (block.first_node + i) + axis;
                let product = matrix(block) * Vector4::from_fn(|i, _| x[at(i)]);
                for i in 0..4 {
                    y[at(i)] = product[i];
                }
            }
        }
    }

    /// ⟨a, b⟩_m over the free nodes.
    pub fn inner(&self, a: &[f64], b: &[f64]) -> f64 {
        let d = self.dimension;
        let mut sum = 0.0;
        for (node, mass) in self.lumped.iter().enumerate() {
            if !self.pinned[node] {
                for i in d * node..d * (node + 1) {
                    sum += mass * a[i] * b[i];
                }
            }
        }
        for block in &self.blocks {
            block.add_inner(d, a, b, &mut sum);
        }
        sum
    }

    /// The same over some of the nodes, which hold the blocks they meet whole.
    pub fn inner_of(&self, nodes: &Range<usize>, a: &[f64], b: &[f64]) -> f64 {
        let d = self.dimension;
        let mut sum = 0.0;
        for node in nodes.clone().filter(|&node| !self.pinned[node]) {
            for i in d * node..d * (node + 1) {
                sum += self.lumped[node] * a[i] * b[i];
            }
        }
        let [from, to] = [nodes.start, nodes.end].map(|end| self.blocks.partition_point(|b| b.first_node < end));
        self.blocks[from..to].iter().for_each(|block| block.add_inner(d, a, b, &mut sum));
        sum
    }

    /// ½‖v‖²_m `[J]`
    pub fn kinetic_energy(&self, v: &[f64]) -> f64 {
        0.5 * self.inner(v, v)
    }
}

impl Block {
    fn add_inner(&self, dimension: usize, a: &[f64], b: &[f64], sum: &mut f64) {
        for axis in 0..dimension {
            let pick = |x: &[f64]| Vector4::from_fn(|i, _| x[dimension * (self.first_node + i) + axis]);
            *sum += pick(a).dot(&(self.matrix * pick(b)));
        }
    }

    fn new(first_node: usize, mut matrix: Matrix4<f64>, pinned: &[bool]) -> Result<Self, MassError> {
        // Pinned rows become those of the identity for the inversion and zero afterwards.
        let is_pinned = |i: usize| pinned[first_node + i];
        let whole = if (0..4).all(is_pinned) { Matrix4::zeros() } else { matrix };
        let mut padded = matrix;
        for i in 0..4 {
            for j in 0..4 {
                if is_pinned(i) || is_pinned(j) {
                    matrix[(i, j)] = 0.0;
                    padded[(i, j)] = if i == j { 1.0 } else { 0.0 };
                }
            }
        }
        let cholesky = padded.cholesky().ok_or(MassError::BlockNotPositiveDefinite { first_node })?;
        let mut inverse = cholesky.inverse();
        for i in (0..4).filter(|&i| is_pinned(i)) {
            inverse[(i, i)] = 0.0;
        }
        Ok(Self { first_node, matrix, whole, inverse })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coupled(pinned: Vec<usize>) -> Mass {
        let matrix = Matrix4::from_fn(|i, j| if i == j { 3.0 + i as f64 } else { 0.3 * (1 + i + j) as f64 });
        Mass::new(3, vec![2.0, 0.0, 0.0, 0.0, 0.0, 5.0], vec![(1, matrix)], pinned).unwrap()
    }

    #[test]
    fn solve_inverts_apply_on_free_nodes_and_gives_pinned_ones_nothing() {
        for pinned in [vec![], vec![0], vec![2, 4], vec![1, 2, 3, 4]] {
            let mass = coupled(pinned.clone());
            let x: Vec<f64> = (0..18).map(|i| (i as f64).sin()).collect();
            let (mut y, mut z) = (vec![0.0; 18], vec![0.0; 18]);
            mass.apply(&x, &mut y);
            mass.solve(&y, &mut z);
            for i in 0..18 {
                let expected = if pinned.contains(&(i / 3)) { 0.0 } else { x[i] };
                assert!((z[i] - expected).abs() < 1e-14);
            }
            let inner: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
            let free: Vec<f64> = (0..18).map(|i| if pinned.contains(&(i / 3)) { 0.0 } else { x[i] }).collect();
            assert!(
                (mass.inner(&free, &free) - crate::math::vector::dot(&free, &y)).abs() < 1e-13 * inner.abs().max(1.0)
            );
        }
    }

    #[test]
    fn impossible_masses_are_refused_by_name() {
        assert_eq!(Mass::lumped(1, vec![1.0, 0.0]).unwrap_err(), MassError::NotPositive { node: 1, mass: 0.0 });
        assert!(Mass::lumped(1, vec![f64::NAN]).is_err());
        assert!(Mass::new(3, vec![1.0, 0.0], vec![], vec![1]).is_ok(), "a pinned node needs none");
        let flat = Mass::new(3, vec![0.0; 4], vec![(0, Matrix4::from_element(1.0))], vec![]);
        assert_eq!(flat.unwrap_err(), MassError::BlockNotPositiveDefinite { first_node: 0 });
    }
}
