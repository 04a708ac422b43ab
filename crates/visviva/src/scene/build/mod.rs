//! From a scene to a model, a start state, a plan and solver settings.

mod array;
mod contact;
mod deform;
mod drum;
mod energy;
mod energy_target;
mod error;
mod filling;
mod ground;
mod joints;
mod matter;
mod naming;
mod obstacle;
mod pins;
mod select;
mod self_contact;
mod set_down;
mod shape;
mod start;
mod surfaces;

pub use drum::DrumShape;
pub use error::BuildError;
pub use ground::FoundGround;

use super::{Body, EVERYDAY, LinearKind, MaterialChoice, Obstacle, Pin, Scene, TimedChange, check};
use crate::energy::EnergyPlan;
use crate::integrate::IntegratorSpec;
use crate::mesh::{Mesh, Skin, WiredSurface};
use crate::model::bodies::{Model, flatten};
use crate::model::{BodyInput, Matter, ModelInput, ObstacleInput, State};
use crate::readable::did_you_mean;
use crate::solve::linear::Choice;
use crate::solve::{BodiesSolver, NewtonSettings, SolverSettings, equilibrium};
use nalgebra::Vector3;
use pins::{Placed, motion};
use std::sync::Arc;

/// Everything a run needs.
#[derive(Debug)]
pub struct Built {
    pub model: Arc<Model>,
    /// Of the bodies at rest; obstacles have none
    pub meshes: Vec<Mesh>,
    /// Which of the scene's bodies each of the bodies belongs to
    pub settings_of: Vec<usize>,
    /// What is shown of each of the bodies in place of its surface, and after them of the obstacles
    pub skins: Vec<Option<Skin>>,
    pub start: State,
    pub integrator: IntegratorSpec,
    pub plan: EnergyPlan,
    /// Whether the plan's ground energy is still to be found
    pub ground_at_equilibrium: bool,
    /// What changes under way, in the order of steps
    pub changes: Vec<TimedChange>,
    pub solver: SolverSettings,
    /// `[s]`
    pub h: f64,
    /// What is legal but hardly meant
    pub warnings: Vec<String>,
    /// What may be done better, though nothing is wrong
    pub hints: Vec<String>,
}

/// All bodies on the way into a model.
#[derive(Default)]
struct Bodies {
    inputs: Vec<BodyInput>,
    meshes: Vec<Mesh>,
    skins: Vec<Option<Skin>>,
    placed: Vec<Placed>,
    hints: Vec<String>,
    /// Of each of the scene's bodies that is an array, what keeps its copies apart `[m]`
    spacing_needed: Vec<Option<[f64; 3]>>,
    /// Start positions of all nodes `[m]`
    x: Vec<Vector3<f64>>,
    /// `[m/s]`
    v: Vec<Vector3<f64>>,
}

impl Scene {
    /// Checks the scene and builds what a run needs; whatever no run could begin from is refused here.
    pub fn build(&self) -> Result<Built, BuildError> {
        check::values(self).map_err(BuildError::Value)?;
        let integrator: IntegratorSpec = self.run.integrator.parse()?;
        let mut plan = self.plan()?;
        let changes = self.timed_changes()?;
        let mut warnings = Vec::new();
        warnings.extend(self.ignored_target(&integrator));
        warnings.extend(self.doubtful_target());
        warnings.extend(check::units(self));
        let Bodies { inputs, meshes, mut skins, placed, mut hints, spacing_needed, mut x, mut v } =
            self.build_bodies(&mut warnings)?;
        let pins = self.build_pins(&self.pins, &placed, &x)?;
        hints.extend(check::smooth_obstacles(self));
        let obstacles = self.build_obstacles(&mut warnings)?;
        skins.resize(inputs.len() + obstacles.len(), None);
        let body_nodes = x.len();
        x.extend(obstacles.iter().flat_map(|obstacle| &obstacle.surface.positions));
        v.resize(x.len(), Vector3::zeros());
        let h = self.run.h.value;
        let settings_of: Vec<usize> = placed.iter().map(|p| p.settings).collect();
        let contact = self.contact_settings(&settings_of, &inputs)?;
        let joints = self.build_joints(&placed, &inputs, &obstacles)?;
        let input = ModelInput { bodies: inputs, obstacles, pins, joints, gravity: self.gravity.into(), contact };
        let model = Model::new(input.clone())?;
        plan.bodies = self.body_plans(&model, &settings_of, &integrator)?;
        x.extend_from_slice(&model.rest[x.len()..]);
        v.resize(x.len(), Vector3::zeros());
        let mut start = State::new(flatten(&x), flatten(&v));
        joints::fit_velocities(&model, &start.x, h, &mut start.v, &mut warnings)?;
        for pin in &model.pins {
            start.v[3 * pin.node..3 * pin.node + 3].fill(0.0);
        }
        check::start_energy(&model, &start)?;
        check::reach(&model, &start.x)?;
        if !self.releases.is_empty() {
            // The obstacles' nodes come after those that releases choose among.
            let held: Vec<Pin> = self.pins.iter().chain(&self.releases).map(Pin::at_rest).collect();
            let pins = self.build_pins(&held, &placed, &x[..body_nodes])?;
            start.x = self.settle(Model::new(ModelInput { pins, ..input })?, &start.x)?;
        }
        self.set_down(&model, &settings_of, &mut start.x)?;
        check::start_contact(&model, &start.x, &mut warnings).map_err(|error| match error {
            BuildError::StartContact(mut found) => {
                self.advise_spacing(&mut found, &placed, &spacing_needed);
                BuildError::StartContact(found)
            }
            other => other,
        })?;
        check::nested(&model, &start.x)?;
        check::inversion(&model, &start.x)?;
        check::turning(&model, h, &mut warnings)?;
        Ok(Built {
            start,
            model: Arc::new(model),
            meshes,
            settings_of,
            skins,
            integrator,
            plan,
            ground_at_equilibrium: self.energy.is_ground_to_be_found(),
            changes,
            solver: self.solver_settings(h),
            h,
            warnings,
            hints,
        })
    }

