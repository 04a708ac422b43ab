//! Linear systems of an implicit elasticity solver: symmetric positive definite, 3×3 blocks on the node graph.
//!
//! A direct and an iterative solver stand side by side. Which one serves is decided by size and by the iterations the
//! iterative one was seen to need, never by the clock, so that a run is repeated to the bit.

mod analysis;
mod block_matrix;
mod cholesky;
mod chunks;
mod coarse;
mod condensed;
mod dense;
mod error;
mod frontal;
mod growing;
mod ordering;
mod pattern;
mod pcg;
mod product;
mod scatter;
mod sweep;

pub use block_matrix::{BlockMatrix, StencilSlots, scalar_blocks};
pub use cholesky::Cholesky;
pub use condensed::Touching;
pub use error::LinearError;
pub use growing::GrowingPattern;
pub use pattern::{BlockPattern, PINNED};
pub use pcg::{Pcg, PcgReport};
pub use scatter::Scatter;

use condensed::{Condensed, CondensedMemory};
use serde::{Deserialize, Serialize};

/// Systems below this many nodes are always factored: both ways take less than the choice is worth.
const SMALL: usize = 300;

/// The first rest from conjugate gradients after they failed to pay, in solves, and the longest.
const REST: u32 = 8;
const LONGEST_REST: u32 = 256;

/// Iterations that cost as much as one factorisation and its solve, by degrees of freedom, where nothing was factored yet: measured on
/// boxes of tets.
const BREAK_EVEN: [(f64, f64); 5] = [(650.0, 65.0), (4e3, 220.0), (14.5e3, 580.0), (37.5e3, 1000.0), (81e3, 1650.0)];

/// What one block of the matrix costs in an iteration, in multiplications of a factorisation: measured on two cores, with balls and
/// dice of tets from a general mesher.
const BLOCK_IN_FLOPS: f64 = 110.0;

/// Conjugate gradients may take so many times the break-even where they were asked for.
const INSISTENCE: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    #[default]
    Auto,
    Direct,
    Iterative,
}

/// How one system was solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearReport {
    pub direct: bool,
    /// Of conjugate gradients, also where they gave up and the direct solver took over.
    pub iterations: usize,
    /// Relative residual of conjugate gradients in the preconditioner's norm; zero for the direct solver.
    pub residual: f64,
}

/// What later solves depend on: a run that continues from a checkpoint needs it to repeat the bits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LinearMemory {
    /// Solves left before conjugate gradients are tried again, and how long the next rest will be.
    rest_left: u32,
    next_rest: u32,
    order: Vec<u32>,
    order_flops: f64,
    condensed: CondensedMemory,
}

#[derive(Debug, Default)]
pub struct LinearSolver {
    pub choice: Choice,
    cholesky: Cholesky,
    condensed: Condensed,
    is_condensed: bool,
    pcg: Pcg,
    rest_left: u32,
    next_rest: u32,
}

impl LinearSolver {
    pub fn new(choice: Choice) -> Self {
        Self { choice, ..Self::default() }
    }

    pub fn restored(choice: Choice, memory: LinearMemory) -> Self {
        let mut cholesky = Cholesky::new();
        cholesky.set_ordering(memory.order, memory.order_flops);
        let condensed = Condensed::restored(memory.condensed);
        let (rest_left, next_rest) = (memory.rest_left, memory.next_rest);
        Self { choice, cholesky, condensed, rest_left, next_rest, ..Self::default() }
    }

    pub fn memory(&self) -> LinearMemory {
        let (order, order_flops) = self.cholesky.ordering();
        let (rest_left, next_rest) = (self.rest_left, self.next_rest);
        let condensed = self.condensed.memory();
        LinearMemory { rest_left, next_rest, order: order.to_vec(), order_flops, condensed }
    }

