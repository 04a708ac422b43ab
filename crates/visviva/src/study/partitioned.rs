//! Symplectic partitioned Runge–Kutta methods on the harmonic oscillator: positions by a table, velocities by its symplectic adjoint
//! â_ij = b_j − b_j a_ji / b_i, both coupled, where the decoupled methods take them apart.

use crate::integrate::tableau::Tableau;
use nalgebra::{DMatrix, DVector, Matrix2};

/// The matrix of one step of ẋ = v, v̇ = −ħx with h = 1. None where a weight is zero or the stages have no solution.
pub fn matrix(tableau: &Tableau, hbar: f64) -> Option<Matrix2<f64>> {
    let (s, a, b) = (tableau.stage_count(), &tableau.a, &tableau.b);
    if b.contains(&0.0) {
        return None;
    }
    let adjoint = |i: usize, j: usize| b[j] - b[j] * a[j][i] / b[i];
    // X = x e + A V,  V = v e − ħ Â X
    let system = DMatrix::from_fn(2 * s, 2 * s, |row, column| {
        let own = f64::from(u8::from(row == column));
        match (row < s, column < s) {
            (true, false) => own - a[row][column - s],
            (false, true) => own + hbar * adjoint(row - s, column),
            _ => own,
        }
    });
    let solver = system.lu();
    let step = |x: f64, v: f64| {
        let stages = solver.solve(&DVector::from_fn(2 * s, |row, _| if row < s { x } else { v }))?;
        let over = |from: usize| (0..s).map(|j| b[j] * stages[from + j]).sum::<f64>();
        Some([x + over(s), v - hbar * over(0)])
    };
    let (first, second) = (step(1.0, 0.0)?, step(0.0, 1.0)?);
    Some(Matrix2::new(first[0], second[0], first[1], second[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::tableau::SDIRK2_GAMMA;

    #[test]
    fn implicit_euler_and_its_adjoint_are_symplectic_euler() {
        let q = matrix(&Tableau::theta_inner(1.0), 0.7).unwrap();
        assert!((q.trace() - (2.0 - 0.7)).abs() < 1e-12 && (q.determinant() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_coupled_is_symplectic_and_grows_without_bound() {
        let trace = |hbar: f64| matrix(&Tableau::sdirk2(SDIRK2_GAMMA), hbar).unwrap().trace().abs();
        let q = matrix(&Tableau::sdirk2(SDIRK2_GAMMA), 3.0).unwrap();
        assert!((q.determinant() - 1.0).abs() < 1e-10);
        assert!(trace(1e6) > 100.0 * trace(1e3), "{} {}", trace(1e3), trace(1e6));
    }
}
