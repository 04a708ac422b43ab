//! The stage as Newton sees it: ½‖x − x̂‖²_m + s² (P(x) + P_n(x) − f·x), P_n(x) = L R((x − origin)/L), f what pushes from outside.

use super::drags::Drags;
use super::foresight::Foresight;
use super::group_steps::GroupCuts;
use super::hindrances::Hindrances;
use super::pushes::Pushes;
use super::settling::Settling;
use super::{Change, Direction, Leads, Objective, Value, turning};
use crate::contact::VertexMotion;
use crate::model::RelativeChange;
use crate::solve::assembly::{Assembly, Terms};
use crate::solve::contact::{Bending, ContactStep, Nearby, Sliding};
use crate::solve::elastic;
use crate::solve::evaluation::Evaluation;
use crate::solve::hindrance::GivenUp;
use crate::solve::linear::LinearSolver;
use crate::solve::settings::SolverSettings;
use crate::solve::stage::SolveError;
use crate::solve::times::PhaseTimes;
use std::time::Instant;

/// One stage, and everything that solving it needs.
pub struct StageObjective<'a> {
    /// What does not change meanwhile
    pub terms: Terms<'a>,
    pub settings: &'a SolverSettings,
    pub nearby: &'a mut Nearby,
    pub assembly: &'a mut Assembly,
    pub linear: &'a mut LinearSolver,
    pub times: &'a mut PhaseTimes,
    pub foresight: Foresight,
    pub pushes: Pushes,
    pub drags: Drags,
    pub settling: Settling,
    /// What the present direction knows of contact that no linear system says
    pub counted: Bending,
    pub hindrances: Hindrances,
    /// Of conjugate gradients
    pub linear_iterations: usize,
    /// How often a step, or some group's part of it, was cut to less than half
    pub cut_short: usize,
    /// Directions sought so far
    pub directions: usize,
    /// The longest displacement of each body's nodes in the step before `[m]`
    pub taken: Vec<f64>,
    /// Who goes part of the present direction
    pub cuts: GroupCuts,
}

/// Of the step that ends the iteration: shorter ones may be of any length.
const ROUNDING: f64 = 1e-3;

impl StageObjective<'_> {
    /// The largest part of the step dx from x, at most 1, that inverts no element and lets no surfaces touch.
    pub fn largest_step_from(&mut self, x: &[f64], dx: &[f64]) -> f64 {
        let most = elastic::largest_step(self.terms.model, x, dx);
        let Some(surfaces) = self.terms.surfaces else { return self.hindrances.limited(most, None) };
        if most == 1.0 {
            let (most, by) = self.nearby.largest_step(surfaces, x, dx);
            return self.hindrances.limited(most, by);
        }
        // Elements first: the shorter the step, the fewer surfaces meet.
        let shortened: Vec<f64> = dx.iter().map(|d| most * d).collect();
        let (part, by) = self.nearby.largest_step(surfaces, x, &shortened);
        self.hindrances.limited(most * part, by)
    }

    /// The longest displacement of a body's nodes that ends its part of the iteration `[m]`: of a joined one a turn that joints
    /// take for straight.
    pub fn longest_allowed(&self, body: usize) -> f64 {
        let (model, allowed) = (self.terms.model, self.settings.newton.displacement);
        if !model.is_jointed(body) {
            return allowed;
        }
        let first = model.bodies[body].nodes.start;
        allowed.min(turning::STRAIGHT * (model.rest[first + 1] - model.rest[first]).norm())
    }

    /// The longest displacement of a node `[m]`, more where less is allowed.
    pub fn longest_counted(&self, d: &[f64]) -> f64 {
        let model = self.terms.model;
        let joined = model.joints.iter().flat_map(|joint| joint.bodies()).flatten();
        let of_joined = |body: usize| {
            let nodes = &model.bodies[body].nodes;
            let longest = longest_step(&d[3 * nodes.start..3 * nodes.end]);
            longest * (self.settings.newton.displacement / self.longest_allowed(body))
        };
        joined.map(of_joined).fold(longest_step(d), f64::max)
    }

    /// Steps of Hessians that are not those of the place shrink by some κ each, and κ/(1 − κ) of the last is still to come: one that
    /// would end a body's iteration with more than that allows ends nothing, and the next has Hessians of the place. Whether there is one.
    fn renew_doubtful_hessians(&mut self, d: &[f64]) -> bool {
        let is_doubtful = |body: &usize| {
            let length = longest_step(self.terms.model.bodies[*body].part_of(d));
            let (before, allowed) = (self.taken[*body], self.longest_allowed(*body));
            let ends = length < allowed && length > ROUNDING * allowed;
            ends && self.assembly.elements.keeps(*body) && length * length >= (before - length) * allowed
        };
        let doubtful: Vec<usize> = (0..self.taken.len()).filter(is_doubtful).collect();
        doubtful.iter().for_each(|&body| self.assembly.elements.renew(body));
        !doubtful.is_empty()
    }

    /// What `look` finds of the step d as contacts see it; none without surfaces.
    pub fn look_at_contact<T>(
        &mut self,
        at: &Evaluation,
        d: &[f64],
        look: impl FnOnce(ContactStep<'_>) -> T,
    ) -> Option<T> {
        let surfaces = self.terms.surfaces?;
        if self.terms.frozen.is_some() {
            self.assembly.set_velocity(self.terms, &at.x);
        }
        let mut of_vertices = Vec::new();
        surfaces.gather(d, &mut of_vertices);
        let (touch, bends, counted) = (&at.touch, self.pushes.bends(), &self.counted);
        Some(look(ContactStep { surfaces, touch, bends, d: &of_vertices, sliding: self.sliding(at), counted }))
    }

    /// What contacts lose, at a position and the velocity that the assembly holds
    fn sliding<'a>(&'a self, at: &'a Evaluation) -> Option<Sliding<'a>> {
        let length = self.terms.stage.velocity_length;
        let motion = VertexMotion { x: &at.touch.vertices, v: self.assembly.vertex_velocity(), length };
        let (rate, bends) = (1.0 / length, self.drags.bends());
        self.terms.frozen.map(|frozen| Sliding { losses: &frozen.contact, motion, rate, bends })
    }
}

