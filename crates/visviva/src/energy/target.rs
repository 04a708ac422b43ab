//! The energy the user wants at the end of each step: kept, decaying, or drawn.
//!
//! conserve  E₁ = E₀ − ℰ + W
//! decay     E₁ − E_g = e^(−∫dt/τ) (E₀ − ℰ + W − E_g)
//! curve     E₁ = E(t₁), absolute or as a fraction of the start energy
//!
//! ℰ is what friction and damping took in the step, W what moving boundaries put in. τ is an e-folding time.

use super::by_body::{BodyGoals, BodyPlan};
use crate::model::Path;
use crate::model::path::PathError;
use serde::{Deserialize, Serialize};

/// The energy wanted over time.
///
/// ```
/// use visviva::energy::Target;
///
/// let calms_down: Target = "decay:tau=2,ground=-1".parse()?;
/// assert_eq!(calms_down, Target::Decay { tau: 2.0, ground: -1.0 });
/// # Ok::<(), visviva::energy::target::TargetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Target {
    #[default]
    Conserve,
    /// Exponential decay towards the ground energy `[J]` with the e-folding time τ `[s]`
    Decay { tau: f64, ground: f64 },
    /// From each time on `[s]` the τ `[s]` beside it (infinite: keep); kept before the first
    Schedule { from: Vec<(f64, f64)>, ground: f64 },
    /// The energy drawn over time `[J]`; losses are part of the drawing
    Curve { energy: Path },
    /// The same as a fraction of the start energy
    RelativeCurve { fraction: Path },
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TargetError {
    #[error("decay time τ = {0} s: it must be positive")]
    Tau(f64),
    #[error("ground energy {0} J is not finite")]
    Ground(f64),
    #[error("schedule entry {index} at t = {time} s does not come after the one before it: sort the entries by time")]
    ScheduleOutOfOrder { index: usize, time: f64 },
    #[error("start scale {0}: it must be positive and finite (E₀ = scale·H₀; 0.95 damps what a set-up puts in)")]
    StartScale(f64),
    #[error(transparent)]
    Curve(#[from] PathError),
    #[error(
        "energy target `{text}`: {problem}. Allowed: conserve; decay:tau=1,ground=0; schedule:T=TAU,…,ground=0; \
         curve:T=FRACTION,… (of the start energy); curve-joules:T=ENERGY,…"
    )]
    Syntax { text: String, problem: String },
}

/// A target and where it starts: E₀ = start_scale · H₀.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnergyPlan {
    pub target: Target,
    pub start_scale: f64,
    /// What is wanted of each body; none where the scene's energy is directed as a whole
    pub bodies: Vec<BodyPlan>,
}

impl Default for EnergyPlan {
    fn default() -> Self {
        Target::Conserve.into()
    }
}

impl EnergyPlan {
    pub fn new(target: Target, start_scale: f64) -> Result<Self, TargetError> {
        if !(start_scale > 0.0 && start_scale.is_finite()) {
            return Err(TargetError::StartScale(start_scale));
        }
        target.check()?;
        Ok(Self { target, start_scale, bodies: Vec::new() })
    }
}

impl From<Target> for EnergyPlan {
    fn from(target: Target) -> Self {
        Self { target, start_scale: 1.0, bodies: Vec::new() }
    }
}

impl Target {
    pub fn check(&self) -> Result<(), TargetError> {
        let positive = |tau: f64| if tau > 0.0 { Ok(()) } else { Err(TargetError::Tau(tau)) };
        let finite = |ground: f64| if ground.is_finite() { Ok(()) } else { Err(TargetError::Ground(ground)) };
        match self {
            Target::Conserve | Target::Curve { .. } | Target::RelativeCurve { .. } => Ok(()),
            Target::Decay { tau, ground } => positive(*tau).and(finite(*ground)),
            Target::Schedule { from, ground } => {
                for (index, &(time, tau)) in from.iter().enumerate() {
                    positive(tau)?;
                    if !time.is_finite() || (index > 0 && time <= from[index - 1].0) {
                        return Err(TargetError::ScheduleOutOfOrder { index, time });
                    }
                }
                finite(*ground)
            }
        }
    }

    /// What it decays towards from now on `[J]`, where it decays.
    pub fn set_ground(&mut self, energy: f64) {
        if let Target::Decay { ground, .. } | Target::Schedule { ground, .. } = self {
            *ground = energy;
        }
    }

    /// ∫ dt/τ over the step that ends at t1.
    fn decay_exponent(from: &[(f64, f64)], t1: f64, h: f64) -> f64 {
        let ends = from.iter().skip(1).map(|&(time, _)| time).chain([f64::INFINITY]);
        from.iter().zip(ends).map(|(&(begin, tau), end)| (end.min(t1) - begin.max(t1 - h)).max(0.0) / tau).sum()
    }
}

