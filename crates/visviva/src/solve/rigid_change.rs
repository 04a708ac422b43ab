//! How a difference of impulses would move bodies if they were rigid: Δv = Δp/m + J⁻¹ΔL × r.

use crate::contact::Point;
use crate::model::bodies::{Model, node_of};
use nalgebra::Matrix3;

/// Impulses on the nodes `[N s]`, and where the nodes are.
#[derive(Debug, Clone, Copy)]
pub struct End<'a> {
    pub impulse: &'a [f64],
    pub x: &'a [f64],
}

/// v ← the rigid motion of each body by the impulses of one end less those of the other, each about its own centre; none for a body
/// that is held somewhere. `weighed` is scratch.
pub fn rigid_change(model: &Model, from: End<'_>, to: End<'_>, weighed: &mut Vec<f64>, v: &mut Vec<f64>) {
    weighed.resize(to.x.len(), 0.0);
    model.mass.apply(to.x, weighed);
    v.clear();
    v.resize(to.x.len(), 0.0);
    for body in &model.bodies {
        let nodes = || body.nodes.clone();
        if nodes().any(|node| model.mass.is_pinned(node)) {
            continue;
        }
        let mass: f64 = model.node_mass[nodes()].iter().sum();
        let centre = |x: &[f64]| nodes().map(|node| model.node_mass[node] * node_of(x, node)).sum::<Point>() / mass;
        let push_and_turn = |End { impulse, x }: End<'_>| {
            let centre = centre(x);
            nodes().fold([Point::zeros(); 2], |[push, turn], node| {
                let impulse = node_of(impulse, node);
                [push + impulse, turn + (node_of(x, node) - centre).cross(&impulse)]
            })
        };
        let (from, last) = (push_and_turn(from), push_and_turn(to));
        let (push, turn) = (from[0] - last[0], from[1] - last[1]);
        if push == Point::zeros() && turn == Point::zeros() {
            continue;
        }
        let centre = centre(to.x);
        let arm = |node: usize| node_of(to.x, node) - centre;
        let spread: Matrix3<f64> = nodes().map(|node| node_of(weighed, node) * arm(node).transpose()).sum();
        let inertia = Matrix3::from_diagonal_element(spread.trace()) - spread;
        // A straight wire cannot be turned about itself.
        let spin = inertia.try_inverse().map_or(Point::zeros(), |inverse| inverse * turn);
        for node in nodes() {
            let change = push / mass + spin.cross(&arm(node));
            v[3 * node..3 * node + 3].copy_from_slice(change.as_slice());
        }
    }
}
