//! A step with which one method takes as long as another: found by trying, by the seconds of whole runs that have the machine to
//! themselves. What the kept runs took would not do: some ran beside others, some did not.

use crate::cache::Kind;
use crate::{Cache, CachedRun};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use visviva::session::{Ending, Session};
use visviva_sweep::{PointEnding, PointOptions, Standing};

/// A run whose step is wanted, and the one it is to take as long as.
#[derive(Debug, Clone)]
pub struct EqualTime {
    /// Where the search begins
    pub run: CachedRun,
    pub partner: CachedRun,
}

/// So near are two times the same.
pub const NEAR: f64 = 0.1;
const MOST_TRIES: usize = 5;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Found {
    /// As it is written: 1/210
    h: String,
    /// What it takes, as a part of what the other takes
    times_as_long: f64,
}

impl EqualTime {
    fn key(&self) -> String {
        format!("{} as long as {}", self.run.name, self.partner.name)
    }

    fn kept(&self, cache: &Cache) -> Option<Found> {
        cache.kept(Kind::Steps, &self.key())
    }

    /// The run at the step that was found.
    pub fn found(&self, cache: &Cache) -> Option<CachedRun> {
        self.run.with_step(&self.kept(cache)?.h).ok()
    }

    /// What the run that was found takes, as a part of what the other takes.
    pub fn times_as_long(&self, cache: &Cache) -> Option<f64> {
        Some(self.kept(cache)?.times_as_long)
    }

    /// Steps are parts of the time between frames, so that frames lie at the same times.
    fn at(&self, parts: u64) -> Option<(String, CachedRun)> {
        let h = format!("1/{}", (self.run.frame_rate * parts as f64).round());
        let run = self.run.with_step(&h).ok()?;
        Some((h, run))
    }

    pub fn carry_out(&self, cache: &Cache, options: &PointOptions) -> PointEnding {
        match cache.standing(&self.partner) {
            Standing::Finished => {}
            Standing::Failed(reason) => return failed(&format!("the run it is to take as long as stopped: {reason}")),
            _ => return failed("the run it is to take as long as is not finished"),
        }
        match self.found(cache).map_or_else(|| self.search(cache, options), Ok) {
            Ok(run) => cache.run(&run, options),
            Err(ending) => ending,
        }
    }

    fn search(&self, cache: &Cache, options: &PointOptions) -> Result<CachedRun, PointEnding> {
        let wanted = seconds(&self.partner, options)?;
        // Nothing where a step was too long to be taken.
        let mut tried: BTreeMap<u64, Option<f64>> = BTreeMap::new();
        let mut parts = (1.0 / (self.run.h * self.run.frame_rate)).round().max(1.0) as u64;
        while tried.len() < MOST_TRIES && !tried.contains_key(&parts) {
            let (_, run) = self.at(parts).ok_or_else(|| failed("no such step is possible"))?;
            let took = match seconds(&run, options) {
                Ok(took) => Some(took),
                Err(PointEnding::Failed(_)) => None,
                Err(other) => return Err(other),
            };
            tried.insert(parts, took);
            parts = match took {
                None => parts + 1,
                Some(took) if (took / wanted - 1.0).abs() < NEAR => break,
                Some(took) => next(parts, took / wanted),
            };
        }
        // Rather a little longer than shorter: the other method is not to be wronged.
        let off = |part: f64| if part < 1.0 { 2.0 * (1.0 / part - 1.0) } else { part - 1.0 };
        let ran = tried.iter().filter_map(|(parts, took)| Some((*parts, (*took)? / wanted)));
        let best = ran.min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
        let (parts, times_as_long) = best.ok_or_else(|| failed("no step was found with which it runs"))?;
        let (h, run) = self.at(parts).ok_or_else(|| failed("no such step is possible"))?;
        let found = Found { h, times_as_long };
        cache.keep(Kind::Steps, &self.key(), found).map_err(|error| failed(&error.to_string()))?;
        Ok(run)
    }
}

/// So many steps in a frame, where with `parts` it takes `times_as_long`.
fn next(parts: u64, times_as_long: f64) -> u64 {
    let next = (parts as f64 / times_as_long).round().max(1.0) as u64;
    match () {
        _ if next != parts => next,
        _ if times_as_long < 1.0 => parts + 1,
        _ => parts.max(2) - 1,
    }
}

fn failed(problem: &str) -> PointEnding {
    PointEnding::Failed(problem.to_owned())
}

/// Of a whole run, by the clock; nothing of it is kept `[s]`.
fn seconds(run: &CachedRun, options: &PointOptions) -> Result<f64, PointEnding> {
    let scene = run.scene().map_err(|error| failed(&error.to_string()))?;
    let mut session = Session::new(scene).map_err(|error| failed(&error.to_string()))?;
    session.observe(options.stop.clone()).map_err(|error| failed(&error.to_string()))?;
    let begun = Instant::now();
    match session.run().map_err(|error| failed(&error.to_string()))?.ending {
        Ending::Completed => Ok(begun.elapsed().as_secs_f64().max(1e-9)),
        Ending::Interrupted => Err(PointEnding::Interrupted),
        Ending::Failed(reason) => Err(PointEnding::Failed(reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_try_goes_towards_the_time_that_is_wanted() {
        assert_eq!((next(4, 0.5), next(4, 2.0)), (8, 2));
        // Too near for another whole number: the neighbour on the right side, but no fewer than one.
        assert_eq!((next(4, 0.95), next(4, 1.05), next(1, 1.4), next(1, 3.0)), (5, 3, 1, 1));
    }
}
