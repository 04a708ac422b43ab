//! From a scene to bodies, a start state, a plan and solver settings.

use super::{
    BodySettings, EnergySettings, Ground, LinearKind, Material, MaterialChoice, PinSettings, Scale, Scene, SceneSource,
    TargetKind, TurnSettings,
};
use super::{StartContact, check, deform, select, start_contact};
use crate::energy::target::TargetError;
use crate::energy::{EnergyPlan, Target};
use crate::integrate::{IntegratorSpec, LinearForm, SpecError};
use crate::laws::solid::{Solid, SolidError};
use crate::mesh::{MeshError, TetMesh, Warning, generate, load_tet_mesh};
use crate::solve::equilibrium::equilibrium;
use crate::solve::linear::Choice;
use crate::solve::{BodiesWorld, NewtonSettings, SolverSettings};
use crate::system::bodies::{Bodies, BodiesError, BodyInput, ObstacleInput, Pin, Rayleigh, flatten};
use crate::system::motion::Motion;
use crate::system::path::PathError;
use crate::system::{Path, State};
use nalgebra::{Unit, Vector3};
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
    Bodies(#[from] BodiesError),
}

/// Everything a run needs.
#[derive(Debug)]
pub struct Built {
    pub bodies: Arc<Bodies>,
    /// Of the bodies; obstacles have none
    pub meshes: Vec<TetMesh>,
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
    pub fn build(&self, source: &SceneSource) -> Result<Built, BuildError> {
        check::check(self).map_err(BuildError::Value)?;
        let integrator: IntegratorSpec = self.run.integrator.parse()?;
        let plan = self.plan()?;
        let mut warnings = Vec::new();
        warnings.extend(self.ignored_target(&integrator));
        let (mut inputs, mut meshes) = (Vec::new(), Vec::new());
        let (mut x, mut v, mut first_nodes) = (Vec::new(), Vec::new(), Vec::new());
        for body in &self.bodies {
            let fail = |problem: String| BuildError::Body { body: body.name.clone(), problem };
            let mesh = body.mesh(source, &mut warnings)?;
            let material = self.material(body)?;
            let solid = Solid::from_name(&material.law, material.youngs_modulus, material.poisson_ratio)
                .map_err(|problem| BuildError::Material { body: body.name.clone(), problem })?;
            let damping = material.damping().map_err(fail)?;
            let mut place = mesh.positions.clone();
            for deformation in &body.deform {
                deform::deform(deformation, &mut place).map_err(fail)?;
            }
            let velocity = body.velocity.clone().unwrap_or_default();
            if let Some(ramp) = velocity.ramp.as_ref().filter(|r| r.from == r.to) {
                return Err(fail(format!("velocity.ramp: from and to are both {} m; they must differ", ramp.from)));
            }
            let velocities: Vec<_> = place.iter().map(|p| deform::velocity_at(&velocity, p)).collect();
            if velocities.iter().flatten().any(|v| !v.is_finite()) {
                return Err(fail("its start velocity is not finite".into()));
            }
            first_nodes.push(x.len());
            x.extend_from_slice(&place);
            v.extend_from_slice(&velocities);
            let (name, density) = (body.name.clone(), material.density);
            inputs.push(BodyInput { name, mesh: mesh.clone(), solid, density, damping });
            meshes.push(mesh);
        }
        let (pins, motions) = self.build_pins(&self.pins, &x, &first_nodes)?;
        for pin in &pins {
            v[pin.node] = Vector3::zeros();
        }
        let obstacle_nodes = x.len();
        let mut obstacles = Vec::new();
        for settings in &self.obstacles {
            let fail = |problem: String| BuildError::Obstacle { obstacle: settings.name.clone(), problem };
            let surface = settings.surface(source, &mut warnings)?;
            let motion = motion(&settings.shift, settings.turn.as_ref()).map_err(fail)?;
            x.extend_from_slice(&surface.positions);
            v.resize(x.len(), Vector3::zeros());
            obstacles.push(ObstacleInput { name: settings.name.clone(), surface, motion });
        }
        let h = self.run.h.value;
        let mut start = State::new(flatten(&x), flatten(&v));
        let contact = self.contact_settings()?;
        let gravity = self.gravity.into();
        if !self.releases.is_empty() {
            // The obstacles' nodes come after those that releases choose among.
            let held: Vec<PinSettings> = self.pins.iter().chain(&self.releases).map(PinSettings::at_rest).collect();
            let (pins, motions) = self.build_pins(&held, &x[..obstacle_nodes], &first_nodes)?;
            let held =
                Bodies::with_contact(inputs.clone(), obstacles.clone(), pins, motions, gravity, contact.clone())?;
            start.x = self.settle(held, &start.x)?;
        }
        let bodies = Bodies::with_contact(inputs, obstacles, pins, motions, gravity, contact)?;
        start_contact::check_start(&bodies, &start.x, &mut warnings)?;
        let bodies = Arc::new(bodies);
        Ok(Built {
            start,
            bodies,
            meshes,
            integrator,
            plan,
            ground_at_equilibrium: matches!(self.energy.ground, Ground::Named(_)),
            solver: self.solver_settings(h),
            h,
            warnings,
        })
    }

