//! The summary of a run in words.

use visviva::readable::duration;
use visviva::session::{Phases, StepLengths, Summary};

/// Line by line.
pub fn in_words(summary: &Summary) -> String {
    let tally = &summary.tally;
    let each = |n: u64| n as f64 / tally.steps.max(1) as f64;
    let mut lines = vec![
        format!(
            "{} steps to t = {:.4} s in {:.1} s ({:.1} ms a step), {} frames",
            tally.steps,
            summary.time,
            tally.step_wall_s,
            1e3 * tally.step_wall_s / tally.steps.max(1) as f64,
            summary.frames
        ),
        format!(
            "Newton {} iterations ({:.1} a step), linear {}",
            tally.newton_iterations,
            each(tally.newton_iterations),
            tally.linear_iterations
        ),
        format!(
            "energy {:.6} J at the start, {:.6} J at the end (target {:.6} J), between {:.6} and {:.6} J",
            summary.start_energy, summary.end_energy, summary.end_target, tally.least_energy, tally.greatest_energy
        ),
    ];
    /// More than these would hide the rest.
    const TOLD: usize = 4;
    let told = summary.whereabouts.iter().take(if summary.whereabouts.len() > TOLD { 0 } else { TOLD });
    lines.extend(told.map(|body| format!("at the end {}", body.in_words())));
    let Phases { evaluate, assemble, linear, line_search, .. } = summary.phases_s;
    lines.push(format!(
        "time: evaluate {evaluate:.2} s, assemble {assemble:.2} s, linear {linear:.2} s, line search {line_search:.2} s"
    ));
    lines.extend(summary.branch.iter().map(|branch| branch.in_words()));
    if let Some(memory) = summary.peak_memory_mib {
        lines.push(format!("peak memory {memory:.0} MiB, {} threads", summary.threads));
    }
    if let Some(StepLengths { shortest, longest, redone }) = summary.step_lengths {
        let (shortest, longest) = (duration(shortest), duration(longest));
        lines.push(format!("steps from {shortest} to {longest} long; {redone} were taken again, shorter"));
    }
    lines.extend(summary.off_target_in_words.iter().cloned());
    lines.extend(summary.warnings.iter().map(|warning| format!("warning: {warning}")));
    if let Some(unwatched) = &summary.unwatched {
        lines.push(format!("not watched: {unwatched}"));
    }
    lines.join("\n")
}
