//! Gaps as the model of stiff bodies sees them: the active ones, and those that a step was seen to run into.

use super::gap_model::LinearGap;
use crate::contact::meetings::Meeting;
use crate::contact::{Pair, Point, barrier_pair};
use crate::model::Attachment;
use crate::solve::assembly::Unknowns;
use crate::solve::assembly::contact_stencil::ContactStencil;
use crate::solve::contact::{Nearby, Surfaces, Touch};

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
        let stands = |stencil: &ContactStencil| {
            stencil.rows().iter().all(|&row| standing.get(row as usize).is_none_or(|&stands| stands))
        };
        let stencil = |vertices: &[u32]| ContactStencil::new(vertices, &surfaces.vertices, unknowns.rows());
        let active = touch.set.pairs().iter().map(|pair| {
            let points = pair.points(&touch.vertices);
            let gap = pair.gap(&points);
            let barrier = surfaces.barrier.of(pair);
            let stiffness = barrier.stiffness * pair.weight * barrier_pair::fading(pair, &points);
            let distance = gap.distance - barrier.thickness;
            (stencil(pair.stencil()), gap.weights, gap.normal, distance, stiffness)
        });
        let foreseen = self
            .foreseen
            .iter()
            .map(|met| (stencil(met.pair.stencil()), met.weights, met.normal, met.gap, surfaces.barrier.stiffness));
        active
            .chain(foreseen)
            .filter(|(stencil, ..)| !stands(stencil))
            .map(|(stencil, weights, normal, gap, stiffness)| {
                LinearGap::new(stencil, &weights, &normal, gap, stiffness)
            })
            .collect()
    }

    /// Remembers what the step `way` from x runs into first; whether there is anything new. A stiff body and what does not move are
    /// stopped by the first meeting, a soft one by the first of each vertex with which a primitive of its begins.
    pub fn look(&mut self, surfaces: &Surfaces, nearby: &mut Nearby, x: &[f64], way: &[f64]) -> bool {
        let (way, mut meetings) = nearby.foresee(surfaces, x, way);
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
