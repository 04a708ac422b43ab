//! What a run shows while it goes on: a bar on a terminal, a line now and then elsewhere.

use super::stop::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use visviva::integrate::StepReport;
use visviva::readable::duration;
use visviva::session::{Observer, ObserverError, Session, Summary};

pub struct Progress {
    bar: Option<ProgressBar>,
    done_at_start: u64,
    started: Instant,
    last_line: Instant,
}

/// After so many a long run says how long it will take.
const FIRST_STEPS: u64 = 5;
/// Between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

impl Default for Progress {
    fn default() -> Self {
        let now = Instant::now();
        Self { bar: None, done_at_start: 0, started: now, last_line: now }
    }
}

impl Observer for Progress {
    fn begin(&mut self, session: &Session) -> Result<(), ObserverError> {
        let (total, done) = (session.scene().run.step_count(), session.steps());
        if std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {eta} left")?;
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style);
            bar.set_position(done);
            bar.reset_eta();
            self.bar = Some(bar);
        }
        self.done_at_start = done;
        self.started = Instant::now();
        Ok(())
    }

    fn step(&mut self, session: &Session, report: &StepReport) -> Result<(), ObserverError> {
        let (total, done) = (session.scene().run.step_count(), session.steps());
        let message = || {
            format!(
                "t = {:.3} s  frame {}  Newton {:>2}  energy {:.4} of {:.4} J{}",
                session.time(),
                session.frames(),
                report.solve.newton_iterations,
                report.ledger.total,
                report.target,
                if report.solve.converged { "" } else { "  NOT CONVERGED" }
            )
        };
        if let Some(bar) = &self.bar {
            bar.set_message(message());
            bar.set_position(done);
        } else {
            let taken = done - self.done_at_start;
            let left = self.started.elapsed().as_secs_f64() / taken as f64 * (total - done) as f64;
            let told_early = taken == FIRST_STEPS && left > LINE_INTERVAL.as_secs_f64();
            if told_early || self.last_line.elapsed() > LINE_INTERVAL || done == total {
                self.last_line = Instant::now();
                say(&format!("{:>3} %  {}  {} left", 100 * done / total, message(), duration(left)));
            }
        }
        Ok(())
    }

    fn end(&mut self, _session: &Session, _summary: &Summary) -> Result<(), ObserverError> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        Ok(())
    }
}
