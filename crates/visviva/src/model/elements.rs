//! Elements of one kind: the nodes of each, its law, and its body.

use super::bodies::node_of;
use nalgebra::Vector3;

#[derive(Debug, Clone)]
pub struct Elements<const N: usize, E> {
    pub nodes: Vec<[u32; N]>,
    pub laws: Vec<E>,
    /// Body of each
    pub body: Vec<u32>,
}

impl<const N: usize, E> Default for Elements<N, E> {
    fn default() -> Self {
        Self { nodes: Vec::new(), laws: Vec::new(), body: Vec::new() }
    }
}

impl<const N: usize, E> Elements<N, E> {
    /// Blocks of an element's Hessian: the upper triangle of N×N.
    pub const BLOCKS: usize = N * (N + 1) / 2;

    pub fn push(&mut self, nodes: [u32; N], law: E, body: u32) {
        self.nodes.push(nodes);
        self.laws.push(law);
        self.body.push(body);
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// An element's part of a field on nodes in flat coordinates.
    #[inline]
    pub fn corners(&self, element: usize, x: &[f64]) -> [Vector3<f64>; N] {
        self.nodes[element].map(|node| node_of(x, node as usize))
    }
}
