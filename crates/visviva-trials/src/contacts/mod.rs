//! Blocks and balls whose motion has a closed form, over methods, kinds of bodies and steps: what touches must do as Coulomb says.

mod trials;
mod worlds;

use anyhow::Result;
use rayon::prelude::*;
use trials::{Measure, Trial};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only trials whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Only steps of 1/N s or longer, which take less time
    #[arg(long, default_value_t = 1920)]
    finest: u32,
}

/// Whether everything moved as it must.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let wanted = |trial: &Trial| arguments.only.as_ref().is_none_or(|part| trial.name.contains(part.as_str()));
    let trials: Vec<Trial> = trials::all().into_iter().filter(wanted).collect();
    let mut held = true;
    for trial in &trials {
        println!("{}: {}", trial.name, trial.must());
        let steps: Vec<u32> = trial.steps.iter().copied().filter(|&h| h <= arguments.finest).collect();
        let cases: Vec<(&str, &str, u32)> = trial
            .kinds
            .iter()
            .flat_map(|&kind| trial.methods.iter().map(move |&method| (kind, method)))
            .flat_map(|(kind, method)| steps.iter().map(move |&h| (kind, method, h)))
            .collect();
        let measured: Vec<Result<Measure>> =
            cases.par_iter().with_max_len(1).map(|&(kind, method, h)| (trial.measure)(kind, method, h)).collect();
        for (cases, measured) in cases.chunks(steps.len()).zip(measured.chunks(steps.len())) {
            print!("  {:<8}{:<15}", cases[0].0, cases[0].1);
            for ((_, _, h), measured) in cases.iter().zip(measured) {
                match measured {
                    Ok(Measure { value, unconverged }) => {
                        let right = trial.allows(*value, *h);
                        held &= right && *unconverged == 0;
                        let mark = if right { ' ' } else { '!' };
                        let left =
                            if *unconverged > 0 { format!(" ({unconverged} unconverged)") } else { String::new() };
                        print!("  1/{h} {value:.*}{mark}{left}", trial.digits);
                    }
                    Err(error) => {
                        held = false;
                        print!("  1/{h} {error:#}!");
                    }
                }
            }
            println!();
        }
    }
    Ok(held)
}
