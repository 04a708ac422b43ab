//! What changes under way: another energy wanted, another gravity, another integrator, a hand that pulls, each from a step on.

use super::{CurveKey, Energy, Ground, Scene, Takes, TargetKind};
use crate::energy::Target;
use crate::integrate::IntegratorSpec;
use crate::model::Path;
use crate::model::path::Keyframe;
use crate::readable::did_you_mean;
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
    /// Whose energy that is; without it the scene's
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// `[m/s²]`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<[f64; 3]>,
    /// Name and parameters
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integrator: Option<String>,
    /// A hand takes hold of a vertex, or moves it on
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grab: Option<Grab>,
    /// Whether the hand lets go
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub release: bool,
}

/// A hand that pulls a vertex towards a point by a spring, damped so that the body does not swing about it. What it does is work.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grab {
    /// In the numbering of the run's mesh, which counts the vertices of all bodies in their order
    pub vertex: u32,
    /// `[m]`
    pub point: [f64; 3],
    /// `[N/m]`
    pub stiffness: f64,
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
    /// A hand, from where it was before
    Grab(Grab),
    Release,
    /// The energy wanted of one of the scene's bodies. Last of all: checkpoints count the kinds
    BodyTarget {
        body: String,
        target: Target,
    },
}

impl Change {
    /// Whether someone pulls at a body: such changes come by the hundred.
    pub fn is_of_the_hand(&self) -> bool {
        matches!(self, Self::Grab(_) | Self::Release)
    }

    /// Refuses it where the energy is directed as a whole.
    pub(crate) fn check_under_one_target(&self) -> Result<(), BuildError> {
        let Self::BodyTarget { body, .. } = self else { return Ok(()) };
        Err(BuildError::Value(format!(
            "the energy of `{body}` alone cannot change in a scene whose energy is directed as a whole: say energy.by = \"island\" from \
             the start, or give a body an `energy` of its own"
        )))
    }
}

impl ChangeEntry {
    /// The same of a change as it is written.
    pub fn is_of_the_hand(&self) -> bool {
        self.grab.is_some() || self.release
    }
}

/// A change and when it is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimedChange {
    /// So many steps are done
    pub step: u64,
    pub change: Change,
}

/// Of a hand's point: far beyond any scene, and products of it stay finite `[m]`.
const FARTHEST: f64 = 1e9;
/// Of its spring `[N/m]`.
const STIFFEST: f64 = 1e15;

impl Grab {
    /// What is wrong with its numbers. Whether the vertex can be moved only the model knows.
    pub(crate) fn check(&self) -> Result<(), String> {
        let Self { point, stiffness, .. } = self;
        if !point.iter().all(|x| x.abs() <= FARTHEST) {
            return Err(format!("grab.point = {point:?}: each coordinate must be a number within ±{FARTHEST:e} m"));
        }
        if !(*stiffness > 0.0 && *stiffness <= STIFFEST) {
            return Err(format!(
                "grab.stiffness = {stiffness}: it must be a positive number of at most {STIFFEST:e} N/m"
            ));
        }
        Ok(())
    }
}

impl From<&TimedChange> for ChangeEntry {
    fn from(timed: &TimedChange) -> Self {
        let entry = Self { step: timed.step, ..Self::default() };
        match &timed.change {
            Change::Target(target) => Self { energy: Some(target.into()), ..entry },
            Change::BodyTarget { body, target } => {
                Self { energy: Some(target.into()), body: Some(body.clone()), ..entry }
            }
            Change::Gravity(gravity) => Self { gravity: Some(*gravity), ..entry },
            Change::Integrator(integrator) => Self { integrator: Some(integrator.to_string()), ..entry },
            Change::Grab(grab) => Self { grab: Some(*grab), ..entry },
            Change::Release => Self { release: true, ..entry },
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
            Target::Vibration { from } => {
                Self { target: TargetKind::Schedule, schedule: from, takes: Takes::Vibration, ..plain }
            }
            Target::Rest { from, at, ground } => Self {
                target: TargetKind::Rest,
                rest_at: Some(at),
                rest_from: Some(from),
                ground: Ground::Joules(ground),
                ..plain
            },
            Target::Curve { energy } => Self { target: TargetKind::CurveJoules, curve: keys(energy), ..plain },
            Target::RelativeCurve { fraction } => Self { target: TargetKind::Curve, curve: keys(fraction), ..plain },
        }
    }
}

