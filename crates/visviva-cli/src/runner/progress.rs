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
    /// Part of the run that was done then
    begun_at: f64,
    /// Steps since
    taken: u64,
    started: Instant,
    last_line: Instant,
}

/// After so many a long run says how long it will take.
const FIRST_STEPS: u64 = 5;
/// Of the bar.
const WHOLE: u64 = 10_000;
/// Between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

impl Default for Progress {
    fn default() -> Self {
        let now = Instant::now();
        Self { bar: None, begun_at: 0.0, taken: 0, started: now, last_line: now }
    }
}

fn position(session: &Session) -> u64 {
    (WHOLE as f64 * session.part_done()) as u64
}

impl Observer for Progress {
    fn begin(&mut self, session: &Session) -> Result<(), ObserverError> {
        if std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {eta} left")?;
            let bar = ProgressBar::with_draw_target(Some(WHOLE), ProgressDrawTarget::stderr()).with_style(style);
            bar.set_position(position(session));
            bar.reset_eta();
            self.bar = Some(bar);
        }
        (self.begun_at, self.taken) = (session.part_done(), 0);
        self.started = Instant::now();
        Ok(())
    }

    fn step(&mut self, session: &Session, report: &StepReport) -> Result<(), ObserverError> {
        self.taken += 1;
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
            bar.set_position(position(session));
        } else {
            let done = session.part_done().min(1.0);
            let left = self.started.elapsed().as_secs_f64() * (1.0 - done) / (done - self.begun_at);
            let told_early = self.taken == FIRST_STEPS && left > LINE_INTERVAL.as_secs_f64();
            if told_early || self.last_line.elapsed() > LINE_INTERVAL || session.is_over() {
                self.last_line = Instant::now();
                say(&format!("{:>3.0} %  {}  {} left", (100.0 * done).floor(), message(), duration(left)));
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
