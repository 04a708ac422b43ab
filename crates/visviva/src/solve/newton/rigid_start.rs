//! Where Newton starts: each body that flies or turns about its pins is first moved rigidly towards its target.
//!
//! ```text
//! (R, t) = argmin Σ mᵢ |R xᵢ + t − yᵢ|²,    y = x̂ + s² g,    R = polar(Σ mᵢ (yᵢ − ȳ)(xᵢ − x̄)ᵀ)     (Kabsch 1976)
//! ```
//!
//! It is the stage's solution for an infinitely stiff body, and adds no strain: nothing inverts, and no noise comes from x̂.

use super::ways::Ways;
use super::{Objective, StageObjective};
use crate::math::polar;
use crate::model::bodies::{Model, node_of};
use crate::model::mass::Block;
use crate::solve::evaluation::Evaluation;
use crate::solve::stage::{SolveError, Stage};
use nalgebra::{Matrix3, Vector3};
use std::ops::Range;

/// Weight of a body's pins against its mass: they give the fit its axis, to a millionth of what the rest pulls them away.
const PIN_WEIGHT: f64 = 1e6;
/// Part of a body's way by which its pins may miss their places; beyond it they bend the body.
const PIN_MISFIT: f64 = 1e-3;

impl StageObjective<'_> {
    /// Moves the start of the stage where that lowers the objective. A body that anything comes near stays: its contacts have to
    /// find their place from where they are.
    pub fn move_rigidly(&mut self, at: &mut Evaluation) -> Result<(), SolveError> {
        let mut guess = Evaluation::default();
        if !rigid_guess(self.terms.model, self.terms.stage, self.settings.newton.displacement, &at.x, &mut guess.x) {
            return Ok(());
        }
        let before = self.value(at)?.value;
        self.evaluate(&mut guess);
        // Not a number only says that the guess is bad.
        if self.value(&guess).is_ok_and(|after| after.value < before) {
            *at = guess;
        }
        Ok(())
    }
}

/// guess ← where rigid motion takes the bodies from x; whether any is moved, by at least `least` `[m]`.
fn rigid_guess(model: &Model, stage: &Stage<'_>, least: f64, x: &[f64], guess: &mut Vec<f64>) -> bool {
    let mut target = stage.predictor.to_vec();
    let fall = stage.length * stage.length * model.gravity;
    target.chunks_exact_mut(3).for_each(|y| (0..3).for_each(|c| y[c] += fall[c]));
    model.prescribe(stage.t, &mut target);
    guess.clear();
    guess.extend_from_slice(x);
    // Joined bodies do not go each its own way.
    let bodies = model.bodies.iter().enumerate();
    let mut moved: Vec<bool> = bodies
        .map(|(index, body)| !model.is_jointed(index) && fit(model, body.nodes.clone(), x, &target, least, guess))
        .collect();
    if let Some(contact) = &model.contact {
        let mut obstacles = guess.clone();
        model.obstacles.iter().for_each(|o| copy(&o.nodes, &target, &mut obstacles));
        // No two surfaces have more than the thickest one.
        let reach = contact.thickness.iter().fold(0.0, |most: f64, &t| most.max(t)) + contact.reach;
        let near = Ways::new(model, x, &obstacles, reach).near_others(model, &moved);
        for (body, _) in near.iter().enumerate().filter(|&(_, &near)| near) {
            moved[body] = false;
            copy(&model.bodies[body].nodes, x, guess);
        }
    }
    moved.contains(&true)
}

