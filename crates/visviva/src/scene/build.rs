//! From a scene to bodies, a start state, a plan and solver settings.

use super::pin_build::{Placed, motion};
use super::{Body, BodyMesh, Energy, Ground, LinearKind, Material, MaterialChoice, Pin, Scene, TargetKind};
use super::{StartContact, check, deform, drum, start_contact};
use crate::energy::target::TargetError;
use crate::energy::{EnergyPlan, Target};
use crate::integrate::{IntegratorSpec, LinearForm, SpecError};
use crate::laws::solid::SolidError;
use crate::mesh::{MeshError, WiredSurface};
use crate::model::bodies::{Model, ModelError, flatten};
use crate::model::{BodyInput, Matter, ModelInput, ObstacleInput, Path, State};
use crate::solve::equilibrium::equilibrium;
use crate::solve::linear::Choice;
use crate::solve::{BodiesWorld, NewtonSettings, SolverSettings};
use nalgebra::Vector3;
use std::sync::Arc;

#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("{0}")]
    Value(String),
    #[error("body `{body}`: {problem}")]
    Body { body: String, problem: String },
    #[error("body `{body}`: {problem}{hint}")]
    Mesh { body: String, problem: Box<MeshError>, hint: String },
    #[error("body `{body}`: material: {problem}")]
    Material { body: String, problem: SolidError },
    #[error("pin {pin} of body `{body}`: {problem}")]
    Pin { pin: usize, body: String, problem: String },
    #[error("obstacle `{obstacle}`: {problem}")]
    Obstacle { obstacle: String, problem: String },
    #[error("{0}")]
    Contact(String),
    #[error("{0}")]
    StartContact(Box<StartContact>),
    #[error("run.integrator: {0}")]
    Integrator(#[from] SpecError),
    #[error("energy: {0}")]
    Energy(#[from] TargetError),
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Everything a run needs.
#[derive(Debug)]
pub struct Built {
    pub model: Arc<Model>,
    /// Of the bodies at rest; obstacles have none
    pub meshes: Vec<BodyMesh>,
    /// Which of the scene's bodies each of the bodies belongs to
    pub settings_of: Vec<usize>,
    pub start: State,
    pub integrator: IntegratorSpec,
    pub plan: EnergyPlan,
    /// Whether the plan's ground energy is still to be found
    pub ground_at_equilibrium: bool,
    pub solver: SolverSettings,
    pub h: f64,
    pub warnings: Vec<String>,
}

impl Scene {
    pub fn build(&self) -> Result<Built, BuildError> {
        check::check(self).map_err(BuildError::Value)?;
        let integrator: IntegratorSpec = self.run.integrator.parse()?;
        let plan = self.plan()?;
        let mut warnings = Vec::new();
        warnings.extend(self.ignored_target(&integrator));
        let (mut inputs, mut meshes, mut placed) = (Vec::new(), Vec::new(), Vec::new());
        let (mut x, mut v) = (Vec::new(), Vec::new());
        for (settings, body) in self.bodies.iter().enumerate() {
            let fail = |problem: String| BuildError::Body { body: body.name.clone(), problem };
            let material = self.material(body)?;
            let damping = material.damping().map_err(fail)?;
            for (name, mesh) in body.meshes(&self.folder, &mut warnings)? {
                let matter = body.matter(&mesh, material, &mut warnings)?;
                let (place, points) = start_positions(body, &mesh, &matter).map_err(fail)?;
                let velocities = start_velocities(body, &place).map_err(fail)?;
                let rim = match &matter {
                    Matter::Shell { mesh, .. } => Placed::rim_of(&mesh.triangles),
                    _ => Vec::new(),
                };
                let affine = matches!(matter, Matter::Affine(_));
                placed.push(Placed { settings, nodes: x.len()..x.len() + place.len(), points, affine, rim });
                x.extend_from_slice(&place);
                v.extend_from_slice(&velocities);
                inputs.push(BodyInput { name, matter, damping });
                meshes.push(mesh);
            }
        }
        let pins = self.build_pins(&self.pins, &placed, &x)?;
        for held in pins.iter().flat_map(|pin| &pin.nodes) {
            v[placed[held.body].nodes.start + held.node] = Vector3::zeros();
        }
        let obstacle_nodes = x.len();
        let mut obstacles = Vec::new();
        for settings in &self.obstacles {
            let fail = |problem: String| BuildError::Obstacle { obstacle: settings.name.clone(), problem };
            let WiredSurface { surface, wires } = settings.surface(&self.folder, &mut warnings)?;
            let motion = motion(&settings.shift, settings.turn.as_ref()).map_err(fail)?;
            x.extend_from_slice(&surface.positions);
            v.resize(x.len(), Vector3::zeros());
            obstacles.push(ObstacleInput { name: settings.name.clone(), surface, wires, motion });
        }
        let h = self.run.h.value;
        let mut start = State::new(flatten(&x), flatten(&v));
        let settings_of: Vec<usize> = placed.iter().map(|p| p.settings).collect();
        let contact = self.contact_settings(&settings_of)?;
        let input = ModelInput { bodies: inputs, obstacles, pins, gravity: self.gravity.into(), contact };
        if !self.releases.is_empty() {
            // The obstacles' nodes come after those that releases choose among.
            let held: Vec<Pin> = self.pins.iter().chain(&self.releases).map(Pin::at_rest).collect();
            let pins = self.build_pins(&held, &placed, &x[..obstacle_nodes])?;
            start.x = self.settle(Model::new(ModelInput { pins, ..input.clone() })?, &start.x)?;
        }
        let bodies = Model::new(input)?;
        start_contact::check_start(&bodies, &start.x, &mut warnings)?;
        let bodies = Arc::new(bodies);
        Ok(Built {
            start,
            model: bodies,
            meshes,
            settings_of,
            integrator,
            plan,
            ground_at_equilibrium: matches!(self.energy.ground, Ground::Named(_)),
            solver: self.solver_settings(h),
            h,
            warnings,
        })
    }

    /// Where the bodies come to rest while pins and releases hold.
    fn settle(&self, held: Model, x: &[f64]) -> Result<Vec<f64>, BuildError> {
        let mut solver = self.solver_settings(self.run.h.value);
        solver.newton.max_iterations = 1000;
        let fail = |problem: String| BuildError::Value(format!("release: {problem}"));
        let mut world = BodiesWorld::new(Arc::new(held), solver).map_err(|e| fail(e.to_string()))?;
        equilibrium(&mut world, x, 0.0).map(|found| found.x).map_err(|e| fail(e.to_string()))
    }

    fn solver_settings(&self, h: f64) -> SolverSettings {
        SolverSettings {
            newton: NewtonSettings {
                displacement: self.solver.tolerance * h,
                gap: self.solver.gap_tolerance,
                stretch: f64::INFINITY,
                max_iterations: self.solver.max_iterations,
            },
            linear: match self.solver.linear {
                LinearKind::Auto => Choice::Auto,
                LinearKind::Direct => Choice::Direct,
                LinearKind::Iterative => Choice::Iterative,
            },
            linear_tolerance: self.solver.linear_tolerance,
        }
    }

    fn plan(&self) -> Result<EnergyPlan, BuildError> {
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
    fn ignored_target(&self, integrator: &IntegratorSpec) -> Option<String> {
        let plain = Energy::default();
        let asked = self.energy.target != plain.target || self.energy.start_scale != plain.start_scale;
        // Methods that follow a target depend on the energy, even on linear problems.
        let follows = integrator.build().linear_form() == LinearForm::Adaptive;
        (asked && !follows).then(|| {
            format!("run.integrator = \"{integrator}\" follows no energy target: [energy] changes nothing but the `target` column; a-search follows it")
        })
    }

    /// What a body is made of.
    pub fn material<'a>(&'a self, body: &'a Body) -> Result<&'a Material, BuildError> {
        match &body.material {
            MaterialChoice::Inline(material) => Ok(material),
            MaterialChoice::Named(name) => self.materials.iter().find(|m| m.name == *name).ok_or_else(|| {
                let names: Vec<_> = self.materials.iter().map(|m| m.name.as_str()).collect();
                let problem = format!("no [[material]] is called `{name}`; there are: {}", names.join(", "));
                BuildError::Body { body: body.name.clone(), problem }
            }),
        }
    }
}

type Points = Vec<Vector3<f64>>;

/// Of the nodes, and of the points that pins choose among.
fn start_positions(body: &Body, mesh: &BodyMesh, matter: &Matter) -> Result<(Points, Points), String> {
    if let Matter::Affine(shape) = matter {
        let place = |weights: &[f64; 4]| shape.frame.iter().zip(weights).map(|(x, &w)| *x * w).sum();
        return Ok((shape.frame.to_vec(), shape.weights.iter().map(place).collect()));
    }
    let mut place = mesh.positions().to_vec();
    for deformation in &body.deform {
        deform::deform(deformation, &mut place)?;
    }
    Ok((place.clone(), place))
}

fn start_velocities(body: &Body, place: &[Vector3<f64>]) -> Result<Points, String> {
    let velocity = body.velocity.clone().unwrap_or_default();
    if let Some(ramp) = velocity.ramp.as_ref().filter(|r| r.from == r.to) {
        return Err(format!("velocity.ramp: from and to are both {} m; they must differ", ramp.from));
    }
    let drum = velocity.drum.as_ref().map(drum::DrumShape::new).transpose()?;
    let at = |p: &Vector3<f64>| {
        deform::velocity_at(&velocity, p) + drum.as_ref().map_or(Vector3::zeros(), |mode| mode.at(p))
    };
    let velocities: Vec<_> = place.iter().map(at).collect();
    if velocities.iter().flatten().any(|v| !v.is_finite()) {
        return Err("its start velocity is not finite".into());
    }
    Ok(velocities)
}
