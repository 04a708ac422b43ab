//! Contact at one position: the vertices there and the active pairs with their gaps. A value, held by who asked.

use super::Surfaces;
use crate::contact::{ContactSet, Point, barrier_pair};

#[derive(Debug, Default)]
pub struct Touch {
    /// Of all surfaces `[m]`
    pub(in crate::solve) vertices: Vec<Point>,
    pub(in crate::solve) set: ContactSet,
}

impl Clone for Touch {
    fn clone(&self) -> Self {
        Self { vertices: self.vertices.clone(), set: self.set.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.vertices.clone_from(&other.vertices);
        self.set.clone_from(&other.set);
    }
}

/// Contact in two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactState {
    pub active_pairs: usize,
    /// Of the active pairs `[m]`
    pub min_distance: Option<f64>,
}

impl Touch {
    pub fn state(&self) -> ContactState {
        ContactState {
            active_pairs: self.set.pairs().len(),
            min_distance: Some(self.set.min_distance()).filter(|d| d.is_finite()),
        }
    }

    /// g ← g + ∇B on all nodes `[N]`; `forces` is scratch
    pub fn add_gradient(&self, surfaces: &Surfaces, forces: &mut Vec<Point>, g: &mut [f64]) {
        forces.clear();
        forces.resize(self.vertices.len(), Point::zeros());
        self.set.add_gradient(&self.vertices, &surfaces.barrier, forces);
        surfaces.scatter(forces, g);
    }

    /// The same with a weight for each pair of surfaces.
    pub fn add_weighted_gradient(&self, surfaces: &Surfaces, weight: impl Fn(u32, u32) -> f64, g: &mut [f64]) {
        for pair in self.set.pairs() {
            let stencil = pair.stencil();
            let [a, b] = surfaces.surface.sides_of(stencil);
            let gradient = barrier_pair::gradient(&surfaces.barrier, pair, &pair.points(&self.vertices));
            let weight = weight(a, b);
            for (i, &vertex) in stencil.iter().enumerate() {
                let force = weight * gradient.fixed_rows::<3>(3 * i);
                surfaces.vertices[vertex as usize].add_force(&force.into_owned(), g);
            }
        }
    }
}
