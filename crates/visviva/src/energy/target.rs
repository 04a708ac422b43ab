//! The energy the user wants at the end of each step: kept, decaying, or drawn.
//!
//! conserve  E₁ = E₀ − ℰ + W
//! decay     E₁ − E_g = e^(−∫dt/τ) (E₀ − ℰ + W − E_g)
//! rest      E₁ − E_g = s(t₁)/s(t₀) (E₀ − ℰ + W − E_g),  s = (1 − u)²(1 + 2u) from 1 at u = 0 to 0 at u = 1, and there it stays
//! curve     E₁ = E(t₁), absolute or as a fraction of the start energy
//!
//! ℰ is what friction and damping took in the step, W what moving boundaries put in. τ is an e-folding time: a half-life is τ ln 2.
//! u is how much has gone of the time in which the energy comes to rest.

use super::by_body::{BodyGoals, BodyPlan};
use super::curve_file::CurveFileError;
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
    /// Kept, but for the vibration of bodies, whose energy decays: from each time on `[s]` with the τ `[s]` beside it
    Vibration { from: Vec<(f64, f64)> },
    /// Kept until `from` `[s]`, then smoothly down to the ground energy `[J]`, which it has from `at` on `[s]`
    Rest { from: f64, at: f64, ground: f64 },
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
    #[error("rest at t = {at} s: it must be finite and come after {from} s, from where on the energy falls")]
    Rest { from: f64, at: f64 },
    #[error("start scale {0}: it must be positive and finite (E₀ = scale·H₀; 0.95 damps what a set-up puts in)")]
    StartScale(f64),
    #[error(transparent)]
    Curve(#[from] PathError),
    #[error(transparent)]
    CurveFile(#[from] CurveFileError),
    #[error("energy target `{text}`: {problem}. Allowed: {}", super::target_text::FORMS)]
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

impl EnergyPlan {
    /// What is wanted of a body: its own target, or the scene's
    pub fn target_of(&self, body: usize) -> &Target {
        self.bodies.get(body).map_or(&self.target, |own| &own.target)
    }

    /// Wants another energy of the scene. Bodies that have a target of their own keep it.
    pub fn direct(&mut self, target: Target) {
        for body in self.bodies.iter_mut().filter(|body| !body.is_own) {
            body.target = target.for_share(body.share);
        }
        self.target = target;
    }

    /// Wants another energy of one body, which is its own from there on.
    pub fn direct_body(&mut self, body: usize, target: Target) {
        if let Some(plan) = self.bodies.get_mut(body) {
            (plan.target, plan.is_own) = (target, true);
        }
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
            Target::Schedule { from, ground } => Self::check_times(from).and(finite(*ground)),
            Target::Vibration { from } => Self::check_times(from),
            Target::Rest { from, at, ground } => {
                if !(from.is_finite() && at.is_finite() && from < at) {
                    return Err(TargetError::Rest { from: *from, at: *at });
                }
                finite(*ground)
            }
        }
    }

    fn check_times(from: &[(f64, f64)]) -> Result<(), TargetError> {
        for (index, &(time, tau)) in from.iter().enumerate() {
            // Not a number is not positive either.
            if tau.is_nan() || tau <= 0.0 {
                return Err(TargetError::Tau(tau));
            }
            if !time.is_finite() || (index > 0 && time <= from[index - 1].0) {
                return Err(TargetError::ScheduleOutOfOrder { index, time });
            }
        }
        Ok(())
    }

    /// Whether it is a drawing, which knows of no losses.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Target::Curve { .. } | Target::RelativeCurve { .. })
    }

    /// Whether it takes energy out beyond what is lost.
    pub fn falls(&self) -> bool {
        !matches!(self, Target::Conserve | Target::Vibration { .. })
    }

    /// Of the velocity of vibration, the part that is left after the step that ends at t1 `[s]`; none where it is not looked at.
    pub fn vibration_kept(&self, t1: f64, h: f64) -> Option<f64> {
        match self {
            Target::Vibration { from } => Some((-Self::decay_exponent(from, t1, h)).exp()),
            _ => None,
        }
    }

    /// What it falls towards from now on `[J]`, where it falls towards anything.
    pub fn set_ground(&mut self, energy: f64) {
        if let Some(ground) = self.ground_mut() {
            *ground = energy;
        }
    }

    /// What it falls towards `[J]`, where it falls towards anything.
    pub fn ground_mut(&mut self) -> Option<&mut f64> {
        match self {
            Target::Decay { ground, .. } | Target::Schedule { ground, .. } | Target::Rest { ground, .. } => {
                Some(ground)
            }
            Target::Conserve | Target::Vibration { .. } | Target::Curve { .. } | Target::RelativeCurve { .. } => None,
        }
    }

    /// ∫ dt/τ over the step that ends at t1.
    fn decay_exponent(from: &[(f64, f64)], t1: f64, h: f64) -> f64 {
        let ends = from.iter().skip(1).map(|&(time, _)| time).chain([f64::INFINITY]);
        from.iter().zip(ends).map(|(&(begin, tau), end)| (end.min(t1) - begin.max(t1 - h)).max(0.0) / tau).sum()
    }
}

/// How much of the energy is left `u` of the way to rest.
fn left(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    (1.0 - u) * (1.0 - u) * (1.0 + 2.0 * u)
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
            // What vibration loses is taken from it and not by α.
            Target::Conserve | Target::Vibration { .. } => kept,
            Target::Decay { tau, ground } => decayed(self.h / tau, *ground),
            Target::Schedule { from, ground } => decayed(Target::decay_exponent(from, self.t1, self.h), *ground),
            Target::Rest { from, at, ground } => {
                let [before, after] = [self.t1 - self.h, self.t1].map(|t| left((t - from) / (at - from)));
                // After the last moment nothing is left to be divided by.
                let factor = if after > 0.0 { after / before } else { 0.0 };
                ground + factor * (kept - ground)
            }
            Target::Curve { energy } => energy.at(self.t1),
            Target::RelativeCurve { fraction } => self.start_energy * fraction.at(self.t1),
        }
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
    fn rest_comes_smoothly_at_its_time_and_stays() {
        let target = Target::Rest { from: 1.0, at: 3.0, ground: -2.0 };
        let h = 0.25;
        let levels: Vec<f64> = (1..=16)
            .scan(10.0, |level, step| {
                let t1 = h * f64::from(step);
                *level = Goal { h, level: *level, ..goal(&target, t1) }.next_level(0.0, 0.0);
                Some(*level)
            })
            .collect();
        assert!(levels[..4].iter().all(|&level| level == 10.0), "kept before: {levels:?}");
        assert!((levels[7] - 4.0).abs() < 1e-12, "half of it is left in the middle: {levels:?}");
        assert!(levels[11..].iter().all(|&level| level == -2.0), "gone from 3 s on: {levels:?}");
        let falls: Vec<f64> = levels.windows(2).map(|two| two[0] - two[1]).collect();
        assert!(falls[3] < 0.5 * falls[7] && falls[10] < 0.5 * falls[7], "gently at both ends: {falls:?}");
        // What is lost on the way leaves less to take.
        assert!(
            Goal { h, ..goal(&target, 2.0) }.next_level(3.0, 0.0)
                < Goal { h, ..goal(&target, 2.0) }.next_level(0.0, 0.0)
        );
    }

    #[test]
    fn an_impossible_start_scale_is_refused() {
        assert!(EnergyPlan::new(Target::Conserve, 0.0).is_err());
    }
}
