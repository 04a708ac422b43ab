//! The search for the energy of bodies at rest before a run: it says how it goes, and ends on Ctrl-C.

use super::RunOptions;
use super::stop::say;
use crate::failure::OrUsage;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use visviva::readable::duration;
use visviva::scene::{BuildError, Built, FoundGround};
use visviva::solve::{EquilibriumError, Settling};

/// A search that is over sooner says nothing on its way.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where the scene asks for it.
pub fn find_ground(built: &mut Built, options: &RunOptions) -> anyhow::Result<Option<FoundGround>> {
    let begun = Instant::now();
    let mut told = begun;
    let mut watch = |settling: &Settling| {
        if !options.quiet && told.elapsed() > PATIENCE {
            told = Instant::now();
            let Settling { time, fallen, falling } = settling;
            say(&format!(
                "letting the bodies come to rest: {time:.1} s, {fallen:.3} J gone, {falling:.2e} J of it in the last half second"
            ));
        }
        if options.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let found = match built.find_ground(&mut watch) {
        Err(BuildError::Ground(EquilibriumError::Interrupted)) => {
            say("interrupted before the run began: nothing was written");
            std::process::exit(130)
        }
        found => found.or_usage()?,
    };
    if let Some(FoundGround { energy, time: Some(time) }) = found.filter(|_| !options.quiet) {
        let took = duration(begun.elapsed().as_secs_f64());
        say(&format!("the bodies come to rest after {time:.1} s with {energy:.6} J (found in {took})"));
    }
    Ok(found)
}
