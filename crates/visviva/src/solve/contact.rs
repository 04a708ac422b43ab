//! Contact of all surfaces as the solver needs it: B(x) = κ Σ w m b(d), the friction R(v) frozen for a step, their derivatives
//! in the solver's matrix, and how far a step may go.
//!
//! The active pairs depend on the position alone. Candidates are kept while they cover it: those of a Newton direction cover
//! every shortened step along it. No step knows those of the one before, so that a run may go on from any.

mod anticipation;
mod changes;
mod forces;

pub use forces::ContactForce;

use anticipation::Anticipated;

use super::contact_stencil::ContactStencil;
use super::linear::{BlockMatrix, BlockPattern, GrowingPattern, LinearError, PINNED};
use crate::contact::ccd::{self, Separation};
use crate::contact::contact_set::PairDerivatives;
use crate::contact::meetings::first_meeting;
use crate::contact::surface::{SurfaceBody, SurfaceError, SurfaceInput, edges_of_triangles};
use crate::contact::{Barrier, BroadPhase, Candidates, ContactSet, Friction, Point, Surface, intersection};
use crate::model::bodies::{BodyKind, Model, flatten};
use crate::model::{Attachment, Coefficients, ContactSettings};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Contact {
    surface: Surface,
    barrier: Barrier,
    coefficients: Coefficients,
    /// What each surface vertex hangs on
    vertices: Vec<Attachment>,
    /// Each node's row in the solver's matrix, or `PINNED`
    rows: Vec<u32>,
    broad_phase: BroadPhase,
    candidates: Candidates,
    /// The candidates hold wherever all vertices are at one part of their ways between these two places, or within the slack of it
    from: Vec<Point>,
    to: Vec<Point>,
    /// Where the set is
    x: Vec<Point>,
    set: ContactSet,
    friction: Friction,
    scratch: Vec<Point>,
    forces: Vec<Point>,
    derivatives: Vec<PairDerivatives>,
    slips: Vec<nalgebra::Matrix3<f64>>,
    pattern: GrowingPattern,
    anticipated: Vec<Anticipated>,
    anticipated_before: Vec<Anticipated>,
    /// Of bodies that are not held
    affine_vertices: usize,
    /// Spent on candidates and on the lengths of steps
    times: [Duration; 2],
}

/// Of the reach: how far vertices may leave the ways that candidates were sought for.
const SLACK: f64 = 0.5;

impl Contact {
    /// `rows` gives each node's row in the solver's matrix, over the pattern `base`.
    pub fn new(
        bodies: &Model,
        settings: &ContactSettings,
        rows: &[u32],
        base: Arc<BlockPattern>,
    ) -> Result<Self, SurfaceError> {
        let (surface, vertices) = surface_of(bodies, settings.self_contact, |node| bodies.mass.is_pinned(node))?;
        let free = |first: u32| rows[first as usize] != PINNED;
        let is_affine = |v: &&Attachment| matches!(v, Attachment::Affine { first, .. } if free(*first));
        let affine_vertices = vertices.iter().filter(is_affine).count();
        Ok(Self {
            barrier: Barrier::from(settings),
            coefficients: settings.friction.clone(),
            friction: Friction { epsilon: settings.friction_speed, ..Friction::default() },
            rows: rows.to_vec(),
            scratch: vec![Point::zeros(); vertices.len()],
            forces: vec![Point::zeros(); vertices.len()],
            vertices,
            surface,
            broad_phase: BroadPhase::default(),
            candidates: Candidates::default(),
            from: Vec::new(),
            to: Vec::new(),
            x: Vec::new(),
            set: ContactSet::default(),
            derivatives: Vec::new(),
            slips: Vec::new(),
            pattern: GrowingPattern::new(base),
            anticipated: Vec::new(),
            anticipated_before: Vec::new(),
            affine_vertices,
            times: [Duration::ZERO; 2],
        })
    }

    /// What later solves depend on beside the position: blocks of pairs that were near.
    pub fn memory(&self) -> &[[u32; 2]] {
        self.pattern.extra()
    }

