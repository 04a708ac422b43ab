//! `visviva bench --profile`: where the time of each step went, and why the worst ones took so long.

use super::{PHASES, phases};
use crate::results::{csv_line, optional};
use crate::table::Table;
use anyhow::Context;
use serde::Serialize;
use std::path::Path;
use std::sync::mpsc::Sender;
use visviva::integrate::StepReport;
use visviva::run::whole_file;
use visviva::session::{Observer, ObserverError, Phases, Session, Summary, what_held};
use visviva::solve::{Blocker, ShortStep};

/// So many of the slowest steps are shown.
const WORST: usize = 10;

#[derive(Debug, Clone, Serialize)]
pub struct StepProfile {
    step: u64,
    /// [s]
    t: f64,
    wall_s: f64,
    phases_s: Phases,
    newton: usize,
    linear_iterations: usize,
    halvings: usize,
    converged: bool,
    /// Of the way that Newton wanted to go, where it was cut most
    shortest_step: Option<f64>,
    blocked_by: Option<String>,
    held_by: Option<String>,
}

/// Tells of every step.
#[derive(Debug)]
pub struct Profiler {
    steps: Sender<StepProfile>,
    before: Phases,
}

impl Profiler {
    pub fn new(steps: Sender<StepProfile>) -> Self {
        Self { steps, before: Phases::default() }
    }
}

impl Observer for Profiler {
    fn step(&mut self, session: &Session, report: &StepReport) -> Result<(), ObserverError> {
        let phases = session.phases();
        let solve = &report.solve;
        let profile = StepProfile {
            step: session.steps(),
            t: session.time(),
            wall_s: session.row().wall_s,
            phases_s: phases.since(&self.before),
            newton: solve.newton_iterations,
            linear_iterations: solve.linear_iterations,
            halvings: solve.halvings,
            converged: solve.converged,
            shortest_step: solve.shortest_step.map(|step| step.part),
            blocked_by: solve.shortest_step.map(|step| blocker(session, step)),
            held_by: what_held(session.model(), solve),
        };
        self.before = phases;
        Ok(self.steps.send(profile)?)
    }
}

fn blocker(session: &Session, step: ShortStep) -> String {
    let name = |surface: u32| session.model().surface_name(surface);
    match step.by {
        Some(Blocker::Surfaces([a, b])) if a == b => format!("`{}` and itself", name(a)),
        Some(Blocker::Surfaces([a, b])) => format!("`{}` and `{}`", name(a.min(b)), name(a.max(b))),
        Some(Blocker::Elements) => "elements that would invert".to_owned(),
        None => "energy that would rise".to_owned(),
    }
}

/// The slowest, slowest first.
pub fn worst(steps: &[StepProfile]) -> Vec<&StepProfile> {
    let mut worst: Vec<&StepProfile> = steps.iter().collect();
    worst.sort_by(|a, b| b.wall_s.total_cmp(&a.wall_s));
    worst.truncate(WORST);
    worst
}

/// Tables by phase and of the worst steps.
pub fn in_words(scene: &str, summary: &Summary, steps: &[StepProfile]) -> String {
    let whole = summary.tally.step_wall_s;
    let mut by_phase = Table::new(["phase", "seconds", "%", "ms a step"]);
    let mut row = |phase: &str, seconds: f64| {
        let (part, each) = (100.0 * seconds / whole, 1e3 * seconds / steps.len().max(1) as f64);
        by_phase.row([phase.to_owned(), format!("{seconds:.3}"), format!("{part:.1}"), format!("{each:.3}")]);
    };
    let times = phases(&summary.phases_s);
    PHASES.iter().zip(times).for_each(|(phase, seconds)| row(phase, seconds));
    // The last two are parts of the one before.
    row("the rest", whole - times[..4].iter().sum::<f64>());
    row("all", whole);
    let header =
        ["step", "t", "ms", "slowest phase", "Newton", "linear", "halvings", "shortest step", "blocked by", ""];
    let mut by_step = Table::new(header);
    for step in worst(steps) {
        let phases = phases(&step.phases_s);
        let slowest = (0..4).max_by(|&a, &b| phases[a].total_cmp(&phases[b])).unwrap_or(0);
        by_step.row([
            step.step.to_string(),
            format!("{:.4}", step.t),
            format!("{:.1}", 1e3 * step.wall_s),
            format!("{} {:.0} %", PHASES[slowest], 100.0 * phases[slowest] / step.wall_s),
            step.newton.to_string(),
            step.linear_iterations.to_string(),
            step.halvings.to_string(),
            step.shortest_step.map_or(String::new(), |part| format!("{part:.1e}")),
            step.blocked_by.clone().unwrap_or_default(),
            step.held_by.as_ref().map_or(String::new(), |held| format!("not converged, {held}")),
        ]);
    }
    format!("{scene}: {} steps. {}\n\n{by_phase}\nThe slowest steps\n\n{by_step}", steps.len(), super::PARTS)
}

/// Leaves the tables as text and all steps as CSV.
pub fn write(folder: &Path, stem: &str, text: &str, steps: &[StepProfile]) -> anyhow::Result<()> {
    let header = "step,t,wall_s,evaluate_s,assemble_s,linear_s,line_search_s,broad_phase_s,ccd_s,newton,linear_iterations,halvings,\
                  converged,shortest_step,blocked_by,held_by\n";
    let line = |step: &StepProfile| {
        let times = phases(&step.phases_s).map(|seconds| seconds.to_string());
        let mut cells = vec![step.step.to_string(), step.t.to_string(), step.wall_s.to_string()];
        cells.extend(times);
        cells.extend([step.newton, step.linear_iterations, step.halvings].map(|count| count.to_string()));
        cells.extend([step.converged.to_string(), optional(step.shortest_step)]);
        cells.extend([&step.blocked_by, &step.held_by].map(|words| words.clone().unwrap_or_default()));
        csv_line(cells)
    };
    let csv: String = [header.to_owned()].into_iter().chain(steps.iter().map(line)).collect();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (ending, content) in [("txt", text), ("csv", &csv)] {
        let path = folder.join(format!("{stem}.{ending}"));
        whole_file::write(&path, content.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
