//! One particle thrown at a barrier, with a step far too long to resolve it: what is left of its speed?
//!
//! Quadratic barrier P = ½ k x² for x < 0, h = 1, k/m = ħ; or the IPC barrier with d̂ = 1, κ = 1 and any h. The particle starts at
//! −1 m/s, a part β (the phase) of a step's way in front of the barrier.

use super::outcome::{Outcome, Tally};
use super::worlds::{Spring, WallBarrier};
use crate::energy::EnergyPlan;
use crate::integrate::IntegratorSpec;
use crate::model::{Mass, Potential, State};
use crate::simulation::{Simulation, StartError};
use crate::solve::{BandedSolver, NewtonSettings};
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Barrier {
    /// ħ = h²k/m
    Quadratic { hbar: f64 },
    /// h in units of d̂/|v|, κ in units of m v²
    Ipc { h: f64, kappa: f64 },
}

#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SetupError {
    #[error("ħ = {0}: it must be positive and finite")]
    Hbar(f64),
    #[error("time step h = {0}: it must be positive and finite")]
    TimeStep(f64),
    #[error("barrier stiffness κ = {0}: it must be positive and finite")]
    Kappa(f64),
    #[error("phase β = {0}: it must lie in [0, 1]")]
    Phase(f64),
    #[error("assumed speed V = {0}: it must be positive and finite")]
    AssumedSpeed(f64),
}

impl Barrier {
    pub fn check(&self) -> Result<(), SetupError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        match *self {
            Barrier::Quadratic { hbar } if !positive(hbar) => Err(SetupError::Hbar(hbar)),
            Barrier::Ipc { h, .. } if !positive(h) => Err(SetupError::TimeStep(h)),
            Barrier::Ipc { kappa, .. } if !positive(kappa) => Err(SetupError::Kappa(kappa)),
            _ => Ok(()),
        }
    }

    fn h(&self) -> f64 {
        match *self {
            Barrier::Quadratic { .. } => 1.0,
            Barrier::Ipc { h, .. } => h,
        }
    }

    /// Where the barrier begins.
    fn surface(&self) -> f64 {
        match self {
            Barrier::Quadratic { .. } => 0.0,
            Barrier::Ipc { .. } => 1.0,
        }
    }

    fn potential(&self) -> Box<dyn Potential> {
        match *self {
            Barrier::Quadratic { hbar } => Box::new(Spring { stiffness: hbar, one_sided: true }),
            Barrier::Ipc { kappa, .. } => Box::new(WallBarrier { stiffness: kappa, reach: 1.0 }),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bounce {
    pub integrator: IntegratorSpec,
    pub phase: f64,
    /// After each step, up to the one that leaves the barrier [|v₀|]
    pub velocities: Vec<f64>,
    /// Where it left within the steps allowed
    pub exit_velocity: Option<f64>,
    /// What the theory for ħ → ∞ says of the velocities, where there is one
    pub theory: Option<Vec<f64>>,
    pub outcome: Outcome,
    pub tally: Tally,
}

/// Lets the particle bounce once. `assumed_speed` is the V of an energy target ½mV² (1: the true one).
pub fn bounce(
    barrier: Barrier,
    integrator: &IntegratorSpec,
    phase: f64,
    assumed_speed: f64,
) -> Result<Bounce, StartError> {
    /// Implicit Euler creeps out of the barrier; more than this is sticking.
    const MAX_STEPS: usize = 1000;
    let h = barrier.h();
    // Positions inside the barrier scale with h/ħ: the tolerance must see them.
    let scale = match barrier {
        Barrier::Quadratic { hbar } => 1.0 / hbar.max(1.0),
        Barrier::Ipc { .. } => 1.0,
    };
    let settings = NewtonSettings { displacement: 1e-8 * scale, gap: 1e-9, ..NewtonSettings::TIGHT };
    let mass = Mass::lumped(1, vec![1.0]).expect("one kilogram is positive");
    let mut world = BandedSolver::new(mass, vec![barrier.potential()], Vec::new(), Vec::new(), settings);
    let start = State::new(vec![barrier.surface() + phase * h], vec![-1.0]);
    let plan = EnergyPlan { start_scale: assumed_speed * assumed_speed, ..EnergyPlan::default() };
    let mut simulation = Simulation::new(&mut world, start, integrator.build(), &plan, h)?;
    let mut tally = Tally::default();
    let mut velocities = Vec::new();
    let mut outcome = Outcome::Completed;
    let mut exit_velocity = None;
    for _ in 0..MAX_STEPS {
        match simulation.step() {
            Ok(report) => tally.count(&report),
            Err(error) => {
                outcome = Outcome::failed(simulation.state.t, &error);
                break;
            }
        }
        let (x, v) = (simulation.state.x[0], simulation.state.v[0]);
        velocities.push(v);
        if x > barrier.surface() && v > 0.0 {
            exit_velocity = Some(v);
            break;
        }
    }
    let theory = limit_velocities(integrator, phase, assumed_speed);
    Ok(Bounce { integrator: integrator.clone(), phase, velocities, exit_velocity, theory, outcome, tally })
}

/// Velocities for ħ → ∞ up to the one that leaves the barrier; for A-search with the default interval and the right target.
pub fn limit_velocities(integrator: &IntegratorSpec, phase: f64, assumed_speed: f64) -> Option<Vec<f64>> {
    let b = phase;
    match integrator.to_string().as_str() {
        "a-1" => Some(vec![-1.0, -b, 1.0 - b, 1.0]),
        "trapezoidal" if b < 2.0 / 3.0 => Some(vec![1.0 - 2.0 * b, 3.0 - 4.0 * b]),
        "trapezoidal" => Some(vec![1.0 - 2.0 * b, 2.0 * b - 1.0, 8.0 * b - 5.0]),
        "a-search" if assumed_speed == 1.0 => {
            let max = crate::energy::AlphaInterval::default().max;
            let second = -(b * max).min(1.0);
            let mut velocities = vec![-1.0, second, (max * (1.0 + second)).min(1.0), 1.0];
            if b * max >= 1.0 {
                velocities.push(1.0);
            }
            Some(velocities)
        }
        _ => None,
    }
}
