//! What a sweep shows while it goes on: how many points are done and about how long the others take.

use super::stop::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use visviva::readable::duration;

/// A bar on a terminal, a line now and then elsewhere; steps of all points are counted together.
#[derive(Debug)]
pub struct SweepProgress {
    count: Arc<Count>,
    shown: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Count {
    points: usize,
    done: AtomicUsize,
    failed: AtomicUsize,
    ended: AtomicBool,
}

const REDRAWN: Duration = Duration::from_millis(200);
/// Between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

impl SweepProgress {
    /// `steps` counts those taken, of `all` in these points.
    pub fn begin(points: usize, steps: Arc<AtomicU64>, all: u64) -> Self {
        let (done, failed, ended) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let count = Arc::new(Count { points, done, failed, ended });
        let seen = count.clone();
        let shown = std::thread::spawn(move || {
            if std::io::stderr().is_terminal() { bar(&seen, &steps, all) } else { lines(&seen, &steps, all) }
        });
        Self { count, shown: Some(shown) }
    }

    pub fn point_ended(&self, failed: bool) {
        self.count.done.fetch_add(1, Ordering::Relaxed);
        self.count.failed.fetch_add(usize::from(failed), Ordering::Relaxed);
    }
}

impl Drop for SweepProgress {
    fn drop(&mut self) {
        self.count.ended.store(true, Ordering::Relaxed);
        if let Some(shown) = self.shown.take() {
            let _ = shown.join();
        }
    }
}

impl Count {
    fn in_words(&self) -> String {
        let (done, failed) = (self.done.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed));
        let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        format!("{done} of {} points{failed}", self.points)
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

fn bar(count: &Count, steps: &AtomicU64, all: u64) {
    let template = "{bar:24} {percent:>3} %  {msg}  {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr()).with_style(style);
    while !count.has_ended() {
        bar.set_position(steps.load(Ordering::Relaxed));
        bar.set_message(count.in_words());
        std::thread::sleep(REDRAWN);
    }
    bar.finish_and_clear();
}

fn lines(count: &Count, steps: &AtomicU64, all: u64) {
    let (begun, mut last) = (Instant::now(), Instant::now());
    while !count.has_ended() {
        std::thread::sleep(REDRAWN);
        let taken = steps.load(Ordering::Relaxed);
        if last.elapsed() > LINE_INTERVAL && taken > 0 {
            last = Instant::now();
            let left = begun.elapsed().as_secs_f64() / taken as f64 * all.saturating_sub(taken) as f64;
            say(&format!("{:>3} %  {}  {} left", 100 * taken / all.max(1), count.in_words(), duration(left)));
        }
    }
}
