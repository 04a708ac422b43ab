//! What a run shows while it goes on: a bar on a terminal, a line now and then elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use visviva::integrate::StepReport;
use visviva::model::State;

pub struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    total: u64,
    done: u64,
    done_at_start: u64,
    started: Instant,
    last_line: Instant,
}

/// Between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

impl Progress {
    pub fn new(total: u64, done: u64, quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {eta} left")
                .expect("the template is well-formed");
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style);
            bar.set_position(done);
            bar.reset_eta();
            bar
        });
        let now = Instant::now();
        Self { bar, quiet, total, done, done_at_start: done, started: now, last_line: now }
    }

    pub fn step(&mut self, state: &State, report: &StepReport, frames: u64) {
        self.done += 1;
        let message = || {
            format!(
                "t = {:.3} s  frame {frames}  Newton {:>2}  energy {:.4} of {:.4} J{}",
                state.t,
                report.solve.newton_iterations,
                report.ledger.total,
                report.target,
                if report.solve.converged { "" } else { "  NOT CONVERGED" }
            )
        };
        if let Some(bar) = &self.bar {
            bar.set_message(message());
            bar.set_position(self.done);
        } else if !self.quiet && (self.last_line.elapsed() > LINE_INTERVAL || self.done == self.total) {
            self.last_line = Instant::now();
            let each = self.started.elapsed().as_secs_f64() / (self.done - self.done_at_start) as f64;
            let left = Duration::from_secs_f64(each * (self.total - self.done) as f64);
            eprintln!("{:>3} %  {}  {} s left", 100 * self.done / self.total, message(), left.as_secs());
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
