//! A step with which one method takes as long as another: found by trying, by the seconds that the steps of whole runs took.

use crate::{Cache, CachedRun};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use visviva::run::MeasuredRun;
use visviva_sweep::{PointEnding, PointOptions};

/// A run whose step is wanted, and the one it is to take as long as.
#[derive(Debug, Clone)]
pub struct EqualTime {
    /// Where the search begins
    pub run: CachedRun,
    pub partner: CachedRun,
}

/// So near are two times the same.
const NEAR: f64 = 0.1;
const MOST_TRIES: usize = 5;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Found {
    /// As it is written: 1/210
    h: String,
}

impl EqualTime {
    fn key(&self) -> String {
        format!("{} as long as {}", self.run.name, self.partner.name)
    }

    /// The run at the step that was found.
    pub fn found(&self, cache: &Cache) -> Option<CachedRun> {
        let found: Found = cache.kept("steps", &self.key())?;
        self.run.with_step(&found.h).ok()
    }

    /// Steps are parts of the time between frames, so that frames lie at the same times.
    fn at(&self, parts: u64) -> Option<(String, CachedRun)> {
        let h = format!("1/{}", (self.run.frame_rate * parts as f64).round());
        let run = self.run.with_step(&h).ok()?;
        Some((h, run))
    }

    pub fn carry_out(&self, cache: &Cache, options: &PointOptions) -> PointEnding {
        let failed = |problem: &str| PointEnding::Failed(problem.to_owned());
        let Some(wanted) = seconds(cache, &self.partner) else {
            return failed("the run it is to take as long as is not finished");
        };
        let mut tried: BTreeMap<u64, (f64, String)> = BTreeMap::new();
        let mut parts = (1.0 / (self.run.h * self.run.frame_rate)).round().max(1.0) as u64;
        while tried.len() < MOST_TRIES {
            let Some((h, run)) = self.at(parts) else { return failed("no such step is possible") };
            match cache.run(&run, options) {
                PointEnding::Completed => {}
                // Too long a step may fail where a shorter one does not.
                PointEnding::Failed(_) if !options.stop.load(std::sync::atomic::Ordering::Relaxed) => {
                    tried.insert(parts, (0.0, h));
                    parts += 1;
                    continue;
                }
                other => return other,
            }
            let Some(took) = seconds(cache, &run) else { return failed("a try left no statistics") };
            tried.insert(parts, (took, h));
            if (took / wanted - 1.0).abs() < NEAR {
                break;
            }
            let next = (parts as f64 * wanted / took).round().max(1.0) as u64;
            let next = if next == parts { if took < wanted { parts + 1 } else { parts.max(2) - 1 } } else { next };
            if tried.contains_key(&next) {
                break;
            }
            parts = next;
        }
        // Rather a little longer than shorter: the other method is not to be wronged.
        let off = |took: f64| if took < wanted { 2.0 * (wanted / took - 1.0) } else { took / wanted - 1.0 };
        let best = tried.values().filter(|(took, _)| *took > 0.0).min_by(|a, b| off(a.0).total_cmp(&off(b.0)));
        let Some((_, h)) = best else { return failed("no step was found") };
        match cache.keep("steps", &self.key(), Found { h: h.clone() }) {
            Ok(()) => PointEnding::Completed,
            Err(error) => PointEnding::Failed(error.to_string()),
        }
    }
}

/// Of all steps, by the clock `[s]`.
fn seconds(cache: &Cache, run: &CachedRun) -> Option<f64> {
    MeasuredRun::open(&cache.folder_of(run)).ok().map(|run| run.wall_s()).filter(|seconds| *seconds > 0.0)
}