fn keys(path: Path) -> Vec<CurveKey> {
    Vec::<Keyframe>::from(path).into_iter().map(CurveKey::from).collect()
}

impl Scene {
    /// The changes as they will be made.
    pub(in crate::scene) fn timed_changes(&self) -> Result<Vec<TimedChange>, BuildError> {
        let last = self.run.step_count();
        let mut timed: Vec<TimedChange> = Vec::new();
        for (index, entry) in self.changes.iter().enumerate() {
            let step = entry.step;
            let fail = |problem: String| BuildError::Value(format!("change {index}: {problem}"));
            if step >= last && self.run.step_bounds().is_none() {
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

    /// Where one of its bodies stands.
    pub(crate) fn body_named(&self, name: &str) -> Result<usize, BuildError> {
        let names: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
        let unknown = || BuildError::Value(format!("there is no body `{name}`{}", did_you_mean(name, &names)));
        names.iter().position(|known| *known == name).ok_or_else(unknown)
    }

    pub(crate) fn change(&self, entry: &ChangeEntry) -> Result<Change, BuildError> {
        let fail = |problem: String| Err(BuildError::Value(problem));
        let ChangeEntry { step: _, energy, body, gravity, integrator, grab, release } = entry;
        let given = [energy.is_some(), gravity.is_some(), integrator.is_some(), grab.is_some(), *release];
        if given.iter().filter(|given| **given).count() != 1 {
            return fail("give exactly one of energy, gravity, integrator, grab, release".into());
        }
        if let Some(body) = body {
            if energy.is_none() {
                return fail(format!("body = \"{body}\" goes with energy alone: say what is wanted of it"));
            }
            self.body_named(body)?;
        }
        match (energy, gravity, integrator, grab) {
            (Some(energy), ..) => {
                if energy.is_ground_to_be_found() {
                    return fail("energy.ground: give joules; `visviva check` tells the energy at rest".into());
                }
                if energy.start_scale != 1.0 {
                    return fail("energy.start_scale: a change starts from the present level; leave it out".into());
                }
                let now = entry.step as f64 * self.run.h.value;
                let target = energy.target_from("energy", now, &self.folder)?;
                Ok(match body {
                    Some(body) => Change::BodyTarget { body: body.clone(), target },
                    None => Change::Target(target),
                })
            }
            (_, Some(gravity), ..) if gravity.iter().all(|g| g.is_finite()) => Ok(Change::Gravity(*gravity)),
            (_, Some(gravity), ..) => fail(format!("gravity = {gravity:?} is not finite")),
            (_, _, Some(integrator), _) => Ok(Change::Integrator(integrator.parse()?)),
            (_, _, _, Some(grab)) => grab.check().map(|()| Change::Grab(*grab)).map_err(BuildError::Value),
            _ => Ok(Change::Release),
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
            .chain([
                "curve-joules:0=4,2=2",
                "curve:0=1:hold,1=0.5:smooth,2=0",
                "rest:at=2,from=0.5,ground=1",
                "decay:tau=2,takes=vibration",
            ])
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
            ("step = 2\nrelease = true\ngravity = [0, 0, 1]", "change 1: give exactly one of"),
            ("step = 2\ngrab = { vertex = 1, point = [0, 0, inf], stiffness = 1 }", "grab.point"),
            ("step = 2\ngrab = { vertex = 1, point = [0, 0, 0], stiffness = 0 }", "grab.stiffness = 0"),
            ("step = 2\nbody = \"bll\"\nenergy = { target = \"conserve\" }", "change 1: there is no body `bll`"),
            ("step = 2\nbody = \"ball\"\ngravity = [0, 0, 1]", "body = \"ball\" goes with energy alone"),
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