    pub fn restore(&mut self, extra: Vec<[u32; 2]>) -> Result<(), LinearError> {
        self.pattern = GrowingPattern::restored(Arc::clone(self.pattern.base()), extra)?;
        Ok(())
    }

    /// Finds the active pairs at x.
    pub fn update(&mut self, x: &[f64]) {
        gather(&self.vertices, x, &mut self.scratch);
        if self.x == self.scratch {
            return;
        }
        if !self.covers(&self.scratch) {
            self.from.clone_from(&self.scratch);
            self.to.clone_from(&self.scratch);
            self.seek();
        }
        std::mem::swap(&mut self.x, &mut self.scratch);
        self.scratch.resize(self.vertices.len(), Point::zeros());
        self.set.update(&self.surface, &self.candidates, &self.x, &self.barrier);
    }

    fn covers(&self, x: &[Point]) -> bool {
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
        let slack = SLACK * self.barrier.reach;
        let near = |(x, (a, b)): (&Point, (&Point, &Point))| (x - a - part * (b - a)).amax() <= slack;
        x.iter().zip(self.from.iter().zip(&self.to)).all(near)
    }

    /// What was sought and foreseen before serves no more.
    pub fn forget_candidates(&mut self) {
        self.from.clear();
        self.anticipated.clear();
        self.anticipated_before.clear();
    }

    pub fn reach(&self) -> f64 {
        self.barrier.reach
    }

    /// Spent on the broad phase and on CCD
    pub fn times(&self) -> [Duration; 2] {
        self.times
    }

    fn seek(&mut self) {
        let clock = Instant::now();
        let radius = self.barrier.activation() + self.surface.largest_thickness() + 2.0 * SLACK * self.barrier.reach;
        self.broad_phase.swept(&self.surface, &self.from, &self.to, radius, &mut self.candidates);
        self.times[0] += clock.elapsed();
    }

    /// Whether surfaces cross at x: what no distance can tell.
    pub fn intersects(&mut self, x: &[f64]) -> bool {
        gather(&self.vertices, x, &mut self.scratch);
        !intersection::intersections(&self.surface, &mut self.broad_phase, &self.scratch).is_empty()
    }

    /// B at the last update [J]
    pub fn energy(&self) -> f64 {
        self.set.energy()
    }

    pub fn active_pairs(&self) -> usize {
        self.set.pairs().len()
    }

    /// Of the active pairs [m]
    pub fn min_distance(&self) -> Option<f64> {
        Some(self.set.min_distance()).filter(|d| d.is_finite())
    }

    /// Pairs of surfaces with an active, a frozen or an anticipated pair between them, each once
    pub fn touching_surfaces(&self) -> Vec<[usize; 2]> {
        let stencils = self.set.pairs().iter().map(|p| p.stencil());
        let stencils = stencils.chain(self.friction.pairs.iter().map(|p| p.stencil()));
        let stencils = stencils.chain(self.anticipated.iter().map(Anticipated::stencil));
        let surface = |vertex: u32| self.surface.body_of(vertex) as usize;
        let mut touching: Vec<[usize; 2]> =
            stencils.flat_map(|s| s[1..].iter().map(move |&v| [surface(s[0]), surface(v)])).collect();
        touching.retain(|[a, b]| a != b);
        touching.sort_unstable();
        touching.dedup();
        touching
    }

    /// g ← g + ∇B on all nodes [N], at the last update
    pub fn add_gradient(&mut self, g: &mut [f64]) {
        self.forces.fill(Point::zeros());
        self.set.add_gradient(&self.x, &self.barrier, &mut self.forces);
        self.scatter_forces(g);
    }

    fn scatter_forces(&self, g: &mut [f64]) {
        let touched = |force: &Point| force.x != 0.0 || force.y != 0.0 || force.z != 0.0;
        for (force, vertex) in self.forces.iter().zip(&self.vertices).filter(|(force, _)| touched(force)) {
            vertex.add_force(force, g);
        }
    }

    pub fn has_friction(&self) -> bool {
        self.coefficients.any_positive()
    }

