//! What every integrator is given and what it leaves: one step, its memory, its report.

use super::tableau::Tableau;
use crate::energy::alpha::SideCount;
use crate::energy::ledger::{Entries, Ledger};
use crate::energy::{Alpha, Goal};
use crate::math::vector;
use crate::model::{Exchange, State};
use crate::solve::{
    Backend, Bounce, DissipativeForces, Evaluation, Frozen, LastingContact, Motion, SolveError, SolveReport, Way,
    inadmissible_term,
};
use serde::{Deserialize, Serialize};

/// A method that advances a state by one step.
pub trait Integrator: std::fmt::Debug + Send {
    /// Convergence order in h of the method as it is set.
    fn order(&self) -> u32;
    /// Advances the state and fills `end`. On an error state and memory are left as they were.
    fn step(
        &mut self,
        backend: &mut dyn Backend,
        state: &mut State,
        step: &Step<'_>,
        end: &mut StepEnd,
    ) -> Result<StepReport, StepError>;
    /// Whether it follows the energy target.
    fn follows_target(&self) -> bool {
        false
    }
    /// Whether it does so body by body, where that is asked.
    fn directs_bodies(&self) -> bool {
        false
    }
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
    /// −m⁻¹∇P(x_n) of the conservative forces, from the momentum balance where a stage was solved there `[m/s²]`
    pub acceleration: Option<Vec<f64>>,
    /// The step before, for two-step methods
    pub previous: Option<Previous>,
    /// Of each body, for methods whose correction lossy contacts keep a part of
    pub contacts: Vec<LastingContact>,
    /// Who touches, and how fast they may part
    pub bounces: Vec<Bounce>,
    /// The sparse search's count
    pub side_count: SideCount,
    /// What each body owes in flight, for methods that let it `[J]`
    pub debts: Vec<f64>,
    /// What the last correction added to the velocity, where α is fixed `[m/s]`
    pub correction: Vec<f64>,
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
    /// Length `[s]`
    pub h: f64,
    /// H at its start `[J]`
    pub total_before: f64,
    pub goal: Goal<'a>,
    /// Where it starts, evaluated
    pub start: &'a Evaluation,
    /// Dissipation as it is frozen there
    pub frozen: &'a Frozen,
}

/// What a step leaves beside the new state.
#[derive(Debug, Clone, Default)]
pub struct StepEnd {
    /// The new position, evaluated
    pub at: Evaluation,
    /// The mean dissipative forces of the step
    pub forces: DissipativeForces,
    /// Where the energy was directed body by body
    pub bodies: Vec<BodyEnd>,
}

/// What a step leaves of one body's energy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyEnd {
    /// Wanted from here on `[J]`
    pub level: f64,
    /// Owed in flight `[J]`
    pub debt: f64,
    /// Its island's
    pub alpha: Option<Alpha>,
    /// Which island that was in the step
    pub island: usize,
    /// What the island's energy is above what it was to be, its debts taken off `[J]`
    pub gap: f64,
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    pub solve: SolveReport,
    /// For methods that have an α
    pub alpha: Option<Alpha>,
    /// The wanted energy at the end `[J]`
    pub target: f64,
    /// What bodies in flight owe of it until they touch something `[J]`
    pub owed: f64,
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
    pub end: Evaluation,
    pub v1: Vec<f64>,
    pub forces: DissipativeForces,
}

impl Advance {
    pub fn reset(&mut self, n: usize) {
        self.end.x.resize(n, 0.0);
        self.v1.resize(n, 0.0);
        self.forces.reset(n);
    }

