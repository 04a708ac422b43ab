//! Gaps as the model of stiff bodies sees them: the active ones, and those that a step was seen to run into.

use super::gap_model::LinearGap;
use crate::contact::meetings::Meeting;
use crate::contact::{Pair, Point, barrier_pair};
use crate::model::Attachment;
use crate::solve::assembly::Unknowns;
use crate::solve::assembly::contact_stencil::ContactStencil;
use crate::solve::contact::{Nearby, Surfaces, Touch};
use rayon::prelude::*;

/// What the steps of a direction were seen to run into.
#[derive(Debug, Default)]
pub struct Foresight {
    foreseen: Vec<Foreseen>,
    /// Those of the direction before keep their blocks in the pattern, so that it need not change to and fro
    before: Vec<Foreseen>,
}

/// A pair that a step runs into, as it is at that moment: c and n stay, the gap is n·Σ c x.
#[derive(Debug, Clone, Copy)]
struct Foreseen {
    pair: Pair,
    weights: [f64; 4],
    normal: Point,
    /// Where the step begins, thickness taken off `[m]`
    gap: f64,
}

/// Of the reach: nearer gaps are no news.
const NEAR: f64 = 0.1;

/// Pairs that are worth a task.
const TASK: usize = 128;

impl Foresight {
    pub fn begin_direction(&mut self) {
        self.before.clear();
        self.before.append(&mut self.foreseen);
    }

    /// Of the pairs that this direction runs into
    pub fn stencils(&self) -> impl Iterator<Item = &[u32]> {
        self.foreseen.iter().map(|foreseen| foreseen.pair.stencil())
    }

    /// … and of those before
    pub fn all_stencils(&self) -> Vec<&[u32]> {
        self.foreseen.iter().chain(&self.before).map(|foreseen| foreseen.pair.stencil()).collect()
    }

    /// All gaps of the model; those between bodies that stand are left out.
    pub fn linear_gaps(
        &self,
        surfaces: &Surfaces,
        touch: &Touch,
        unknowns: &Unknowns,
        standing: &[bool],
    ) -> Vec<LinearGap> {
        let linear = |pair: &Pair, weights: &[f64; 4], normal: &Point, gap: f64, stiffness: f64| {
            let stencil = ContactStencil::new(pair.stencil(), &surfaces.vertices, unknowns.rows());
            let moves = |&row: &u32| standing.get(row as usize).is_some_and(|stands| !stands);
            stencil.rows().iter().any(moves).then(|| LinearGap::new(&stencil, weights, normal, gap, stiffness))
        };
        let active = |pair: &Pair| {
            let points = pair.points(&touch.vertices);
            let gap = pair.gap(&points);
            let barrier = surfaces.barrier.of(pair);
            let stiffness = barrier.stiffness * pair.weight * barrier_pair::fading(pair, &points);
            linear(pair, &gap.weights, &gap.normal, gap.distance - barrier.thickness, stiffness)
        };
        let mut gaps: Vec<LinearGap> = touch.set.pairs().par_iter().with_min_len(TASK).filter_map(active).collect();
        let stiffness = surfaces.barrier.stiffness;
        gaps.extend(
            self.foreseen.iter().filter_map(|met| linear(&met.pair, &met.weights, &met.normal, met.gap, stiffness)),
        );
        gaps
    }

    /// Remembers what the step `way` from x runs into first; whether there is anything new. A stiff body and what does not move are
    /// stopped by the first meeting, a soft one by the first of each vertex with which a primitive of its begins.
    pub fn look(&mut self, surfaces: &Surfaces, nearby: &mut Nearby, x: &[f64], way: &[f64]) -> bool {
        let (way, meetings) = nearby.foresee(surfaces, x, way);
        let mut meetings = meetings.to_vec();
        let side = |vertex: u32| {
            let body = surfaces.surface.body_of(vertex);
            let bends =
                matches!(surfaces.vertices[vertex as usize], Attachment::Node(_)) && !surfaces.surface.is_fixed(body);
            if bends { (true, vertex) } else { (false, body) }
        };
        let sides = |meeting: &Meeting| {
            let [a, b] = meeting.sides().map(side);
            [a.min(b), a.max(b)]
        };
        meetings.sort_by(|a, b| sides(a).cmp(&sides(b)).then(a.at.total_cmp(&b.at)));
        meetings.dedup_by_key(|meeting| sides(meeting));
        let known = self.foreseen.len();
        for meeting in meetings {
            let (pair, gap) = meeting.gap(&way.from, &way.step);
            let [a, b] = meeting.sides();
            let thickness = surfaces.surface.thickness(a, b) + surfaces.barrier.thickness;
            let start = pair.points(&way.from);
            let apart = (0..4).map(|i| gap.weights[i] * gap.normal.dot(&start[i])).sum::<f64>() - thickness;
            if apart > NEAR * surfaces.barrier.reach {
                self.foreseen.push(Foreseen { pair, weights: gap.weights, normal: gap.normal, gap: apart });
            }
        }
        self.foreseen.len() > known
    }
}