    /// Freezes friction at x.
    pub fn freeze(&mut self, x: &[f64]) {
        self.update(x);
        let mu = |a, b| self.coefficients.between(a, b);
        self.friction.freeze(&self.set, &self.surface, &self.x, &self.barrier, mu);
    }

    /// R(v) [W]
    pub fn dissipation(&mut self, v: &[f64]) -> f64 {
        gather(&self.vertices, v, &mut self.scratch);
        self.friction.value(&self.scratch)
    }

    /// g ← g + weight ∇R(v) on all nodes [N]
    pub fn add_friction(&mut self, v: &[f64], weight: f64, g: &mut [f64]) {
        gather(&self.vertices, v, &mut self.scratch);
        self.forces.fill(Point::zeros());
        self.friction.add_gradient(&self.scratch, weight, &mut self.forces);
        self.scatter_forces(g);
    }

    /// A pattern with blocks for all active, frozen and anticipated pairs; the matrix must take it on before `add_hessians`.
    pub fn pattern(&mut self, with_friction: bool) -> Result<&Arc<BlockPattern>, LinearError> {
        let frozen = if with_friction { self.friction.pairs.as_slice() } else { &[] };
        let pairs = self.set.pairs().iter().map(|p| p.stencil()).chain(frozen.iter().map(|p| p.stencil()));
        let foreseen = self.anticipated.iter().chain(&self.anticipated_before);
        let pairs = pairs.chain(foreseen.map(Anticipated::stencil));
        let stencils: Vec<_> =
            pairs.map(|vertices| ContactStencil::new(vertices, &self.vertices, &self.rows)).collect();
        self.pattern.update(stencils.iter().map(|stencil| stencil.rows()))
    }

    /// matrix ← matrix + ∇²B, projected, at the last update
    pub fn add_hessians(&mut self, matrix: &mut BlockMatrix) -> Result<(), LinearError> {
        self.set.derivatives(&self.x, &self.barrier, &mut self.derivatives);
        let mut blocks = Vec::new();
        for (pair, derivatives) in self.set.pairs().iter().zip(&self.derivatives) {
            let stencil = ContactStencil::new(pair.stencil(), &self.vertices, &self.rows);
            stencil.blocks(|a, b| derivatives.hessian.fixed_view::<3, 3>(3 * a, 3 * b).into_owned(), &mut blocks);
            matrix.add_stencil(stencil.rows(), &blocks)?;
        }
        Ok(())
    }

    /// matrix ← matrix + scale ∇²R(v)
    pub fn add_friction_hessians(
        &mut self,
        v: &[f64],
        scale: f64,
        matrix: &mut BlockMatrix,
    ) -> Result<(), LinearError> {
        gather(&self.vertices, v, &mut self.scratch);
        self.friction.hessians(&self.scratch, &mut self.slips);
        let mut blocks = Vec::new();
        for (pair, slip) in self.friction.pairs.iter().zip(&self.slips) {
            let stencil = ContactStencil::new(pair.stencil(), &self.vertices, &self.rows);
            stencil.blocks(|a, b| scale * pair.weights[a] * pair.weights[b] * slip, &mut blocks);
            matrix.add_stencil(stencil.rows(), &blocks)?;
        }
        Ok(())
    }

    /// out ← out + ∇²B d on all nodes, projected, at the last update
    pub fn add_stiffness_product(&mut self, d: &[f64], out: &mut [f64]) {
        self.set.derivatives(&self.x, &self.barrier, &mut self.derivatives);
        for (pair, derivatives) in self.set.pairs().iter().zip(&self.derivatives) {
            for (a, &va) in pair.stencil().iter().enumerate() {
                let mut force = Point::zeros();
                for (b, &vb) in pair.stencil().iter().enumerate() {
                    force += derivatives.hessian.fixed_view::<3, 3>(3 * a, 3 * b) * self.vertices[vb as usize].of(d);
                }
                self.vertices[va as usize].add_force(&force, out);
            }
        }
    }

