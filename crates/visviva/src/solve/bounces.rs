//! Restitution as a user means it: two bodies part with e of the speed they came with.
//!
//! ```text
//! u ← min(u, e v),    v = √((v₀ + ½ h γ)² + 2 γ δ),    u₁ = √(u² − 2 γ δ′) + ½ h γ
//! ```
//!
//! v₀ is the speed of approach in the last step of flight, u₁ the one of parting in the first: both of rigid motions, where the
//! barrier pushes. γ is gravity's part in their approach, δ and δ′ how far out of the barrier's reach they were then. In free fall a
//! step of implicit Euler has half a step's fall more or less than the truth: a fall arrives at v₀ + ½ h γ, and a rise goes as high as
//! u₁ − ½ h γ would. What is too much of u₁ is taken by an impulse, equal and opposite on both sides, against what the barrier has given
//! since they met and where it gave it: the pairs that let go last push weakly and aside, and would set a ball spinning.
//!
//! The first step in contact gives back what free flight lost, up to h γ of speed. A later one counts as an approach, an edge that slaps
//! down after the other, only by what it is faster.
//!
//! The barrier's own hysteresis takes less than e says where a step does not resolve it, and it takes from all that trembles; this
//! takes the rest, once a bounce. A contact that lasts longer than a bounce parts for other reasons, and is left alone.

use super::bodies::BodiesSolver;
use super::contact::{Surfaces, Touch};
use super::dissipation::Bounce;
use super::evaluation::Evaluation;
use crate::contact::{Point, barrier_pair};
use crate::model::bodies::{Model, node_of};
use crate::model::{Exchange, RigidMotion, Weighed};
use std::collections::{BTreeMap, BTreeSet};

/// So many steps of contact may be a bounce …
const BOUNCE_STEPS: u32 = 6;
/// … and where steps are short so much time `[s]`: a soft ball's takes 30 ms.
const BOUNCE_TIME: f64 = 0.05;

/// Where two surfaces push each other at one position: what a unit of impulse does to both.
#[derive(Debug, Clone, Default)]
struct Meeting {
    /// Σ λ `[N]`
    force: f64,
    /// Σ λ (reach − gap) `[N m]`
    depth: f64,
    /// Vertices and Σ λ cᵢ n `[N]`
    pushes: Vec<(u32, Point)>,
    /// Σ λ n on the first side `[N]`
    on_first: Point,
    /// Σ λ c, where they push `[N m]`
    place: Point,
}

impl Meeting {
    /// The mean of a field's opening, such as a velocity `[m/s]` or a place `[m]`
    fn opening(&self, field: impl Fn(u32) -> Point) -> f64 {
        self.pushes.iter().map(|(vertex, push)| push.dot(&field(*vertex))).sum::<f64>() / self.force
    }

    /// The mean depth in the barrier's reach `[m]`
    fn mean_depth(&self) -> f64 {
        self.depth / self.force
    }
}

/// All that push, in order; `are_meant` says which two surfaces.
fn meetings(surfaces: &Surfaces, touch: &Touch, are_meant: impl Fn([u32; 2]) -> bool) -> BTreeMap<[u32; 2], Meeting> {
    let mut all: BTreeMap<[u32; 2], Meeting> = BTreeMap::new();
    for (pair, distance) in touch.set.pairs().iter().zip(touch.set.distances()) {
        let stencil = pair.stencil();
        let given = surfaces.surface.sides_of(stencil);
        let sides = [given[0].min(given[1]), given[0].max(given[1])];
        if !are_meant(sides) {
            continue;
        }
        let gradient = barrier_pair::gradient(&surfaces.barrier, pair, &pair.points(&touch.vertices));
        let push = |i: usize| -Point::from(gradient.fixed_rows::<3>(3 * i));
        let total = (0..pair.kind.first_count()).map(push).sum::<Point>();
        let force = total.norm();
        if force == 0.0 {
            continue;
        }
        let place = |i: usize| push(i).dot(&total) / force * touch.vertices[stencil[i] as usize];
        let meeting = all.entry(sides).or_default();
        meeting.force += force;
        meeting.on_first += if given == sides { total } else { -total };
        meeting.place += (0..pair.kind.first_count()).map(place).sum::<Point>();
        meeting.depth += force * (surfaces.barrier.reach - (distance - pair.thickness));
        meeting.pushes.extend(stencil.iter().enumerate().map(|(i, &vertex)| (vertex, push(i))));
    }
    all
}

/// What moves as if it were rigid, by its body's index.
type Rigid = BTreeMap<usize, (RigidMotion, Point)>;

