//! Gaps as Newton's model of stiff bodies sees them: the active ones, and those that a step was seen to run into.

use super::Contact;
use crate::contact::ccd::{self, Separation};
use crate::contact::distance::{edge_edge, point_triangle};
use crate::contact::{Pair, Point, barrier_pair};
use crate::solve::contact_stencil::ContactStencil;
use crate::solve::gap_model::LinearGap;
use rayon::prelude::*;
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

/// The first meeting of two surfaces
struct Meeting {
    surfaces: [u32; 2],
    /// Part of the step
    at: f64,
    vertices: [u32; 4],
    of_vertex: bool,
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
        let meetings = self.first_meetings(&from, &step);
        self.times[1] += clock.elapsed();
        let known = self.anticipated.len();
        for meeting in meetings {
            let points = meeting.vertices.map(|v| from[v as usize] + meeting.at * step[v as usize]);
            let vertices = meeting.vertices;
            let pair = match meeting.of_vertex {
                true => Pair::from_point_triangle(vertices, &point_triangle::closest(&points)),
                false => Pair::from_edge_edge(vertices, &edge_edge::closest(&points), None),
            };
            let thickness = self.surface.thickness(vertices[0], vertices[3]) + self.barrier.thickness;
            let at = |y: &[Point]| pair.vertices.map(|v| y[v as usize]);
            let (start, way) = (at(&from), at(&step));
            let gap = pair.gap(&std::array::from_fn(|i| start[i] + meeting.at * way[i]));
            let apart = (0..4).map(|i| gap.weights[i] * gap.normal.dot(&start[i])).sum::<f64>() - thickness;
            if apart > NEAR * self.barrier.reach {
                self.anticipated.push(Anticipated { pair, weights: gap.weights, normal: gap.normal, gap: apart });
            }
        }
        self.anticipated.len() > known
    }

    fn first_meetings(&self, from: &[Point], step: &[Point]) -> Vec<Meeting> {
        let surface = &self.surface;
        let separation = |a: u32, b: u32| Separation { thickness: surface.thickness(a, b), ..Separation::default() };
        let of = |vertices: [u32; 4], y: &[Point]| vertices.map(|v| y[v as usize]);
        let meeting = |of_vertex: bool, vertices: [u32; 4]| {
            let (x, dx) = (of(vertices, from), of(vertices, step));
            let separation = separation(vertices[0], vertices[3]);
            let at = match of_vertex {
                true => ccd::point_triangle(&x, &dx, &separation, 1.0),
                false => ccd::edge_edge(&x, &dx, &separation, 1.0),
            };
            let bodies = [vertices[0], vertices[3]].map(|v| surface.body_of(v));
            let surfaces = [bodies[0].min(bodies[1]), bodies[0].max(bodies[1])];
            (at < 1.0).then_some(Meeting { surfaces, at, vertices, of_vertex })
        };
        let vertex_triangle = |&[v, t]: &[u32; 2]| {
            let [a, b, c] = surface.triangles()[t as usize];
            meeting(true, [v, a, b, c])
        };
        let edge_edge = |&[e, f]: &[u32; 2]| {
            let ([a, b], [c, d]) = (surface.edges()[e as usize], surface.edges()[f as usize]);
            meeting(false, [a, b, c, d])
        };
        let candidates = &self.candidates;
        let mut all: Vec<Meeting> =
            candidates.vertex_triangle.par_iter().with_min_len(512).filter_map(vertex_triangle).collect();
        all.par_extend(candidates.edge_edge.par_iter().with_min_len(512).filter_map(edge_edge));
        all.sort_by(|a, b| a.surfaces.cmp(&b.surfaces).then(a.at.total_cmp(&b.at)));
        all.dedup_by_key(|meeting| meeting.surfaces);
        all
    }
}
