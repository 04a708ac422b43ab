//! Candidates for contact, and where they hold: those of a Newton direction cover every shortened step along it.
//!
//! No stage knows those of the one before, so that a run may go on from any.

use super::steps::{Seen, Way};
use super::{Surfaces, Touch};
use crate::contact::{BroadPhase, Candidates, Point, intersection};
use std::time::{Duration, Instant};

/// The candidates hold wherever all vertices are at one part of their ways between two places, or within the slack of it.
#[derive(Debug, Default)]
pub struct Nearby {
    broad_phase: BroadPhase,
    candidates: Candidates,
    /// Empty where they hold nowhere
    from: Vec<Point>,
    to: Vec<Point>,
    /// What a step was last seen to run into with these candidates: a line search mostly begins with the step that was looked at
    pub(super) seen: Option<Seen>,
    broad_phase_time: Duration,
    pub(super) ccd_time: Duration,
}

/// Of the reach: how far vertices may leave the ways that candidates were sought for.
const SLACK: f64 = 0.5;

impl Nearby {
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// Spent on the broad phase and on CCD
    pub fn times(&self) -> [Duration; 2] {
        [self.broad_phase_time, self.ccd_time]
    }

    /// Finds the active pairs at x.
    pub fn touch(&mut self, surfaces: &Surfaces, x: &[f64], touch: &mut Touch) {
        surfaces.gather(x, &mut touch.vertices);
        self.cover(surfaces, &touch.vertices);
        touch.set.update(&surfaces.surface, &self.candidates, &touch.vertices, &surfaces.barrier);
    }

    /// Whether surfaces cross there: what no distance can tell.
    pub fn intersects(&mut self, surfaces: &Surfaces, touch: &Touch) -> bool {
        !intersection::intersections(&surfaces.surface, &mut self.broad_phase, &touch.vertices).is_empty()
    }

    /// What was sought before serves no more.
    pub fn forget(&mut self) {
        self.seen = None;
        self.from.clear();
    }

    /// Whether the candidates at hand were sought for a step.
    pub fn has_swept(&self, surfaces: &Surfaces) -> bool {
        self.from.len() == surfaces.vertices.len() && self.from != self.to
    }

    /// Seeks anew where a place is not covered.
    fn cover(&mut self, surfaces: &Surfaces, x: &[Point]) {
        if !self.covers(surfaces, x) {
            self.from.clear();
            self.from.extend_from_slice(x);
            self.to.clone_from(&self.from);
            self.seek(surfaces);
        }
    }

    /// Seeks anew where either end of a way is not covered.
    pub fn cover_way(&mut self, surfaces: &Surfaces, way: &Way) {
        let to: Vec<Point> = way.from.iter().zip(&way.step).map(|(x, d)| x + d).collect();
        if !(self.covers(surfaces, &way.from) && self.covers(surfaces, &to)) {
            self.from.clone_from(&way.from);
            self.to = to;
            self.seek(surfaces);
        }
    }

    fn covers(&self, surfaces: &Surfaces, x: &[Point]) -> bool {
        if self.from.len() != x.len() {
            return false;
        }
        let (mut along, mut whole) = (0.0, 0.0);
        for (x, (a, b)) in x.iter().zip(self.from.iter().zip(&self.to)) {
            let way = b - a;
            along += way.dot(&(x - a));
            whole += way.norm_squared();
        }
        let part = if whole > 0.0 { (along / whole).clamp(0.0, 1.0) } else { 0.0 };
        let slack = SLACK * surfaces.barrier.reach;
        let near = |(x, (a, b)): (&Point, (&Point, &Point))| (x - a - part * (b - a)).amax() <= slack;
        x.iter().zip(self.from.iter().zip(&self.to)).all(near)
    }

    fn seek(&mut self, surfaces: &Surfaces) {
        let clock = Instant::now();
        self.seen = None;
        let Surfaces { surface, barrier, .. } = surfaces;
        let radius = barrier.activation() + surface.largest_thickness() + 2.0 * SLACK * barrier.reach;
        self.broad_phase.swept(surface, &self.from, &self.to, radius, &mut self.candidates);
        self.broad_phase_time += clock.elapsed();
    }
}