/// The longest displacement of a node `[m]`.
pub fn longest_step(d: &[f64]) -> f64 {
    d.chunks_exact(3).map(|d| d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).fold(0.0, f64::max).sqrt()
}

impl Objective for StageObjective<'_> {
    fn evaluate(&mut self, at: &mut Evaluation) {
        let clock = Instant::now();
        at.renew(self.terms.model, self.terms.surfaces.map(|surfaces| (surfaces, &mut *self.nearby)));
        self.times.line_search += clock.elapsed();
    }

    fn value(&mut self, at: &Evaluation) -> Result<Value, SolveError> {
        let clock = Instant::now();
        let s2 = self.terms.squared_length();
        let dissipation = self.assembly.dissipation(self.terms, at);
        let inertia = self.assembly.inertia(self.terms, &at.x);
        let pushed = self.terms.pushed(&at.x);
        let value = inertia + s2 * (at.energies.total() + dissipation - pushed);
        self.times.line_search += clock.elapsed();
        if value.is_nan() {
            return Err(SolveError::NotFinite { what: "the energy" });
        }
        Ok(Value { value, magnitude: inertia + s2 * (at.energies.magnitude() + dissipation.abs() + pushed.abs()) })
    }

    fn direction(&mut self, at: &Evaluation, d: &mut [f64]) -> Result<Direction, SolveError> {
        self.hindrances.begin_direction();
        self.directions += 1;
        self.counted.clear();
        let mut leads = self.find_direction(at, d)?;
        if self.renew_doubtful_hessians(d) {
            leads = Leads::PartOfTheWay;
        }
        let clock = Instant::now();
        let slope = self.assembly.slope(self.terms, d);
        self.cuts = self.shorten_by_group(at, d, slope);
        self.times.line_search += clock.elapsed();
        // A step that was solved for loosely settles nothing: its residual would be lost momentum.
        match leads {
            Leads::There => self.settle(at, d),
            Leads::Near | Leads::PartOfTheWay | Leads::IntoOthers => self.settling = Settling::default(),
        }
        if self.cuts.any() {
            let slope = self.assembly.slope(self.terms, d);
            return Ok(Direction { slope, leads: Leads::IntoOthers });
        }
        Ok(Direction { slope, leads })
    }

    fn slope(&mut self, at: &Evaluation, d: &[f64]) -> f64 {
        let clock = Instant::now();
        // A gradient that cannot be had decides against the step.
        let slope = self.assembly.slope_at(self.terms, at, d).unwrap_or(f64::NAN);
        self.times.line_search += clock.elapsed();
        slope
    }

    fn largest_step(&mut self, at: &Evaluation, d: &[f64]) -> f64 {
        let clock = Instant::now();
        let step = self.largest_step_from(&at.x, d);
        self.times.line_search += clock.elapsed();
        step
    }

    fn turn(&mut self, at: &Evaluation, d: &[f64], step: &mut f64, chord: &mut Vec<f64>) -> bool {
        let clock = Instant::now();
        let model = self.terms.model;
        let turns = turning::safe_chord(model, &at.x, d, step, chord, |chord| self.largest_step_from(&at.x, chord));
        self.times.line_search += clock.elapsed();
        turns
    }

    fn change(&mut self, at: &Evaluation, d: &[f64]) -> Change {
        let (displacement, mut gap) = (self.longest_counted(d), 0.0);
        // A step that goes far ends nothing, whatever it leaves of forces.
        let may_end = displacement < self.settings.newton.displacement;
        if may_end {
            let left = self.look_at_contact(at, d, |step| step.forces_left()).unwrap_or_default();
            gap = left.into_iter().fold(0.0, f64::max);
        }
        Change { displacement, relative: RelativeChange { gap, stretch: 0.0 } }
    }

    fn may_climb(&self) -> bool {
        !self.terms.model.joints.is_empty()
    }

    fn gave_up_direction(&mut self) {
        self.pushes.distrust();
        self.drags.distrust();
    }

    fn moved(&mut self, from: &Evaluation, d: &[f64], part: f64, to: &Evaluation) {
        // A second step for one direction goes back, and was not cut.
        let cuts = std::mem::take(&mut self.cuts);
        let least = part * cuts.least;
        self.cut_short += usize::from(least < 0.5);
        self.hindrances.moved(least);
        self.drags_moved(from, d, part);
        if let Some(surfaces) = self.terms.surfaces {
            self.pushes.moved(surfaces, &from.touch, d, part, cuts.any(), &self.counted);
        }
        self.taken.clear();
        self.taken.extend(self.terms.model.bodies.iter().map(|body| part * longest_step(body.part_of(d))));
        self.settling.moved(self.terms.model, &from.x, d, &to.x);
        self.assembly.moved(self.terms.model, &from.x, &to.x);
    }

    fn given_up(&mut self, at: &Evaluation, d: &[f64], why: GivenUp) {
        self.note_stuck(at, d, why);
    }
}
