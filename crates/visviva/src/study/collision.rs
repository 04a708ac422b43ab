//! An elastic bar thrown at a wall, in one dimension: the paper's convergence study.
//!
//! 30 equal neo-Hookean elements on 1 m, 10 kg lumped, wave speeds 1, 10 and 100 m/s; an IPC barrier (d̂ = 1 cm, κ = 100 J)
//! between the leading node and a wall at 0; start at −1 m/s from a gap of 1.5 m. The result is the mean velocity at 5 s. The bar
//! has flown before it is looked at: two-step methods start from x₋₁ = x₀ − h v₀.

use super::outcome::{Outcome, Tally};
use super::worlds::{BarDamping, BarElasticity, WallBarrier};
use crate::energy::EnergyPlan;
use crate::integrate::step::Previous;
use crate::integrate::{IntegratorSpec, StepReport};
use crate::model::{Dissipation, Mass, Potential, State};
use crate::simulation::{Simulation, StartError};
use crate::solve::{BandedSolver, NewtonSettings};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    Soft,
    Medium,
    Stiff,
    DampedSoft,
}

impl Case {
    pub const ALL: [Case; 4] = [Case::Soft, Case::Medium, Case::Stiff, Case::DampedSoft];

    pub fn name(self) -> &'static str {
        match self {
            Case::Soft => "soft",
            Case::Medium => "medium",
            Case::Stiff => "stiff",
            Case::DampedSoft => "damped-soft",
        }
    }

    /// Wave speed `[m/s]`
    pub fn wave_speed(self) -> f64 {
        match self {
            Case::Soft | Case::DampedSoft => 1.0,
            Case::Medium => 10.0,
            Case::Stiff => 100.0,
        }
    }
}

pub const ELEMENT_COUNT: usize = 30;
pub const NODE_COUNT: usize = ELEMENT_COUNT + 1;
/// `[m]`
pub const LENGTH: f64 = 1.0;
/// `[kg]`
pub const MASS: f64 = 10.0;
/// The paper's step lengths `[s]`
pub const PAPER_STEPS: [f64; 4] = [1.0 / 30.0, 1.0 / 300.0, 1.0 / 3000.0, 1.0 / 30000.0];

/// What can be varied.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    pub case: Case,
    /// Start distance to the wall `[m]`
    pub gap: f64,
    /// `[s]`
    pub duration: f64,
    pub h: f64,
    pub integrator: IntegratorSpec,
    pub plan: EnergyPlan,
}

#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SetupError {
    #[error("time step h = {0} s: it must be positive, finite and no longer than the duration")]
    TimeStep(f64),
    #[error("gap {0} m: it must be positive and finite")]
    Gap(f64),
    #[error("duration {0} s: it must be positive and finite")]
    Duration(f64),
}

impl Setup {
    pub fn new(case: Case, integrator: IntegratorSpec, h: f64) -> Self {
        Self { case, gap: 1.5, duration: 5.0, h, integrator, plan: EnergyPlan::default() }
    }

    pub fn check(&self) -> Result<(), SetupError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if !positive(self.gap) {
            return Err(SetupError::Gap(self.gap));
        }
        if !positive(self.duration) {
            return Err(SetupError::Duration(self.duration));
        }
        if !positive(self.h) || self.h > self.duration {
            return Err(SetupError::TimeStep(self.h));
        }
        Ok(())
    }

    pub fn step_count(&self) -> u64 {
        (self.duration / self.h).round().max(1.0) as u64
    }
}

/// The bar's elasticity: E = ρc² with ρ = 10 kg/m.
pub fn elasticity(case: Case) -> BarElasticity {
    BarElasticity {
        element_count: ELEMENT_COUNT,
        length: LENGTH / ELEMENT_COUNT as f64,
        stiffness: MASS / LENGTH * case.wave_speed().powi(2),
    }
}

/// Node masses `[kg]`: a half at the ends.
pub fn masses() -> Vec<f64> {
    let inner = MASS / ELEMENT_COUNT as f64;
    (0..NODE_COUNT).map(|i| if i == 0 || i == ELEMENT_COUNT { 0.5 * inner } else { inner }).collect()
}

