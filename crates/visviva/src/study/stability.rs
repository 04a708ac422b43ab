//! Linear stability: one step of each method on the harmonic oscillator ẍ = −ħx, h = 1, as a matrix, beside its theory.
//!
//! A one-step method is symplectic there when det Q = 1 and then stable when |tr Q| ≤ 2 (appendix C of the paper).

use super::worlds::Spring;
use crate::energy::{Goal, Target};
use crate::integrate::{IntegratorSpec, LinearForm, Step, StepEnd, StepError, Tableau};
use crate::model::{Mass, State};
use crate::solve::{Backend, BandedSolver, Frozen, NewtonSettings};
use nalgebra::{Complex, DMatrix, DVector, Matrix2, Matrix4};
use serde::Serialize;

/// One method at one ħ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    pub integrator: IntegratorSpec,
    /// h²k/m
    pub hbar: f64,
    pub det: f64,
    pub trace: f64,
    /// (re, im) pairs
    pub eigenvalues: [(f64, f64); 2],
    /// max |λ|
    pub spectral_radius: f64,
    pub theory_det: f64,
    pub theory_trace: f64,
}

/// The matrix of one step on (x, v), measured by stepping the two unit states. None for methods that are not one-step or not linear.
pub fn measured_matrix(integrator: &IntegratorSpec, hbar: f64) -> Option<Result<Matrix2<f64>, StepError>> {
    match integrator.build().linear_form() {
        LinearForm::Bdf2 | LinearForm::Adaptive => return None,
        _ => {}
    }
    let column = |x: f64, v: f64| -> Result<State, StepError> {
        let mass = Mass::lumped(1, vec![1.0]).expect("one kilogram is positive");
        let spring = Spring { stiffness: hbar, one_sided: false };
        let settings = NewtonSettings { displacement: 1e-14, ..NewtonSettings::TIGHT };
        let mut world = BandedSolver::new(mass, vec![Box::new(spring)], Vec::new(), Vec::new(), settings);
        let mut state = State::new(vec![x], vec![v]);
        let (start, mut frozen) = (world.evaluation(&state.x), Frozen::default());
        world.freeze(&start, &state.v, &mut frozen);
        let total_before = start.energies.total() + world.mass().kinetic_energy(&state.v);
        let goal = Goal {
            target: &Target::Conserve,
            level: total_before,
            start_energy: total_before,
            t1: 1.0,
            h: 1.0,
            bodies: None,
        };
        let step = Step { h: 1.0, total_before, goal, start: &start, frozen: &frozen };
        integrator.build().step(&mut world, &mut state, &step, &mut StepEnd::default())?;
        Ok(state)
    };
    Some(column(1.0, 0.0).and_then(|a| column(0.0, 1.0).map(|b| Matrix2::new(a.x[0], b.x[0], a.v[0], b.v[0]))))
}

/// R(z) = 1 + z bᵀ(I − zA)⁻¹e at z = i√ħ.
pub fn stability_function(tableau: &Tableau, hbar: f64) -> Complex<f64> {
    let s = tableau.stage_count();
    let z = Complex::new(0.0, hbar.sqrt());
    let system = DMatrix::from_fn(s, s, |i, j| Complex::from(f64::from(u8::from(i == j))) - z * tableau.a[i][j]);
    let ones = DVector::from_element(s, Complex::from(1.0));
    match system.lu().solve(&ones) {
        Some(y) => Complex::from(1.0) + z * (0..s).map(|i| y[i] * tableau.b[i]).sum::<Complex<f64>>(),
        None => Complex::new(f64::NAN, f64::NAN),
    }
}

