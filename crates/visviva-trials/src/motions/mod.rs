//! Bodies that fly, turn and bounce, against references: what the energy alone does not show.

mod cases;
mod watch;

use anyhow::Result;
use cases::Case;
use rayon::prelude::*;
use watch::{Watched, watch};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only cases whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Only steps of 1/N s or longer, which take less time
    #[arg(long, default_value_t = 240)]
    finest: u32,
    /// Show another method beside the one that is judged
    #[arg(long)]
    beside: Vec<String>,
}

/// The method that must do what a case asks.
const JUDGED: &str = "a-spin";

/// Whether everything moved as it must.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let wanted = |case: &Case| arguments.only.as_ref().is_none_or(|part| case.name.contains(part.as_str()));
    let cases: Vec<Case> = cases::all().into_iter().filter(wanted).collect();
    let mut runs: Vec<(&Case, String, u32)> = Vec::new();
    for case in &cases {
        runs.extend(case.reference.map(|(method, h)| (case, method.to_owned(), h)));
        for &h in case.steps.iter().filter(|&&h| h <= arguments.finest) {
            let methods = arguments.beside.iter().cloned().chain([JUDGED.to_owned()]);
            runs.extend(methods.map(|method| (case, method, h)));
        }
    }
    let watched: Vec<Result<Watched>> =
        runs.par_iter().with_max_len(1).map(|(case, method, h)| watch(case, method, *h)).collect();
    let mut held = true;
    let mut reference = None;
    let mut last = "";
    for ((case, method, h), watched) in runs.iter().zip(watched) {
        if last != case.name {
            println!("{}: {}", case.name, case.must());
            (last, reference) = (&case.name, None);
        }
        let watched = watched?;
        let is_reference = case.reference == Some((method.as_str(), *h)) && reference.is_none();
        let faults = if method == JUDGED { case.faults(&watched, reference.as_ref()) } else { Vec::new() };
        held &= faults.is_empty();
        let remark =
            if is_reference { " (reference)".to_owned() } else { faults.iter().map(|f| format!(" ! {f}")).collect() };
        println!("  {method:<10} 1/{h:<5} {watched}{remark}");
        if is_reference {
            reference = Some(watched);
        }
    }
    Ok(held)
}
