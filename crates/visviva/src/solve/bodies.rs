//! The backend of bodies in space on the processor: P = elastic + gravity + barrier, parallel evaluation, block-sparse Newton.

use super::assembly::{Assembly, FrozenBodies, RayleighDamping, Terms};
use super::backend::{Backend, DissipativeForces, inadmissible_term};
use super::contact::held_surfaces::{Collision, HeldSurfaces};
use super::contact::{ContactForce, Nearby, Surfaces, pair_forces};
use super::elastic;
use super::evaluation::Evaluation;
use super::linear::{LinearError, LinearMemory, LinearSolver};
use super::newton::{Newton, StageObjective, solve_stage};
use super::settings::SolverSettings;
use super::stage::{Frozen, SolveError, SolveReport, Stage};
use super::times::PhaseTimes;
use crate::contact::surface::SurfaceError;
use crate::model::Mass;
use crate::model::bodies::{Model, node_of};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The model, what was made of it once and for all, and scratch.
#[derive(Debug)]
pub struct BodiesSolver {
    model: Arc<Model>,
    settings: SolverSettings,
    surfaces: Option<Surfaces>,
    damping: RayleighDamping,
    held: Option<HeldSurfaces>,
    nearby: Nearby,
    assembly: Assembly,
    linear: LinearSolver,
    newton: Newton,
    times: PhaseTimes,
}

