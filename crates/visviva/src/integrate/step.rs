//! What every integrator is given and what it leaves: one step, its memory, its report.

use super::tableau::Tableau;
use crate::energy::alpha::SideCount;
use crate::energy::ledger::{Entries, Ledger};
use crate::energy::{Alpha, Goal};
use crate::math::vector;
use crate::model::{Energies, State};
use crate::solve::stage::inadmissible_term;
use crate::solve::{DissipativeForces, SolveError, SolveReport, World};
use serde::{Deserialize, Serialize};

/// A method that advances a world by one step.
pub trait Integrator: std::fmt::Debug + Send {
    /// Convergence order in h of the method as it is set.
    fn order(&self) -> u32;
    /// Advances the state; on an error it is left as it was.
    fn step(&mut self, world: &mut dyn World, state: &mut State, step: &Step<'_>) -> Result<StepReport, StepError>;
    fn memory(&self) -> &Memory;
    fn memory_mut(&mut self) -> &mut Memory;
    /// What the method is on linear problems, for stability theory.
    fn linear_form(&self) -> LinearForm;
}

/// A method as stability theory sees it.
#[derive(Debug, Clone, PartialEq)]
pub enum LinearForm {
    RungeKutta(Tableau),
    /// Positions from the base, velocities mixed with its adjoint's by a fixed α
    Decoupled {
        base: Tableau,
        alpha: f64,
    },
    /// Symplectic Euler and Störmer–Verlet: the same trace and determinant
    ExplicitSymplectic,
    Newmark {
        beta: f64,
        gamma: f64,
    },
    Bdf2,
    /// Depends on the energy: not linear even on a linear problem
    Adaptive,
}

/// What a method carries from step to step. Saved with the state it saves the run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Memory {
    /// −m⁻¹∇P(x_n) of the conservative forces, from the momentum balance where a stage was solved there [m/s²]
    pub acceleration: Option<Vec<f64>>,
    /// The step before, for two-step methods
    pub previous: Option<Previous>,
    /// The sparse search's count
    pub side_count: SideCount,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Previous {
    pub x: Vec<f64>,
    pub v: Vec<f64>,
    pub h: f64,
}

/// The step to take.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Length [s]
    pub h: f64,
    /// H at its start [J]
    pub total_before: f64,
    pub goal: Goal<'a>,
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    pub solve: SolveReport,
    /// For methods that have an α
    pub alpha: Option<Alpha>,
    /// The wanted energy at the end [J]
    pub target: f64,
    /// The term that forbids the new position, where a method does not solve for it and it is inadmissible
    pub inadmissible: Option<&'static str>,
    pub ledger: Ledger,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error("the {term} energy is infinite: the position is inadmissible (inverted or penetrating)")]
    Inadmissible { term: &'static str },
    #[error("the state is no longer finite: the motion has blown up")]
    BlownUp,
}

/// The end of a step before it is booked: position, velocity, mean dissipative forces.
#[derive(Debug, Clone, Default)]
pub struct Advance {
    pub x1: Vec<f64>,
    pub v1: Vec<f64>,
    pub forces: DissipativeForces,
}

impl Advance {
    pub fn reset(&mut self, n: usize) {
        self.x1.resize(n, 0.0);
        self.v1.resize(n, 0.0);
        self.forces.reset(n);
    }

    /// Loss by friction, loss by damping, work of moving boundaries [J] on the way from x0.
    pub fn exchange(&self, world: &mut dyn World, x0: &[f64]) -> Exchange {
        let mut exchange = Exchange { friction_loss: 0.0, damping_loss: 0.0, work: world.boundary_work(x0, &self.x1) };
        if world.has_dissipation() {
            let mass = world.mass();
            let d = mass.dimension();
            for i in 0..x0.len() {
                let way = self.x1[i] - x0[i];
                let (friction, damping) = (self.forces.friction[i] * way, self.forces.damping[i] * way);
                exchange.friction_loss += friction;
                exchange.damping_loss += damping;
                // What a boundary drags, it pays for.
                if mass.is_pinned(i / d) {
                    exchange.work += friction + damping;
                }
            }
        }
        exchange
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exchange {
    pub friction_loss: f64,
    pub damping_loss: f64,
    pub work: f64,
}

impl Exchange {
    pub fn loss(&self) -> f64 {
        self.friction_loss + self.damping_loss
    }
}

/// What the α correction did, for methods that have one.
#[derive(Debug, Clone, Copy)]
pub struct Correction {
    pub alpha: Alpha,
    pub kinetic_before: f64,
    /// Energy put in, from the quadratic [J]
    pub energy: f64,
}

/// Moves the state to the end of the step and books it.
pub fn finish(
    world: &mut dyn World,
    state: &mut State,
    step: &Step<'_>,
    advance: &mut Advance,
    solve: SolveReport,
    exchange: Exchange,
    correction: Option<Correction>,
) -> Result<StepReport, StepError> {
    let Advance { x1, v1, .. } = advance;
    if !vector::all_finite(x1) || !vector::all_finite(v1) {
        return Err(StepError::BlownUp);
    }
    let mass = world.mass();
    let d = mass.dimension();
    for i in (0..x1.len()).filter(|i| mass.is_pinned(i / d)) {
        v1[i] = (x1[i] - state.x[i]) / step.h;
    }
    let kinetic = mass.kinetic_energy(v1);
    let potential = solve.energies.total();
    if kinetic.is_infinite() || potential.is_nan() {
        return Err(StepError::BlownUp);
    }
    let ledger = Ledger::book(Entries {
        total_before: step.total_before,
        potential,
        kinetic,
        kinetic_uncorrected: correction.map_or(kinetic, |c| c.kinetic_before),
        friction_loss: exchange.friction_loss,
        damping_loss: exchange.damping_loss,
        work: exchange.work,
        correction: correction.map_or(0.0, |c| c.energy),
    });
    std::mem::swap(&mut state.x, x1);
    std::mem::swap(&mut state.v, v1);
    state.t = step.goal.t1;
    Ok(StepReport {
        solve,
        alpha: correction.map(|c| c.alpha),
        target: step.goal.next_level(exchange.loss(), exchange.work),
        inadmissible: inadmissible_term(&solve.energies, world.terms()),
        ledger,
    })
}

/// out ← −m⁻¹∇P(x), evaluated.
pub fn evaluate_acceleration(world: &mut dyn World, x: &[f64], g: &mut [f64], out: &mut [f64]) {
    world.gradient(x, g);
    world.mass().solve(g, out);
    out.iter_mut().for_each(|a| *a = -*a);
}

/// P(x) by term; an explicit method must not go on from an inadmissible position.
pub fn admissible_energies(world: &mut dyn World, x: &[f64]) -> Result<Energies, StepError> {
    let energies = world.energies(x);
    match inadmissible_term(&energies, world.terms()) {
        Some(term) => Err(StepError::Inadmissible { term }),
        None => Ok(energies),
    }
}
