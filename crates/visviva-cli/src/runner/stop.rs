//! Ctrl-C, a scheduler's signal or a closed terminal: a run ends after its step, with a checkpoint and its summary.

use crate::failure::INTERRUPTED;
use anyhow::Context;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Signals nearer to the first than this are the same request: `timeout` sends two.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Request {
    First,
    Same,
    AtOnce,
}

impl Request {
    /// Only who sits at a terminal can mean a later one as impatience: schedulers repeat themselves after seconds, and a long step
    /// must not cost them its run.
    fn at(now: Instant, first: &mut Option<Instant>, at_terminal: bool) -> Self {
        match *first {
            None => {
                *first = Some(now);
                Self::First
            }
            Some(first) if at_terminal && now.duration_since(first) >= SAME_REQUEST => Self::AtOnce,
            Some(_) => Self::Same,
        }
    }
}

/// Set when the user, or whoever runs the program, asks to end a run.
pub fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    stop_on_signals_saying("ending after this step, with all that was done")
}

/// The same for whatever ends so.
pub fn stop_on_signals_saying(words: &'static str) -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let mut first: Option<Instant> = None;
    let at_terminal = std::io::stdin().is_terminal();
    let how_at_once = if at_terminal { "; once more, a second from now or later, ends it at once" } else { "" };
    let listen = move || {
        flag.store(true, Ordering::Relaxed);
        match Request::at(Instant::now(), &mut first, at_terminal) {
            Request::First => say(&format!("\n{words}{how_at_once}")),
            Request::Same => {}
            Request::AtOnce => std::process::exit(i32::from(INTERRUPTED)),
        }
    };
    unless_hangups_are_ignored(|| ctrlc::set_handler(listen).context("cannot listen for Ctrl-C"))?;
    Ok(stop)
}

/// Under `nohup` a run outlives its terminal: a hangup that is ignored from the start stays so, whatever `listen` sets up.
#[cfg(unix)]
fn unless_hangups_are_ignored<T>(listen: impl FnOnce() -> T) -> T {
    // SAFETY: only the system's own way of ignoring is set and compared with; there is no handler of ours to be called.
    let ignore = || unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    let is_ignored = ignore() == libc::SIG_IGN;
    let listening = listen();
    if is_ignored {
        ignore();
    }
    listening
}

#[cfg(not(unix))]
fn unless_hangups_are_ignored<T>(listen: impl FnOnce() -> T) -> T {
    listen()
}

/// To the terminal, where there is still one: a run must not end because nobody reads what it says.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_within_a_second_are_one_and_a_later_one_ends_at_once_only_at_a_terminal() {
        let asked = |at_terminal| {
            let (begun, mut first) = (Instant::now(), None);
            [0, 1, 999, 1000, 5000].map(|ms| Request::at(begun + Duration::from_millis(ms), &mut first, at_terminal))
        };
        assert_eq!(asked(true), [Request::First, Request::Same, Request::Same, Request::AtOnce, Request::AtOnce]);
        assert_eq!(asked(false), [Request::First, Request::Same, Request::Same, Request::Same, Request::Same]);
    }
}
