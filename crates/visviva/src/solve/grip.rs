//! A hand on a vertex: f(x) = f₀ − k (x − x₀), where f₀ is the force at the step's start, x₀, and k a spring's stiffness with a
//! damper's c/h. Being linear in x it is solved for with all else, and no stiffness is too large for a step.
//!
//! f₀ is one of the pushes from outside, and like them the rest is no part of P: what a hand does is work.

use super::linear::{BlockMatrix, LinearError};
use crate::model::Attachment;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Grip {
    pub vertex: Attachment,
    /// k + c/h `[N/m]`
    pub stiffness: f64,
    /// Where the vertex is when the step begins `[m]`
    pub from: [f64; 3],
}

impl Grip {
    fn way(&self, x: &[f64]) -> Vector3<f64> {
        self.vertex.of(x) - Vector3::from(self.from)
    }

    /// What the pull has gone down by since the step's start, as a force on all nodes `[N]`: g ← g + Wᵀ k (x − x₀).
    pub fn add_gradient(&self, x: &[f64], g: &mut [f64]) {
        self.vertex.add_force(&(self.stiffness * self.way(x)), g);
    }

    /// Work that is done less, between two positions, than by a force f₀ that stays `[J]`.
    pub fn slackened(&self, from: &[f64], to: &[f64]) -> f64 {
        0.5 * self.stiffness * (self.way(to).norm_squared() - self.way(from).norm_squared())
    }

    /// out ← out + WᵀkW d
    pub fn add_product(&self, d: &[f64], out: &mut [f64]) {
        self.vertex.add_force(&(self.stiffness * self.vertex.of(d)), out);
    }

    pub fn add_blocks(&self, rows: &[u32], matrix: &mut BlockMatrix) -> Result<(), LinearError> {
        let parts: Vec<(u32, f64)> = self.vertex.parts().collect();
        let rows: Vec<u32> = parts.iter().map(|(node, _)| rows[*node as usize]).collect();
        let pairs =
            parts.iter().enumerate().flat_map(|(a, first)| parts[a..].iter().map(move |second| (first.1, second.1)));
        let block = |(a, b): (f64, f64)| {
            let k = self.stiffness * a * b;
            [k, 0.0, 0.0, 0.0, k, 0.0, 0.0, 0.0, k]
        };
        let blocks: Vec<[f64; 9]> = pairs.map(block).collect();
        matrix.add_stencil(&rows, &blocks)
    }

    pub fn node(&self) -> usize {
        self.vertex.parts().next().map_or(0, |(node, _)| node as usize)
    }
}