pub fn world(case: Case) -> BandedSolver {
    let bar = elasticity(case);
    let potentials: Vec<Box<dyn Potential>> =
        vec![Box::new(bar), Box::new(WallBarrier { stiffness: 100.0, reach: 0.01 })];
    let dissipations: Vec<Box<dyn Dissipation>> = if case == Case::DampedSoft {
        let element_mass = MASS / ELEMENT_COUNT as f64;
        vec![Box::new(BarDamping { bar, rate: 0.05, element_mass, coupling: -0.5 })]
    } else {
        Vec::new()
    };
    let mass = Mass::lumped(1, masses()).expect("the masses are positive");
    BandedSolver::new(mass, potentials, dissipations, Vec::new(), NewtonSettings::TIGHT)
}

pub fn start(gap: f64) -> State {
    let element = LENGTH / ELEMENT_COUNT as f64;
    State::new((0..NODE_COUNT).map(|i| gap + element * i as f64).collect(), vec![-1.0; NODE_COUNT])
}

/// Mass-weighted mean velocity `[m/s]`.
pub fn mean_velocity(v: &[f64]) -> f64 {
    masses().iter().zip(v).map(|(m, v)| m * v).sum::<f64>() / MASS
}

#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    /// Where the run completed `[m/s]`
    pub final_velocity: Option<f64>,
    /// At the end `[J]`; the start has 5 J
    pub final_energy: Option<f64>,
    pub outcome: Outcome,
    pub tally: Tally,
}

/// Runs one collision, showing the state after every step (and at the start, without a report).
pub fn run(setup: &Setup, mut observe: impl FnMut(&State, Option<&StepReport>)) -> Result<Collision, StartError> {
    let mut world = world(setup.case);
    let (start, h) = (start(setup.gap), setup.h);
    let mut method = setup.integrator.build();
    let before = start.x.iter().zip(&start.v).map(|(x, v)| x - h * v).collect();
    method.memory_mut().previous = Some(Previous { x: before, v: start.v.clone(), h });
    let mut simulation = Simulation::new(&mut world, start, method, &setup.plan, h)?;
    let mut tally = Tally::default();
    observe(&simulation.state, None);
    for _ in 0..setup.step_count() {
        match simulation.step() {
            Ok(report) => {
                tally.count(&report);
                observe(&simulation.state, Some(&report));
            }
            Err(error) => {
                let outcome = Outcome::failed(simulation.state.t, &error);
                return Ok(Collision { final_velocity: None, final_energy: None, outcome, tally });
            }
        }
    }
    Ok(Collision {
        final_velocity: Some(mean_velocity(&simulation.state.v)),
        final_energy: Some(simulation.total_energy()),
        outcome: Outcome::Completed,
        tally,
    })
}

/// The paper's table of final velocities, where it has an entry.
pub fn paper_value(case: Case, integrator: &str, h: f64) -> Option<f64> {
    let row = PAPER_STEPS.iter().position(|step| (step / h - 1.0).abs() < 1e-9)?;
    let column = ["bdf2", "a-1", "a-search"].iter().position(|name| *name == integrator)?;
    let table: [[f64; 3]; 4] = match case {
        Case::Soft => [[0.776, 0.810, 0.819], [0.760, 0.831, 0.816], [0.849, 0.849, 0.862], [0.864, 0.866, 0.856]],
        Case::Medium => [[0.742, 0.643, 0.632], [0.937, 0.934, 0.931], [0.965, 0.971, 0.972], [0.977, 0.977, 0.972]],
        Case::Stiff => [[0.795, 0.978, 0.999], [0.842, 0.782, 0.788], [0.993, 0.992, 0.992], [0.999, 0.999, 0.999]],
        Case::DampedSoft => {
            [[0.641, 0.661, 0.667], [0.624, 0.634, 0.636], [0.639, 0.629, 0.641], [0.643, 0.641, 0.643]]
        }
    };
    Some(table[row][column])
}
