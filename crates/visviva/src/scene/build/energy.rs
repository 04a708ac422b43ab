//! The plan for the energy.

use super::BuildError;
use crate::energy::curve_file::{self, CurveFileError};
use crate::energy::{EnergyPlan, Target};
use crate::integrate::IntegratorSpec;
use crate::model::{self, Easing};
use crate::scene::{CurveKey, Energy, Ground, Scene, Takes, TargetKind};
use std::f64::consts::LN_2;
use std::path::Path;

impl Energy {
    /// The target that begins to hold at a time `[s]`; files are relative to the folder.
    pub(in crate::scene) fn target_from(&self, now: f64, folder: &Path) -> Result<Target, BuildError> {
        let ground = if let Ground::Joules(ground) = self.ground { ground } else { 0.0 };
        let missing = |target: &str, key: &str, example: &str| {
            BuildError::Value(format!(
                "energy.{key} is missing: target \"{target}\" needs it, such as {key} = {example}"
            ))
        };
        let target = match self.target {
            TargetKind::Conserve => Target::Conserve,
            TargetKind::Decay => {
                let halved = self.half_life.map(|half_life| half_life / LN_2);
                let tau =
                    one_of(["tau", "half_life"], self.tau, halved)?.ok_or_else(|| missing("decay", "tau", "5"))?;
                match self.takes {
                    Takes::All => Target::Decay { tau, ground },
                    Takes::Vibration => Target::Vibration { from: vec![(now, tau)] },
                }
            }
            TargetKind::Schedule => {
                let taus = Some(self.schedule.clone()).filter(|pairs| !pairs.is_empty());
                let halved: Vec<(f64, f64)> = self.half_lives.iter().map(|&(time, life)| (time, life / LN_2)).collect();
                let from = one_of(["schedule", "half_lives"], taus, Some(halved).filter(|pairs| !pairs.is_empty()))?;
                let from = from.ok_or_else(|| missing("schedule", "schedule", "[[0, 10], [5, 1]]"))?;
                match self.takes {
                    Takes::All => Target::Schedule { from, ground },
                    Takes::Vibration => Target::Vibration { from },
                }
            }
            TargetKind::Rest => {
                let at = self.rest_at.ok_or_else(|| missing("rest", "rest_at", "2.5"))?;
                Target::Rest { from: self.rest_from.unwrap_or(now), at, ground }
            }
            TargetKind::Curve => Target::RelativeCurve { fraction: self.drawn(folder)? },
            TargetKind::CurveJoules => Target::Curve { energy: self.drawn(folder)? },
        };
        target.check()?;
        Ok(target)
    }

    /// The curve, from the scene or from its file.
    fn drawn(&self, folder: &Path) -> Result<model::Path, BuildError> {
        let (key, keys) = match &self.curve_file {
            Some(_) if !self.curve.is_empty() => {
                return Err(BuildError::Value("energy: give curve or curve_file, not both".into()));
            }
            Some(file) => {
                let read = curve_file::read(&folder.join(file), self.easing);
                ("curve_file", read.map_err(|e| BuildError::Value(format!("energy.curve_file: {e}")))?)
            }
            None => ("curve", self.curve.iter().map(|key| key.keyframe(self.easing)).collect()),
        };
        model::Path::eased(keys).map_err(|e| BuildError::Value(format!("energy.{key}: {e}")))
    }

    /// Holds the keyframes of its file itself from now on.
    fn take_in_file(&mut self, folder: &Path) -> Result<(), CurveFileError> {
        if let Some(file) = &self.curve_file {
            let keys = curve_file::read(&folder.join(file), self.easing)?;
            self.curve = keys.into_iter().map(CurveKey::from).collect();
            (self.curve_file, self.easing) = (None, Easing::Linear);
        }
        Ok(())
    }

    /// Keys that say something the target does not hear.
    fn unheard(&self) -> impl Iterator<Item = &'static str> {
        let kind = self.target;
        let is_curve = matches!(kind, TargetKind::Curve | TargetKind::CurveJoules);
        let given = [
            ("half_life", self.half_life.is_some(), kind == TargetKind::Decay),
            ("takes", self.takes != Takes::All, matches!(kind, TargetKind::Decay | TargetKind::Schedule)),
            ("ground", self.takes != Takes::All && self.ground != Ground::Joules(0.0), false),
            ("half_lives", !self.half_lives.is_empty(), kind == TargetKind::Schedule),
            ("rest_at", self.rest_at.is_some(), kind == TargetKind::Rest),
            ("rest_from", self.rest_from.is_some(), kind == TargetKind::Rest),
            ("curve_file", self.curve_file.is_some(), is_curve),
            ("easing", self.easing != Easing::Linear, is_curve),
        ];
        given.into_iter().filter(|(_, is_given, is_heard)| *is_given && !is_heard).map(|(key, ..)| key)
    }
}

/// The one of two that is given.
fn one_of<T>(keys: [&str; 2], first: Option<T>, second: Option<T>) -> Result<Option<T>, BuildError> {
    match (first, second) {
        (Some(_), Some(_)) => Err(BuildError::Value(format!("energy: give {} or {}, not both", keys[0], keys[1]))),
        (first, second) => Ok(first.or(second)),
    }
}

impl Scene {
    pub(in crate::scene) fn plan(&self) -> Result<EnergyPlan, BuildError> {
        Ok(EnergyPlan::new(self.energy.target_from(0.0, &self.folder)?, self.energy.start_scale)?)
    }

    /// Holds all drawn energies itself: a run must need nothing from elsewhere.
    pub(crate) fn take_in_curve_files(&mut self) -> Result<(), BuildError> {
        let changes = self.changes.iter_mut().filter_map(|change| change.energy.as_mut());
        for energy in [&mut self.energy].into_iter().chain(changes) {
            energy.take_in_file(&self.folder).map_err(|e| BuildError::Value(format!("energy.curve_file: {e}")))?;
        }
        Ok(())
    }

    /// What is asked of the energy and will not come.
    pub(super) fn doubtful_target(&self) -> Vec<String> {
        let mut doubts: Vec<String> = self
            .energy
            .unheard()
            .map(|key| {
                let kind = serde_json::to_value(self.energy.target).unwrap_or_default();
                let taken = if self.energy.takes == Takes::Vibration { " that takes vibration alone" } else { "" };
                format!("energy.{key} is given, but target = {kind}{taken} does not use it")
            })
            .collect();
        let end = self.run.duration.value;
        if let Some(at) = self.energy.rest_at.filter(|&at| self.energy.target == TargetKind::Rest && at > end) {
            doubts.push(format!("energy.rest_at = {at} s lies after the end of the run at {end} s"));
        }
        doubts
    }

    /// An energy wanted of a method that asks for none.
    pub(super) fn ignored_target(&self, integrator: &IntegratorSpec) -> Option<String> {
        let plain = Energy::default();
        let asked = self.energy.target != plain.target || self.energy.start_scale != plain.start_scale;
        let follows = integrator.build().follows_target();
        (asked && !follows).then(|| {
            format!("run.integrator = \"{integrator}\" follows no energy target: [energy] changes nothing but the `target` column; a-search follows it")
        })
    }
}
