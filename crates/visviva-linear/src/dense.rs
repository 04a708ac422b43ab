//! Elimination of one dense front in tiles; large fronts share their tiles among the threads.

use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::factor::{LltError, cholesky_in_place};
use faer::linalg::matmul::{matmul, triangular, triangular::BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Columns eliminated together, and rows and columns of a tile.
const TILE: usize = 128;

/// Fronts above this many multiplications share their tiles among threads.
const SHARED_FLOPS: usize = 4_000_000;

/// A front's columns: `height` rows, the first `width` of them on the diagonal, column-major.
#[derive(Debug, Clone, Copy)]
pub(super) struct Panel {
    pub(super) at: *mut f64,
    pub(super) width: usize,
    pub(super) height: usize,
}

// SAFETY: the functions below hand disjoint tiles to the threads.
unsafe impl Send for Panel {}
// SAFETY: as above.
unsafe impl Sync for Panel {}

impl Panel {
    /// # Safety
    /// The tile lies inside, and nobody writes it meanwhile.
    unsafe fn read<'a>(self, row: usize, col: usize, rows: usize, cols: usize) -> MatRef<'a, f64> {
        // SAFETY: the caller's promise.
        unsafe { MatRef::from_raw_parts(self.at.add(col * self.height + row), rows, cols, 1, self.height as isize) }
    }

    /// # Safety
    /// The tile lies inside, and nobody else touches it meanwhile.
    unsafe fn write<'a>(self, row: usize, col: usize, rows: usize, cols: usize) -> MatMut<'a, f64> {
        // SAFETY: the caller's promise.
        unsafe { MatMut::from_raw_parts_mut(self.at.add(col * self.height + row), rows, cols, 1, self.height as isize) }
    }
}

/// Scratch of [`eliminate`] for a front of this width: one column, and room to align it.
pub(super) fn scratch_len(width: usize) -> usize {
    width.min(TILE) + 32
}

/// Overwrites the panel by its columns of L; the error is the column whose pivot is not positive.
///
/// # Safety
/// The panel's memory is valid and nobody else's.
pub(super) unsafe fn eliminate(panel: Panel, scratch: &mut [f64]) -> Result<(), usize> {
    let Panel { width, height, .. } = panel;
    for start in (0..width).step_by(TILE) {
        let cols = TILE.min(width - start);
        let end = start + cols;
        // SAFETY: plain numbers are valid bytes.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut(scratch.as_mut_ptr().cast::<MaybeUninit<u8>>(), 8 * scratch.len())
        };
        // SAFETY: nothing else runs on this panel here.
        let diagonal = unsafe { panel.write(start, start, cols, cols) };
        cholesky_in_place(diagonal, Default::default(), Par::Seq, MemStack::new(bytes), Default::default())
            .map_err(|LltError::NonPositivePivot { index }| start + index)?;
        // Rows below in tiles: each needs the diagonal block alone.
        tiles((height - end).div_ceil(TILE), cols * cols * (height - end), |k| {
            let row = end + k * TILE;
            // SAFETY: tiles differ by their rows, and the diagonal block is only read.
            let (l, tile) = unsafe {
                (panel.read(start, start, cols, cols), panel.write(row, start, TILE.min(height - row), cols))
            };
            solve_lower_triangular_in_place(l, tile.transpose_mut(), Par::Seq);
        });
        // Columns to come: each tile subtracts what these columns contribute.
        let rest = width - end;
        tiles(rest.div_ceil(TILE), cols * rest * (height - end), |k| {
            let col = end + k * TILE;
            let wide = TILE.min(width - col);
            // SAFETY: tiles differ by their columns, and what is read lies to the left of all of them.
            unsafe {
                let left = panel.read(col, start, wide, cols);
                subtract_square(panel.write(col, col, wide, wide), Accum::Add, left);
                let rows = height - col - wide;
                let low = panel.read(col + wide, start, rows, cols);
                matmul(panel.write(col + wide, col, rows, wide), Accum::Add, low, left.transpose(), -1.0, Par::Seq);
            }
        });
    }
    Ok(())
}

/// Writes −L₂L₂ᵀ, lower triangle only, to the square at `out`, L₂ being the rows below the diagonal.
///
/// # Safety
/// Both pieces of memory are valid and nobody else's.
pub(super) unsafe fn update(panel: Panel, out: *mut f64) {
    let Panel { width, height, .. } = panel;
    let below = height - width;
    let out = Panel { at: out, width: below, height: below };
    tiles(below.div_ceil(TILE), width * below * below, |k| {
        let col = k * TILE;
        let wide = TILE.min(below - col);
        // SAFETY: tiles differ by their columns, and the panel is only read.
        unsafe {
            let left = panel.read(width + col, 0, wide, width);
            subtract_square(out.write(col, col, wide, wide), Accum::Replace, left);
            let rows = below - col - wide;
            let low = panel.read(width + col + wide, 0, rows, width);
            matmul(out.write(col + wide, col, rows, wide), Accum::Replace, low, left.transpose(), -1.0, Par::Seq);
        }
    });
}

/// Lower triangle of out − a·aᵀ, or of −a·aᵀ where it replaces.
fn subtract_square(out: MatMut<'_, f64>, accum: Accum, a: MatRef<'_, f64>) {
    let (lower, full) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
    triangular::matmul(out, lower, accum, a, full, a.transpose(), full, -1.0, Par::Seq);
}

fn tiles(count: usize, flops: usize, work: impl Fn(usize) + Sync) {
    if count > 1 && flops > SHARED_FLOPS && rayon::current_num_threads() > 1 {
        (0..count).into_par_iter().with_max_len(1).for_each(&work);
    } else {
        (0..count).for_each(work);
    }
}
