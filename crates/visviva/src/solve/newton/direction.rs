//! Where Newton goes from a position: the stage's forces and stiffness are assembled and solved for, as they are or with the
//! barriers kept whole (`gap_model`).

use super::objective::longest_step;
use super::{Leads, StageObjective, gap_model, turning};
use crate::solve::assembly::{Assemble, Assembly, Barriers};
use crate::solve::evaluation::Evaluation;
use crate::solve::linear::{Choice, LinearError, Touching};
use crate::solve::stage::SolveError;
use std::time::Instant;

/// Where several bodies touch something the direct solver serves up to this many nodes: its exact steps let bodies settle one by one,
/// and what has settled costs nothing more.
const DIRECT_IN_CONTACT: usize = 30_000;

/// A barrier at a gap of nanometres can outweigh all else by more than rounding resolves, and the matrix then has no factor.
/// These parts of each node's stiffness are added, one after the other, until it has: the direction still leads downhill.
const ROUNDED_AWAY: [f64; 3] = [1e-14, 1e-12, 1e-10];

/// Relative residual of conjugate gradients in a Newton step that does not end the iteration: tighter saves no Newton iteration
/// (measured on the rotating cube, the twisted bar and the balls).
const FAR_TOLERANCE: f64 = 3e-2;

/// So often may the line search cut steps to less than half: then they run into barriers that Newton's parabolas do not know of, and
/// the model that does is worth its many solves.
const CUT_SHORT: usize = 3;

/// From so many directions on a solve is no ordinary one: Hessians of elements are those of the place, and steps are not refined.
const STUBBORN: usize = 20;

/// What a direction of the model that keeps barriers may cost.
struct Effort {
    /// How often its step may run into something new before it is taken as it is
    foresight: usize,
    /// Systems solved before it is taken as far as it came
    inner_steps: usize,
}

/// Where systems are small, or few unknowns carry many vertices: collisions cost most.
const THOROUGH: Effort = Effort { foresight: 3, inner_steps: 20 };
/// Where each system costs as much as the rest of an iteration: most of what the model knows shows in the first few.
const THRIFTY: Effort = Effort { foresight: 1, inner_steps: 3 };

/// Systems of up to so many nodes are small.
const SMALL: usize = 4000;

/// Relative residual of conjugate gradients in the model's systems, whose residuals multiply.
const MODEL_TOLERANCE: f64 = 0.1;