/// The target seen from one step.
#[derive(Debug, Clone, Copy)]
pub struct Goal<'a> {
    pub target: &'a Target,
    /// The target's level at the start of the step `[J]`
    pub level: f64,
    /// H₀ `[J]`, what relative curves are drawn against
    pub start_energy: f64,
    /// Time at the end of the step `[s]`
    pub t1: f64,
    pub h: f64,
    /// Where the energy is directed body by body
    pub bodies: Option<BodyGoals<'a>>,
}

impl Goal<'_> {
    /// The target's level at the end of the step, given what was lost and put in during it `[J]`.
    pub fn next_level(&self, loss: f64, work: f64) -> f64 {
        let kept = self.level - loss + work;
        let decayed = |exponent: f64, ground: f64| ground + (-exponent).exp() * (kept - ground);
        match self.target {
            Target::Conserve => kept,
            Target::Decay { tau, ground } => decayed(self.h / tau, *ground),
            Target::Schedule { from, ground } => decayed(Target::decay_exponent(from, self.t1, self.h), *ground),
            Target::Curve { energy } => energy.at(self.t1),
            Target::RelativeCurve { fraction } => self.start_energy * fraction.at(self.t1),
        }
    }
}

impl std::str::FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let fail = |problem: String| TargetError::Syntax { text: text.to_owned(), problem };
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let number = |s: &str| s.trim().parse::<f64>().map_err(|_| fail(format!("`{s}` is not a number")));
        let mut named = Vec::new();
        let mut timed = Vec::new();
        for entry in rest.split(',').filter(|entry| !entry.is_empty()) {
            let (key, value) = entry.split_once('=').ok_or_else(|| fail(format!("`{entry}` is not key=value")))?;
            match key.trim() {
                "tau" | "ground" => named.push((key.trim(), number(value)?)),
                time => timed.push((number(time)?, number(value)?)),
            }
        }
        let find = |name: &str| named.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        let target = match kind {
            "conserve" if rest.is_empty() => Target::Conserve,
            "decay" if timed.is_empty() => {
                let tau = find("tau").ok_or_else(|| fail("tau is missing".into()))?;
                Target::Decay { tau, ground: find("ground").unwrap_or(0.0) }
            }
            "schedule" => Target::Schedule { from: timed, ground: find("ground").unwrap_or(0.0) },
            "curve" if named.is_empty() => Target::RelativeCurve { fraction: Path::new(timed)? },
            "curve-joules" if named.is_empty() => Target::Curve { energy: Path::new(timed)? },
            _ => return Err(fail("not understood".into())),
        };
        target.check()?;
        Ok(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(target: &Target, t1: f64) -> Goal<'_> {
        Goal { target, level: 10.0, start_energy: 8.0, t1, h: 0.5, bodies: None }
    }

    #[test]
    fn losses_are_deducted_and_boundary_work_is_added_before_decay() {
        assert_eq!(goal(&Target::Conserve, 1.0).next_level(2.0, 0.5), 8.5);
        let decay = Target::Decay { tau: 2.0, ground: 1.0 };
        assert!((goal(&decay, 1.0).next_level(2.0, 0.5) - (1.0 + (-0.25f64).exp() * 7.5)).abs() < 1e-15);
    }

    #[test]
    fn a_schedule_decays_by_exactly_the_time_spent_in_each_interval() {
        let schedule: Target = "schedule:1=1,1.5=0.5".parse().unwrap();
        let level = |t1| goal(&schedule, t1).next_level(0.0, 0.0);
        assert_eq!(level(0.9), 10.0);
        assert!((level(1.25) - 10.0 * (-0.25f64).exp()).abs() < 1e-14);
        assert!((level(1.75) - 10.0 * (-0.25f64 - 0.5).exp()).abs() < 1e-14);
        assert!((level(3.0) - 10.0 * (-1.0f64).exp()).abs() < 1e-14);
    }

    #[test]
    fn curves_are_levels_whatever_was_lost() {
        let curve: Target = "curve:0=1,2=0.5".parse().unwrap();
        assert_eq!(goal(&curve, 1.0).next_level(3.0, 0.0), 6.0);
        let curve: Target = "curve-joules:0=4,2=2".parse().unwrap();
        assert_eq!(goal(&curve, 1.0).next_level(3.0, 0.0), 3.0);
    }

    #[test]
    fn impossible_targets_are_refused_with_the_value() {
        for (text, part) in [
            ("decay:tau=0", "τ = 0"),
            ("decay:tau=-1", "τ = -1"),
            ("decay", "tau is missing"),
            ("curve:1=1,0=2", "t = 0 s does not come after"),
            ("schedule:1=1,1=2", "entry 1 at t = 1"),
            ("curve:0=x", "`x` is not a number"),
            ("forever", "conserve; decay"),
        ] {
            let message = text.parse::<Target>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        assert!(EnergyPlan::new(Target::Conserve, 0.0).is_err());
    }
}
