//! Where a vertex of a surface hangs: on a node of its own, or on the four nodes of an affine body, x = Σ w_i x_i.

use super::bodies::node_of;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Attachment {
    Node(u32),
    /// On `first` and the three nodes after it; the weights sum to one.
    Affine {
        first: u32,
        weights: [f64; 4],
    },
}

impl Attachment {
    /// Nodes and their weights.
    pub fn parts(&self) -> impl Iterator<Item = (u32, f64)> + use<> {
        let (first, weights, count) = match *self {
            Attachment::Node(node) => (node, [1.0, 0.0, 0.0, 0.0], 1),
            Attachment::Affine { first, weights } => (first, weights, 4),
        };
        (0..count).map(move |i| (first + i as u32, weights[i]))
    }

    /// The vertex's value of a field given on nodes in flat coordinates: position, velocity or displacement.
    #[inline]
    pub fn of(&self, x: &[f64]) -> Vector3<f64> {
        match *self {
            Attachment::Node(node) => node_of(x, node as usize),
            Attachment::Affine { first, weights } => {
                let node = first as usize;
                // From the first node on, so that a translation costs no digits.
                let origin = node_of(x, node);
                (1..4).fold(origin, |sum, i| sum + weights[i] * (node_of(x, node + i) - origin))
            }
        }
    }

    /// g ← g + (∂x/∂nodes)ᵀ force
    #[inline]
    pub fn add_force(&self, force: &Vector3<f64>, g: &mut [f64]) {
        for (node, weight) in self.parts() {
            (0..3).for_each(|c| g[3 * node as usize + c] += weight * force[c]);
        }
    }

    pub fn hangs_on_any(&self, is: impl Fn(usize) -> bool) -> bool {
        self.parts().any(|(node, _)| is(node as usize))
    }

    pub fn hangs_only_on(&self, is: impl Fn(usize) -> bool) -> bool {
        self.parts().all(|(node, _)| is(node as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_are_the_transpose_of_positions() {
        let vertex = Attachment::Affine { first: 1, weights: [0.1, 0.2, 0.3, 0.4] };
        let x: Vec<f64> = (0..15).map(|i| (1.3 * i as f64).sin()).collect();
        let force = Vector3::new(0.3, -0.7, 0.9);
        let mut g = vec![0.0; 15];
        vertex.add_force(&force, &mut g);
        let work: f64 = x.iter().zip(&g).map(|(x, g)| x * g).sum();
        assert!((work - vertex.of(&x).dot(&force)).abs() < 1e-15);
        assert_eq!(Attachment::Node(2).of(&x), node_of(&x, 2));
        let total: Vector3<f64> = (0..5).map(|node| node_of(&g, node)).sum();
        assert!((total - force).norm() < 1e-15, "weights sum to one");
    }
}
