//! What changes under way: another energy wanted, another gravity, another integrator, each from a step on.

use super::{Energy, Ground, Scene, TargetKind};
use crate::energy::Target;
use crate::integrate::IntegratorSpec;
use crate::scene::BuildError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A `[[change]]`: exactly one key of the scene beside `step`, with its new value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeEntry {
    /// So many steps are done when it is made: it holds from the next one on
    pub step: u64,
    /// The energy wanted, from its present level on
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Energy>,
    /// `[m/s²]`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<[f64; 3]>,
    /// Name and parameters
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integrator: Option<String>,
}

/// What may change under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Change {
    /// The energy wanted, from its present level on
    Target(Target),
    /// `[m/s²]`
    Gravity([f64; 3]),
    /// The method, and with it where α may lie
    Integrator(IntegratorSpec),
}

/// A change and when it is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimedChange {
    /// So many steps are done
    pub step: u64,
    pub change: Change,
}

impl From<&TimedChange> for ChangeEntry {
    fn from(timed: &TimedChange) -> Self {
        let entry = Self { step: timed.step, ..Self::default() };
        match &timed.change {
            Change::Target(target) => Self { energy: Some(target.into()), ..entry },
            Change::Gravity(gravity) => Self { gravity: Some(*gravity), ..entry },
            Change::Integrator(integrator) => Self { integrator: Some(integrator.to_string()), ..entry },
        }
    }
}

impl From<&Target> for Energy {
    fn from(target: &Target) -> Self {
        let plain = Self::default();
        match target.clone() {
            Target::Conserve => plain,
            Target::Decay { tau, ground } => {
                Self { target: TargetKind::Decay, tau: Some(tau), ground: Ground::Joules(ground), ..plain }
            }
            Target::Schedule { from, ground } => {
                Self { target: TargetKind::Schedule, schedule: from, ground: Ground::Joules(ground), ..plain }
            }
            Target::Curve { energy } => Self { target: TargetKind::CurveJoules, curve: energy.into(), ..plain },
            Target::RelativeCurve { fraction } => Self { target: TargetKind::Curve, curve: fraction.into(), ..plain },
        }
    }
}

impl Scene {
    /// The changes as they will be made.
    pub(in crate::scene) fn timed_changes(&self) -> Result<Vec<TimedChange>, BuildError> {
        let last = self.run.step_count();
        let mut timed: Vec<TimedChange> = Vec::new();
        for (index, entry) in self.changes.iter().enumerate() {
            let step = entry.step;
            let fail = |problem: String| BuildError::Value(format!("change {index}: {problem}"));
            if step >= last {
                return Err(fail(format!("step = {step}, but the run ends after {last} steps; take an earlier one")));
            }
            if let Some(before) = timed.last().map(|before| before.step).filter(|&before| before > step) {
                return Err(fail(format!("step = {step} after step = {before}; sort the changes by step")));
            }
            let change = self.change(entry).map_err(|error| fail(error.to_string()))?;
            timed.push(TimedChange { step, change });
        }
        Ok(timed)
    }

    pub(crate) fn change(&self, entry: &ChangeEntry) -> Result<Change, BuildError> {
        let fail = |problem: String| Err(BuildError::Value(problem));
        match (&entry.energy, entry.gravity, &entry.integrator) {
            (Some(energy), None, None) => {
                if matches!(energy.ground, Ground::Named(_)) {
                    return fail("energy.ground: give joules; `visviva check` tells the energy at rest".into());
                }
                if energy.start_scale != 1.0 {
                    return fail("energy.start_scale: a change starts from the present level; leave it out".into());
                }
                Ok(Change::Target(Scene { energy: energy.clone(), ..self.clone() }.plan()?.target))
            }
            (None, Some(gravity), None) if gravity.iter().all(|g| g.is_finite()) => Ok(Change::Gravity(gravity)),
            (None, Some(gravity), None) => fail(format!("gravity = {gravity:?} is not finite")),
            (None, None, Some(integrator)) => Ok(Change::Integrator(integrator.parse()?)),
            _ => fail("give exactly one of energy, gravity, integrator".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_written_as_it_is_read() {
        let scene: Scene = toml::from_str("title = \"t\"\nrun = { h = 0.1, duration = 1 }").unwrap();
        for text in ["conserve", "decay:tau=0.3,ground=-2", "schedule:0=inf,5=0.5,ground=1", "curve:0=1,3=0.1"]
            .into_iter()
            .chain(["curve-joules:0=4,2=2"])
        {
            let target: Target = text.parse().unwrap();
            let entry = ChangeEntry::from(&TimedChange { step: 3, change: Change::Target(target.clone()) });
            let written = toml::to_string(&entry).unwrap();
            let back: ChangeEntry = toml::from_str(&written).unwrap();
            assert_eq!(scene.change(&back).unwrap(), Change::Target(target), "{written}");
        }
    }

    #[test]
    fn impossible_changes_are_refused_with_their_index() {
        let cases = [
            ("step = 10\ngravity = [0, 0, 1]", "change 1: step = 10, but the run ends after 10 steps"),
            ("step = 2", "change 1: give exactly one of"),
            ("step = 2\ngravity = [0, 0, 1]\nintegrator = \"bdf2\"", "change 1: give exactly one of"),
            ("step = 0\ngravity = [0, 0, 1]", "change 1: step = 0 after step = 1"),
            ("step = 2\ngravity = [0, 0, nan]", "change 1: gravity"),
            ("step = 2\nintegrator = \"bdf3\"", "unknown integrator `bdf3`"),
            ("step = 2\nenergy = { target = \"decay\" }", "change 1: energy.tau is missing"),
            ("step = 2\nenergy = { target = \"decay\", tau = 1, ground = \"equilibrium\" }", "give joules"),
            ("step = 2\nenergy = { start_scale = 0.9 }", "present level"),
        ];
        for (second, part) in cases {
            let text = format!(
                "title = \"t\"\nrun = {{ h = 0.1, duration = 1 }}\n\
                 [[change]]\nstep = 1\ngravity = [0, 0, 0]\n[[change]]\n{second}\n"
            );
            let scene: Scene = toml::from_str(&text).unwrap();
            let message = scene.timed_changes().unwrap_err().to_string();
            assert!(message.contains(part), "{second}: {message}");
        }
    }
}
