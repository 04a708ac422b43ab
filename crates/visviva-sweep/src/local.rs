//! All points on this machine: so many at a time, each with so many threads.

use crate::{Outcome, Point, PointEnding, PointOptions, Sweep};
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How the cores are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Points at a time
    pub jobs: usize,
    /// Of each
    pub threads: usize,
}

impl Share {
    /// One thread a point wastes none, as long as there are points enough for all cores.
    pub fn of(points: usize, jobs: Option<usize>, threads: Option<usize>) -> Self {
        Self::of_cores(std::thread::available_parallelism().map_or(1, NonZero::get), points, jobs, threads)
    }

    fn of_cores(cores: usize, points: usize, jobs: Option<usize>, threads: Option<usize>) -> Self {
        let jobs = jobs.unwrap_or_else(|| (cores / threads.unwrap_or(1)).min(points)).max(1);
        Self { jobs, threads: threads.unwrap_or(cores / jobs).max(1) }
    }
}

impl Sweep {
    /// Runs these points; `told` hears each as it ends. One that fails does not stop the others; what was not begun when the flag in
    /// the options was set is left out.
    pub fn run_locally(
        &self,
        points: &[&Point],
        share: Share,
        options: &PointOptions,
        told: impl Fn(&Outcome) + Sync,
    ) -> Vec<Outcome> {
        let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(points.len())));
        std::thread::scope(|scope| {
            for _ in 0..share.jobs.min(points.len()) {
                scope.spawn(|| {
                    while let Some(point) = take(points, &next, &options.stop) {
                        let outcome = match rayon::ThreadPoolBuilder::new().num_threads(share.threads).build() {
                            Ok(pool) => pool.install(|| self.run_point(point, options)),
                            Err(error) => Outcome {
                                index: point.index,
                                ending: PointEnding::Failed(format!("threads cannot be had: {error}")),
                                measured: vec![None; self.measures.len()],
                                wall_s: None,
                            },
                        };
                        told(&outcome);
                        outcomes.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(outcome);
                    }
                });
            }
        });
        let mut outcomes = outcomes.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        outcomes.sort_by_key(|outcome| outcome.index);
        outcomes
    }
}

fn take<'a>(points: &[&'a Point], next: &AtomicUsize, stop: &AtomicBool) -> Option<&'a Point> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    points.get(next.fetch_add(1, Ordering::Relaxed)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_shared_so_that_none_is_idle_and_none_has_two_masters() {
        let share = |points, jobs, threads| {
            let Share { jobs, threads } = Share::of_cores(8, points, jobs, threads);
            (jobs, threads)
        };
        assert_eq!(share(100, None, None), (8, 1));
        assert_eq!(share(2, None, None), (2, 4));
        assert_eq!(share(100, None, Some(4)), (2, 4));
        assert_eq!(share(100, Some(3), None), (3, 2));
        assert_eq!(share(100, Some(16), None), (16, 1));
        assert_eq!(share(1, None, Some(32)), (1, 32));
    }
}
