//! Gaps as Newton's model of stiff bodies sees them: the active ones, and those that a step was seen to run into.

use super::Contact;
use crate::contact::ccd::Separation;
use crate::contact::meetings::{Meeting, meetings};
use crate::contact::{Pair, Point, barrier_pair};
use crate::solve::contact_stencil::ContactStencil;
use crate::solve::gap_model::LinearGap;
use std::time::Instant;

/// A pair that a step runs into, as it is at that moment: c and n stay, the gap is n·Σ c x.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anticipated {
    pair: Pair,
    weights: [f64; 4],
    normal: Point,
    /// Where the step begins, thickness taken off [m]
    gap: f64,
}

impl Anticipated {
    pub fn stencil(&self) -> &[u32] {
        self.pair.stencil()
    }
}

/// Of the reach: nearer gaps are no news.
const NEAR: f64 = 0.1;

impl Contact {
    /// Whether barriers rather than linear algebra deserve the effort: few unknowns carry many vertices, as in affine bodies.
    pub fn outweighs(&self, unknown_nodes: usize) -> bool {
        self.affine_vertices >= 2 * unknown_nodes
    }

    /// Those of the direction before keep their blocks in the pattern, so that it need not change to and fro.
    pub fn forget_anticipated(&mut self) {
        self.anticipated_before.clear();
        self.anticipated_before.append(&mut self.anticipated);
    }

    /// All gaps of the model at the last update; those between bodies that stand are left out.
    pub fn linear_gaps(&self, standing: &[bool]) -> Vec<LinearGap> {
        let stands = |stencil: &ContactStencil| {
            stencil.rows().iter().all(|&row| standing.get(row as usize).is_none_or(|&stands| stands))
        };
        let stencil = |vertices: &[u32]| ContactStencil::new(vertices, &self.vertices, &self.rows);
        let active = self.set.pairs().iter().map(|pair| {
            let points = pair.points(&self.x);
            let gap = pair.gap(&points);
            let barrier = self.barrier.of(pair);
            let stiffness = barrier.stiffness * pair.weight * barrier_pair::fading(pair, &points);
            let distance = gap.distance - barrier.thickness;
            (stencil(pair.stencil()), gap.weights, gap.normal, distance, stiffness)
        });
        let anticipated = self
            .anticipated
            .iter()
            .map(|met| (stencil(met.pair.stencil()), met.weights, met.normal, met.gap, self.barrier.stiffness));
        active
            .chain(anticipated)
            .filter(|(stencil, ..)| !stands(stencil))
            .map(|(stencil, weights, normal, gap, stiffness)| {
                LinearGap::new(stencil, &weights, &normal, gap, stiffness)
            })
            .collect()
    }

    /// Remembers what the step `way` from x runs into first, by pair of surfaces; whether there is anything new. Candidates at hand
    /// must do: what they leave out costs foresight, not safety.
    pub fn anticipate(&mut self, x: &[f64], way: &[f64]) -> bool {
        let sought = self.from.len() == self.vertices.len() && self.from != self.to;
        let (from, step) = if sought { self.ways(x, way) } else { self.sweep(x, way) };
        let clock = Instant::now();
        let mut meetings = meetings(&self.surface, &self.candidates, &from, &step, &Separation::default());
        self.times[1] += clock.elapsed();
        let surfaces = |meeting: &Meeting| {
            let [a, b] = meeting.sides().map(|v| self.surface.body_of(v));
            [a.min(b), a.max(b)]
        };
        meetings.sort_by(|a, b| surfaces(a).cmp(&surfaces(b)).then(a.at.total_cmp(&b.at)));
        meetings.dedup_by_key(|meeting| surfaces(meeting));
        let known = self.anticipated.len();
        for meeting in meetings {
            let (pair, gap) = meeting.gap(&from, &step);
            let [a, b] = meeting.sides();
            let thickness = self.surface.thickness(a, b) + self.barrier.thickness;
            let start = pair.points(&from);
            let apart = (0..4).map(|i| gap.weights[i] * gap.normal.dot(&start[i])).sum::<f64>() - thickness;
            if apart > NEAR * self.barrier.reach {
                self.anticipated.push(Anticipated { pair, weights: gap.weights, normal: gap.normal, gap: apart });
            }
        }
        self.anticipated.len() > known
    }
}
