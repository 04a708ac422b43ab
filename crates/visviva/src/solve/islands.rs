//! Which bodies make an island: those that touch at one of the positions given or are joined, and all that hang together through them.

use super::bodies::BodiesSolver;
use super::evaluation::Evaluation;
use super::island::Island;
use super::newton::joined;
use crate::model::Hold;

impl BodiesSolver {
    /// In the order of their first bodies.
    pub(super) fn find_islands(&self, at: &[&Evaluation]) -> Vec<Island> {
        let model = self.model();
        let count = model.bodies.len();
        let surfaces = self.surfaces();
        let pairs = surfaces.map_or(Vec::new(), |surfaces| {
            let stencils = at.iter().flat_map(|at| at.touch.set.pairs()).map(|pair| pair.stencil());
            surfaces.joined_by(stencils)
        });
        let between = || pairs.iter().copied().filter(|pair| pair.iter().all(|&surface| surface < count));
        let mut island_of = vec![usize::MAX; count];
        let mut islands: Vec<Island> = Vec::new();
        for (body, first) in joined(count, between().chain(model.joined_bodies())).into_iter().enumerate() {
            if first == body {
                island_of[body] = islands.len();
                let hold = self.holds()[body];
                islands.push(Island { bodies: Vec::new(), nodes: Vec::new(), hold, touches: false });
            }
            island_of[body] = island_of[first];
            let island = &mut islands[island_of[body]];
            if first != body {
                island.hold = island.hold.and(self.holds()[body]);
            }
            island.bodies.push(body);
            island.nodes.push(model.bodies[body].nodes.clone());
        }
        for pair in pairs {
            for body in pair.into_iter().filter(|&surface| surface < count) {
                let island = &mut islands[island_of[body]];
                island.touches = true;
                if pair.iter().any(|&surface| surface >= count) {
                    island.hold = Hold::Fast;
                }
            }
        }
        // What a program pushes has a torque of its own.
        for island in &mut islands {
            let mut coordinates = island.nodes.iter().flat_map(|nodes| 3 * nodes.start..3 * nodes.end);
            let grip = self.grip().map(|grip| 3 * grip.node());
            let is_pushed = |i: usize| self.pushes()[i] != 0.0 || Some(i) == grip;
            if !self.pushes().is_empty() && coordinates.any(is_pushed) {
                island.hold = Hold::Fast;
            }
        }
        islands
    }
}
