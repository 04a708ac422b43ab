//! All points on this machine: so many at a time, each with so many threads.

use crate::{Outcome, Point, PointOptions, Sweep};
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
        let mut outcomes = side_by_side(points, share, &options.stop, |point| {
            let outcome = self.run_point(point, options);
            told(&outcome);
            outcome
        });
        outcomes.sort_by_key(|outcome| outcome.index);
        outcomes
    }
}

/// Does the work of each item, so many at a time, in their order, each with threads of its own. What was not begun when the flag
/// was set is left out; results come in the order in which they end.
pub fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    share: Share,
    stop: &AtomicBool,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items.len())));
    let take = || if stop.load(Ordering::Relaxed) { None } else { items.get(next.fetch_add(1, Ordering::Relaxed)) };
    std::thread::scope(|scope| {
        for _ in 0..share.jobs.min(items.len()) {
            scope.spawn(|| {
                while let Some(item) = take() {
                    let result = match rayon::ThreadPoolBuilder::new().num_threads(share.threads).build() {
                        Ok(pool) => pool.install(|| work(item)),
                        // Threads cannot be had: those that all share must do.
                        Err(_) => work(item),
                    };
                    results.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(result);
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
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