/// What later solves depend on beside the state: a run that continues from a checkpoint needs it to repeat the bits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SolverMemory {
    pub linear: LinearMemory,
    /// Rows of the matrix coupled by contact
    pub contact_blocks: Vec<[u32; 2]>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolverError {
    #[error(transparent)]
    Linear(#[from] LinearError),
    #[error("the surfaces for contact: {0}")]
    Surface(#[from] SurfaceError),
}

/// The last only where there is contact.
const TERMS: [&str; 3] = ["elastic", "gravity", "barrier"];

impl BodiesSolver {
    pub fn new(model: Arc<Model>, settings: SolverSettings) -> Result<Self, SolverError> {
        let surfaces = model.contact.as_ref().map(|contact| Surfaces::new(&model, contact)).transpose()?;
        Ok(Self {
            assembly: Assembly::new(&model)?,
            damping: RayleighDamping::new(&model),
            held: HeldSurfaces::new(&model)?,
            linear: LinearSolver::new(settings.linear),
            nearby: Nearby::default(),
            newton: Newton::default(),
            times: PhaseTimes::default(),
            surfaces,
            model,
            settings,
        })
    }

    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// None where nothing can touch
    pub(super) fn surfaces(&self) -> Option<&Surfaces> {
        self.surfaces.as_ref()
    }

    /// Another acceleration of gravity from now on `[m/s²]`. What was evaluated before is to be evaluated again.
    pub fn set_gravity(&mut self, gravity: Vector3<f64>) {
        Arc::make_mut(&mut self.model).gravity = gravity;
    }

    /// ∇P on all nodes `[N]`
    pub(super) fn whole_gradient(&self, at: &Evaluation) -> Vec<f64> {
        let model = &self.model;
        let mut entries = vec![[0.0; 3]; model.stencil_sizes().0];
        elastic::gradients(model, &at.x, &mut entries);
        let mut g = vec![0.0; at.x.len()];
        let nodes = model.stencils().flat_map(|(nodes, _)| nodes);
        for (entry, node) in entries.iter().zip(nodes) {
            (0..3).for_each(|c| g[3 * *node as usize + c] += entry[c]);
        }
        for (node, mass) in model.node_mass.iter().enumerate() {
            (0..3).for_each(|c| g[3 * node + c] -= mass * model.gravity[c]);
        }
        if let Some(surfaces) = &self.surfaces {
            at.touch.add_gradient(surfaces, &mut Vec::new(), &mut g);
        }
        g
    }

    /// What surfaces do to each other; friction as it was frozen, at a velocity of the nodes.
    pub fn contact_forces(&self, at: &Evaluation, sliding: Option<(&Frozen, &[f64])>) -> Vec<ContactForce> {
        let Some(surfaces) = &self.surfaces else { return Vec::new() };
        let mut velocity = Vec::new();
        let friction = sliding.and_then(|(frozen, v)| {
            surfaces.gather(v, &mut velocity);
            frozen.content::<FrozenBodies>().map(|frozen| &frozen.friction)
        });
        pair_forces(surfaces, &at.touch, friction.map(|friction| (friction, velocity.as_slice())))
    }

    pub fn times(&self) -> PhaseTimes {
        let [broad_phase, ccd] = self.nearby.times();
        PhaseTimes { broad_phase, ccd, ..self.times }
    }

    /// What later solves depend on beside the state.
    pub fn memory(&self) -> SolverMemory {
        SolverMemory { linear: self.linear.memory(), contact_blocks: self.assembly.contact_blocks().to_vec() }
    }

    pub fn restore(&mut self, memory: SolverMemory) -> Result<(), LinearError> {
        self.linear = LinearSolver::restored(self.settings.linear, memory.linear);
        self.assembly.restore(memory.contact_blocks)
    }
}

impl BodiesSolver {
    /// A stage as Newton sees it, and Newton.
    fn objective<'a>(&'a mut self, stage: &'a Stage<'a>) -> (StageObjective<'a>, &'a mut Newton) {
        let frozen = stage.frozen.filter(|_| self.has_dissipation()).and_then(Frozen::content);
        let terms =
            Terms { model: &self.model, stage, surfaces: self.surfaces.as_ref(), frozen, damping: &self.damping };
        let objective = StageObjective {
            terms,
            settings: &self.settings,
            nearby: &mut self.nearby,
            assembly: &mut self.assembly,
            linear: &mut self.linear,
            times: &mut self.times,
            foresight: Default::default(),
            settling: Default::default(),
            linear_iterations: 0,
        };
        (objective, &mut self.newton)
    }
}

impl Backend for BodiesSolver {
    fn mass(&self) -> &Mass {
        &self.model.mass
    }

    fn terms(&self) -> &[&'static str] {
        if self.surfaces.is_some() { &TERMS } else { &TERMS[..2] }
    }

    fn has_dissipation(&self) -> bool {
        self.damping.is_active() || self.surfaces.as_ref().is_some_and(Surfaces::has_friction)
    }

    fn prescribe(&self, t: f64, x: &mut [f64]) {
        self.model.prescribe(t, x);
    }

    fn check_motion(&mut self, t0: f64, t1: f64) -> Result<(), SolveError> {
        let Some(held) = &mut self.held else { return Ok(()) };
        let blocked = |Collision { mover, other }| SolveError::Blocked { mover, other, t: t1 };
        held.check(&self.model, t0, t1).map_err(blocked)
    }

    fn evaluate(&mut self, at: &mut Evaluation) {
        let contact = self.surfaces.as_ref().map(|surfaces| (surfaces, &mut self.nearby));
        at.renew(&self.model, contact);
        // Distances have no sign: whoever comes here without a collision check may have gone through a surface.
        if self.surfaces.as_ref().is_some_and(|surfaces| self.nearby.intersects(surfaces, &at.touch)) {
            at.energies = at.energies.as_slice().iter().take(2).copied().chain([f64::INFINITY]).collect();
        }
    }

    fn gradient(&mut self, at: &Evaluation, g: &mut [f64]) {
        g.copy_from_slice(&self.whole_gradient(at));
    }

    fn stiffness_product(&mut self, at: &Evaluation, d: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.assembly.add_stiffness_product(&self.model, self.surfaces.as_ref(), at, d, out);
    }

    fn freeze(&mut self, at: &Evaluation, frozen: &mut Frozen) {
        if !self.has_dissipation() {
            return;
        }
        let frozen = frozen.content_mut::<FrozenBodies>();
        if self.damping.is_active() {
            self.assembly.freeze_damping(&self.model, &self.damping, &at.x, frozen);
        }
        if let Some(surfaces) = self.surfaces.as_ref().filter(|surfaces| surfaces.has_friction()) {
            surfaces.freeze(&at.touch, &mut frozen.friction);
        }
    }

    fn add_dissipation(&mut self, frozen: &Frozen, v: &[f64], weight: f64, forces: &mut DissipativeForces) {
        if let Some(frozen) = frozen.content::<FrozenBodies>() {
            let (surfaces, damping) = (self.surfaces.as_ref(), &self.damping);
            self.assembly.add_dissipation(&self.model, surfaces, damping, frozen, v, weight, forces);
        }
    }

    fn boundary_work(&mut self, from: &Evaluation, to: &Evaluation) -> f64 {
        let model = &self.model;
        let way = |node: usize| node_of(&to.x, node) - node_of(&from.x, node);
        if model.pins.iter().all(|pin| way(pin.node) == Vector3::zeros()) {
            return 0.0;
        }
        // Trapezoidal: the mean of the reactions at both ends over the way between them.
        let mut work = 0.0;
        for at in [from, to] {
            let g = self.whole_gradient(at);
            work += model.pins.iter().map(|pin| 0.5 * node_of(&g, pin.node).dot(&way(pin.node))).sum::<f64>();
        }
        work
    }

    fn minimise(&mut self, stage: &Stage<'_>, end: &mut Evaluation) -> Result<SolveReport, SolveError> {
        if let Some(term) = inadmissible_term(&stage.start.energies, self.terms()) {
            return Err(SolveError::InadmissibleStart { term });
        }
        end.clone_from(stage.start);
        self.nearby.forget();
        let (mut objective, newton) = self.objective(stage);
        let iterations = solve_stage(&mut objective, newton, end)?;
        Ok(SolveReport {
            newton_iterations: iterations.count,
            linear_iterations: objective.linear_iterations,
            halvings: iterations.halvings,
            converged: iterations.converged,
            energies: end.energies,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::solid::Solid;
    use crate::math::vector;
    use crate::mesh::{SolidMoments, TriMesh, generate};
    use crate::model::bodies::flatten;
    use crate::model::motion::Motion;
    use crate::model::{
        AffineShape, BodyInput, Coefficients, ContactSettings, Matter, ModelInput, ObstacleInput, Rayleigh,
    };
    use crate::solve::NewtonSettings;
    use crate::solve::linear::Choice;
    use crate::solve::newton::{Leads, Objective};
    use nalgebra::Vector3;
    use std::sync::Arc;

    /// Two cubes one upon the other on a floor, all gaps active, with friction and damping.
    fn stack() -> (BodiesSolver, Vec<f64>) {
        let body = |name: &str, place: Vector3<f64>| {
            let mut mesh = generate::cuboid(Vector3::repeat(0.1), [2, 2, 2]).unwrap();
            mesh.rotate(Vector3::z(), 0.2 * place.z).unwrap();
            mesh.translate(place).unwrap();
            let solid = Solid::from_name("neo-hookean", 1e5, 0.3).unwrap();
            let damping = Rayleigh { mass: 0.1, stiffness: 1e-3 };
            BodyInput { name: name.into(), matter: Matter::Solid { mesh, solid, density: 1000.0 }, damping }
        };
        let bodies =
            vec![body("lower", Vector3::new(0.0, 0.0, 0.0505)), body("upper", Vector3::new(0.013, 0.021, 0.1511))];
        let corners = [[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0]].map(Vector3::from).to_vec();
        let surface = TriMesh { positions: corners, triangles: vec![[0, 1, 2]] };
        let floor = ObstacleInput { name: "floor".into(), surface, wires: vec![], motion: Motion::FIXED };
        let contact = ContactSettings { friction: Coefficients::Uniform(0.4), ..ContactSettings::default() };
        let gravity = Vector3::new(0.0, 0.0, -9.8);
        let input =
            ModelInput { bodies, obstacles: vec![floor], gravity, contact: Some(contact), ..ModelInput::default() };
        let bodies = Model::new(input).unwrap();
        let x = flatten(&bodies.rest);
        let settings = SolverSettings { newton: NewtonSettings::TIGHT, linear: Choice::Direct, linear_tolerance: 1e-8 };
        (BodiesSolver::new(Arc::new(bodies), settings).unwrap(), x)
    }

    #[test]
    fn the_whole_stage_with_contact_and_friction_matches_finite_differences() {
        let (mut world, x0) = stack();
        let start = world.evaluation(&x0);
        let mut frozen = Frozen::default();
        world.freeze(&start, &mut frozen);
        let n = x0.len();
        let wave = |k: usize, phase: f64| (1.7 * k as f64 + phase).sin();
        let free: Vec<bool> = (0..n).map(|k| !world.mass().is_pinned(k / 3)).collect();
        let field = |scale: f64, phase: f64| -> Vec<f64> {
            (0..n).map(|k| if free[k] { scale * wave(k, phase) } else { 0.0 }).collect()
        };
        // Sliding at 5 mm/s with a wave upon it: some pairs in the fading range, some beyond.
        let h = 0.01;
        let mut x = x0.clone();
        vector::add_scaled(&mut x, 1.0, &field(2e-5, 0.3));
        (0..n / 3).filter(|&i| free[3 * i]).for_each(|i| x[3 * i] += 5e-5);
        let predictor: Vec<f64> = x0.iter().zip(field(1e-3, 0.9)).map(|(x, d)| x + d).collect();
        let stage = Stage {
            start: &start,
            predictor: &predictor,
            length: h,
            velocity_origin: &x0,
            velocity_length: h,
            t: 0.0,
            frozen: Some(&frozen),
        };
        let (mut objective, _) = world.objective(&stage);
        let evaluated = |objective: &mut StageObjective<'_>, x: Vec<f64>| {
            let mut at = Evaluation { x, ..Evaluation::default() };
            objective.evaluate(&mut at);
            at
        };
        let here = evaluated(&mut objective, x.clone());
        let moved = |s: f64, d: &[f64]| -> Vec<f64> { x.iter().zip(d).map(|(x, d)| x + s * d).collect() };
        for phase in [0.0, 0.5, 1.1] {
            let d = field(1.0, phase);
            let step = 1e-7;
            let slope = objective.slope(&here, &d);
            let value = |objective: &mut StageObjective<'_>, s: f64| {
                let at = evaluated(objective, moved(s, &d));
                objective.value(&at).unwrap().value
            };
            let measured = (value(&mut objective, step) - value(&mut objective, -step)) / (2.0 * step);
            assert!((slope - measured).abs() < 1e-5 * slope.abs().max(1e-6), "{slope} {measured}");
        }
        assert!(here.contact_state().active_pairs > 20);
        // Along Newton's direction the matrix's curvature is minus the slope: true curvature, or more where projected.
        let mut d = vec![0.0; n];
        let slope = objective.direction(&here, &mut d).unwrap().slope;
        let step = 1e-4;
        let [up, down] = [step, -step].map(|step| {
            let at = evaluated(&mut objective, moved(step, &d));
            objective.slope(&at, &d)
        });
        let curvature = (up - down) / (2.0 * step);
        assert!(curvature > 0.0 && curvature < -slope * (1.0 + 1e-3), "{curvature} {slope}");
        assert!(curvature > -0.8 * slope, "the projection is mild here: {curvature} {slope}");
    }

    /// A stiff cube over a floor.
    fn pressed(linear: Choice, gap: f64) -> (BodiesSolver, Vec<f64>) {
        let mut mesh = generate::cuboid(Vector3::repeat(0.1), [1, 1, 1]).unwrap().surface();
        mesh.translate(Vector3::new(0.0, 0.0, 0.05 + gap)).unwrap();
        let moments = SolidMoments::inside(&mesh);
        let matter = Matter::Affine(Box::new(AffineShape::new(mesh, &moments, 1000.0, 1e7)));
        let body = BodyInput { name: "cube".into(), matter, damping: Rayleigh::default() };
        let corners = [[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0]].map(Vector3::from).to_vec();
        let surface = TriMesh { positions: corners, triangles: vec![[0, 1, 2]] };
        let floor = ObstacleInput { name: "floor".into(), surface, wires: vec![], motion: Motion::FIXED };
        let input = ModelInput {
            bodies: vec![body],
            obstacles: vec![floor],
            gravity: Vector3::new(0.0, 0.0, -9.8),
            contact: Some(ContactSettings::default()),
            ..ModelInput::default()
        };
        let model = Model::new(input).unwrap();
        let x = flatten(&model.rest);
        let settings = SolverSettings { newton: NewtonSettings::TIGHT, linear, linear_tolerance: 1e-8 };
        (BodiesSolver::new(Arc::new(model), settings).unwrap(), x)
    }

    /// What the first direction of a stage leads to, and the iterations of conjugate gradients it took.
    fn leads(linear: Choice, h: f64) -> (Leads, usize) {
        let (mut solver, x) = pressed(linear, 9e-4);
        let start = solver.evaluation(&x);
        assert!(start.contact_state().active_pairs > 0);
        let mut d = vec![0.0; x.len()];
        let stage = Stage {
            start: &start,
            predictor: &x,
            length: h,
            velocity_origin: &x,
            velocity_length: h,
            t: 0.0,
            frozen: None,
        };
        let (mut objective, _) = solver.objective(&stage);
        let leads = objective.direction(&start, &mut d).unwrap().leads;
        (leads, objective.linear_iterations)
    }

    #[test]
    fn a_model_that_cannot_be_factored_gives_way_to_newton_whose_step_may_end_the_iteration() {
        // So long a stage has no inertia, and nothing holds the cube sideways: the model's matrix is singular.
        for linear in [Choice::Auto, Choice::Direct, Choice::Iterative] {
            assert_ne!(leads(linear, 1e100).0, Leads::PartOfTheWay, "{linear:?}");
        }
    }

    #[test]
    fn stiff_bodies_are_solved_by_whom_the_user_chose() {
        assert_eq!(leads(Choice::Auto, 0.01), (Leads::There, 0));
        assert_eq!(leads(Choice::Direct, 0.01), (Leads::There, 0));
        let (leads, iterations) = leads(Choice::Iterative, 0.01);
        assert!(leads == Leads::Near && iterations > 0, "{leads:?}, {iterations} iterations");
    }
}
