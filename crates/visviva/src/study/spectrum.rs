//! Where the energy of the bar sits: its motion projected on the linear eigenmodes of the bar at rest.
//!
//! Kφ = ω²Mφ;  e_k = ½(φ_kᵀMv)² + ½ω_k²(φ_kᵀMu)², u the displacement from rest. Mode 0 is the rigid translation. The energy is
//! that of the linearised bar: it shows amplitudes, not the neo-Hookean energy.

use super::collision::{self, Case, Collision, NODE_COUNT, Setup};
use crate::model::State;
use crate::simulation::StartError;
use nalgebra::{DMatrix, DVector, SymmetricEigen};

#[derive(Debug, Clone)]
pub struct Modes {
    /// Angular frequencies, ascending `[rad/s]`
    pub frequencies: Vec<f64>,
    /// M φ_k as columns
    weighted: DMatrix<f64>,
    rest: Vec<f64>,
}

impl Modes {
    pub fn new(case: Case) -> Self {
        let bar = collision::elasticity(case);
        let masses = collision::masses();
        let k = bar.stiffness / bar.length;
        let mut stiffness = DMatrix::<f64>::zeros(NODE_COUNT, NODE_COUNT);
        for i in 0..collision::ELEMENT_COUNT {
            stiffness[(i, i)] += k;
            stiffness[(i + 1, i + 1)] += k;
            stiffness[(i, i + 1)] -= k;
            stiffness[(i + 1, i)] -= k;
        }
        let root = |i: usize| f64::sqrt(masses[i]);
        let scaled = DMatrix::from_fn(NODE_COUNT, NODE_COUNT, |i, j| stiffness[(i, j)] / (root(i) * root(j)));
        let eigen = SymmetricEigen::new(scaled);
        let mut order: Vec<usize> = (0..NODE_COUNT).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
        Self {
            frequencies: order.iter().map(|&k| eigen.eigenvalues[k].max(0.0).sqrt()).collect(),
            // φ = M^(−½)ψ, so Mφ = M^½ψ.
            weighted: DMatrix::from_fn(NODE_COUNT, NODE_COUNT, |i, k| root(i) * eigen.eigenvectors[(i, order[k])]),
            rest: collision::start(0.0).x,
        }
    }

    /// Energy by mode `[J]`.
    pub fn energies(&self, state: &State) -> Vec<f64> {
        let u = DVector::from_iterator(NODE_COUNT, state.x.iter().zip(&self.rest).map(|(x, rest)| x - rest));
        let amplitude = self.weighted.tr_mul(&u);
        let velocity = self.weighted.tr_mul(&DVector::from_column_slice(&state.v));
        // Mode 0 has no stiffness; what rounding leaves of its ω² must not meet a metre of flight.
        let omega = |k: usize| if k == 0 { 0.0 } else { self.frequencies[k] };
        (0..NODE_COUNT).map(|k| 0.5 * velocity[k].powi(2) + 0.5 * (omega(k) * amplitude[k]).powi(2)).collect()
    }
}

/// Energy by mode averaged over the last second of the run `[J]`, and the run itself.
pub fn mean_spectrum(setup: &Setup) -> Result<(Vec<f64>, Collision), StartError> {
    let modes = Modes::new(setup.case);
    let mut sum = vec![0.0; NODE_COUNT];
    let mut count = 0;
    let from = setup.duration - 1.0 + 0.5 * setup.h;
    let result = collision::run(setup, |state, _| {
        if state.t >= from {
            sum.iter_mut().zip(modes.energies(state)).for_each(|(s, e)| *s += e);
            count += 1;
        }
    })?;
    sum.iter_mut().for_each(|s| *s = if count > 0 { *s / f64::from(count) } else { f64::NAN });
    Ok((sum, result))
}
