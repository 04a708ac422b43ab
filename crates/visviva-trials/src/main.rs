//! Campaigns against the library: one subcommand each, exit code 1 where anything did not hold.

mod bounces;
mod contacts;
mod inputs;
mod motions;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use visviva_trials::folders;

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
    /// Blocks and balls in contact against closed forms, over methods, kinds of bodies and steps
    Contacts(contacts::Arguments),
    /// Bodies that fly, turn and bounce, against references
    Motions(motions::Arguments),
    /// One bounce of soft and stiff balls: what becomes flight, spin and vibration, over methods and steps
    Bounces(bounces::Arguments),
    /// Damaged run folders, met by the program itself
    Folders(folders::Arguments),
}

fn main() -> Result<ExitCode> {
    let held = match Arguments::parse().campaign {
        Campaign::Inputs(arguments) => inputs::run(&arguments)?,
        Campaign::Contacts(arguments) => contacts::run(&arguments)?,
        Campaign::Motions(arguments) => motions::run(&arguments)?,
        Campaign::Bounces(arguments) => bounces::run(&arguments)?,
        Campaign::Folders(arguments) => folders::run(&arguments)?,
    };
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
