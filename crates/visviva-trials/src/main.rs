//! Campaigns against the library: one subcommand each, exit code 1 where anything did not hold.

mod inputs;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Debug, Parser)]
#[command(name = "visviva-trials", about = "Campaigns against the library; exit code 1 where anything did not hold")]
struct Arguments {
    #[command(subcommand)]
    campaign: Campaign,
}

#[derive(Debug, Subcommand)]
enum Campaign {
    /// Spoiled scene and mesh files, read and checked in this process
    Inputs(inputs::Arguments),
}

fn main() -> Result<ExitCode> {
    let held = match Arguments::parse().campaign {
        Campaign::Inputs(arguments) => inputs::run(&arguments)?,
    };
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
