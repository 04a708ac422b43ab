//! How a run went, in numbers.

use serde::Serialize;
use std::time::Duration;
use visviva::energy::AlphaOutcome;
use visviva::run::Stats;
use visviva::scene::{Built, Scene};
use visviva::simulation::Energy;
use visviva::solve::PhaseTimes;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "reason")]
pub enum Ending {
    Completed,
    Interrupted,
    Failed(String),
}

#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    pub title: String,
    pub integrator: String,
    pub h: f64,
    pub ending: Ending,
    pub steps: u64,
    pub time: f64,
    pub frames: u64,
    pub nodes: usize,
    /// Affine bodies count as one each
    pub tets: usize,
    /// Of shells
    #[serde(default)]
    pub triangles: usize,
    #[serde(default)]
    pub hinges: usize,
    pub newton_iterations: u64,
    pub linear_iterations: u64,
    pub unconverged_steps: u64,
    pub alpha_clipped_steps: u64,
    pub alpha_powerless_steps: u64,
    /// [J]
    pub start_energy: f64,
    pub end_energy: f64,
    pub end_target: f64,
    pub least_energy: f64,
    pub greatest_energy: f64,
    pub friction_loss: f64,
    pub damping_loss: f64,
    pub work: f64,
    /// Largest |residual| of the books in a step [J]
    pub worst_ledger_residual: f64,
    /// Of the steps taken since the start or the resumption [s]
    pub wall_s: f64,
    /// Of all steps [s]
    pub step_wall_s: f64,
    pub phases_s: Phases,
    /// [MiB]
    pub peak_memory_mib: Option<f64>,
    pub threads: usize,
}

#[derive(Debug, Clone, Serialize)]
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

impl Summary {
    pub fn new(
        scene: &Scene,
        built: &Built,
        energy: Energy,
        stats: &Stats,
        frames: u64,
        ending: Ending,
        wall: Duration,
        times: PhaseTimes,
    ) -> Self {
        let steps = || stats.rows.iter().filter(|row| row.step > 0);
        let outcome = |wanted| steps().filter(|r| r.alpha_outcome == Some(wanted)).count() as u64;
        let totals = || stats.rows.iter().map(|row| row.total);
        Self {
            title: scene.title.clone(),
            integrator: built.integrator.to_string(),
            h: built.h,
            ending,
            steps: steps().count() as u64,
            time: stats.rows.last().map_or(0.0, |row| row.t),
            frames,
            nodes: built.model.node_count(),
            tets: built.model.tets.len(),
            triangles: built.model.membranes.len(),
            hinges: built.model.hinges.len(),
            newton_iterations: steps().map(|r| r.newton).sum(),
            linear_iterations: steps().map(|r| r.linear_iterations).sum(),
            unconverged_steps: steps().filter(|r| !r.converged).count() as u64,
            alpha_clipped_steps: outcome(AlphaOutcome::Clipped),
            alpha_powerless_steps: outcome(AlphaOutcome::Powerless),
            start_energy: energy.start,
            end_energy: energy.total,
            end_target: energy.level,
            least_energy: totals().fold(f64::INFINITY, f64::min),
            greatest_energy: totals().fold(f64::NEG_INFINITY, f64::max),
            friction_loss: steps().map(|r| r.friction_loss).sum(),
            damping_loss: steps().map(|r| r.damping_loss).sum(),
            work: steps().map(|r| r.work).sum(),
            worst_ledger_residual: steps().map(|r| r.ledger_residual.abs()).fold(0.0, f64::max),
            wall_s: wall.as_secs_f64(),
            step_wall_s: steps().map(|r| r.wall_s).sum(),
            phases_s: Phases {
                evaluate: times.evaluate.as_secs_f64(),
                assemble: times.assemble.as_secs_f64(),
                linear: times.linear.as_secs_f64(),
                line_search: times.line_search.as_secs_f64(),
                broad_phase: times.broad_phase.as_secs_f64(),
                ccd: times.ccd.as_secs_f64(),
            },
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

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let each = |n: u64| n as f64 / self.steps.max(1) as f64;
        writeln!(
            f,
            "{} steps to t = {:.4} s in {:.1} s ({:.1} ms a step), {} frames",
            self.steps,
            self.time,
            self.step_wall_s,
            1e3 * self.step_wall_s / self.steps.max(1) as f64,
            self.frames
        )?;
        writeln!(
            f,
            "Newton {} iterations ({:.1} a step), linear {}",
            self.newton_iterations,
            each(self.newton_iterations),
            self.linear_iterations
        )?;
        writeln!(
            f,
            "energy {:.6} J at the start, {:.6} J at the end (target {:.6} J), between {:.6} and {:.6} J",
            self.start_energy, self.end_energy, self.end_target, self.least_energy, self.greatest_energy
        )?;
        let Phases { evaluate, assemble, linear, line_search, .. } = self.phases_s;
        writeln!(
            f,
            "time: evaluate {evaluate:.2} s, assemble {assemble:.2} s, linear {linear:.2} s, line search {line_search:.2} s"
        )?;
        if let Some(memory) = self.peak_memory_mib {
            writeln!(f, "peak memory {memory:.0} MiB, {} threads", self.threads)?;
        }
        if self.alpha_clipped_steps > 0 {
            writeln!(
                f,
                "α was clipped in {} steps: the target was out of reach of its interval (min and max: `visviva integrators`)",
                self.alpha_clipped_steps
            )?;
        }
        if self.alpha_powerless_steps > 0 {
            writeln!(f, "α had nothing to act on in {} steps (free fall or rest)", self.alpha_powerless_steps)?;
        }
        if self.unconverged_steps > 0 {
            writeln!(
                f,
                "warning: {} steps did not converge (column `converged` of stats.csv)",
                self.unconverged_steps
            )?;
        }
        Ok(())
    }
}
