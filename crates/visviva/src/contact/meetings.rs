//! Where along straight ways candidates would meet: what shortens a step, and what it runs into.

use super::broad_phase::Candidates;
use super::ccd::{Limit, Separation, Sweep};
use super::distance::{Gap, Point, edge_edge, point_triangle};
use super::pair::Pair;
use super::surface::Surface;
use rayon::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// The part of the step that is safe
    pub at: f64,
    vertices: [u32; 4],
    of_vertex: bool,
}

impl Meeting {
    /// A vertex of each primitive
    pub fn sides(&self) -> [u32; 2] {
        [self.vertices[0], self.vertices[if self.of_vertex { 1 } else { 2 }]]
    }

    /// The pair, reduced, and its gap, both as they are at the meeting.
    pub fn gap(&self, x: &[Point], dx: &[Point]) -> (Pair, Gap) {
        let there = |vertices: [u32; 4]| vertices.map(|v| x[v as usize] + self.at * dx[v as usize]);
        let points = there(self.vertices);
        let pair = match self.of_vertex {
            true => Pair::from_point_triangle(self.vertices, &point_triangle::closest(&points)),
            false => Pair::from_edge_edge(self.vertices, &edge_edge::closest(&points), None),
        };
        (pair, pair.gap(&there(pair.vertices)))
    }
}

/// All candidates that shorten the step dx, in their order.
pub fn meetings(
    surface: &Surface,
    candidates: &Candidates,
    x: &[Point],
    dx: &[Point],
    separation: &Separation,
) -> Vec<Meeting> {
    let sweep = Sweep::new(surface, x, dx, separation);
    let meeting = |of_vertex: bool, vertices: [u32; 4]| {
        let at = if of_vertex { sweep.part::<1>(vertices, 1.0) } else { sweep.part::<2>(vertices, 1.0) };
        (at < 1.0).then_some(Meeting { at, vertices, of_vertex })
    };
    let by_vertices = candidates.vertex_triangle.par_iter().with_min_len(512);
    let by_edges = candidates.edge_edge.par_iter().with_min_len(512);
    let mut all: Vec<Meeting> = by_vertices.filter_map(|&pair| meeting(true, surface.vertex_triangle(pair))).collect();
    all.par_extend(by_edges.filter_map(|&pair| meeting(false, surface.edge_edge(pair))));
    all
}

/// What `ccd::largest_step` says of a step with these meetings.
pub fn limit_of(meetings: &[Meeting]) -> Limit {
    let first = meetings.iter().min_by(|a, b| a.at.total_cmp(&b.at));
    first.map_or(Limit::FREE, |first| Limit { step: first.at, sides: Some(first.sides()) })
}

/// The meeting that shortens the step most; none where nothing does.
pub fn first_meeting(
    surface: &Surface,
    candidates: &Candidates,
    x: &[Point],
    dx: &[Point],
    separation: &Separation,
) -> Option<Meeting> {
    meetings(surface, candidates, x, dx, separation).into_iter().min_by(|a, b| a.at.total_cmp(&b.at))
}