    /// Solves A·x = b; `tolerance` is the relative residual at which conjugate gradients may stop.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix,
        b: &[f64],
        x: &mut [f64],
        tolerance: f64,
    ) -> Result<LinearReport, LinearError> {
        self.solve_by_choice(matrix, None, b, x, tolerance)
    }

    /// The same for bodies that touch: directly they are solved for in two steps, where that pays.
    pub fn solve_touching(
        &mut self,
        matrix: &BlockMatrix,
        touching: Touching<'_>,
        b: &[f64],
        x: &mut [f64],
        tolerance: f64,
    ) -> Result<LinearReport, LinearError> {
        self.solve_by_choice(matrix, Some(touching), b, x, tolerance)
    }

    fn solve_by_choice(
        &mut self,
        matrix: &BlockMatrix,
        touching: Option<Touching<'_>>,
        b: &[f64],
        x: &mut [f64],
        tolerance: f64,
    ) -> Result<LinearReport, LinearError> {
        let node_count = matrix.node_count();
        error::expect_len("right-hand side", b.len(), 3 * node_count)?;
        error::expect_len("solution", x.len(), 3 * node_count)?;
        if let Some(k) = b.iter().position(|value| !value.is_finite()) {
            return Err(LinearError::NotFinite { node: k / 3 });
        }
        let limit = match self.choice {
            Choice::Direct => None,
            Choice::Auto if node_count < SMALL => None,
            Choice::Auto if self.rest_left > 0 => {
                self.rest_left -= 1;
                None
            }
            _ => Some(self.limit(matrix, false)),
        };
        let mut spent = 0;
        if let Some(limit) = limit {
            let outcome = self.pcg.solve(matrix, b, x, tolerance, limit);
            match self.judge(outcome)? {
                Ok(report) => return Ok(report),
                Err(iterations) => spent = iterations,
            }
        }
        if let Some(touching) = touching.filter(|&touching| Condensed::pays(touching)) {
            self.is_condensed = true;
            match self.condensed.factor(matrix, touching) {
                // What is left fills a square; the whole is sparse.
                Err(LinearError::TooLarge { .. }) => {}
                outcome => {
                    outcome?;
                    x.copy_from_slice(b);
                    self.condensed.solve(x)?;
                    return Ok(LinearReport { direct: true, iterations: spent, residual: 0.0 });
                }
            }
        }
        self.factor_and_solve(matrix, b, x, spent)
    }

    /// Goes on with the last solve, which was iterative, to a tighter tolerance; the report counts from its beginning.
    pub fn go_on(
        &mut self,
        matrix: &BlockMatrix,
        b: &[f64],
        x: &mut [f64],
        tolerance: f64,
    ) -> Result<LinearReport, LinearError> {
        let limit = self.limit(matrix, true);
        let outcome = self.pcg.go_on(matrix, x, tolerance, limit);
        match self.judge(outcome)? {
            Ok(report) => Ok(report),
            Err(spent) => self.factor_and_solve(matrix, b, x, spent),
        }
    }

    /// Overwrites b by the solution for the matrix of the last solve, which was direct.
    pub fn solve_again(&mut self, b: &mut [f64]) -> Result<(), LinearError> {
        if self.is_condensed { self.condensed.solve(b) } else { self.cholesky.solve(b) }
    }

    /// The report of conjugate gradients that converged; otherwise the iterations spent, and they are given a rest.
    fn judge(&mut self, outcome: Result<PcgReport, LinearError>) -> Result<Result<LinearReport, usize>, LinearError> {
        let spent = match outcome {
            Ok(PcgReport { iterations, residual, converged: true }) => {
                self.next_rest = REST;
                return Ok(Ok(LinearReport { direct: false, iterations, residual }));
            }
            Ok(report) => report.iterations,
            // Rounding can fake indefiniteness: elimination has the last word, and names the node.
            Err(LinearError::NegativeCurvature { iteration, .. }) => iteration,
            Err(LinearError::NotPositiveDefinite { .. }) => 0,
            Err(error) => return Err(error),
        };
        self.next_rest = self.next_rest.max(REST);
        self.rest_left = self.next_rest;
        self.next_rest = (2 * self.next_rest).min(LONGEST_REST);
        Ok(Err(spent))
    }

    /// Iterations after which conjugate gradients give up: where factors are known to be cheap, halfway, as what was spent by then is
    /// lost and a factor gives exact steps. Those that are `nearly` there may go the whole way.
    fn limit(&self, matrix: &BlockMatrix, nearly: bool) -> usize {
        let (order, flops) = self.cholesky.ordering();
        let whole = (order.len() == matrix.node_count()).then_some(flops);
        let known = whole.or_else(|| self.condensed.flops(matrix.node_count()));
        let even = match known {
            Some(flops) => {
                (flops / (BLOCK_IN_FLOPS * matrix.pattern().block_count() as f64)).round().max(20.0) as usize
            }
            None => break_even(matrix.node_count()),
        };
        match self.choice {
            Choice::Iterative => INSISTENCE * even,
            _ if known.is_some() && !nearly => even / 2,
            _ => even,
        }
    }

    fn factor_and_solve(
        &mut self,
        matrix: &BlockMatrix,
        b: &[f64],
        x: &mut [f64],
        spent: usize,
    ) -> Result<LinearReport, LinearError> {
        self.is_condensed = false;
        self.cholesky.factor(matrix)?;
        x.copy_from_slice(b);
        self.cholesky.solve(x)?;
        Ok(LinearReport { direct: true, iterations: spent, residual: 0.0 })
    }
}

/// Iterations that cost one factorisation: the table, interpolated in logarithms and continued at its ends.
fn break_even(node_count: usize) -> usize {
    let dof = (3 * node_count).max(1) as f64;
    let k = BREAK_EVEN[1..BREAK_EVEN.len() - 1].partition_point(|&(size, _)| size < dof);
    let ((d0, i0), (d1, i1)) = (BREAK_EVEN[k], BREAK_EVEN[k + 1]);
    let t = (dof / d0).ln() / (d1 / d0).ln();
    (i0 * (i1 / i0).powf(t)).round().max(20.0) as usize
}
