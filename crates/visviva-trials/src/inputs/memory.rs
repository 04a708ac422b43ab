//! How much memory is in use: an allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// Safety: every call is handed on as it is; the counters change nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(block, layout, size) }
    }
}

fn count(size: usize) {
    MOST.fetch_max(NOW.fetch_add(size, Relaxed) + size, Relaxed);
}

/// In use now `[bytes]`.
pub fn now() -> usize {
    NOW.load(Relaxed)
}

/// Begins to look for the most anew.
pub fn begin() -> usize {
    let now = now();
    MOST.store(now, Relaxed);
    now
}

/// The most since `begin` `[bytes]`.
pub fn most() -> usize {
    MOST.load(Relaxed)
}