impl StageObjective<'_> {
    /// d ← the direction that suits the bodies here.
    pub fn find_direction(&mut self, at: &Evaluation, d: &mut [f64]) -> Result<Leads, SolveError> {
        self.foresight.begin_direction();
        if self.barriers_dominate() { self.solve_model(at, d) } else { self.solve_newton(at, None, d) }
    }

    /// How the rest gives way where pins move by w along with the step; `pull` is K w.
    pub fn response_to_pins(&mut self, at: &Evaluation, pull: &[f64], d: &mut [f64]) -> Result<(), SolveError> {
        self.foresight.begin_direction();
        self.solve_newton(at, Some(pull), d).map(|_| ())
    }

    /// Newton's own direction, A d = f.
    fn solve_newton(&mut self, at: &Evaluation, pin_pull: Option<&[f64]>, d: &mut [f64]) -> Result<Leads, SolveError> {
        let choice = self.settings.linear;
        let touching = !at.touch.set.pairs().is_empty() && self.terms.model.bodies.len() > 1;
        let settles = touching && self.assembly.unknowns.count() <= DIRECT_IN_CONTACT;
        self.linear.choice = if settles && choice == Choice::Auto { Choice::Direct } else { choice };
        self.assemble(at, Barriers::InMatrix, pin_pull)?;
        let clock = Instant::now();
        let tolerance = self.settings.linear_tolerance;
        let far = tolerance.max(FAR_TOLERANCE);
        let (assembly, linear) = (&mut *self.assembly, &mut *self.linear);
        let Assembly { matrix, pattern, touching, force, solution, .. } = &mut *assembly;
        let touching = Touching { base: pattern.base(), nodes: touching };
        let mut solved = linear.solve_touching(matrix, touching, force, solution, far);
        for share in ROUNDED_AWAY {
            let Err(LinearError::NotPositiveDefinite { .. }) = solved else { break };
            assembly.stiffen(share).map_err(assembly.unknowns.named())?;
            solved = linear.solve(&assembly.matrix, &assembly.force, &mut assembly.solution, far);
        }
        let mut report = solved.map_err(assembly.unknowns.named())?;
        // What is left of the residual of the step that ends the iteration would be lost momentum.
        let last = longest_step(&assembly.solution) < self.settings.newton.displacement;
        if !report.direct && tolerance < far && last {
            let solved = linear.go_on(&assembly.matrix, &assembly.force, &mut assembly.solution, tolerance);
            report = solved.map_err(assembly.unknowns.named())?;
        }
        self.linear_iterations += report.iterations;
        assembly.unknowns.spread(&assembly.solution, d);
        if !report.direct {
            self.pushes.distrust();
            self.drags.distrust();
        }
        if !report.direct && pin_pull.is_none() {
            self.correct_mean_motion(at, d);
        }
        if report.direct && pin_pull.is_none() && self.directions <= STUBBORN {
            self.refine(at, d)?;
        }
        self.times.linear += clock.elapsed();
        Ok(if report.direct { Leads::There } else { Leads::Near })
    }

    /// The direction of the model that keeps barriers as they are, with what its steps run into made part of it.
    fn solve_model(&mut self, at: &Evaluation, d: &mut [f64]) -> Result<Leads, SolveError> {
        // With the solver that was asked for; left to choose, systems that are not large are factored.
        let choice = self.settings.linear;
        let is_large = self.assembly.unknowns.count() > DIRECT_IN_CONTACT;
        self.linear.choice = if choice == Choice::Auto && !is_large { Choice::Direct } else { choice };
        let is_small = self.are_stiff() || self.assembly.unknowns.count() <= SMALL;
        let effort = if is_small { THOROUGH } else { THRIFTY };
        self.assembly.solution.fill(0.0);
        let mut arrived = gap_model::Arrival::default();
        for round in 0..=effort.foresight {
            let standing = self.assemble(at, Barriers::LeftToModel, None)?;
            let clock = Instant::now();
            let Some(surfaces) = self.terms.surfaces else { break };
            let gaps = self.foresight.linear_gaps(surfaces, &at.touch, &self.assembly.unknowns, &standing);
            let (assembly, linear) = (&mut *self.assembly, &mut *self.linear);
            let touching = Touching { base: assembly.pattern.base(), nodes: &assembly.touching };
            let tolerance = self.settings.linear_tolerance;
            let system = gap_model::System {
                linear,
                touching,
                far_tolerance: tolerance.max(MODEL_TOLERANCE),
                tolerance,
                // What the mean motion is corrected by comes after.
                short: 2.0 * self.settings.newton.displacement,
            };
            let reach = surfaces.barrier.reach;
            let solved = gap_model::minimise(
                &gaps,
                reach,
                effort.inner_steps,
                &mut assembly.matrix,
                system,
                &assembly.force,
                &mut assembly.solution,
            );
            if let Err(LinearError::NotPositiveDefinite { .. }) = solved {
                self.foresight.begin_direction();
                return self.solve_newton(at, None, d);
            }
            arrived = solved.map_err(assembly.unknowns.named())?;
            self.linear_iterations += arrived.linear_iterations;
            if !arrived.directly {
                self.drags.distrust();
            }
            assembly.unknowns.spread(&assembly.solution, d);
            self.times.linear += clock.elapsed();
            let clock = Instant::now();
            let chord = turning::whole_chord(self.terms.model, &at.x, d);
            let news = round < effort.foresight && self.foresight.look(surfaces, self.nearby, &at.x, &chord);
            self.times.line_search += clock.elapsed();
            if !news {
                break;
            }
        }
        Ok(match (arrived.at_minimum, arrived.directly) {
            (false, _) => Leads::PartOfTheWay,
            (true, true) => Leads::There,
            (true, false) => {
                self.correct_mean_motion(at, d);
                Leads::Near
            }
        })
    }

    /// Whether barriers rather than linear algebra deserve the effort: few unknowns carry many vertices, as in affine bodies, or steps
    /// are cut by barriers again and again.
    fn barriers_dominate(&self) -> bool {
        self.terms.surfaces.is_some() && (self.are_stiff() || self.cut_short >= CUT_SHORT)
    }

    /// Whether few unknowns carry many vertices.
    fn are_stiff(&self) -> bool {
        let unknowns = &self.assembly.unknowns;
        self.terms.surfaces.is_some_and(|surfaces| surfaces.affine_vertices >= 2 * unknowns.count())
    }

    /// Assembles the system; returns which rows stand.
    fn assemble(
        &mut self,
        at: &Evaluation,
        barriers: Barriers,
        pin_pull: Option<&[f64]>,
    ) -> Result<Vec<bool>, SolveError> {
        self.begin_drags(at);
        let standing = self.standing(at);
        let foreseen = self.foresight.all_stencils();
        if let Some(surfaces) = self.terms.surfaces {
            self.pushes.begin_direction(surfaces, &at.touch, barriers);
        }
        let (bends, friction_bends) = (self.pushes.bends(), self.drags.bends());
        let ordinary = self.directions <= STUBBORN && pin_pull.is_none();
        let keep_hessians = ordinary && self.linear.choice == Choice::Direct;
        let (standing, foreseen) = (&standing[..], &foreseen[..]);
        let how = Assemble { standing, barriers, bends, friction_bends, foreseen, keep_hessians, pin_pull };
        self.assembly.assemble(self.terms, at, how, self.times)?;
        Ok(self.assembly.unknowns.rows_of(self.terms.model, standing))
    }
}