    /// Losses and work of moving boundaries `[J]` on the way of a step that starts with the velocity v0.
    pub fn exchange(&mut self, backend: &mut dyn Backend, step: &Step<'_>, v0: &[f64]) -> Exchange {
        let start = step.start;
        let work = backend.boundary_work(start, &self.end);
        let mut exchange = Exchange { work, ..Exchange::default() };
        if backend.has_dissipation() {
            let way = Way { from: start, to: &self.end, velocities: [v0, &self.v1], h: step.h };
            [exchange.friction_loss, exchange.contact_loss] =
                backend.contact_losses(step.frozen, way, &mut self.forces);
            exchange.damping_loss += step.h * self.forces.viscous_powers.iter().sum::<f64>();
            let mass = backend.mass();
            let d = mass.dimension();
            for i in 0..start.x.len() {
                let way = self.end.x[i] - start.x[i];
                exchange.damping_loss += self.forces.damping[i] * way;
                // An impulse puts in itself times the mean velocity.
                let mean = if mass.is_pinned(i / d) { way } else { 0.5 * step.h * (v0[i] + self.v1[i]) };
                self.forces.drive_work[i] = -self.forces.drive[i] * mean;
                exchange.work += self.forces.drive_work[i];
                // What a boundary drags, it pays for.
                if mass.is_pinned(i / d) {
                    exchange.work += self.forces.at(i) * way;
                }
            }
        }
        exchange
    }
}

/// What the α correction did, for methods that have one.
#[derive(Debug, Clone, Copy)]
pub struct Correction {
    pub alpha: Alpha,
    pub kinetic_before: f64,
    /// Energy put in, from the quadratic `[J]`
    pub energy: f64,
}

/// Moves the state to the end of the step and books it.
pub fn finish(
    backend: &dyn Backend,
    state: &mut State,
    step: &Step<'_>,
    advance: &mut Advance,
    solve: SolveReport,
    exchange: Exchange,
    correction: Option<Correction>,
    end: &mut StepEnd,
) -> Result<StepReport, StepError> {
    let Advance { end: Evaluation { x: x1, .. }, v1, .. } = advance;
    if !vector::all_finite(x1) || !vector::all_finite(v1) {
        return Err(StepError::BlownUp);
    }
    let mass = backend.mass();
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
        contact_loss: exchange.contact_loss,
        damping_loss: exchange.damping_loss,
        work: exchange.work,
        correction: correction.map_or(0.0, |c| c.energy),
    });
    state.x.copy_from_slice(x1);
    std::mem::swap(&mut state.v, v1);
    std::mem::swap(&mut end.at, &mut advance.end);
    std::mem::swap(&mut end.forces, &mut advance.forces);
    state.t = step.goal.t1;
    Ok(StepReport {
        solve,
        alpha: correction.map(|c| c.alpha),
        target: step.goal.next_level(exchange.loss(), exchange.work),
        owed: 0.0,
        inadmissible: inadmissible_term(&solve.energies, backend.terms()),
        ledger,
    })
}

/// out ← −m⁻¹∇P, evaluated; `g` is scratch.
pub fn evaluate_acceleration(backend: &mut dyn Backend, at: &Evaluation, g: &mut [f64], out: &mut [f64]) {
    backend.gradient(at, g);
    backend.mass().solve(g, out);
    out.iter_mut().for_each(|a| *a = -*a);
}

/// Evaluates P at `at.x`; an explicit method must not go on from an inadmissible position.
pub fn evaluate_admissible(backend: &mut dyn Backend, at: &mut Evaluation) -> Result<(), StepError> {
    backend.evaluate(at);
    match inadmissible_term(&at.energies, backend.terms()) {
        Some(term) => Err(StepError::Inadmissible { term }),
        None => Ok(()),
    }
}

/// out ← m⁻¹ times what dissipates in a motion, which `forces` receives.
pub fn dissipative_acceleration(
    backend: &mut dyn Backend,
    frozen: &Frozen,
    motion: Motion<'_>,
    forces: &mut DissipativeForces,
    out: &mut [f64],
) {
    forces.reset(motion.v.len());
    backend.add_dissipation(frozen, motion, 1.0, forces);
    let total: Vec<f64> = forces.total().collect();
    backend.mass().solve(&total, out);
}