    /// The largest part of the step dx, at most 1, that keeps a tenth of every gap.
    pub fn largest_step(&mut self, x: &[f64], dx: &[f64]) -> f64 {
        let (from, step) = self.sweep(x, dx);
        let clock = Instant::now();
        let most = ccd::largest_step(&self.surface, &self.candidates, &from, &step, &Separation::default());
        self.times[1] += clock.elapsed();
        most
    }

    /// The two surfaces that shorten the step dx most.
    pub fn blocking_surfaces(&mut self, x: &[f64], dx: &[f64]) -> Option<[u32; 2]> {
        let (from, step) = self.sweep(x, dx);
        let first = first_meeting(&self.surface, &self.candidates, &from, &step, &Separation::default());
        first.map(|meeting| meeting.sides().map(|v| self.surface.body_of(v)))
    }

    /// Makes the candidates cover the way from x to x + dx; returns both for the surface's vertices.
    fn sweep(&mut self, x: &[f64], dx: &[f64]) -> (Vec<Point>, Vec<Point>) {
        let (from, step) = self.ways(x, dx);
        let to: Vec<Point> = from.iter().zip(&step).map(|(x, d)| x + d).collect();
        if !(self.covers(&from) && self.covers(&to)) {
            self.from.clone_from(&from);
            self.to = to;
            self.seek();
        }
        (from, step)
    }

    fn ways(&self, x: &[f64], dx: &[f64]) -> (Vec<Point>, Vec<Point>) {
        let mut from = vec![Point::zeros(); self.vertices.len()];
        let mut step = from.clone();
        gather(&self.vertices, x, &mut from);
        gather(&self.vertices, dx, &mut step);
        (from, step)
    }
}

/// The surfaces of all bodies and obstacles, and what each of its vertices hangs on.
pub fn surface_of(
    bodies: &Model,
    self_contact: bool,
    is_fixed: impl Fn(usize) -> bool,
) -> Result<(Surface, Vec<Attachment>), SurfaceError> {
    let mut input = SurfaceInput::default();
    let (mut vertices, mut rest) = (Vec::new(), Vec::new());
    let mut index_of = vec![u32::MAX; bodies.vertices.len()];
    let rest_of_nodes = flatten(&bodies.rest);
    for (body, (_, triangles)) in bodies.surfaces().enumerate() {
        let wires = bodies.wires(body);
        let mut used: Vec<u32> = [triangles.as_flattened(), wires.as_flattened()].concat();
        used.sort_unstable();
        used.dedup();
        for vertex in used {
            index_of[vertex as usize] = vertices.len() as u32;
            let attachment = bodies.vertices[vertex as usize];
            input.vertex_body.push(body as u32);
            input.vertex_fixed.push(attachment.hangs_only_on(&is_fixed));
            rest.push(attachment.of(&rest_of_nodes));
            vertices.push(attachment);
        }
        input.triangles.extend(triangles.iter().map(|triangle| triangle.map(|vertex| index_of[vertex as usize])));
        input.edges.extend(wires.iter().map(|ends| ends.map(|vertex| index_of[vertex as usize])));
        // A stiff body cannot reach itself, nor can an obstacle.
        let soft = bodies.bodies.get(body).is_some_and(|body| body.kind != BodyKind::Affine);
        let half_thickness = 0.5 * bodies.contact.as_ref().map_or(0.0, |contact| contact.thickness_of(body));
        input.bodies.push(SurfaceBody { self_contact: self_contact && soft, ignores: Vec::new(), half_thickness });
    }
    input.edges.iter_mut().for_each(|ends| ends.sort_unstable());
    input.edges.extend(edges_of_triangles(&input.triangles));
    input.edges.sort_unstable();
    input.edges.dedup();
    let squared = |&[a, b]: &[u32; 2]| (rest[a as usize] - rest[b as usize]).norm_squared();
    input.edge_rest_squared = input.edges.iter().map(squared).collect();
    Ok((Surface::new(input)?, vertices))
}

fn gather(vertices: &[Attachment], x: &[f64], out: &mut [Point]) {
    out.iter_mut().zip(vertices).for_each(|(out, vertex)| *out = vertex.of(x));
}
