//! Derivatives of a whole stage, and what directions lead to.

use super::*;
use crate::laws::solid::Solid;
use crate::math::vector;
use crate::mesh::{SolidMoments, TriMesh, generate};
use crate::model::bodies::flatten;
use crate::model::motion::Motion;
use crate::model::{
    AffineShape, BodyInput, Coefficients, ContactSettings, Damping, DampingLaw, Matter, ModelInput, ObstacleInput,
};
use crate::solve::NewtonSettings;
use crate::solve::linear::Choice;
use crate::solve::newton::{Leads, Objective};
use nalgebra::Vector3;
use std::ops::Range;
use std::sync::Arc;

/// Two cubes one upon the other on a floor, all gaps active, with friction and damping.
fn stack(law: DampingLaw) -> (BodiesSolver, Vec<f64>) {
    let body = |name: &str, place: Vector3<f64>| {
        let mut mesh = generate::cuboid(Vector3::repeat(0.1), [2, 2, 2]).unwrap();
        mesh.rotate(Vector3::z(), 0.2 * place.z).unwrap();
        mesh.translate(place).unwrap();
        let solid = Solid::from_name("neo-hookean", 1e5, 0.3).unwrap();
        let damping = Damping { mass: 0.1, stiffness: 1e-3, law };
        BodyInput { name: name.into(), matter: Matter::Solid { mesh, solid, density: 1000.0 }, damping }
    };
    let bodies = vec![body("lower", Vector3::new(0.0, 0.0, 0.0505)), body("upper", Vector3::new(0.013, 0.021, 0.1511))];
    let corners = [[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0]].map(Vector3::from).to_vec();
    let surface = TriMesh { positions: corners, triangles: vec![[0, 1, 2]] };
    let floor = ObstacleInput { name: "floor".into(), surface, wires: vec![], motion: Motion::FIXED };
    let contact = ContactSettings { friction: Coefficients::Uniform(0.4), ..ContactSettings::default() };
    let gravity = Vector3::new(0.0, 0.0, -9.8);
    let input = ModelInput { bodies, obstacles: vec![floor], gravity, contact: Some(contact), ..ModelInput::default() };
    let bodies = Model::new(input).unwrap();
    let x = flatten(&bodies.rest);
    let settings = SolverSettings { newton: NewtonSettings::TIGHT, linear: Choice::Direct, linear_tolerance: 1e-8 };
    (BodiesSolver::new(Arc::new(bodies), settings).unwrap(), x)
}

#[test]
fn the_whole_stage_with_contact_friction_and_damping_matches_finite_differences() {
    check_stage(DampingLaw::Viscous);
    check_stage(DampingLaw::Rayleigh);
}

fn check_stage(law: DampingLaw) {
    let (mut world, x0) = stack(law);
    let start = world.evaluation(&x0);
    let mut frozen = Frozen::default();
    world.freeze(&start, &vec![0.0; x0.len()], &mut frozen);
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
    let mut strains = Vec::new();
    world.strains(&x0, &mut strains);
    let stage = Stage {
        start: &start,
        predictor: &predictor,
        length: h,
        velocity_origin: &x0,
        velocity_length: h,
        strain_origin: &strains,
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

/// A soft cube a centimetre above a floor and another far from it.
fn apart() -> (BodiesSolver, Vec<f64>) {
    let body = |name: &str, place: Vector3<f64>| {
        let mut mesh = generate::cuboid(Vector3::repeat(0.1), [2, 2, 2]).unwrap();
        mesh.translate(place).unwrap();
        let solid = Solid::from_name("neo-hookean", 1e5, 0.3).unwrap();
        let matter = Matter::Solid { mesh, solid, density: 1000.0 };
        BodyInput { name: name.into(), matter, damping: Damping::default() }
    };
    let bodies = vec![body("low", Vector3::new(0.0, 0.0, 0.06)), body("high", Vector3::new(1.0, 0.0, 1.0))];
    let corners = [[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0]].map(Vector3::from).to_vec();
    let surface = TriMesh { positions: corners, triangles: vec![[0, 1, 2]] };
    let floor = ObstacleInput { name: "floor".into(), surface, wires: vec![], motion: Motion::FIXED };
    let contact = Some(ContactSettings::default());
    let gravity = Vector3::zeros();
    let model =
        Model::new(ModelInput { bodies, obstacles: vec![floor], gravity, contact, ..ModelInput::default() }).unwrap();
    let x = flatten(&model.rest);
    let settings = SolverSettings { newton: NewtonSettings::TIGHT, linear: Choice::Direct, linear_tolerance: 1e-8 };
    (BodiesSolver::new(Arc::new(model), settings).unwrap(), x)
}

#[test]
fn a_body_that_meets_the_floor_cuts_its_own_step_and_no_others() {
    let (mut solver, x) = apart();
    let start = solver.evaluation(&x);
    // Both are on their way: one five centimetres down, the other three to the side.
    let [low, high] = [0, 1].map(|body| {
        let nodes = &solver.model.bodies[body].nodes;
        3 * nodes.start..3 * nodes.end
    });
    let mut way = vec![0.0; x.len()];
    way[low.clone()].chunks_exact_mut(3).for_each(|way| way[2] = -0.05);
    way[high.clone()].chunks_exact_mut(3).for_each(|way| way[0] = 0.03);
    let predictor: Vec<f64> = x.iter().zip(&way).map(|(x, way)| x + way).collect();
    let stage = Stage {
        start: &start,
        predictor: &predictor,
        length: 0.01,
        velocity_origin: &x,
        velocity_length: 0.01,
        strain_origin: &[],
        t: 0.0,
        frozen: None,
    };
    let (mut objective, _) = solver.objective(&stage);
    let mut d = vec![0.0; x.len()];
    let direction = objective.direction(&start, &mut d).unwrap();
    let follows = |range: Range<usize>, part: f64| {
        let pairs = d[range.clone()].iter().zip(&way[range]);
        pairs.for_each(|(d, way)| assert!((d - part * way).abs() < 1e-12, "{d} {part} {way}"));
    };
    // A tenth of the gap of a centimetre is left.
    follows(low, 0.009 / 0.05);
    follows(high, 1.0);
    assert_eq!(objective.largest_step(&start, &d), 1.0);
    assert!(direction.slope < 0.0);
    assert_eq!(direction.leads, Leads::IntoOthers, "what was cut has not arrived");
}

/// A stiff cube over a floor.
fn pressed(linear: Choice, gap: f64) -> (BodiesSolver, Vec<f64>) {
    let mut mesh = generate::cuboid(Vector3::repeat(0.1), [1, 1, 1]).unwrap().surface();
    mesh.translate(Vector3::new(0.0, 0.0, 0.05 + gap)).unwrap();
    let moments = SolidMoments::inside(&mesh);
    let matter =
        Matter::Affine(Box::new(AffineShape::new(mesh, &moments, 1000.0, AffineShape::orthogonality(1e7), 1e7)));
    let body = BodyInput { name: "cube".into(), matter, damping: Damping::default() };
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
        strain_origin: &[],
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
