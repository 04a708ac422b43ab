//! How far a step may go before surfaces touch, and what it runs into.

use super::{Nearby, Surfaces};
use crate::contact::Point;
use crate::contact::ccd::{self, Separation};
use crate::contact::meetings::{Meeting, first_meeting, limit_of, meetings};
use std::time::Instant;

/// A step as the surfaces' vertices take it.
#[derive(Debug, Default, PartialEq)]
pub struct Way {
    pub from: Vec<Point>,
    pub step: Vec<Point>,
}

/// What a step runs into.
#[derive(Debug)]
pub struct Seen {
    way: Way,
    meetings: Vec<Meeting>,
}

impl Way {
    fn new(surfaces: &Surfaces, x: &[f64], dx: &[f64]) -> Self {
        let mut way = Self::default();
        surfaces.gather(x, &mut way.from);
        surfaces.gather(dx, &mut way.step);
        way
    }
}

impl Nearby {
    /// The largest part of the step dx, at most 1, that keeps a tenth of every gap, and the two surfaces that allow no more.
    pub fn largest_step(&mut self, surfaces: &Surfaces, x: &[f64], dx: &[f64]) -> (f64, Option<[u32; 2]>) {
        let way = self.sweep(surfaces, x, dx);
        let clock = Instant::now();
        let separation = Separation::default();
        let seen = self.seen.as_ref().filter(|seen| seen.way == way).map(|seen| limit_of(&seen.meetings));
        let limit = seen.unwrap_or_else(|| {
            ccd::largest_step(&surfaces.surface, self.candidates(), &way.from, &way.step, &separation)
        });
        self.ccd_time += clock.elapsed();
        (limit.step, limit.sides.map(|sides| sides.map(|vertex| surfaces.surface.body_of(vertex))))
    }

    /// The two surfaces that shorten the step dx most.
    pub fn blocking_surfaces(&mut self, surfaces: &Surfaces, x: &[f64], dx: &[f64]) -> Option<[u32; 2]> {
        let way = self.sweep(surfaces, x, dx);
        let separation = Separation::default();
        let first = first_meeting(&surfaces.surface, self.candidates(), &way.from, &way.step, &separation);
        first.map(|meeting| meeting.sides().map(|v| surfaces.surface.body_of(v)))
    }

    /// What the step dx runs into.
    pub fn meetings(&mut self, surfaces: &Surfaces, x: &[f64], dx: &[f64]) -> &[Meeting] {
        let way = self.sweep(surfaces, x, dx);
        &self.look_along(surfaces, way).meetings
    }

    /// The same, with the way. Candidates of an earlier step must do: what they leave out costs foresight, not safety.
    pub fn foresee(&mut self, surfaces: &Surfaces, x: &[f64], dx: &[f64]) -> (&Way, &[Meeting]) {
        let sought = self.has_swept(surfaces);
        let way = if sought { Way::new(surfaces, x, dx) } else { self.sweep(surfaces, x, dx) };
        let Seen { way, meetings } = self.look_along(surfaces, way);
        (way, meetings)
    }

    fn look_along(&mut self, surfaces: &Surfaces, way: Way) -> &Seen {
        let clock = Instant::now();
        let known = self.seen.take().filter(|seen| seen.way == way);
        let seen = known.unwrap_or_else(|| {
            let separation = Separation::default();
            let meetings = meetings(&surfaces.surface, self.candidates(), &way.from, &way.step, &separation);
            Seen { way, meetings }
        });
        self.ccd_time += clock.elapsed();
        self.seen.insert(seen)
    }

    /// Makes the candidates cover the way from x to x + dx.
    fn sweep(&mut self, surfaces: &Surfaces, x: &[f64], dx: &[f64]) -> Way {
        let way = Way::new(surfaces, x, dx);
        self.cover_way(surfaces, &way);
        way
    }
}
