//! The plan for the energy: of the scene, or of each body.

use super::BuildError;
use crate::energy::{BodyPlan, EnergyPlan};
use crate::integrate::IntegratorSpec;
use crate::model::bodies::Model;
use crate::scene::{Body, By, Energy, Scene, Takes, TargetKind};

impl Scene {
    pub(in crate::scene) fn plan(&self) -> Result<EnergyPlan, BuildError> {
        let target = self.energy.target_from("energy", 0.0, &self.folder)?;
        Ok(EnergyPlan::new(target, self.energy.start_scale)?)
    }

    /// What is wanted of each of the model's bodies; none where the scene's energy is directed as a whole.
    pub(super) fn body_plans(
        &self,
        model: &Model,
        settings_of: &[usize],
        integrator: &IntegratorSpec,
    ) -> Result<Vec<BodyPlan>, BuildError> {
        let own = self.bodies.iter().find(|body| body.energy.is_some());
        let by = match (self.energy.by, own) {
            (Some(By::Scene), Some(Body { name, .. })) => {
                return Err(BuildError::Value(format!(
                    "energy.by = \"scene\" directs all bodies together, and body `{name}` has an `energy` of its own: take one of them out"
                )));
            }
            (Some(by), _) => by,
            (None, Some(_)) => By::Island,
            (None, None) if integrator.method().by_island => By::Island,
            (None, None) => By::Scene,
        };
        if by == By::Scene {
            return Ok(Vec::new());
        }
        let is_shared_curve = |settings: usize| self.bodies[settings].energy.is_none();
        if self.energy.target == TargetKind::CurveJoules
            && settings_of.len() > 1
            && settings_of.iter().any(|&s| is_shared_curve(s))
        {
            return Err(BuildError::Value(
                "energy.target = \"curve-joules\" draws the energy of the whole scene: say energy.by = \"scene\", or give each body an \
                 `energy` of its own, or use target = \"curve\", which each body follows as a fraction of its start energy"
                    .into(),
            ));
        }
        let mass_of = |body: usize| model.node_mass[model.bodies[body].nodes.clone()].iter().sum::<f64>();
        let whole: f64 = (0..settings_of.len()).map(mass_of).sum();
        let scene = self.plan()?;
        let plan_of = |(body, &settings): (usize, &usize)| {
            let (settings, share) = (&self.bodies[settings], mass_of(body) / whole);
            let is_own = settings.energy.is_some();
            let plan = match &settings.energy {
                Some(energy) => {
                    if energy.by.is_some() {
                        return Err(BuildError::Body {
                            body: settings.name.clone(),
                            problem: "energy.by is the scene's: say it in [energy]".into(),
                        });
                    }
                    if energy.is_ground_to_be_found() {
                        return Err(BuildError::Body {
                            body: settings.name.clone(),
                            problem: "energy.ground = \"equilibrium\" is found for all bodies together: say it in [energy], or give joules here"
                                .into(),
                        });
                    }
                    let key = format!("body `{}`: energy", settings.name);
                    let target = energy.target_from(&key, 0.0, &self.folder)?;
                    EnergyPlan::new(target, energy.start_scale)?
                }
                None => EnergyPlan { target: scene.target.for_share(share), ..scene.clone() },
            };
            Ok(BodyPlan { target: plan.target, start_scale: plan.start_scale, is_own, share })
        };
        settings_of.iter().enumerate().map(plan_of).collect()
    }

    /// Holds all drawn energies itself: a run must need nothing from elsewhere.
    pub(crate) fn take_in_curve_files(&mut self) -> Result<(), BuildError> {
        let changes = self.changes.iter_mut().filter_map(|change| change.energy.as_mut());
        let bodies = self.bodies.iter_mut().filter_map(|body| body.energy.as_mut());
        for energy in [&mut self.energy].into_iter().chain(changes).chain(bodies) {
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
        let by_body = self.energy.by == Some(By::Island) || self.bodies.iter().any(|body| body.energy.is_some());
        let method = integrator.build();
        if asked && !method.follows_target() {
            return Some(format!(
                "run.integrator = \"{integrator}\" follows no energy target: [energy] changes nothing but the `target` column; a-search follows it"
            ));
        }
        (by_body && !method.directs_bodies()).then(|| {
            format!("run.integrator = \"{integrator}\" does not direct bodies one by one: energy.by and the bodies' own `energy` change nothing; a-spin and a-search do")
        })
    }
}
