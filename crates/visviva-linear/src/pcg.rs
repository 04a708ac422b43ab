//! Conjugate gradients preconditioned by the inverses of the diagonal blocks (Hestenes and Stiefel 1952) and, in larger systems, by a
//! coarse correction.
//!
//! Converged when √(rᵀM⁻¹r) ≤ tolerance·√(bᵀM⁻¹b). All sums run over fixed chunks: the same bits for any number of threads.
//! A matrix stored in f32 was measured and left out: it takes the same iterations, but at tolerance 1e-8 the true residual
//! stalls between 8e-8 (soft) and 7e-5 (contact of 1e12 N/m).

use super::block_matrix::BlockMatrix;
use super::chunks::{Shared, for_each_chunk, sum_chunks};
use super::coarse::Coarse;
use super::error::{LinearError, expect_len};
use super::product::multiply_rows;

/// Nodes in a chunk of the product, and of everything else, which costs a tenth of it.
const ROWS: usize = 256;
const NODES: usize = 2048;

/// Systems from this many nodes on have a coarse correction: smaller ones are solved before it pays.
const COARSE_FROM: usize = 1000;

/// How a run of conjugate gradients ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PcgReport {
    pub iterations: usize,
    /// √(rᵀM⁻¹r) / √(bᵀM⁻¹b), of the recursive residual.
    pub residual: f64,
    pub converged: bool,
}

/// The vectors of the iteration, kept from solve to solve.
#[derive(Debug, Default)]
pub struct Pcg {
    coarse: Coarse,
    inverse: Vec<[f64; 9]>,
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
    partial: Vec<f64>,
    /// bᵀM⁻¹b, rᵀM⁻¹r and the next β, for going on
    start: f64,
    rz: f64,
    beta: f64,
    iterations: usize,
}

