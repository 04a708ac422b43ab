//! Runge–Kutta stages that depend on each other, solved together by Newton–Krylov.
//!
//! Unknown are the accelerations a_i:  a_i + m⁻¹ (∇P(X_i) + ∇R(V_i)) = 0,
//! X_i = x₀ + h c_i v₀ + h² Σ (A²)_ik a_k,  V_i = v₀ + h Σ a_ik a_k.
//! No energy is minimised here, so convergence is not certain; the report says when it fails.

use super::runge_kutta::{Stages, Start};
use super::step::{StepError, evaluate_admissible};
use super::tableau::Tableau;
use crate::math::{gmres, vector};
use crate::solve::{Backend, Evaluation, SolveReport};

/// Largest change of a stage position in the last Newton step `[m]`.
const DISPLACEMENT: f64 = 1e-11;
const MAX_ITERATIONS: usize = 50;
const MAX_HALVINGS: usize = 30;

struct System<'a> {
    tableau: &'a Tableau,
    /// A²
    squared: Vec<Vec<f64>>,
    start: Start<'a>,
    n: usize,
}

impl System<'_> {
    fn count(&self) -> usize {
        self.tableau.stage_count()
    }

    fn velocity(&self, i: usize, a: &[f64], v: &mut [f64]) {
        v.copy_from_slice(self.start.v);
        self.add_stages(&self.tableau.a[i], self.start.h, a, v);
    }

    fn position(&self, i: usize, a: &[f64], backend: &dyn Backend, x: &mut [f64]) {
        let (h, c) = (self.start.h, self.tableau.node(i));
        vector::set_sum(x, &self.start.at.x, h * c, self.start.v);
        self.add_stages(&self.squared[i], h * h, a, x);
        backend.prescribe(self.start.time_at(c), x);
    }

    /// out ← out + s Σ_k row_k a_k
    fn add_stages(&self, row: &[f64], s: f64, a: &[f64], out: &mut [f64]) {
        for (k, &weight) in row.iter().enumerate() {
            vector::add_scaled(out, s * weight, &a[k * self.n..(k + 1) * self.n]);
        }
    }

    /// The stages' velocities, and their accelerations as the forces there give them.
    fn evaluate(&self, a: &[f64], backend: &mut dyn Backend, stages: &mut Stages) -> Result<(), StepError> {
        for i in 0..self.count() {
            self.velocity(i, a, &mut stages.velocity[i]);
            let (x, g) = stages.scratch();
            self.position(i, a, backend, &mut x.x);
            evaluate_admissible(backend, x)?;
            backend.gradient(x, g);
            let mut conservative = std::mem::take(&mut stages.conservative[i]);
            backend.mass().solve(stages.scratch().1, &mut conservative);
            conservative.iter_mut().for_each(|c| *c = -*c);
            stages.acceleration[i].copy_from_slice(&conservative);
            stages.conservative[i] = conservative;
            if let Some(frozen) = self.start.frozen {
                stages.set_strain_rates(backend, i);
                stages.set_dissipative_acceleration(backend, frozen, i, self.start.h);
                let g = std::mem::take(stages.scratch().1);
                vector::add_scaled(&mut stages.acceleration[i], -1.0, &g);
                *stages.scratch().1 = g;
            }
        }
        Ok(())
    }

    /// a − (what the forces give)
    fn residual(&self, a: &[f64], stages: &Stages) -> Vec<f64> {
        a.iter().zip(stages.acceleration.iter().flatten()).map(|(a, given)| a - given).collect()
    }

    /// The stages' positions, evaluated.
    fn positions(&self, a: &[f64], backend: &mut dyn Backend) -> Vec<Evaluation> {
        let position = |i: usize| {
            let mut at = Evaluation { x: vec![0.0; self.n], ..Evaluation::default() };
            self.position(i, a, backend, &mut at.x);
            backend.evaluate(&mut at);
            at
        };
        (0..self.count()).map(position).collect()
    }

    /// out ← (I + h² A² ⊗ m⁻¹K) δ: dissipation is left to the outer iteration.
    fn jacobian(&self, at: &[Evaluation], delta: &[f64], backend: &mut dyn Backend, out: &mut [f64]) {
        let (mut d, mut k) = (vec![0.0; self.n], vec![0.0; self.n]);
        out.copy_from_slice(delta);
        for i in 0..self.count() {
            d.fill(0.0);
            self.add_stages(&self.squared[i], self.start.h * self.start.h, delta, &mut d);
            for j in (0..self.n).filter(|j| backend.mass().is_pinned(j / backend.mass().dimension())) {
                d[j] = 0.0;
            }
            backend.stiffness_product(&at[i], &d, &mut k);
            backend.mass().solve(&k, &mut d);
            vector::add_scaled(&mut out[i * self.n..(i + 1) * self.n], 1.0, &d);
        }
    }
}

