//! The paper's small worlds: a particle, a bar, the harmonic oscillator, and what each integrator makes of them.

pub mod ablation;
pub mod collision;
pub mod damping;
pub mod outcome;
pub mod particle;
pub mod partitioned;
pub mod rotor;
pub mod spectrum;
pub mod stability;
pub mod worlds;

pub use outcome::{Outcome, Tally};
