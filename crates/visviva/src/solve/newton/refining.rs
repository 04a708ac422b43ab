//! The end of Newton's iteration in contact: what a short step's linear system got wrong of the forces between surfaces is counted and
//! solved for again, with the factor at hand.
//!
//! ```text
//! A d = f − N(d),    N(d) = ∇B(x + d) − ∇B(x) − ∇²B d, and so of what contacts lose
//! ```
//!
//! Steps this short bend nothing but contact: gaps of micrometres and speeds at the threshold of friction. A pair of solves costs a tenth
//! of a factorisation, and N is small beside A d: d is found by repetition, mixed as by Anderson (1965).

use super::StageObjective;
use crate::solve::contact::Bending;
use crate::solve::evaluation::Evaluation;
use crate::solve::stage::SolveError;
use nalgebra::{DMatrix, DVector};

/// Solves at most
const ROUNDS: usize = 5;
/// From so many on they must have halved what is wrong.
const PATIENCE: usize = 3;
/// Of the step that ends the iteration: so far steps are refined.
const FAR: f64 = 2.0;

/// What was counted in a round.
struct Guess {
    counted: Bending,
    /// What it changes of the solution
    response: Vec<f64>,
    /// What the step that this led to bends, less what it counted
    residual: Vec<f64>,
}

impl StageObjective<'_> {
    /// d ← the step with what bends counted, of bodies whose part of d is short and leaves forces wrong. `assembly.solution` is d on
    /// the unknowns, solved for directly.
    pub fn refine(&mut self, at: &Evaluation, d: &mut [f64]) -> Result<(), SolveError> {
        let Some(left) = self.look_at_contact(at, d, |step| step.forces_left()) else { return Ok(()) };
        let chosen = self.short_and_wrong(at, d, &left);
        if !chosen.contains(&true) {
            return Ok(());
        }
        let of_chosen =
            |left: &[f64]| left.iter().zip(&chosen).filter(|(_, c)| **c).map(|(&l, _)| l).fold(0.0, f64::max);
        let is_chosen = |sides: [u32; 2]| sides.iter().any(|&side| chosen.get(side as usize) == Some(&true));
        let plain = self.assembly.solution.clone();
        let wrong_at_first = of_chosen(&left);
        let mut best = (wrong_at_first, plain.clone(), Bending::default());
        let mut guesses: Vec<Guess> = Vec::new();
        for round in 0..ROUNDS {
            let bends = self.look_at_contact(at, d, |step| step.bending(is_chosen)).unwrap_or_default();
            let residual = bends.less(&self.counted);
            let response = self.response_to(at, d, &bends)?;
            guesses.push(Guess { counted: bends, response, residual });
            self.counted.clear();
            self.assembly.solution.copy_from_slice(&plain);
            for (guess, weight) in guesses.iter().zip(weights(&guesses)) {
                self.counted.add(weight, &guess.counted);
                self.assembly.solution.iter_mut().zip(&guess.response).for_each(|(d, change)| *d += weight * change);
            }
            self.assembly.unknowns.spread(&self.assembly.solution, d);
            let wrong = of_chosen(&self.look_at_contact(at, d, |step| step.forces_left()).unwrap_or_default());
            if wrong < best.0 {
                best = (wrong, self.assembly.solution.clone(), self.counted.clone());
            }
            let helps = best.0 < 0.5 * wrong_at_first;
            if wrong < self.settings.newton.gap || round + 1 >= PATIENCE && !(helps && wrong.is_finite()) {
                break;
            }
        }
        let (wrong, solution, counted) = best;
        (self.assembly.solution, self.counted) = (solution, counted);
        self.assembly.unknowns.spread(&self.assembly.solution, d);
        let slope = self.assembly.slope(self.terms, d);
        let leads_down = slope.is_finite() && slope < 0.0;
        if wrong >= 0.5 * wrong_at_first || !leads_down {
            self.counted.clear();
            self.assembly.solution = plain;
            self.assembly.unknowns.spread(&self.assembly.solution, d);
        }
        Ok(())
    }

    /// −A⁻¹ times the gradient of what bends
    fn response_to(&mut self, at: &Evaluation, d: &[f64], bends: &Bending) -> Result<Vec<f64>, SolveError> {
        let mut gradient = vec![0.0; d.len()];
        self.look_at_contact(at, d, |step| step.add_gradient(bends, &mut gradient));
        let unknowns = &self.assembly.unknowns;
        let mut response: Vec<f64> =
            unknowns.nodes().flat_map(|node| [0, 1, 2].map(|c| -gradient[3 * node + c])).collect();
        self.linear.solve_again(&mut response).map_err(unknowns.named())?;
        Ok(response)
    }

    /// Which bodies' groups take a short step that leaves forces wrong.
    fn short_and_wrong(&self, at: &Evaluation, d: &[f64], left: &[f64]) -> Vec<bool> {
        let group = self.touching_groups(at);
        let (mut short, mut wrong) = (vec![true; group.len()], vec![false; group.len()]);
        for (body, &group) in group.iter().enumerate() {
            short[group] &= self.is_shorter(body, d, FAR);
            wrong[group] |= left.get(body).is_some_and(|&left| left >= self.settings.newton.gap);
        }
        group.iter().map(|&group| short[group] && wrong[group]).collect()
    }
}

/// Weights that sum to one and make Σ w r least.
fn weights(guesses: &[Guess]) -> Vec<f64> {
    let Some((last, others)) = guesses.split_last() else { return Vec::new() };
    let mut weights = vec![0.0; others.len()];
    weights.push(1.0);
    let difference = |guess: &Guess| guess.residual.iter().zip(&last.residual).map(|(a, b)| a - b).collect();
    let differences: Vec<Vec<f64>> = others.iter().map(difference).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let largest = differences.iter().map(|difference| dot(difference, difference)).fold(0.0, f64::max);
    // Guesses that say the same share their weight.
    let extra = |i: usize, j: usize| if i == j { 1e-10 * largest } else { 0.0 };
    let normal =
        DMatrix::from_fn(others.len(), others.len(), |i, j| dot(&differences[i], &differences[j]) + extra(i, j));
    let aim = DVector::from_fn(others.len(), |i, _| -dot(&differences[i], &last.residual));
    if let Some(solution) = normal.cholesky().map(|factor| factor.solve(&aim)) {
        weights[..others.len()].copy_from_slice(solution.as_slice());
        weights[others.len()] = 1.0 - solution.sum();
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(residual: &[f64]) -> Guess {
        Guess { counted: Bending::default(), response: Vec::new(), residual: residual.to_vec() }
    }

    #[test]
    fn weights_leave_least_of_the_residuals() {
        assert_eq!(weights(&[guess(&[3.0])]), [1.0]);
        let mixed = weights(&[guess(&[2.0, 0.0]), guess(&[-1.0, 0.0])]);
        assert!((mixed[0] - 1.0 / 3.0).abs() < 1e-8 && (mixed[1] - 2.0 / 3.0).abs() < 1e-8, "{mixed:?}");
        // In the plane, three residuals around the origin cancel.
        let three = [guess(&[1.0, 0.0]), guess(&[0.0, 1.0]), guess(&[-1.0, -1.0])];
        let mixed = weights(&three);
        assert!(mixed.iter().all(|w| (w - 1.0 / 3.0).abs() < 1e-8), "{mixed:?}");
        // Two that say the same are no contradiction.
        let same = weights(&[guess(&[1.0, 2.0]), guess(&[1.0, 2.0])]);
        assert!((same.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{same:?}");
    }
}
