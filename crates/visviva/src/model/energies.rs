//! Potential energy by term, kept without allocation.

use serde::{Deserialize, Serialize};

/// Values `[J]` in the order of the world's terms.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Energies {
    values: [f64; Energies::MAX_TERMS],
    count: usize,
}

impl Energies {
    pub const MAX_TERMS: usize = 8;

    pub fn push(&mut self, value: f64) {
        self.values[self.count] = value;
        self.count += 1;
    }

    /// Term by term; an empty one takes the other's terms.
    pub fn add(&mut self, other: &Self) {
        self.count = self.count.max(other.count);
        self.values.iter_mut().zip(&other.values).for_each(|(value, other)| *value += other);
    }

    pub fn as_slice(&self) -> &[f64] {
        &self.values[..self.count]
    }

    pub fn total(&self) -> f64 {
        self.as_slice().iter().sum()
    }

    /// The sum of absolute values: what rounding errors of the total are proportional to.
    pub fn magnitude(&self) -> f64 {
        self.as_slice().iter().map(|e| e.abs()).sum()
    }
}

impl FromIterator<f64> for Energies {
    fn from_iter<I: IntoIterator<Item = f64>>(iter: I) -> Self {
        let mut energies = Self::default();
        iter.into_iter().for_each(|e| energies.push(e));
        energies
    }
}
