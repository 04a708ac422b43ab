//! The books by body. What a pair of surfaces or a joint holds, loses or puts in is shared by its two bodies by halves; an obstacle
//! takes no share.

use super::assembly::FrozenBodies;
use super::backend::Backend;
use super::bodies::BodiesSolver;
use super::contact::{Surfaces, Touch};
use super::contact_losses::share_among_bodies;
use super::elastic;
use super::evaluation::Evaluation;
use super::joints;
use super::stage::Taken;
use crate::contact::{Point, barrier_pair};
use crate::model::bodies::{Model, node_of};
use crate::model::{Energies, Exchange, Part};

impl BodiesSolver {
    /// Energies and momenta of each body; they add up to those of the whole.
    pub(super) fn parts_of_bodies(&self, at: &Evaluation, v: &[f64]) -> Vec<Part> {
        let model = self.model();
        let mut parts = model.motion_by_body(&at.x, v);
        let mut elastic = elastic::energy_by_body(model, &at.x);
        joints::share_energy(model, &at.x, |body, energy| elastic[body] += energy);
        let mut barrier = vec![0.0; parts.len()];
        if let Some(surfaces) = self.surfaces() {
            for (pair, energy) in at.touch.set.pairs().iter().zip(at.touch.set.energies()) {
                share_among_bodies(model, surfaces, pair.stencil(), energy, |body, energy| barrier[body] += energy);
            }
        }
        for (body, part) in parts.iter_mut().enumerate() {
            let nodes = model.bodies[body].nodes.clone();
            let weight = |node: usize| model.node_mass[node] * model.gravity.dot(&node_of(&at.x, node));
            let terms = [elastic[body], -nodes.map(weight).sum::<f64>(), barrier[body]];
            part.potential = terms.into_iter().take(self.terms().len()).collect::<Energies>();
        }
        parts
    }

    /// What a step took from each body and put into it.
    pub(super) fn exchanges_of_bodies(&self, taken: Taken<'_>) -> Vec<Exchange> {
        let model = self.model();
        let mut exchanges = vec![Exchange::default(); model.bodies.len()];
        let way = |node: usize| node_of(&taken.to.x, node) - node_of(&taken.from.x, node);
        if self.has_dissipation() {
            for node in 0..model.node_count() {
                let Some(body) = model.body_of_node(node) else { continue };
                let loss = node_of(&taken.forces.damping, node).dot(&way(node));
                exchanges[body].damping_loss += loss;
                exchanges[body].work += node_of(&taken.forces.drive_work, node).sum();
                if model.mass.is_pinned(node) {
                    let dragged = node_of(&taken.forces.viscosity, node) + node_of(&taken.forces.drive, node);
                    exchanges[body].work += loss + dragged.dot(&way(node));
                }
            }
        }
        for (exchange, power) in exchanges.iter_mut().zip(&taken.forces.viscous_powers) {
            exchange.damping_loss += taken.h * power;
        }
        for (exchange, kept) in exchanges.iter_mut().zip(&taken.forces.held_back) {
            exchange.contact_loss += kept;
        }
        for (exchange, at_end) in exchanges.iter_mut().zip(&taken.forces.at_end) {
            *exchange += *at_end;
        }
        self.share_losses(taken, &mut exchanges);
        if !self.pushes().is_empty() {
            for (body, exchange) in model.bodies.iter().zip(&mut exchanges) {
                let pushed = |node: usize| node_of(self.pushes(), node).dot(&way(node));
                exchange.work += body.nodes.clone().map(pushed).sum::<f64>();
            }
        }
        if let Some((grip, body)) = self.grip().and_then(|grip| Some((grip, model.body_of_node(grip.node())?))) {
            exchanges[body].work -= grip.slackened(&taken.from.x, &taken.to.x);
        }
        if model.pins.iter().any(|pin| way(pin.node) != Point::zeros()) {
            for at in [taken.from, taken.to] {
                let g = self.whole_gradient(at);
                for pin in &model.pins {
                    if let Some(body) = model.body_of_node(pin.node) {
                        exchanges[body].work += 0.5 * node_of(&g, pin.node).dot(&way(pin.node));
                    }
                }
                for joint in &model.joints {
                    let work = |node: usize| 0.5 * node_of(&g, node).dot(&way(node));
                    let work = joint.own_nodes().map(work).sum();
                    joints::share(joint, work, |body, work| exchanges[body].work += work);
                }
                if let Some(surfaces) = self.surfaces() {
                    share_pushes(model, surfaces, &at.touch, taken, &mut exchanges);
                }
            }
        }
        exchanges
    }