/// (det, trace) of the step's matrix from the method's formula.
pub fn theory(form: &LinearForm, hbar: f64) -> Option<(f64, f64)> {
    match form {
        LinearForm::RungeKutta(tableau) => {
            let r = stability_function(tableau, hbar);
            Some((r.norm_sqr(), 2.0 * r.re))
        }
        LinearForm::Decoupled { base, alpha } => {
            let phi = stability_function(base, hbar);
            let psi = stability_function(&base.adjoint(), hbar);
            let mixed = psi * *alpha + phi * (1.0 - alpha);
            Some(((phi * mixed.conj()).re, phi.re + mixed.re))
        }
        LinearForm::ExplicitSymplectic => Some((1.0, 2.0 - hbar)),
        LinearForm::Newmark { beta, gamma } => {
            let denominator = 1.0 + beta * hbar;
            let (x_x, x_v) = ((1.0 - (0.5 - beta) * hbar) / denominator, 1.0 / denominator);
            let (v_x, v_v) = (-(1.0 - gamma) * hbar - gamma * hbar * x_x, 1.0 - gamma * hbar * x_v);
            Some((x_x * v_v - x_v * v_x, x_x + v_v))
        }
        LinearForm::Bdf2 | LinearForm::Adaptive => None,
    }
}

/// Measures the method at ħ. None for methods that are not one-step or not linear.
pub fn measure(integrator: &IntegratorSpec, hbar: f64) -> Option<Result<Row, StepError>> {
    let (theory_det, theory_trace) = theory(&integrator.build().linear_form(), hbar)?;
    Some(measured_matrix(integrator, hbar)?.map(|q| {
        let (det, trace) = (q.determinant(), q.trace());
        let root = Complex::from(trace * trace / 4.0 - det).sqrt();
        let eigenvalues = [Complex::from(trace / 2.0) + root, Complex::from(trace / 2.0) - root];
        Row {
            integrator: integrator.clone(),
            hbar,
            det,
            trace,
            eigenvalues: eigenvalues.map(|e| (e.re, e.im)),
            spectral_radius: eigenvalues[0].norm().max(eigenvalues[1].norm()),
            theory_det,
            theory_trace,
        }
    }))
}

/// A two-step method on (x_n, v_n, x_{n−1}, v_{n−1}).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwoStepRow {
    pub method: &'static str,
    pub hbar: f64,
    pub det: f64,
    /// Largest first, (re, im) pairs
    pub eigenvalues: Vec<(f64, f64)>,
    pub spectral_radius: f64,
}

/// BDF2: 3z₁ − 4z₀ + z₋₁ = 2h f(z₁).
pub fn bdf2(hbar: f64) -> TwoStepRow {
    let denominator = 1.0 + 4.0 * hbar / 9.0;
    let position = [4.0 / 3.0, 8.0 / 9.0, -1.0 / 3.0, -2.0 / 9.0].map(|c| c / denominator);
    // v₁ = (4v₀ − v₋₁)/3 − ⅔ħ x₁
    let velocity: [f64; 4] =
        std::array::from_fn(|i| [0.0, 4.0 / 3.0, 0.0, -1.0 / 3.0][i] - 2.0 / 3.0 * hbar * position[i]);
    two_step("bdf2", hbar, position, velocity)
}

/// Decoupled BDF2: positions as above, velocities from its adjoint z₁ = 4z₀ − 3z₋₁ − 2h f(z₋₁). Not zero-stable: a root 3 at ħ = 0.
pub fn decoupled_bdf2(hbar: f64) -> TwoStepRow {
    let denominator = 1.0 + 4.0 * hbar / 9.0;
    let position = [4.0 / 3.0, 8.0 / 9.0, -1.0 / 3.0, -2.0 / 9.0].map(|c| c / denominator);
    two_step("decoupled-bdf2", hbar, position, [0.0, 4.0, 2.0 * hbar, -3.0])
}

fn two_step(method: &'static str, hbar: f64, position: [f64; 4], velocity: [f64; 4]) -> TwoStepRow {
    let q = Matrix4::from_rows(&[
        position.into(),
        velocity.into(),
        [1.0, 0.0, 0.0, 0.0].into(),
        [0.0, 1.0, 0.0, 0.0].into(),
    ]);
    let mut eigenvalues: Vec<Complex<f64>> = q.complex_eigenvalues().iter().copied().collect();
    eigenvalues.sort_by(|a, b| b.norm().total_cmp(&a.norm()).then(b.im.total_cmp(&a.im)));
    TwoStepRow {
        method,
        hbar,
        det: q.determinant(),
        spectral_radius: eigenvalues[0].norm(),
        eigenvalues: eigenvalues.iter().map(|e| (e.re, e.im)).collect(),
    }
}
