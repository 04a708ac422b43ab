//! From the keys of `[energy]` to a target.

use super::BuildError;
use crate::energy::Target;
use crate::energy::curve_file::{self, CurveFileError};
use crate::model::{self, Easing};
use crate::scene::{CurveKey, Energy, Ground, Takes, TargetKind};
use std::f64::consts::LN_2;
use std::path::Path;

impl Energy {
    /// The target that begins to hold at a time `[s]`; files are relative to the folder.
    /// `key` is what messages call this.
    pub(in crate::scene) fn target_from(&self, key: &str, now: f64, folder: &Path) -> Result<Target, BuildError> {
        let ground = if let Ground::Joules(ground) = self.ground { ground } else { 0.0 };
        let missing = |target: &str, name: &str, example: &str| {
            BuildError::Value(format!(
                "{key}.{name} is missing: target \"{target}\" needs it, such as {name} = {example}"
            ))
        };
        let one_of_pairs = |taus: &[(f64, f64)], lives: &[(f64, f64)]| {
            let halved: Vec<(f64, f64)> = lives.iter().map(|&(time, life)| (time, life / LN_2)).collect();
            let given = |pairs: Vec<(f64, f64)>| Some(pairs).filter(|pairs| !pairs.is_empty());
            one_of(key, ["schedule", "half_lives"], given(taus.to_vec()), given(halved))
        };
        let target = match self.target {
            TargetKind::Conserve => Target::Conserve,
            TargetKind::Decay => {
                let halved = self.half_life.map(|half_life| half_life / LN_2);
                let tau =
                    one_of(key, ["tau", "half_life"], self.tau, halved)?.ok_or_else(|| missing("decay", "tau", "5"))?;
                match self.takes {
                    Takes::All => Target::Decay { tau, ground },
                    Takes::Vibration => Target::Vibration { from: vec![(now, tau)] },
                }
            }
            TargetKind::Schedule => {
                let from = one_of_pairs(&self.schedule, &self.half_lives)?;
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
            TargetKind::Curve => Target::RelativeCurve { fraction: self.drawn(key, folder)? },
            TargetKind::CurveJoules => Target::Curve { energy: self.drawn(key, folder)? },
        };
        target.check()?;
        Ok(target)
    }

    /// The curve, from the scene or from its file.
    fn drawn(&self, key: &str, folder: &Path) -> Result<model::Path, BuildError> {
        let (name, keys) = match &self.curve_file {
            Some(_) if !self.curve.is_empty() => {
                return Err(BuildError::Value(format!("{key}: give curve or curve_file, not both")));
            }
            Some(file) => {
                let read = curve_file::read(&folder.join(file), self.easing);
                ("curve_file", read.map_err(|e| BuildError::Value(format!("{key}.curve_file: {e}")))?)
            }
            None => ("curve", self.curve.iter().map(|key| key.keyframe(self.easing)).collect()),
        };
        model::Path::eased(keys).map_err(|e| BuildError::Value(format!("{key}.{name}: {e}")))
    }

    /// Holds the keyframes of its file itself from now on.
    pub(super) fn take_in_file(&mut self, folder: &Path) -> Result<(), CurveFileError> {
        if let Some(file) = &self.curve_file {
            let keys = curve_file::read(&folder.join(file), self.easing)?;
            self.curve = keys.into_iter().map(CurveKey::from).collect();
            (self.curve_file, self.easing) = (None, Easing::Linear);
        }
        Ok(())
    }

    /// Keys that say something the target does not hear.
    pub(super) fn unheard(&self) -> impl Iterator<Item = &'static str> {
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
fn one_of<T>(key: &str, names: [&str; 2], first: Option<T>, second: Option<T>) -> Result<Option<T>, BuildError> {
    match (first, second) {
        (Some(_), Some(_)) => Err(BuildError::Value(format!("{key}: give {} or {}, not both", names[0], names[1]))),
        (first, second) => Ok(first.or(second)),
    }
}
