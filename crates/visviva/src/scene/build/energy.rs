//! The plan for the energy.

use super::BuildError;
use crate::energy::{EnergyPlan, Target};
use crate::integrate::IntegratorSpec;
use crate::model::Path;
use crate::scene::{Energy, Ground, Scene, TargetKind};

impl Scene {
    pub(in crate::scene) fn plan(&self) -> Result<EnergyPlan, BuildError> {
        let energy = &self.energy;
        let ground = if let Ground::Joules(ground) = energy.ground { ground } else { 0.0 };
        let missing = |target: &str, key: &str, example: &str| {
            BuildError::Value(format!(
                "energy.{key} is missing: target \"{target}\" needs it, such as {key} = {example}"
            ))
        };
        let curve = || Path::new(energy.curve.clone()).map_err(|e| BuildError::Value(format!("energy.curve: {e}")));
        let target = match energy.target {
            TargetKind::Conserve => Target::Conserve,
            TargetKind::Decay => Target::Decay { tau: energy.tau.ok_or_else(|| missing("decay", "tau", "5"))?, ground },
            TargetKind::Schedule if energy.schedule.is_empty() => {
                return Err(missing("schedule", "schedule", "[[0, 10], [5, 1]]"));
            }
            TargetKind::Schedule => Target::Schedule { from: energy.schedule.clone(), ground },
            TargetKind::Curve => Target::RelativeCurve { fraction: curve()? },
            TargetKind::CurveJoules => Target::Curve { energy: curve()? },
        };
        Ok(EnergyPlan::new(target, energy.start_scale)?)
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
