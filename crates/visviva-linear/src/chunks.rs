//! Work in chunks whose bounds depend on the problem alone, so that sums come out the same for any number of threads.

use rayon::prelude::*;
use std::ops::Range;

fn bounds(k: usize, len: usize, chunk: usize) -> Range<usize> {
    k * chunk..((k + 1) * chunk).min(len)
}

/// Runs `work` on every chunk of `0..len`.
pub(super) fn for_each_chunk(len: usize, chunk: usize, work: impl Fn(Range<usize>) + Sync) {
    let count = len.div_ceil(chunk);
    if count < 2 || rayon::current_num_threads() == 1 {
        (0..count).for_each(|k| work(bounds(k, len, chunk)));
    } else {
        (0..count).into_par_iter().for_each(|k| work(bounds(k, len, chunk)));
    }
}

/// Sums what `work` returns for every chunk of `0..len`, in the order of the chunks.
pub(super) fn sum_chunks(
    len: usize,
    chunk: usize,
    partial: &mut Vec<f64>,
    work: impl Fn(Range<usize>) -> f64 + Sync,
) -> f64 {
    let count = len.div_ceil(chunk);
    partial.clear();
    partial.resize(count, 0.0);
    if count < 2 || rayon::current_num_threads() == 1 {
        partial.iter_mut().enumerate().for_each(|(k, sum)| *sum = work(bounds(k, len, chunk)));
    } else {
        partial.par_iter_mut().enumerate().for_each(|(k, sum)| *sum = work(bounds(k, len, chunk)));
    }
    partial.iter().sum()
}

/// A slice that tasks write at places they do not share.
pub(super) struct Shared<'a> {
    start: *mut f64,
    len: usize,
    lifetime: std::marker::PhantomData<&'a mut [f64]>,
}

// SAFETY: access goes through `slice`, whose caller promises that ranges in use at the same time are disjoint.
unsafe impl Sync for Shared<'_> {}

impl<'a> Shared<'a> {
    pub(super) fn new(values: &'a mut [f64]) -> Self {
        Self { start: values.as_mut_ptr(), len: values.len(), lifetime: std::marker::PhantomData }
    }

    /// The address of one number, for views that are not slices.
    pub(super) fn at(&self, index: usize) -> *mut f64 {
        assert!(index <= self.len);
        // SAFETY: inside the slice, or one past its end.
        unsafe { self.start.add(index) }
    }

    /// # Safety
    /// Nobody may write inside `range` meanwhile.
    pub(super) unsafe fn read(&self, range: Range<usize>) -> &[f64] {
        assert!(range.start <= range.end && range.end <= self.len);
        // SAFETY: inside the slice by the assertion, unwritten by the caller's promise.
        unsafe { std::slice::from_raw_parts(self.start.add(range.start), range.len()) }
    }

    /// # Safety
    /// No other slice that overlaps `range` may be alive.
    #[allow(clippy::mut_from_ref)]
    pub(super) unsafe fn slice(&self, range: Range<usize>) -> &mut [f64] {
        assert!(range.start <= range.end && range.end <= self.len);
        // SAFETY: inside the slice by the assertion, alone there by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }
}
