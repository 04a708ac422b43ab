//! Where Newton goes from a position: the stage's forces and stiffness are assembled and solved for, as they are or with the
//! barriers kept whole (`gap_model`).

use super::bodies_stage::{StageObjective, linear_error, longest_step};
use super::bodies_world::Buffers;
use super::curved_steps;
use super::elastic;
use super::gap_model;
use super::linear::{Choice, LinearError, scalar_blocks};
use super::stage::SolveError;
use crate::laws::tetrahedron;
use std::sync::Arc;
use std::time::Instant;

/// In contact the direct solver serves up to this many nodes: barriers are stiff, and conjugate gradients pay for stiffness.
const DIRECT_IN_CONTACT: usize = 30_000;

/// A barrier at a gap of nanometres can outweigh all else by more than rounding resolves, and the matrix then has no factor.
/// These parts of each node's stiffness are added, one after the other, until it has: the direction still leads downhill.
const ROUNDED_AWAY: [f64; 3] = [1e-14, 1e-12, 1e-10];

/// Relative residual of conjugate gradients in a Newton step that does not end the iteration: tighter saves no Newton iteration
/// (measured on the rotating cube, the twisted bar and the balls).
const FAR_TOLERANCE: f64 = 3e-2;

/// How often the model's step may run into something new before it is taken as it is.
const FORESIGHT: usize = 3;

