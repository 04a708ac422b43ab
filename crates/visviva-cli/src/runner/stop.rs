//! Ctrl-C, a scheduler's signal or a closed terminal: a run ends after its step, with a checkpoint and its summary.

use anyhow::Context;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Signals nearer to the first than this are the same request: `timeout` and schedulers send two.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// Set when the user, or whoever runs the program, asks to end.
pub fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let mut asked: Option<Instant> = None;
    ctrlc::set_handler(move || {
        flag.store(true, Ordering::Relaxed);
        match asked {
            None => {
                asked = Some(Instant::now());
                say("\nending after this step, with all that was done; once more, a second from now or later, ends it at once");
            }
            Some(at) if at.elapsed() >= SAME_REQUEST => std::process::exit(130),
            Some(_) => {}
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// To the terminal, where there is still one: a run must not end because nobody reads what it says.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
