//! y = A·x row by row, three multiplied columns a block, the fourth lane of each load thrown away.

use super::block_matrix::BlockMatrix;
use std::ops::Range;

/// Writes rows `rows` of A·x to `y` (their part only) and returns their share of xᵀA·x.
pub(super) fn multiply_rows(matrix: &BlockMatrix, rows: Range<usize>, x: &[f64], y: &mut [f64]) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the feature was just found. The same operations in the same order, hence the same bits.
        return unsafe { rows_avx(matrix, rows, x, y) };
    }
    rows_plain(matrix, rows, x, y)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
fn rows_avx(matrix: &BlockMatrix, rows: Range<usize>, x: &[f64], y: &mut [f64]) -> f64 {
    rows_plain(matrix, rows, x, y)
}

#[inline(always)]
fn rows_plain(matrix: &BlockMatrix, rows: Range<usize>, x: &[f64], y: &mut [f64]) -> f64 {
    let pattern = matrix.pattern();
    let mut dot = 0.0;
    for (i, out) in rows.zip(y.chunks_exact_mut(3)) {
        let range = pattern.row_range(i);
        // Three sums: one would wait for its own last addition.
        let mut sum = [[0.0f64; 4]; 3];
        let blocks = &matrix.values[9 * range.start..9 * range.end + super::block_matrix::PAD];
        for (k, &col) in pattern.cols[range].iter().enumerate() {
            let at: &[f64; 3] = x[3 * col as usize..].first_chunk().expect("a node of the pattern");
            let block: &[f64; 12] = blocks[9 * k..].first_chunk().expect("padded values");
            for c in 0..3 {
                for lane in 0..4 {
                    sum[c][lane] += block[3 * c + lane] * at[c];
                }
            }
        }
        for r in 0..3 {
            out[r] = (sum[0][r] + sum[1][r]) + sum[2][r];
            dot += x[3 * i + r] * out[r];
        }
    }
    dot
}