impl Pcg {
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves A·x = b from x = 0.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix,
        b: &[f64],
        x: &mut [f64],
        tolerance: f64,
        max_iterations: usize,
    ) -> Result<PcgReport, LinearError> {
        let n = matrix.node_count();
        expect_len("right-hand side", b.len(), 3 * n)?;
        expect_len("solution", x.len(), 3 * n)?;
        if let Some(k) = b.iter().position(|value| !value.is_finite()) {
            return Err(LinearError::NotFinite { node: k / 3 });
        }
        in_pool(n, || {
            self.begin(matrix, b, x)?;
            self.iterate(matrix, x, tolerance, max_iterations)
        })
    }

    /// Goes on with the last solve, whose matrix and x these must be, to a tighter tolerance: as if it had been asked for at once.
    pub fn go_on(
        &mut self,
        matrix: &BlockMatrix,
        x: &mut [f64],
        tolerance: f64,
        max_iterations: usize,
    ) -> Result<PcgReport, LinearError> {
        expect_len("system begun", self.r.len(), 3 * matrix.node_count())?;
        expect_len("solution", x.len(), 3 * matrix.node_count())?;
        in_pool(matrix.node_count(), || self.iterate(matrix, x, tolerance, max_iterations))
    }

    fn begin(&mut self, matrix: &BlockMatrix, b: &[f64], x: &mut [f64]) -> Result<(), LinearError> {
        self.invert_diagonal(matrix)?;
        if matrix.node_count() >= COARSE_FROM {
            self.coarse.prepare(matrix);
        } else {
            self.coarse.leave_out();
        }
        x.fill(0.0);
        self.r.clear();
        self.r.extend_from_slice(b);
        for vector in [&mut self.z, &mut self.p, &mut self.q] {
            vector.resize(b.len(), 0.0);
        }
        self.p.fill(0.0);
        self.q.fill(0.0);
        self.rz = self.advance(0.0, x);
        (self.start, self.beta, self.iterations) = (self.rz, 0.0, 0);
        Ok(())
    }

    /// `max_iterations` counts from the beginning of the solve.
    fn iterate(
        &mut self,
        matrix: &BlockMatrix,
        x: &mut [f64],
        tolerance: f64,
        max_iterations: usize,
    ) -> Result<PcgReport, LinearError> {
        let goal = tolerance * tolerance * self.start;
        while self.rz > goal && self.iterations < max_iterations {
            self.iterations += 1;
            let curvature = self.direct(matrix, self.beta);
            if curvature.is_nan() || curvature <= 0.0 || curvature.is_infinite() {
                return Err(LinearError::NegativeCurvature { iteration: self.iterations, curvature });
            }
            let rz = self.advance(self.rz / curvature, x);
            self.beta = rz / self.rz;
            self.rz = rz;
        }
        let residual = if self.start > 0.0 { (self.rz / self.start).sqrt() } else { 0.0 };
        Ok(PcgReport { iterations: self.iterations, residual, converged: self.rz <= goal })
    }

    /// p ← z + βp, q ← A·p; returns pᵀA·p.
    fn direct(&mut self, matrix: &BlockMatrix, beta: f64) -> f64 {
        let n = matrix.node_count();
        let (z, p) = (&self.z, Shared::new(&mut self.p));
        for_each_chunk(n, NODES, |nodes| {
            let range = 3 * nodes.start..3 * nodes.end;
            // SAFETY: chunks do not overlap.
            let p = unsafe { p.slice(range.clone()) };
            p.iter_mut().zip(&z[range]).for_each(|(p, z)| *p = z + beta * *p);
        });
        let (p, q) = (&self.p, Shared::new(&mut self.q));
        sum_chunks(n, ROWS, &mut self.partial, |rows| {
            // SAFETY: chunks do not overlap.
            let q = unsafe { q.slice(3 * rows.start..3 * rows.end) };
            multiply_rows(matrix, rows, p, q)
        })
    }

    /// x ← x + αp, r ← r − αq, z ← M⁻¹r in one sweep; returns rᵀz.
    fn advance(&mut self, alpha: f64, x: &mut [f64]) -> f64 {
        let (p, q, inverse) = (&self.p, &self.q, &self.inverse);
        let (x, r, z) = (Shared::new(x), Shared::new(&mut self.r), Shared::new(&mut self.z));
        let fine = sum_chunks(inverse.len(), NODES, &mut self.partial, |nodes| {
            let range = 3 * nodes.start..3 * nodes.end;
            // SAFETY: chunks do not overlap.
            let (x, r, z) = unsafe { (x.slice(range.clone()), r.slice(range.clone()), z.slice(range.clone())) };
            x.iter_mut().zip(&p[range.clone()]).for_each(|(x, p)| *x += alpha * p);
            r.iter_mut().zip(&q[range]).for_each(|(r, q)| *r -= alpha * q);
            let mut dot = [0.0; 3];
            for ((m, r), z) in inverse[nodes].iter().zip(r.chunks_exact(3)).zip(z.chunks_exact_mut(3)) {
                for c in 0..3 {
                    z[c] = m[c] * r[0] + m[3 + c] * r[1] + m[6 + c] * r[2];
                    dot[c] += r[c] * z[c];
                }
            }
            dot[0] + dot[1] + dot[2]
        });
        fine + self.coarse.add(&self.r, &mut self.z)
    }

    fn invert_diagonal(&mut self, matrix: &BlockMatrix) -> Result<(), LinearError> {
        self.inverse.clear();
        for (node, &slot) in matrix.pattern().diagonal.iter().enumerate() {
            let m = matrix.at(slot as usize);
            if m.iter().any(|value| !value.is_finite()) {
                return Err(LinearError::NotFinite { node });
            }
            self.inverse.push(inverse_spd(m).ok_or(LinearError::NotPositiveDefinite { node })?);
        }
        Ok(())
    }
}

/// Enters the pool once: a parallel call from outside it costs a wake-up each.
fn in_pool<T: Send>(node_count: usize, work: impl FnOnce() -> T + Send) -> T {
    if node_count <= ROWS || rayon::current_thread_index().is_some() || rayon::current_num_threads() == 1 {
        work()
    } else {
        rayon::scope(|_| work())
    }
}

/// Inverse of a symmetric positive definite 3×3 block through its Cholesky factor; `None` when it is not positive definite.
fn inverse_spd(m: &[f64; 9]) -> Option<[f64; 9]> {
    // A pivot this far below its diagonal entry is rounding, not definiteness.
    let root = |pivot: f64, entry: f64| (pivot > 4.0 * f64::EPSILON * entry).then(|| pivot.sqrt());
    let a = root(m[0], m[0])?;
    let (b, d) = (m[1] / a, m[2] / a);
    let c = root(m[4] - b * b, m[4])?;
    let e = (m[5] - b * d) / c;
    let f = root(m[8] - d * d - e * e, m[8])?;
    // L⁻¹ = [a' 0 0; b' c' 0; d' e' f'], and the inverse is L⁻ᵀL⁻¹.
    let (ai, ci, fi) = (1.0 / a, 1.0 / c, 1.0 / f);
    let bi = -b * ai * ci;
    let ei = -e * ci * fi;
    let di = -(d * ai + e * bi) * fi;
    let (xy, xz, yz) = (bi * ci + di * ei, di * fi, ei * fi);
    Some([ai * ai + bi * bi + di * di, xy, xz, xy, ci * ci + ei * ei, yz, xz, yz, fi * fi])
}