    fn build_bodies(&self, warnings: &mut Vec<String>) -> Result<Bodies, BuildError> {
        let mut all = Bodies::default();
        for (settings, body) in self.bodies.iter().enumerate() {
            let fail = |problem: String| BuildError::Body { body: body.name.clone(), problem };
            let material = self.material_of(body).ok_or_else(|| self.no_material(body))?;
            let damping = material.damping_of().map_err(fail)?;
            let parts = body.shaped(&self.folder, warnings)?;
            all.hints.extend(parts.iter().flat_map(|part| check::hints(body, &part.mesh)));
            all.spacing_needed.push(body.spacing_needed(&parts, &self.contact));
            for (copy, instance) in body.instances(&parts)?.iter().enumerate() {
                for part in &parts {
                    let (name, mesh) = instance.of(&body.name, part);
                    let mut doubts = Vec::new();
                    let matter = self.held_about(body.matter(&mesh, material, &mut doubts)?, &body.name, &name)?;
                    // What is doubtful about one copy is so about all.
                    if copy == 0 {
                        warnings.append(&mut doubts);
                        self.doubt_mesh(&name, &mesh, &matter, warnings).map_err(fail)?;
                    }
                    let (place, points) = start::positions(body, &part.mesh, instance, &matter).map_err(fail)?;
                    let velocities = start::velocities(body, instance, &place).map_err(fail)?;
                    let rim = match &matter {
                        Matter::Shell { mesh, .. } => Placed::rim_of(&mesh.triangles),
                        _ => Vec::new(),
                    };
                    let affine = matches!(matter, Matter::Affine(_));
                    let nodes = all.x.len()..all.x.len() + place.len();
                    all.placed.push(Placed { name: name.clone(), settings, copy, nodes, points, affine, rim });
                    all.x.extend_from_slice(&place);
                    all.v.extend_from_slice(&velocities);
                    all.inputs.push(BodyInput { name, matter, damping });
                    all.meshes.push(mesh);
                    all.skins.push(part.skin.clone());
                }
            }
        }
        self.check_names(&all.placed)?;
        Ok(all)
    }

    /// Tells what is doubtful about a body's mesh, and refuses a solid that is cut.
    fn doubt_mesh(&self, name: &str, mesh: &Mesh, matter: &Matter, warnings: &mut Vec<String>) -> Result<(), String> {
        warnings.extend(check::shape(mesh).into_iter().map(|doubt| format!("body `{name}`: {doubt}")));
        match check::cut(mesh).filter(|_| matches!(matter, Matter::Solid { .. })) {
            Some(cut) if self.contact.self_contact == Some(false) => warnings.push(format!("body `{name}`: {cut}")),
            Some(cut) => return Err(format!("{cut}, or say contact.self_contact = false if it shall be")),
            None => {}
        }
        Ok(())
    }

    fn build_obstacles(&self, warnings: &mut Vec<String>) -> Result<Vec<ObstacleInput>, BuildError> {
        let build = |settings: &Obstacle| {
            let fail = |problem: String| BuildError::Obstacle { obstacle: settings.name.clone(), problem };
            let WiredSurface { surface, wires } = settings.placed_surface(&self.folder, warnings)?;
            let motion = motion(&settings.shift, settings.turn.as_ref()).map_err(fail)?;
            Ok(ObstacleInput { name: settings.name.clone(), surface, wires, motion })
        };
        self.obstacles.iter().map(build).collect()
    }

    /// Where the bodies come to rest while pins and releases hold.
    fn settle(&self, held: Model, x: &[f64]) -> Result<Vec<f64>, BuildError> {
        let mut solver = self.solver_settings(self.run.h.value);
        solver.newton.max_iterations = 1000;
        let fail = |problem: String| BuildError::Value(format!("release: {problem}"));
        let mut world = BodiesSolver::new(Arc::new(held), solver).map_err(|e| fail(e.to_string()))?;
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

    fn no_material(&self, body: &Body) -> BuildError {
        let name = if let MaterialChoice::Named(name) = &body.material { name } else { "" };
        let own: Vec<&str> = self.materials.iter().map(|m| m.name.as_str()).collect();
        let all: Vec<&str> = own.iter().copied().chain(EVERYDAY.iter().map(|everyday| everyday.name)).collect();
        let near = did_you_mean(name, &all);
        let own = if own.is_empty() { String::new() } else { format!("{}, and ", own.join(", ")) };
        let problem =
            format!("no material is called `{name}`{near}; there are: {own}those that `visviva materials` lists");
        BuildError::Body { body: body.name.clone(), problem }
    }
}
