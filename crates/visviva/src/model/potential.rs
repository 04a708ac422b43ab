//! What a small world is made of: potentials, and dissipation that is frozen for the length of one step.

use crate::math::band::BandMatrix;

/// A conservative energy P(x) `[J]` of the flat coordinates; +∞ marks an inadmissible position.
pub trait Potential: std::fmt::Debug + Send + Sync {
    /// The ledger's column: elastic, gravity, barrier …
    fn term(&self) -> &'static str;
    fn value(&self, x: &[f64]) -> f64;
    /// g ← g + ∇P(x)
    fn add_gradient(&self, x: &[f64], g: &mut [f64]);
    /// hessian ← hessian + ∇²P(x), each element's own part projected to positive semidefinite.
    fn add_hessian(&self, x: &[f64], hessian: &mut BandMatrix);
    /// The largest admissible part of the step dx, at most 1.
    fn largest_step(&self, _x: &[f64], _dx: &[f64]) -> f64 {
        1.0
    }
    /// By which fraction the step dx changes gaps and stretches that have a singularity at zero.
    fn relative_change(&self, _x: &[f64], _dx: &[f64]) -> RelativeChange {
        RelativeChange::default()
    }
    /// How far apart two coupled coordinates lie.
    fn bandwidth(&self) -> usize {
        0
    }
}

/// Largest fractions by which a step changes contact gaps and element stretches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RelativeChange {
    pub gap: f64,
    pub stretch: f64,
}

impl RelativeChange {
    pub fn max(self, other: Self) -> Self {
        Self { gap: self.gap.max(other.gap), stretch: self.stretch.max(other.stretch) }
    }
}

/// Where dissipated energy is booked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Friction,
    Damping,
}

/// A dissipation function R(v) `[W]` with the force −∇R(v), its coefficients frozen at the start of a step.
pub trait Dissipation: std::fmt::Debug + Send + Sync {
    fn cause(&self) -> Cause;
    /// Computes what stays fixed during the step from its start position.
    fn freeze(&self, x0: &[f64], frozen: &mut Vec<f64>);
    fn value(&self, frozen: &[f64], v: &[f64]) -> f64;
    /// g ← g + ∇R(v)
    fn add_gradient(&self, frozen: &[f64], v: &[f64], g: &mut [f64]);
    /// hessian ← hessian + scale ∇²R(v)
    fn add_hessian(&self, frozen: &[f64], v: &[f64], scale: f64, hessian: &mut BandMatrix);
    fn bandwidth(&self) -> usize {
        0
    }
}
