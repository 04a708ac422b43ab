//! Parts that move by themselves meet parts that are held: no solve can let them give way, so the motion itself is checked.
//!
//! Pairs of bodies, and of bodies and obstacles; those that overlap from the start stay out, and obstacles may cross each other.

use super::surfaces::gathered;
use crate::contact::ccd::Separation;
use crate::contact::meetings::first_meeting;
use crate::contact::surface::SurfaceError;
use crate::contact::triangle_crossings::crossing_triangles;
use crate::contact::{BroadPhase, Candidates, Point, Surface};
use crate::model::Attachment;
use crate::model::bodies::Model;

/// The names of two surfaces that would meet; the faster one is the one that is stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collision {
    pub mover: String,
    pub other: String,
}

#[derive(Debug)]
pub struct HeldSurfaces {
    surface: Surface,
    /// What each vertex hangs on: pinned nodes alone
    vertices: Vec<Attachment>,
    broad_phase: BroadPhase,
    candidates: Candidates,
}

/// What may come as near as this part of its distance within a step: nothing is solved here, so nothing needs more room.
const KEEP: f64 = 1e-6;

impl HeldSurfaces {
    /// None where nothing moves by itself or no body has a triangle that is wholly held.
    pub fn new(model: &Model) -> Result<Option<Self>, SurfaceError> {
        if model.contact.is_none() || model.motions.iter().all(|motion| motion.is_fixed()) {
            return Ok(None);
        }
        let is_held = |vertex: u32| model.vertices[vertex as usize].hangs_only_on(|node| model.mass.is_pinned(node));
        let (mut input, vertices) = gathered(model, |triangle| triangle.iter().all(|&vertex| is_held(vertex)));
        let body_count = model.bodies.len();
        let held_bodies = input.triangles.iter().any(|t| (input.vertex_body[t[0] as usize] as usize) < body_count);
        if !held_bodies {
            return Ok(None);
        }
        // Obstacles cross each other as they like.
        for (index, body) in input.bodies.iter_mut().enumerate().skip(body_count) {
            body.ignores = (body_count as u32..index as u32).collect();
        }
        let start = places(model, &vertices, 0.0);
        for [a, b] in crossing_triangles(&input.triangles, &start) {
            let body = |triangle: u32| input.vertex_body[input.triangles[triangle as usize][0] as usize];
            let (a, b) = (body(a), body(b));
            if a != b && !input.bodies[a as usize].ignores.contains(&b) {
                input.bodies[a as usize].ignores.push(b);
            }
        }
        let surface = Surface::new(input)?;
        Ok(Some(Self { surface, vertices, broad_phase: BroadPhase::default(), candidates: Candidates::default() }))
    }

    /// Whether the way from time t0 to t1 is free.
    pub fn check(&mut self, model: &Model, t0: f64, t1: f64) -> Result<(), Collision> {
        let (from, to) = (places(model, &self.vertices, t0), places(model, &self.vertices, t1));
        if from == to {
            return Ok(());
        }
        self.broad_phase.swept(&self.surface, &from, &to, 0.0, &mut self.candidates);
        let step: Vec<Point> = to.iter().zip(&from).map(|(to, from)| to - from).collect();
        let separation = Separation { keep: KEEP, ..Separation::default() };
        let Some(first) = first_meeting(&self.surface, &self.candidates, &from, &step, &separation) else {
            return Ok(());
        };
        let [a, b] = first.sides();
        let speed = |vertex: u32| step[vertex as usize].norm();
        let (mover, other) = if speed(a) > speed(b) { (a, b) } else { (b, a) };
        let name = |vertex: u32| model.surface_name(self.surface.body_of(vertex)).to_owned();
        Err(Collision { mover: name(mover), other: name(other) })
    }
}

fn places(model: &Model, vertices: &[Attachment], t: f64) -> Vec<Point> {
    let mut x = vec![0.0; 3 * model.node_count()];
    for pin in &model.pins {
        let place = model.motions[pin.motion].at(pin.start, t);
        x[3 * pin.node..3 * pin.node + 3].copy_from_slice(place.as_slice());
    }
    vertices.iter().map(|vertex| vertex.of(&x)).collect()
}