/// Fills the stages' velocities and accelerations; the stages' position is left at the last one.
pub fn solve(
    tableau: &Tableau,
    backend: &mut dyn Backend,
    start: Start<'_>,
    stages: &mut Stages,
) -> Result<SolveReport, StepError> {
    let s = tableau.stage_count();
    let n = start.at.x.len();
    let product = |i: usize, k: usize| (0..s).map(|j| tableau.a[i][j] * tableau.a[j][k]).sum();
    let squared = (0..s).map(|i| (0..s).map(|k| product(i, k)).collect()).collect();
    let system = System { tableau, squared, start, n };
    let mut a = vec![0.0; s * n];
    system.evaluate(&a, backend, stages)?;
    let mut residual = system.residual(&a, stages);
    let mut report = SolveReport::explicit(Default::default());
    report.converged = false;
    for _ in 0..MAX_ITERATIONS {
        report.newton_iterations += 1;
        let rhs: Vec<f64> = residual.iter().map(|r| -r).collect();
        let at = system.positions(&a, backend);
        let product = |d: &[f64], out: &mut [f64]| system.jacobian(&at, d, backend, out);
        let (delta, iterations) = gmres::solve(product, &rhs, 1e-13, 4 * s * n);
        report.linear_iterations += iterations;
        let displacement = start.h * start.h * vector::max_abs(&delta);
        if !displacement.is_finite() {
            return Err(StepError::BlownUp);
        }
        let before = vector::dot(&residual, &residual);
        let mut step = 1.0;
        for halvings in 0..=MAX_HALVINGS {
            let mut trial = a.clone();
            vector::add_scaled(&mut trial, step, &delta);
            if system.evaluate(&trial, backend, stages).is_ok() {
                let after = system.residual(&trial, stages);
                // The last step only polishes: rounding may keep the residual where it is.
                if vector::dot(&after, &after) < before || displacement < DISPLACEMENT {
                    (a, residual) = (trial, after);
                    break;
                }
            }
            step *= 0.5;
            report.halvings += 1;
            if halvings == MAX_HALVINGS {
                system.evaluate(&a, backend, stages)?;
                return finish(&system, &a, backend, stages, report);
            }
        }
        if displacement < DISPLACEMENT {
            report.converged = true;
            break;
        }
    }
    finish(&system, &a, backend, stages, report)
}

/// The unknowns themselves are the accelerations: with them the momentum balance is exact.
fn finish(
    system: &System<'_>,
    a: &[f64],
    backend: &mut dyn Backend,
    stages: &mut Stages,
    mut report: SolveReport,
) -> Result<SolveReport, StepError> {
    let n = system.n;
    for i in 0..system.count() {
        let solved = &a[i * n..(i + 1) * n];
        for j in 0..n {
            stages.conservative[i][j] += solved[j] - stages.acceleration[i][j];
        }
        stages.acceleration[i].copy_from_slice(solved);
    }
    let last = stages.scratch().0;
    system.position(system.count() - 1, a, backend, &mut last.x);
    backend.evaluate(last);
    report.energies = last.energies;
    Ok(report)
}
