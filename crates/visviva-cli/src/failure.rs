//! What the command tells the shell: 2 for a mistake in the request, 1 for one in the work.

use std::fmt;

/// A request that cannot be carried out as it stands; the message names the value and what is allowed.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

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
    if error.is::<Usage>() { 2 } else { 1 }
}
