//! P at one position, by term, with the pairs that touch there. A value, held by who asked: nothing remembers the last one.

use super::contact::{ContactState, Nearby, Surfaces, Touch};
use super::elastic;
use super::joints;
use crate::model::Energies;
use crate::model::bodies::{Model, node_of};

#[derive(Debug, Default)]
pub struct Evaluation {
    /// The position `[m]`
    pub x: Vec<f64>,
    /// Potential energy by term `[J]`; +∞ where the position is inadmissible
    pub energies: Energies,
    /// Pairs of surfaces within reach of each other; none where nothing can touch
    pub touch: Touch,
}

impl Clone for Evaluation {
    fn clone(&self) -> Self {
        Self { x: self.x.clone(), energies: self.energies, touch: self.touch.clone() }
    }

    /// Keeps its buffers.
    fn clone_from(&mut self, other: &Self) {
        self.x.clone_from(&other.x);
        self.energies = other.energies;
        self.touch.clone_from(&other.touch);
    }
}

impl Evaluation {
    pub fn contact_state(&self) -> ContactState {
        self.touch.state()
    }

    /// Moves on to a position that is yet to be evaluated.
    pub fn set_position(&mut self, x: &[f64]) {
        self.x.clear();
        self.x.extend_from_slice(x);
    }

    /// Evaluates P at `self.x`, which is known to be free of intersections.
    pub(super) fn renew(&mut self, model: &Model, contact: Option<(&Surfaces, &mut Nearby)>) {
        let elastic = elastic::energy(model, &self.x) + joints::energy(model, &self.x);
        self.energies = [elastic, gravity_energy(model, &self.x)].into_iter().collect();
        if let Some((surfaces, nearby)) = contact {
            nearby.touch(surfaces, &self.x, &mut self.touch);
            self.energies.push(self.touch.set.energy());
        }
    }
}

fn gravity_energy(model: &Model, x: &[f64]) -> f64 {
    let masses = model.node_mass.iter().enumerate();
    -masses.map(|(node, m)| m * model.gravity.dot(&node_of(x, node))).sum::<f64>()
}
