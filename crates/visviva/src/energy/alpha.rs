//! The search for α: v = w − αΔv such that H(α) = P + ½‖w − αΔv‖²_m meets the target.
//!
//! Written around α = 1, where H(1) is known without cancellation: with β = α − 1,
//! a β² + b β + c = 0,  a = ½‖Δv‖²_m,  b = −⟨w − Δv, Δv⟩_m,  c = H(1) − E.

use serde::{Deserialize, Serialize};

/// Where α may lie; by default [0, 1.1].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AlphaInterval {
    pub min: f64,
    pub max: f64,
}

impl Default for AlphaInterval {
    fn default() -> Self {
        Self { min: 0.0, max: 1.1 }
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "α interval [{min}, {max}]: both ends must be finite and the first not above the second; [0, 1.1] is the default"
)]
pub struct AlphaIntervalError {
    pub min: f64,
    pub max: f64,
}

impl AlphaInterval {
    pub fn new(min: f64, max: f64) -> Result<Self, AlphaIntervalError> {
        if min.is_finite() && max.is_finite() && min <= max {
            Ok(Self { min, max })
        } else {
            Err(AlphaIntervalError { min, max })
        }
    }
}

/// How a method picks α.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaRule {
    Fixed(f64),
    /// Every step
    Search(AlphaInterval),
    /// Only after three steps in a row on the same side of the target; `restart` starts the count again after a correction
    Sparse {
        interval: AlphaInterval,
        restart: bool,
    },
}

/// What became of the search.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlphaOutcome {
    /// Not searched for
    Fixed,
    /// The energy meets its target
    OnTarget,
    /// No α reaches the target: the one of least energy
    LeastEnergy,
    /// The α wanted lies outside the interval
    Clipped,
    /// Δv vanishes (free fall, rest): no α does anything
    Powerless,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Alpha {
    pub value: f64,
    pub outcome: AlphaOutcome,
}

/// H(1 + β) − E = a β² + b β + c.
#[derive(Debug, Clone, Copy)]
pub struct AlphaQuadratic {
    pub a: f64,
    pub b: f64,
    pub c: f64,
    /// Kinetic plus absolute target energy `[J]`: what `a` is compared with
    pub scale: f64,
}

impl AlphaQuadratic {
    /// Below this fraction of the scale, Δv changes the energy by less than about 2e-12 of it.
    const NEGLIGIBLE: f64 = 1e-24;

    pub fn solve(&self, interval: AlphaInterval) -> Alpha {
        let Self { a, b, c, scale } = *self;
        if a <= Self::NEGLIGIBLE * scale {
            return Alpha { value: 1.0, outcome: AlphaOutcome::Powerless };
        }
        let discriminant = b * b - 4.0 * a * c;
        let (beta, outcome) = if discriminant < 0.0 {
            (-b / (2.0 * a), AlphaOutcome::LeastEnergy)
        } else {
            // The root of smaller magnitude, free of cancellation; the lower one where both are equally near.
            let q = b.abs() + discriminant.sqrt();
            let beta = if q == 0.0 { 0.0 } else { -2.0 * c / q * if b > 0.0 { 1.0 } else { -1.0 } };
            (beta, AlphaOutcome::OnTarget)
        };
        let wanted = 1.0 + beta;
        let value = wanted.clamp(interval.min, interval.max);
        Alpha { value, outcome: if value == wanted { outcome } else { AlphaOutcome::Clipped } }
    }
}

/// The sparse variant's memory: how many steps in a row the energy at α = 1 has been above (+) or below (−) its target.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct SideCount(pub i32);

impl SideCount {
    /// Takes this step in and says whether to correct it.
    pub fn is_due(&mut self, excess: f64) -> bool {
        let side = if excess > 0.0 { 1 } else { -1 };
        self.0 = if self.0.signum() == side { self.0 + side } else { side };
        self.0.abs() >= 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Around α = 0: a α² + b α + c.
    fn from_zero(a: f64, b: f64, c: f64) -> AlphaQuadratic {
        AlphaQuadratic { a, b: 2.0 * a + b, c: a + b + c, scale: 1.0 }
    }

    const WIDE: AlphaInterval = AlphaInterval { min: -10.0, max: 10.0 };

    #[test]
    fn the_root_nearer_to_one_is_taken() {
        // (α − 0.8)(α − 3) and (α + 1)(α − 1.3)
        assert!((from_zero(1.0, -3.8, 2.4).solve(WIDE).value - 0.8).abs() < 1e-14);
        assert!((from_zero(1.0, -0.3, -1.3).solve(WIDE).value - 1.3).abs() < 1e-14);
        assert_eq!(from_zero(1.0, -0.3, -1.3).solve(WIDE).outcome, AlphaOutcome::OnTarget);
        // roots 0 and 2
        assert_eq!(from_zero(1.0, -2.0, 0.0).solve(WIDE).value, 0.0);
    }

    #[test]
    fn without_a_root_the_least_energy_is_taken() {
        let alpha = from_zero(2.0, -2.0, 5.0).solve(WIDE);
        assert_eq!((alpha.value, alpha.outcome), (0.5, AlphaOutcome::LeastEnergy));
    }

    #[test]
    fn alpha_is_clipped_and_says_so() {
        let alpha = from_zero(1.0, -0.3, -1.3).solve(AlphaInterval::default());
        assert_eq!((alpha.value, alpha.outcome), (1.1, AlphaOutcome::Clipped));
    }

    #[test]
    fn nothing_to_act_on_is_said() {
        let alpha = AlphaQuadratic { a: 0.0, b: 0.0, c: 0.1, scale: 0.0 }.solve(WIDE);
        assert_eq!((alpha.value, alpha.outcome), (1.0, AlphaOutcome::Powerless));
    }

    #[test]
    fn impossible_intervals_are_refused() {
        assert!(AlphaInterval::new(1.0, 0.5).unwrap_err().to_string().contains("[1, 0.5]"));
        assert!(AlphaInterval::new(f64::NAN, 0.5).is_err());
    }

    #[test]
    fn three_steps_on_one_side_are_due() {
        let mut count = SideCount::default();
        let due: Vec<bool> = [1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0].iter().map(|&e| count.is_due(e)).collect();
        assert_eq!(due, [false, false, false, false, true, true, false]);
    }
}