impl StageObjective<'_> {
    /// Evaluates forces and stiffness at x into the matrix and the right-hand side, both divided by s²; barriers are left out of
    /// the matrix on demand. Returns which rows stand.
    pub(super) fn assemble(&mut self, x: &[f64], with_barriers: bool) -> Result<Vec<bool>, SolveError> {
        let clock = Instant::now();
        let s2 = self.stage.length * self.stage.length;
        let dissipates = self.dissipates();
        let stands = self.world.standing(&self.settled, x);
        let Buffers { gradients, hessians, mass_factor, .. } = &mut self.world.buffers;
        let at_hand = self.world.evaluated.renew(&self.world.bodies, x, &stands);
        elastic::renew_gradients_and_hessians(&self.world.bodies, x, gradients, hessians, &at_hand);
        mass_factor.fill(1.0 / s2);
        if dissipates && self.world.damping.is_active() {
            self.world.evaluated.forget();
            self.world.damping.add_hessian(1.0 / self.stage.velocity_length, hessians, mass_factor);
        }
        let evaluated = Instant::now();
        self.gather_gradient(x)?;
        let standing = self.world.rows_of(&stands);
        let world = &mut *self.world;
        let Buffers { hessians, rhs, diagonal, mass_factor, velocity, .. } = &mut world.buffers;
        let fail = linear_error(&world.free_nodes);
        // The system is divided by s²: blocks go in as they are.
        let pattern = match &mut world.contact {
            Some(contact) => Arc::clone(contact.pattern(dissipates).map_err(fail)?),
            None => Arc::clone(world.matrix.pattern()),
        };
        world.matrix.reset(&pattern);
        // What has settled is not pushed any more: its mass alone keeps its part of the system definite.
        world.scatter.add_blocks_but(hessians, &standing, &mut world.matrix).map_err(fail)?;
        if let Some(contact) = &mut world.contact {
            if with_barriers {
                contact.add_hessians(&mut world.matrix).map_err(fail)?;
            }
            if dissipates {
                let scale = 1.0 / self.stage.velocity_length;
                contact.add_friction_hessians(velocity, scale, &mut world.matrix).map_err(fail)?;
            }
        }
        let mass = &world.bodies.mass;
        for (diagonal, &node) in diagonal.iter_mut().zip(&world.free_nodes) {
            *diagonal = mass_factor[node as usize] * mass.lumped_masses()[node as usize];
        }
        world.matrix.add_diagonal(diagonal).map_err(fail)?;
        for block in mass.blocks() {
            let rows: [u32; 4] = std::array::from_fn(|i| world.rows[block.first_node + i]);
            let factor = mass_factor[block.first_node];
            let pairs = tetrahedron::BLOCKS.map(|(a, b)| factor * block.matrix[(a, b)]);
            let mut blocks = [[0.0; 9]; 10];
            scalar_blocks(&pairs, &mut blocks);
            world.matrix.add_stencil(&rows, &blocks).map_err(fail)?;
        }
        rhs.iter_mut().for_each(|g| *g = -*g / s2);
        for (rhs, _) in rhs.chunks_exact_mut(3).zip(&standing).filter(|&(_, &stands)| stands) {
            rhs.fill(0.0);
        }
        world.times.evaluate += evaluated - clock;
        world.times.assemble += evaluated.elapsed();
        Ok(standing)
    }

    /// Solves the assembled system; whether a direct solver did.
    pub(super) fn solve_newton(&mut self, x: &[f64], d: &mut [f64]) -> Result<bool, SolveError> {
        let clock = Instant::now();
        let world = &mut *self.world;
        let fail = linear_error(&world.free_nodes);
        let Buffers { rhs, solution, diagonal, .. } = &mut world.buffers;
        let touching = world.contact.as_ref().is_some_and(|contact| contact.active_pairs() > 0);
        let stiff = touching && world.free_nodes.len() <= DIRECT_IN_CONTACT;
        let choice = world.settings.linear;
        world.linear.choice = if stiff && choice == Choice::Auto { Choice::Direct } else { choice };
        let tolerance = world.settings.linear_tolerance;
        let far = tolerance.max(FAR_TOLERANCE);
        let mut solved = world.linear.solve(&world.matrix, rhs, solution, far);
        for share in ROUNDED_AWAY {
            let Err(LinearError::NotPositiveDefinite { .. }) = solved else { break };
            for (node, diagonal) in diagonal.iter_mut().enumerate() {
                let block = world.matrix.block(node as u32, node as u32).map_or(0.0, |b| b[0].max(b[4]).max(b[8]));
                *diagonal = share * block;
            }
            world.matrix.add_diagonal(diagonal).map_err(fail)?;
            solved = world.linear.solve(&world.matrix, rhs, solution, far);
        }
        let mut report = solved.map_err(fail)?;
        // What is left of the residual of the step that ends the iteration would be lost momentum.
        if !report.direct && tolerance < far && longest_step(solution) < world.settings.newton.displacement {
            report = world.linear.go_on(&world.matrix, rhs, solution, tolerance).map_err(fail)?;
        }
        world.linear_iterations += report.iterations;
        world.spread_solution(d);
        if !report.direct && self.pin_pull.is_none() {
            world.correct_mean_motion(self.stage, x, d);
        }
        world.times.linear += clock.elapsed();
        Ok(report.direct)
    }

    /// The direction of the model that keeps barriers as they are, with what its steps run into made part of it; whether it leads
    /// to the model's minimum.
    pub(super) fn solve_model(&mut self, x: &[f64], d: &mut [f64]) -> Result<bool, SolveError> {
        self.world.linear.choice = Choice::Direct;
        self.world.buffers.solution.fill(0.0);
        let mut arrived = false;
        for round in 0..=FORESIGHT {
            let standing = self.assemble(x, false)?;
            let clock = Instant::now();
            let world = &mut *self.world;
            let Some(contact) = &mut world.contact else { break };
            let gaps = contact.linear_gaps(&standing);
            let Buffers { rhs, solution, .. } = &mut world.buffers;
            let solved =
                gap_model::minimise(&gaps, contact.reach(), &mut world.matrix, &mut world.linear, rhs, solution);
            if let Err(LinearError::NotPositiveDefinite { .. }) = solved {
                contact.forget_anticipated();
                self.assemble(x, true)?;
                return self.solve_newton(x, d);
            }
            arrived = solved.map_err(linear_error(&world.free_nodes))?;
            world.spread_solution(d);
            world.times.linear += clock.elapsed();
            let clock = Instant::now();
            let Some(contact) = &mut world.contact else { break };
            let news = round < FORESIGHT && contact.anticipate(x, &curved_steps::whole_chord(&world.bodies, x, d));
            world.times.line_search += clock.elapsed();
            if !news {
                break;
            }
        }
        Ok(arrived)
    }
}