impl BodiesSolver {
    /// Two surfaces that may bounce off each other: a body that can, and another one or an obstacle.
    fn may_bounce(&self, sides: [usize; 2]) -> bool {
        let can = |side: usize| self.can_bounce().get(side);
        sides.iter().any(|&side| can(side) == Some(&true)) && sides.iter().all(|&side| can(side) != Some(&false))
    }

    /// How the bodies of these meetings move, with the velocity v at x.
    fn rigid<'a>(&self, meetings: impl Iterator<Item = &'a [u32; 2]>, x: &[f64], v: &[f64]) -> Rigid {
        let model = self.model();
        let masses = model.mass.of_nodes();
        let weigh = |field: &[f64]| {
            let mut weighed = vec![0.0; field.len()];
            model.mass.weigh(field, &mut weighed);
            weighed
        };
        let (heavy_x, heavy_v) = (weigh(x), weigh(v));
        let of_body = |body: usize| {
            let x = Weighed { plain: x, times_mass: &heavy_x };
            let v = Weighed { plain: v, times_mass: &heavy_v };
            let motion = RigidMotion::of(model.bodies[body].nodes.clone(), &masses, x, v, None);
            (motion, motion.turn_of(motion.angular_momentum))
        };
        let sides: BTreeSet<usize> = meetings.flatten().map(|&side| side as usize).collect();
        sides.into_iter().filter(|&side| side < model.bodies.len()).map(|body| (body, of_body(body))).collect()
    }

    /// Notes what has met in a step that began with the velocity v0, and takes from v, its last, what is too fast where surfaces
    /// parted. Says what that took, of each body too.
    pub(super) fn take_bounces(
        &self,
        [from, to]: [&Evaluation; 2],
        h: f64,
        v0: &[f64],
        bounces: &mut Vec<Bounce>,
        v: &mut [f64],
        by_body: &mut [Exchange],
    ) -> Exchange {
        let Some(surfaces) = self.surfaces().filter(|surfaces| surfaces.keep_any()) else { return Exchange::default() };
        let touching = |at: &Evaluation| {
            let mut pairs = surfaces.joined_by(at.touch.set.pairs().iter().map(|pair| pair.stencil()));
            pairs.iter_mut().for_each(|sides| sides.sort_unstable());
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        };
        let (before, after) = (touching(from), touching(to));
        let parted: BTreeMap<[u32; 2], Bounce> = bounces
            .iter()
            .filter(|bounce| after.binary_search(&bounce.sides.map(|side| side as usize)).is_err())
            .filter(|bounce| bounce.steps <= BOUNCE_STEPS.max((BOUNCE_TIME / h) as u32))
            .map(|bounce| (bounce.sides, *bounce))
            .collect();
        let step =
            Step { solver: self, surfaces, from, to, h, flying: [&before, &after].map(|pairs| self.flying(pairs)) };
        let mut taken = Exchange::default();
        if !parted.is_empty() {
            taken = step.part(&parted, v, by_body);
        }
        step.meet(&before, &after, v0, bounces);
        taken
    }

    /// Which bodies touch nothing.
    fn flying(&self, touching: &[[usize; 2]]) -> Vec<bool> {
        let mut flying = vec![true; self.model().bodies.len()];
        for &side in touching.as_flattened() {
            if let Some(flies) = flying.get_mut(side) {
                *flies = false;
            }
        }
        flying
    }
}

/// A step that is over, as bounces see it.
struct Step<'a> {
    solver: &'a BodiesSolver,
    surfaces: &'a Surfaces,
    from: &'a Evaluation,
    to: &'a Evaluation,
    h: f64,
    /// At both ends, which bodies touch nothing
    flying: [Vec<bool>; 2],
}