/// Puts a body's nodes where its rigid motion takes them, its pins where they belong; leaves a body alone that hardly moves or
/// whose pins do not move rigidly.
fn fit(model: &Model, nodes: Range<usize>, x: &[f64], target: &[f64], least: f64, guess: &mut [f64]) -> bool {
    let mass = &model.node_mass;
    let pinned = |node: usize| model.mass.is_pinned(node);
    let whole: f64 = mass[nodes.clone()].iter().sum();
    let pins = nodes.clone().filter(|&node| pinned(node)).count();
    if pins == nodes.len() {
        return false;
    }
    let block = model.mass.blocks().binary_search_by_key(&nodes.start, |block| block.first_node);
    let fit = match block {
        Ok(block) => block_fit(&model.mass.blocks()[block], pinned, x, target),
        Err(_) => {
            let weight = |node: usize| if pinned(node) { PIN_WEIGHT * whole / pins as f64 } else { mass[node] };
            rigid_fit(nodes.clone(), weight, x, target)
        }
    };
    let Some((r, from, to)) = fit else { return false };
    let (mut way, mut misfit) = (0.0f64, 0.0f64);
    for node in nodes.clone() {
        let at = node_of(x, node);
        let mut place = to + r * (at - from);
        if pinned(node) {
            misfit = misfit.max((place - node_of(target, node)).norm());
            place = node_of(target, node);
        }
        way = way.max((place - at).norm());
        guess[3 * node..3 * node + 3].copy_from_slice(place.as_slice());
    }
    let moved = way >= least && misfit <= PIN_MISFIT * way;
    if !moved {
        copy(&nodes, x, guess);
    }
    moved
}

/// R, x̄ and ȳ of the weighted fit x → ȳ + R (x − x̄).
fn rigid_fit(
    nodes: Range<usize>,
    weight: impl Fn(usize) -> f64,
    x: &[f64],
    y: &[f64],
) -> Option<(Matrix3<f64>, Vector3<f64>, Vector3<f64>)> {
    let (mut whole, mut from, mut to) = (0.0, Vector3::zeros(), Vector3::zeros());
    for node in nodes.clone() {
        let w = weight(node);
        whole += w;
        from += w * node_of(x, node);
        to += w * node_of(y, node);
    }
    (from, to) = (from / whole, to / whole);
    let mut covariance = Matrix3::zeros();
    for node in nodes {
        covariance += (weight(node) / whole) * (node_of(y, node) - to) * (node_of(x, node) - from).transpose();
    }
    let size = covariance.norm();
    let r = (size.is_finite() && size > 0.0).then(|| polar::rotation(&(covariance / size)))?;
    r.iter().all(|value| value.is_finite()).then_some((r, from, to))
}

fn copy(nodes: &Range<usize>, from: &[f64], to: &mut [f64]) {
    to[3 * nodes.start..3 * nodes.end].copy_from_slice(&from[3 * nodes.start..3 * nodes.end]);
}

