//! What the command tells the shell, one scheme for all subcommands.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done; of `verify`: clean |
//! | 1 | the work failed: a run stopped, a sweep has points that failed, a file is damaged or cannot be written, `verify` found faults |
//! | 2 | the request cannot be carried out as it stands: flags, values, a scene that is unsound, what is not there; nothing was written |
//! | 3 | of `paper` and `compare`: the report is written, but some of its runs stopped before their end |
//! | 130 | interrupted by Ctrl-C or a signal; what was done is kept |

use std::fmt;
use visviva::run::OutputError;
use visviva::session::SessionError;

/// As shells have it for Ctrl-C.
pub const INTERRUPTED: u8 = 130;
const FAILED: u8 = 1;
const REFUSED: u8 = 2;
const RUNS_STOPPED: u8 = 3;

/// Shown with `--help`.
pub const EXIT_CODES: &str = "Exit codes:
  0    done; of `verify`: clean
  1    the work failed: a run stopped, points of a sweep failed, a file is damaged or cannot be written, `verify` found faults
  2    the request cannot be carried out as it stands, and nothing was written: flags, values, an unsound scene, what is not there
  3    of `paper` and `compare`: all else is done and written, but runs stopped before their end, and no claim asks whether they do
  130  interrupted by Ctrl-C or a signal; what was done is kept, and `resume` or the same `sweep` goes on";

/// A request that cannot be carried out as it stands; the message names the value and what is allowed.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The user or a scheduler asked to end; the message says how to go on.
#[derive(Debug)]
pub struct Interrupted(pub String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// The report is there, but runs that it speaks of stopped before their end; the message names them.
#[derive(Debug)]
pub struct RunsStopped(pub Vec<String>);

impl fmt::Display for RunsStopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stopped before their end: {} (--retry tries them once more)", self.0.join("; "))
    }
}

impl std::error::Error for RunsStopped {}

/// Turns any error into one of usage.
pub trait OrUsage<T> {
    fn or_usage(self) -> anyhow::Result<T>;
}

impl<T, E: fmt::Display> OrUsage<T> for Result<T, E> {
    fn or_usage(self) -> anyhow::Result<T> {
        self.map_err(|e| Usage(e.to_string()).into())
    }
}

pub fn exit_code(error: &anyhow::Error) -> u8 {
    let of_output = |error: &OutputError| {
        matches!(
            error,
            OutputError::NoSuchFolder { .. } | OutputError::NotAFolder { .. } | OutputError::NotARunFolder { .. }
        )
    };
    let of_session = |error: &SessionError| matches!(error, SessionError::Output(error) if of_output(error));
    let refused = error.is::<Usage>()
        || error.downcast_ref().is_some_and(of_output)
        || error.downcast_ref().is_some_and(of_session);
    match refused {
        true => REFUSED,
        false if error.is::<Interrupted>() => INTERRUPTED,
        false if error.is::<RunsStopped>() => RUNS_STOPPED,
        false => FAILED,
    }
}
