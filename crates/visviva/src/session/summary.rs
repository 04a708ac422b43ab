//! How a run went, in numbers: added up step by step.

use super::{HeldSteps, Lag, Session, Squash, Stretch};
use crate::energy::AlphaOutcome;
use crate::run::StatsRow;
use crate::scene::unwatched;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "reason")]
pub enum Ending {
    Completed,
    Interrupted,
    Failed(String),
}

/// Sums and extremes of the statistics so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    pub steps: u64,
    pub newton_iterations: u64,
    pub linear_iterations: u64,
    pub unconverged_steps: u64,
    pub alpha_clipped_steps: u64,
    pub alpha_powerless_steps: u64,
    /// `[J]`
    pub least_energy: f64,
    pub greatest_energy: f64,
    pub friction_loss: f64,
    pub contact_loss: f64,
    pub damping_loss: f64,
    pub work: f64,
    /// In which a program pushed nodes or moved pins
    pub steered_steps: u64,
    /// Largest |residual| of the books in a step `[J]`
    pub worst_ledger_residual: f64,
    /// Of all steps `[s]`
    pub step_wall_s: f64,
    /// How long the energy was off its target
    pub lag: Lag,
    /// The body that lost the largest part of its volume, where that is worth telling
    pub squash: Option<Squash>,
}

/// Where the time went `[s]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Phases {
    pub evaluate: f64,
    pub assemble: f64,
    pub linear: f64,
    pub line_search: f64,
    /// A part of the line search
    pub broad_phase: f64,
    /// A part of the line search
    pub ccd: f64,
}

/// What is told at the end of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    pub title: String,
    pub integrator: String,
    pub h: f64,
    pub ending: Ending,
    /// `[s]`
    pub time: f64,
    pub frames: u64,
    pub nodes: usize,
    /// Affine bodies count as one each
    pub tets: usize,
    /// Of shells
    pub triangles: usize,
    pub hinges: usize,
    /// `[J]`
    pub start_energy: f64,
    pub end_energy: f64,
    pub end_target: f64,
    /// What no contact kept from going through what
    pub unwatched: Option<String>,
    #[serde(flatten)]
    pub tally: Tally,
    /// What held the steps that did not converge, most steps first
    pub unconverged: Vec<HeldSteps>,
    /// What its user should know, in words
    pub warnings: Vec<String>,
    /// Of the steps taken since the start or the resumption `[s]`
    pub wall_s: f64,
    /// Of the whole run
    pub phases_s: Phases,
    /// `[MiB]`
    pub peak_memory_mib: Option<f64>,
    pub threads: usize,
}

impl Tally {
    /// Of a run that has only begun.
    pub fn new(start: &StatsRow) -> Self {
        Self {
            steps: 0,
            newton_iterations: 0,
            linear_iterations: 0,
            unconverged_steps: 0,
            alpha_clipped_steps: 0,
            alpha_powerless_steps: 0,
            least_energy: start.total,
            greatest_energy: start.total,
            friction_loss: 0.0,
            contact_loss: 0.0,
            damping_loss: 0.0,
            work: 0.0,
            steered_steps: 0,
            worst_ledger_residual: 0.0,
            step_wall_s: 0.0,
            lag: Lag::default(),
            squash: None,
        }
    }

    pub fn add(&mut self, step: &StatsRow) {
        let became = |outcome| u64::from(step.alpha_outcome == Some(outcome));
        self.steps += 1;
        self.newton_iterations += step.newton;
        self.linear_iterations += step.linear_iterations;
        self.unconverged_steps += u64::from(!step.converged);
        self.alpha_clipped_steps += became(AlphaOutcome::Clipped);
        self.alpha_powerless_steps += became(AlphaOutcome::Powerless);
        self.least_energy = self.least_energy.min(step.total);
        self.greatest_energy = self.greatest_energy.max(step.total);
        self.friction_loss += step.friction_loss;
        self.contact_loss += step.contact_loss;
        self.damping_loss += step.damping_loss;
        self.work += step.work;
        self.worst_ledger_residual = self.worst_ledger_residual.max(step.ledger_residual.abs());
        self.step_wall_s += step.wall_s;
        self.lag.add(step);
    }
}

impl Phases {
    /// What came after.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            evaluate: self.evaluate - before.evaluate,
            assemble: self.assemble - before.assemble,
            linear: self.linear - before.linear,
            line_search: self.line_search - before.line_search,
            broad_phase: self.broad_phase - before.broad_phase,
            ccd: self.ccd - before.ccd,
        }
    }
}

impl Session {
    /// What the run itself shows.
    fn doubts(&self) -> Vec<String> {
        let squash = self.tally.squash.map(|squash| squash.in_words(self.model()));
        let follows = self.simulation.follows_target();
        let lag = self.tally.lag.worth_telling(self.time()).filter(|_| follows);
        let steered = self.tally.steered_in_words();
        squash.into_iter().chain(lag.map(Stretch::in_words)).chain(steered).collect()
    }

    /// Of the whole run, what was done before a resumption included.
    pub fn summary(&self, ending: Ending) -> Summary {
        let (model, energy) = (self.model(), self.simulation.energy());
        Summary {
            title: self.scene.title.clone(),
            integrator: self.integrator.to_string(),
            h: self.clock().h,
            ending,
            time: self.time(),
            frames: self.frames(),
            nodes: model.node_count(),
            tets: model.tets.len(),
            triangles: model.membranes.len(),
            hinges: model.hinges.len(),
            start_energy: energy.start,
            end_energy: energy.total,
            end_target: energy.level,
            unwatched: unwatched(model),
            tally: self.tally,
            unconverged: self.unconverged.told(model, self.scene.solver.max_iterations),
            warnings: self.doubts(),
            wall_s: self.started.elapsed().as_secs_f64(),
            phases_s: self.phases,
            peak_memory_mib: peak_memory_mib(),
            threads: rayon::current_num_threads(),
        }
    }
}

/// Where the system tells it.
fn peak_memory_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}