    /// Losses of rubbing and parting pairs, and what boundaries that drag pay for them.
    fn share_losses(&self, taken: Taken<'_>, exchanges: &mut [Exchange]) {
        let frozen = taken.frozen.content::<FrozenBodies>();
        let (Some(surfaces), Some(frozen)) = (self.surfaces(), frozen) else { return };
        let model = self.model();
        let way = vertex_ways(surfaces, taken);
        for (pair, taken) in frozen.contact.pairs.iter().zip(&taken.forces.pairs) {
            let force = taken.friction + taken.contact;
            let part = |&(i, &vertex): &(usize, &u32)| pair.weights[i] * force.dot(&way[vertex as usize]);
            let corners = || pair.stencil().iter().enumerate();
            let stencil = pair.stencil();
            share_among_bodies(model, surfaces, stencil, taken.friction_loss, |body, loss| {
                exchanges[body].friction_loss += loss
            });
            share_among_bodies(model, surfaces, stencil, taken.contact_loss, |body, loss| {
                exchanges[body].contact_loss += loss
            });
            let held = |&(_, &vertex): &(usize, &u32)| {
                surfaces.vertices[vertex as usize].hangs_only_on(|node| model.mass.is_pinned(node))
            };
            for corner in corners().filter(held) {
                if let Some(body) = payee(model, surfaces, pair.stencil(), *corner.1) {
                    exchanges[body].work += part(&corner);
                }
            }
        }
    }
}

/// Work of moving obstacles: half of each end's force over the way, to whom they push.
fn share_pushes(model: &Model, surfaces: &Surfaces, touch: &Touch, taken: Taken<'_>, exchanges: &mut [Exchange]) {
    let way = vertex_ways(surfaces, taken);
    for pair in touch.set.pairs() {
        let is_obstacle = |vertex: u32| surfaces.surface.body_of(vertex) as usize >= model.bodies.len();
        if !pair.stencil().iter().any(|&vertex| is_obstacle(vertex)) {
            continue;
        }
        let gradient = barrier_pair::gradient(&surfaces.barrier, pair, &pair.points(&touch.vertices));
        for (i, &vertex) in pair.stencil().iter().enumerate().filter(|&(_, &vertex)| is_obstacle(vertex)) {
            if let Some(body) = payee(model, surfaces, pair.stencil(), vertex) {
                exchanges[body].work += 0.5 * gradient.fixed_rows::<3>(3 * i).dot(&way[vertex as usize]);
            }
        }
    }
}

fn vertex_ways(surfaces: &Surfaces, taken: Taken<'_>) -> Vec<Point> {
    let way: Vec<f64> = taken.to.x.iter().zip(&taken.from.x).map(|(to, from)| to - from).collect();
    let mut ways = Vec::new();
    surfaces.gather(&way, &mut ways);
    ways
}

/// Who gets the work done at a vertex that moves by itself: its own body, or whom its obstacle touches.
fn payee(model: &Model, surfaces: &Surfaces, stencil: &[u32], vertex: u32) -> Option<usize> {
    let body = |vertex: u32| Some(surfaces.surface.body_of(vertex) as usize).filter(|&b| b < model.bodies.len());
    body(vertex).or_else(|| stencil.iter().find_map(|&other| body(other)))
}
