//! A body set down: moved along gravity until the barrier below it carries its weight and no more.

use super::backend::{Backend, inadmissible_term};
use super::bodies::BodiesSolver;
use crate::model::Hold;
use crate::model::bodies::node_of;
use nalgebra::Vector3;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SetDownError {
    #[error("there is no gravity: nothing says where down is")]
    NoGravity,
    #[error("it is pinned: take out the pin, or place it with `translate`")]
    Pinned,
    #[error("nothing lies below it: put an obstacle or another body there, or move it over one with `translate`")]
    NothingBelow,
}

/// Of the weight: nearer the barrier's force need not come.
const EXACT: f64 = 1e-6;
/// A gap shrinks to a tenth with each step down; halving then finds the place.
const MOST_ROUNDS: usize = 100;

impl BodiesSolver {
    /// Sets one body down in x. Where bodies intersect, all is left as it is: others tell of that.
    pub fn set_down(&mut self, body: usize, x: &mut [f64]) -> Result<(), SetDownError> {
        let gravity = self.model().gravity;
        let down = gravity.try_normalize(0.0).ok_or(SetDownError::NoGravity)?;
        if self.holds()[body] != Hold::Free {
            return Err(SetDownError::Pinned);
        }
        let nodes = self.model().bodies[body].nodes.clone();
        let weight = self.model().node_mass[nodes.clone()].iter().sum::<f64>() * gravity.norm();
        let start = x.to_vec();
        let moved = |depth: f64| {
            let mut x = start.clone();
            for node in nodes.clone() {
                (0..3).for_each(|i| x[3 * node + i] += depth * down[i]);
            }
            x
        };
        if inadmissible_term(&self.evaluation(&start).energies, self.terms()).is_some() {
            return Ok(());
        }
        let reach = self.surfaces().map_or(0.0, |surfaces| surfaces.barrier.reach);
        // Within reach it may be pushed by more than its weight: up first, as far as nothing is in the way.
        let mut high = -self.free_way(&start, &moved(-2.0 * reach)) * 2.0 * reach;
        if self.carried(body, down, &moved(high)) > weight {
            return Ok(());
        }
        let far = 2.0 * extent(&start, down);
        let mut low = None;
        for _ in 0..MOST_ROUNDS {
            let depth = match low {
                // Down to what is below, a tenth of the gap kept each time.
                None => {
                    let free = self.free_way(&moved(high), &moved(high + far));
                    if free >= 1.0 {
                        return Err(SetDownError::NothingBelow);
                    }
                    high + free * far
                }
                Some(low) => 0.5 * (high + low),
            };
            let carried = self.carried(body, down, &moved(depth));
            if carried > weight {
                low = Some(depth);
            } else {
                high = depth;
            }
            if (carried - weight).abs() <= EXACT * weight {
                break;
            }
        }
        x.copy_from_slice(&moved(high));
        Ok(())
    }

    /// The part of a straight way that nothing stops
    fn free_way(&mut self, from: &[f64], to: &[f64]) -> f64 {
        let way: Vec<f64> = to.iter().zip(from).map(|(to, from)| to - from).collect();
        self.largest_step(from, &way)
    }

    /// How hard the barrier pushes a body up `[N]`
    fn carried(&mut self, body: usize, down: Vector3<f64>, x: &[f64]) -> f64 {
        let at = self.evaluation(x);
        let Some(surfaces) = self.surfaces() else { return 0.0 };
        let mut gradient = vec![0.0; x.len()];
        at.touch.add_gradient(surfaces, &mut Vec::new(), &mut gradient);
        self.model().bodies[body].nodes.clone().map(|node| node_of(&gradient, node).dot(&down)).sum()
    }
}

/// How far nodes lie apart along a direction `[m]`
fn extent(x: &[f64], direction: Vector3<f64>) -> f64 {
    let along = || (0..x.len() / 3).map(|node| node_of(x, node).dot(&direction));
    along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
}