    /// Where the bodies come to rest while pins and releases hold.
    fn settle(&self, held: Bodies, x: &[f64]) -> Result<Vec<f64>, BuildError> {
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
        let plain = EnergySettings::default();
        let asked = self.energy.target != plain.target || self.energy.start_scale != plain.start_scale;
        // Methods that follow a target depend on the energy, even on linear problems.
        let follows = integrator.build().linear_form() == LinearForm::Adaptive;
        (asked && !follows).then(|| {
            format!("run.integrator = \"{integrator}\" follows no energy target: [energy] changes nothing but the `target` column; a-search follows it")
        })
    }

    /// What a body is made of.
    pub fn material<'a>(&'a self, body: &'a BodySettings) -> Result<&'a Material, BuildError> {
        match &body.material {
            MaterialChoice::Inline(material) => Ok(material),
            MaterialChoice::Named(name) => self.materials.iter().find(|m| m.name == *name).ok_or_else(|| {
                let names: Vec<_> = self.materials.iter().map(|m| m.name.as_str()).collect();
                let problem = format!("no [[material]] is called `{name}`; there are: {}", names.join(", "));
                BuildError::Body { body: body.name.clone(), problem }
            }),
        }
    }

    fn build_pins(
        &self,
        all: &[PinSettings],
        x: &[Vector3<f64>],
        first_nodes: &[usize],
    ) -> Result<(Vec<Pin>, Vec<Motion>), BuildError> {
        let (mut pins, mut motions): (Vec<Pin>, Vec<Motion>) = (Vec::new(), Vec::new());
        let mut motion_of_node = vec![None; x.len()];
        for (index, settings) in all.iter().enumerate() {
            let fail = |problem: String| BuildError::Pin { pin: index, body: settings.body.clone(), problem };
            let body = self.bodies.iter().position(|b| b.name == settings.body).ok_or_else(|| {
                let names: Vec<_> = self.bodies.iter().map(|b| b.name.as_str()).collect();
                fail(format!("there is no such body; there are: {}", names.join(", ")))
            })?;
            let end = first_nodes.get(body + 1).copied().unwrap_or(x.len());
            let points = &x[first_nodes[body]..end];
            let motion = motion(&settings.shift, settings.turn.as_ref()).map_err(fail)?;
            for local in select::select(settings, points).map_err(fail)? {
                let node = first_nodes[body] + local;
                match motion_of_node[node] {
                    // Two fixed pins that share an edge are no contradiction.
                    Some(other)
                        if !(motion.is_fixed() && motions.get::<usize>(other).is_some_and(Motion::is_fixed)) =>
                    {
                        return Err(fail(format!("node {local} is already held by another pin with another motion")));
                    }
                    Some(_) => {}
                    None => {
                        motion_of_node[node] = Some(motions.len());
                        pins.push(Pin { node, motion: motions.len(), start: x[node] });
                    }
                }
            }
            motions.push(motion);
        }
        pins.sort_by_key(|pin| pin.node);
        Ok((pins, motions))
    }
}