impl Step<'_> {
    fn body_of(&self, vertex: u32) -> usize {
        self.surfaces.surface.body_of(vertex) as usize
    }

    /// Where a vertex was at the start, from a body's centre `[m]`
    fn arm(&self, vertex: u32, motion: &RigidMotion) -> Point {
        self.from.touch.vertices[vertex as usize] - motion.centre
    }

    /// A vertex's velocity as its body moves, or as an obstacle does `[m/s]`
    fn velocity(&self, vertex: u32, rigid: &Rigid, v: &[f64]) -> Point {
        match rigid.get(&self.body_of(vertex)) {
            Some((motion, turn)) => motion.velocity + turn.cross(&self.arm(vertex, motion)),
            None => self.surfaces.vertices[vertex as usize].of(v),
        }
    }

    /// How gravity brings them together where they fly at one of the step's ends `[m/s²]`
    fn fall(&self, meeting: &Meeting, end: usize) -> f64 {
        self.pull(meeting, |body| self.flying[end].get(body).is_some_and(|&flies| flies))
    }

    /// How gravity would bring them together without what holds them apart `[m/s²]`
    fn weight(&self, meeting: &Meeting) -> f64 {
        self.pull(meeting, |body| body < self.solver.model().bodies.len())
    }

    fn pull(&self, meeting: &Meeting, falls: impl Fn(usize) -> bool) -> f64 {
        let gravity = self.solver.model().gravity;
        -meeting.opening(|vertex| if falls(self.body_of(vertex)) { gravity } else { Point::zeros() })
    }

    /// How much more they are open at the end than at the start `[m]`
    fn opened(&self, meeting: &Meeting) -> f64 {
        let [from, to] = [&self.from.touch.vertices, &self.to.touch.vertices];
        meeting.opening(|vertex| to[vertex as usize] - from[vertex as usize])
    }

    /// Writes down who touches and how fast they may part.
    fn meet(&self, before: &[[usize; 2]], after: &[[usize; 2]], v0: &[f64], bounces: &mut Vec<Bounce>) {
        let known: BTreeMap<[u32; 2], Bounce> = bounces.drain(..).map(|bounce| (bounce.sides, bounce)).collect();
        let e = |[a, b]: [u32; 2]| self.surfaces.restitution(a, b);
        let sides = |pair: &[usize; 2]| pair.map(|side| side as u32);
        let counted =
            after.iter().filter(|pair| self.solver.may_bounce(**pair)).map(sides).filter(|pair| e(*pair) < 1.0);
        bounces.extend(counted.map(|sides| {
            let touched = before.binary_search(&sides.map(|side| side as usize)).is_ok();
            // What touches from the start has not come flying.
            let new = Bounce { sides, steps: if touched { u32::MAX } else { 0 }, ..Bounce::default() };
            let bounce = known.get(&sides).copied().unwrap_or(new);
            Bounce { steps: bounce.steps.saturating_add(1), ..bounce }
        }));
        let most = BOUNCE_STEPS.max((BOUNCE_TIME / self.h) as u32);
        let young: BTreeSet<[u32; 2]> =
            bounces.iter().filter(|bounce| bounce.steps <= most).map(|bounce| bounce.sides).collect();
        let meetings = meetings(self.surfaces, &self.to.touch, |sides| young.contains(&sides));
        let rigid = self.solver.rigid(meetings.keys(), &self.from.x, v0);
        for bounce in bounces.iter_mut().filter(|bounce| bounce.steps <= most) {
            let Some(meeting) = meetings.get(&bounce.sides) else { continue };
            let speed = -meeting.opening(|vertex| self.velocity(vertex, &rigid, v0));
            let is_new = bounce.steps == 1;
            let fall = if is_new { self.fall(meeting, 0) } else { 0.0 };
            let arrival = match is_new {
                true => speed + 0.5 * self.h * fall,
                false => speed - self.h * self.weight(meeting).max(0.0),
            };
            let arrival = arrival.max(0.0);
            let way = (-self.opened(meeting) - meeting.mean_depth()).max(0.0);
            let allowed = e(bounce.sides) * (arrival * arrival + 2.0 * fall * way).max(0.0).sqrt();
            // What was parting already and trembles may go on.
            let parting = if is_new { (-speed).max(0.0) } else { 0.0 };
            bounce.allowed = bounce.allowed.max(allowed).max(parting);
            self.remember(meeting, &rigid, bounce);
        }
    }

    /// How far a body's centre went in the step `[m]`
    fn went(&self, body: usize, mass: f64) -> Point {
        let model = self.solver.model();
        let way = |node: usize| node_of(&self.to.x, node) - node_of(&self.from.x, node);
        let nodes = model.bodies[body].nodes.clone();
        nodes.map(|node| model.node_mass[node] * way(node)).sum::<Point>() / mass
    }

    /// Adds to a bounce what its surfaces push each other now.
    fn remember(&self, meeting: &Meeting, rigid: &Rigid, bounce: &mut Bounce) {
        let add = |sum: &mut [f64; 3], more: Point| (0..3).for_each(|i| sum[i] += self.h * more[i]);
        bounce.weight += self.h * meeting.force;
        add(&mut bounce.impulse, meeting.on_first);
        for (side, arm) in bounce.sides.into_iter().zip(&mut bounce.arms) {
            if let Some((motion, _)) = rigid.get(&(side as usize)) {
                let centre = motion.centre + self.went(side as usize, motion.mass);
                add(arm, meeting.place - meeting.force * centre);
            }
        }
    }

    /// Takes from v what is faster than allowed where surfaces have parted.
    fn part(&self, parted: &BTreeMap<[u32; 2], Bounce>, v: &mut [f64], by_body: &mut [Exchange]) -> Exchange {
        let meetings = meetings(self.surfaces, &self.from.touch, |sides| parted.contains_key(&sides));
        let mut rigid = self.solver.rigid(meetings.keys(), &self.to.x, v);
        let mut taken = Exchange::default();
        for (sides, meeting) in &meetings {
            let bounce = &parted[sides];
            let fall = self.fall(meeting, 1);
            let way = (self.opened(meeting) - meeting.mean_depth()).max(0.0);
            let allowed = (bounce.allowed.powi(2) - 2.0 * fall * way).max(0.0).sqrt() + (0.5 * self.h * fall).max(0.0);
            let kicks = self.kicks(bounce, &rigid);
            let is_obstacle = |vertex: u32| !rigid.contains_key(&self.body_of(vertex));
            let dragged = meeting.opening(|vertex| match is_obstacle(vertex) {
                true => self.velocity(vertex, &rigid, v),
                false => Point::zeros(),
            });
            let speed = dragged + kicks.iter().map(|kick| kick.speed(&rigid)).sum::<f64>();
            if kicks.is_empty() || speed <= allowed {
                continue;
            }
            let give: f64 = kicks.iter().map(|kick| kick.push.dot(&kick.velocity) + kick.turn.dot(&kick.spin)).sum();
            let impulse = (allowed - speed) / give;
            let (loss, work) = (-impulse * 0.5 * (speed + allowed), -impulse * dragged);
            for kick in &kicks {
                let share = 1.0 / kicks.len() as f64;
                by_body[kick.body].contact_loss += share * loss;
                by_body[kick.body].work += share * work;
                kick.give(self.solver.model(), impulse, &self.to.x, rigid.get_mut(&kick.body), v);
            }
            taken.contact_loss += loss;
            taken.work += work;
        }
        taken
    }

    /// What a unit of impulse does to each body of a bounce, at one point that both sides share: so their spin together stays.
    fn kicks(&self, bounce: &Bounce, rigid: &Rigid) -> Vec<Kick> {
        let Some(direction) = Point::from(bounce.impulse).try_normalize(0.0) else { return Vec::new() };
        let bodies: Vec<(usize, f64, Point)> = [(0, 1.0), (1, -1.0)]
            .into_iter()
            .map(|(k, sign)| (bounce.sides[k] as usize, sign, Point::from(bounce.arms[k]) / bounce.weight))
            .filter(|(body, ..)| rigid.contains_key(body))
            .collect();
        let place = bodies.iter().map(|(body, _, arm)| rigid[body].0.centre + arm).sum::<Point>() / bodies.len() as f64;
        let kick = |&(body, sign, _): &(usize, f64, Point)| {
            let motion = &rigid[&body].0;
            let push = sign * direction;
            let turn = (place - motion.centre).cross(&push);
            Kick { body, push, turn, velocity: push / motion.mass, spin: motion.turn_of(turn) }
        };
        bodies.iter().map(kick).collect()
    }
}

/// What a unit of impulse between two surfaces does to one of their bodies.
#[derive(Debug, Clone, Copy)]
struct Kick {
    body: usize,
    /// n and r × n `[m]`
    push: Point,
    turn: Point,
    /// The change of its velocity and of its turning, by the `[N s]`
    velocity: Point,
    spin: Point,
}

impl Kick {
    /// How fast its body moves along it `[m/s]`
    fn speed(&self, rigid: &Rigid) -> f64 {
        rigid.get(&self.body).map_or(0.0, |(motion, turn)| self.push.dot(&motion.velocity) + self.turn.dot(turn))
    }

    /// Moves the body as if it were rigid.
    fn give(&self, model: &Model, impulse: f64, x: &[f64], rigid: Option<&mut (RigidMotion, Point)>, v: &mut [f64]) {
        let Some((motion, turn)) = rigid else { return };
        for node in model.bodies[self.body].nodes.clone() {
            let change = impulse * (self.velocity + self.spin.cross(&(node_of(x, node) - motion.centre)));
            (0..3).for_each(|i| v[3 * node + i] += change[i]);
        }
        motion.velocity += impulse * self.velocity;
        motion.angular_momentum += impulse * self.turn;
        *turn += impulse * self.spin;
    }
}