/// The same for the coupled masses of an affine body; its first node is the first that is pinned.
fn block_fit(
    block: &Block,
    pinned: impl Fn(usize) -> bool,
    x: &[f64],
    y: &[f64],
) -> Option<(Matrix3<f64>, Vector3<f64>, Vector3<f64>)> {
    let whole = block.matrix.sum();
    let corner = |x: &[f64], i: usize| node_of(x, block.first_node + i);
    let centre = |x: &[f64]| (0..4).map(|i| block.matrix.row(i).sum() * corner(x, i)).sum::<Vector3<f64>>() / whole;
    let held = pinned(block.first_node);
    let (from, to) = if held { (corner(x, 0), corner(y, 0)) } else { (centre(x), centre(y)) };
    let mut covariance = Matrix3::zeros();
    for i in 0..4 {
        for j in 0..4 {
            covariance += block.matrix[(i, j)] * (corner(y, i) - to) * (corner(x, j) - from).transpose();
        }
    }
    for i in (1..4).filter(|i| held && pinned(block.first_node + i)) {
        let weight = PIN_WEIGHT * block.matrix.trace();
        covariance += weight * (corner(y, i) - to) * (corner(x, i) - from).transpose();
    }
    let size = covariance.norm();
    let r = (size.is_finite() && size > 0.0).then(|| polar::rotation(&(covariance / size)))?;
    r.iter().all(|value| value.is_finite()).then_some((r, from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::solid::Solid;
    use crate::mesh::{TriMesh, generate};
    use crate::model::bodies::flatten;
    use crate::model::motion::Motion;
    use crate::model::{BodyInput, ContactSettings, Damping, Matter, ModelInput, ObstacleInput, PinInput, PinnedNode};
    use crate::solve::linear::Choice;
    use crate::solve::{Backend, BodiesSolver, NewtonSettings, SolveReport, SolverSettings};
    use nalgebra::Rotation3;
    use std::sync::Arc;

    const H: f64 = 1.0 / 30.0;

    /// A stiff cube of 10 cm under gravity; `pinned` picks nodes by their place.
    fn cube(pinned: impl Fn(&Vector3<f64>) -> bool, motion: Motion, wall: Option<f64>) -> (BodiesSolver, Vec<f64>) {
        let wall = wall.map(|x| [[x, -3.0, -3.0], [x, 3.0, -3.0], [x, 0.0, 3.0]].map(Vector3::from));
        cube_beside(pinned, motion, wall)
    }

    /// … beside a wall of one triangle.
    fn cube_beside(
        pinned: impl Fn(&Vector3<f64>) -> bool,
        motion: Motion,
        wall: Option<[Vector3<f64>; 3]>,
    ) -> (BodiesSolver, Vec<f64>) {
        let mesh = generate::cuboid(Vector3::repeat(0.1), [4, 4, 4]).unwrap();
        let picked = mesh.positions.iter().enumerate().filter(|(_, start)| pinned(start));
        let nodes = picked.map(|(node, &start)| PinnedNode { body: 0, node, start }).collect();
        let solid = Solid::from_name("corotated", 1e6, 0.3).unwrap();
        let matter = Matter::Solid { mesh, solid, density: 1000.0 };
        let input = BodyInput { name: "cube".into(), matter, damping: Damping::default() };
        let obstacle = |corners: [Vector3<f64>; 3]| {
            let surface = TriMesh { positions: corners.to_vec(), triangles: vec![[0, 1, 2]] };
            ObstacleInput { name: "wall".into(), surface, wires: vec![], motion: Motion::FIXED }
        };
        let bodies = Model::new(ModelInput {
            bodies: vec![input],
            obstacles: wall.map(obstacle).into_iter().collect(),
            pins: vec![PinInput { nodes, motion }],
            joints: vec![],
            gravity: Vector3::new(0.0, 0.0, -9.8),
            contact: wall.map(|_| ContactSettings::default()),
        })
        .unwrap();
        let newton = NewtonSettings { displacement: 0.01 * H, ..NewtonSettings::TIGHT };
        let settings = SolverSettings { newton, linear: Choice::Direct, linear_tolerance: 1e-8 };
        let x = flatten(&bodies.rest);
        (BodiesSolver::new(Arc::new(bodies), settings).unwrap(), x)
    }

    /// One implicit Euler step from x with the velocity `flight` + `spin` × x.
    fn step(world: &mut BodiesSolver, x: &[f64], flight: Vector3<f64>, spin: Vector3<f64>) -> (Vec<f64>, SolveReport) {
        let mut predictor = x.to_vec();
        for node in 0..x.len() / 3 {
            let v = flight + spin.cross(&node_of(x, node));
            (0..3).for_each(|c| predictor[3 * node + c] += H * v[c]);
        }
        let start = world.evaluation(x);
        let stage = Stage {
            start: &start,
            predictor: &predictor,
            length: H,
            velocity_origin: x,
            velocity_length: H,
            strain_origin: &[],
            t: H,
            frozen: None,
        };
        let mut end = Evaluation::default();
        let report = world.minimise(&stage, &mut end).unwrap();
        (end.x, report)
    }

    #[test]
    fn unturned_flight_takes_one_iteration_and_falls_as_implicit_euler_does() {
        let (mut world, x) = cube(|_| false, Motion::FIXED, None);
        let flight = Vector3::new(1.0, -2.0, 3.0);
        let (end, report) = step(&mut world, &x, flight, Vector3::zeros());
        assert_eq!(report.newton_iterations, 1);
        let way = H * flight + H * H * Vector3::new(0.0, 0.0, -9.8);
        // Rounding of centimetres.
        (0..x.len()).for_each(|k| assert!((end[k] - x[k] - way[k % 3]).abs() < 1e-15, "{k}"));
    }

    #[test]
    fn a_stiff_cube_that_turns_half_a_radian_a_step_takes_two_iterations_free_or_pinned() {
        let spin = Vector3::new(0.0, -15.0, 0.0);
        let (mut world, x) = cube(|_| false, Motion::FIXED, None);
        let (_, report) = step(&mut world, &x, Vector3::new(1.0, 0.0, 2.0), spin);
        assert!(report.converged && report.newton_iterations <= 2, "{}", report.newton_iterations);
        let on_edge = |p: &Vector3<f64>| p.x < -0.049 && p.z < -0.049;
        let (mut world, x) = cube(on_edge, Motion::FIXED, None);
        let edge = Vector3::new(-0.05, 0.0, -0.05);
        let (end, report) = step(&mut world, &x, -spin.cross(&edge), spin);
        assert!(report.converged && report.newton_iterations <= 2, "{}", report.newton_iterations);
        let corner = |x: &[f64]| node_of(x, x.len() / 3 - 1) - edge;
        // Implicit Euler turns by atan 0.5 = 0.46 and less against gravity.
        let turn = corner(&x).xz().angle(&corner(&end).xz());
        assert!(turn > 0.4 && turn < 0.5, "{turn}");
        for node in (0..x.len() / 3).filter(|&node| world.mass().is_pinned(node)) {
            assert_eq!(node_of(&end, node), node_of(&x, node));
        }
    }

    #[test]
    fn a_body_carried_by_turning_pins_comes_along_unstrained() {
        let turn = vec![(0.0, 0.0), (H, 0.5)];
        let motion = Motion::FIXED.with_turn(Vector3::x_axis(), Vector3::zeros(), turn).unwrap();
        let (mut world, x) = cube(|p| p.x < -0.049, motion, None);
        let spin = Vector3::new(15.0, 0.0, 0.0);
        let (end, report) = step(&mut world, &x, Vector3::zeros(), spin);
        assert!(report.converged && report.newton_iterations <= 2, "{}", report.newton_iterations);
        let turned = Rotation3::from_axis_angle(&Vector3::x_axis(), 0.5);
        let farthest = |node: usize| (node_of(&end, node) - turned * node_of(&x, node)).norm();
        // Inertia and weight of 1 kg against 1e6 Pa on 0.01 m².
        assert!((0..x.len() / 3).map(farthest).fold(0.0, f64::max) < 1e-3);
    }

    #[test]
    fn a_wall_in_the_way_is_not_flown_through() {
        let (mut world, x) = cube(|_| false, Motion::FIXED, Some(0.2));
        let (end, _) = step(&mut world, &x, Vector3::new(30.0, 0.0, 0.0), Vector3::zeros());
        assert!(end[..x.len() - 9].chunks_exact(3).all(|p| p[0] < 0.2));
        // Parallel to it nothing is in the way.
        let (_, report) = step(&mut world, &x, Vector3::new(0.0, 30.0, 0.0), Vector3::zeros());
        assert_eq!(report.newton_iterations, 1);
    }

    #[test]
    fn a_tilted_wall_far_away_is_in_nobodys_way() {
        // Half a metre from the cube, whose box lies within the wall's all the same.
        let wall = [[-3.0, -3.0, 2.3], [3.0, -3.0, 2.3], [0.0, 3.0, -3.7]].map(Vector3::from);
        let (mut world, x) = cube_beside(|_| false, Motion::FIXED, Some(wall));
        let (_, report) = step(&mut world, &x, Vector3::new(1.0, -2.0, 3.0), Vector3::zeros());
        assert_eq!(report.newton_iterations, 1);
        let (end, _) = step(&mut world, &x, Vector3::new(0.0, -30.0, -30.0), Vector3::zeros());
        let above = |p: &[f64]| p[1] + p[2] > -0.7;
        assert!(end[..x.len() - 9].chunks_exact(3).all(above), "it is not flown through");
    }
}