impl Material {
    fn damping(&self) -> Result<Rayleigh, String> {
        if !(self.density > 0.0 && self.density.is_finite()) {
            return Err(format!("density = {} kg/m³: it must be positive and finite", self.density));
        }
        for (key, value) in [("damping_mass", self.damping_mass), ("damping_stiffness", self.damping_stiffness)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(format!("{key} = {value}: it must not be negative"));
            }
        }
        Ok(Rayleigh { mass: self.damping_mass, stiffness: self.damping_stiffness })
    }
}

impl PinSettings {
    /// The same nodes, held still.
    fn at_rest(&self) -> Self {
        Self { shift: Vec::new(), turn: None, ..self.clone() }
    }
}

/// Of pins and obstacles, from keyframes.
fn motion(shift: &[[f64; 4]], turn: Option<&TurnSettings>) -> Result<Motion, String> {
    let name = |e: PathError| e.to_string();
    let mut motion = Motion::FIXED;
    if !shift.is_empty() {
        let keys: Vec<_> = shift.iter().map(|k| (k[0], Vector3::new(k[1], k[2], k[3]))).collect();
        motion = motion.with_shift(&keys).map_err(name)?;
    }
    if let Some(turn) = turn {
        let axis = Unit::try_new(Vector3::from(turn.axis), 1e-300).ok_or("the turn's axis must not be zero")?;
        motion = motion.with_turn(axis, turn.centre.into(), turn.angle.clone()).map_err(name)?;
    }
    Ok(motion)
}

impl BodySettings {
    /// The rest shape in its place.
    fn mesh(&self, source: &SceneSource, warnings: &mut Vec<String>) -> Result<TetMesh, BuildError> {
        let hint = self.file_hint.as_deref().unwrap_or("a relative name is looked up from the scene file's folder");
        let hint = format!(" ({hint})");
        let fail = |problem: MeshError| {
            let missing = matches!(&problem, MeshError::InFile { source, .. } if matches!(**source, MeshError::Io(_)));
            BuildError::Mesh {
                body: self.name.clone(),
                problem: Box::new(problem),
                hint: if missing { hint.clone() } else { String::new() },
            }
        };
        let mut shapes: Vec<Result<TetMesh, MeshError>> = Vec::new();
        if let Some(s) = &self.cuboid {
            shapes.push(generate::cuboid(s.size.into(), s.cells));
        }
        if let Some(s) = &self.ball {
            shapes.push(generate::ball(s.radius, s.shells));
        }
        if let Some(s) = &self.cylinder {
            shapes.push(generate::cylinder(s.radius, s.height, s.rings, s.layers));
        }
        if let Some(s) = &self.torus {
            shapes.push(generate::torus(s.major_radius, s.minor_radius, s.rings, s.around));
        }
        if let Some(file) = &self.file {
            shapes.push(load_tet_mesh(source.folder.join(file)).map(|loaded| {
                let name = |warning: &Warning| format!("body `{}`: {warning}", self.name);
                warnings.extend(loaded.warnings.iter().map(name));
                loaded.mesh
            }));
        }
        if shapes.len() != 1 {
            let problem = format!("{} shapes: give exactly one of box, ball, cylinder, torus, file", shapes.len());
            return Err(BuildError::Body { body: self.name.clone(), problem });
        }
        let mut mesh = shapes.remove(0).map_err(fail)?;
        let scale = match self.scale {
            None => Vector3::repeat(1.0),
            Some(Scale::Uniform(s)) => Vector3::repeat(s),
            Some(Scale::ByAxis(s)) => s.into(),
        };
        mesh.scale(scale).map_err(fail)?;
        if let Some(rotate) = &self.rotate {
            mesh.rotate(rotate.axis.into(), rotate.angle).map_err(fail)?;
        }
        if let Some(height) = self.height {
            let [low, high] = mesh.quality().bounds;
            mesh.scale(Vector3::repeat(height / (high.z - low.z))).map_err(fail)?;
        }
        if let Some(shift) = self.translate {
            mesh.translate(shift.into()).map_err(fail)?;
        }
        Ok(mesh)
    }
}
