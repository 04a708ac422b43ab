//! The stage as Newton sees it: ½‖x − x̂‖²_m + s² (P(x) + P_n(x)), P_n(x) = L R((x − origin)/L).

use super::bodies_world::{BodiesWorld, Buffers};
use super::elastic;
use super::linear::LinearError;
use super::newton::Objective;
use super::settled::Settled;
use super::stage::{SolveError, Stage, World};
use crate::math::vector;
use crate::model::RelativeChange;
use std::time::Instant;

/// Slips are held to the tolerance of gaps as well, ten times as loosely. Without that a block that starts to slide is held
/// by the friction it has at rest: the first Newton step stays within ε_v and is shorter than any displacement tolerance.
const SLIP_SHARE: f64 = 0.1;

pub(super) struct StageObjective<'a> {
    pub(super) world: &'a mut BodiesWorld,
    pub(super) stage: &'a Stage<'a>,
    /// Where pins move along with the direction: K w of their way w
    pub(super) pin_pull: Option<&'a [f64]>,
    pub(super) settled: Settled,
    /// Whether the last direction is not all that was asked for: then a short step ends nothing.
    falls_short: bool,
}

impl<'a> StageObjective<'a> {
    pub fn new(world: &'a mut BodiesWorld, stage: &'a Stage<'a>, pin_pull: Option<&'a [f64]>) -> Self {
        Self { world, stage, pin_pull, settled: Settled::default(), falls_short: false }
    }

    pub(super) fn dissipates(&self) -> bool {
        self.stage.dissipative && self.world.has_dissipation()
    }

    fn set_velocity(&mut self, x: &[f64]) {
        let velocity = &mut self.world.buffers.velocity;
        vector::set_quotient(velocity, x, self.stage.velocity_origin, self.stage.velocity_length);
    }

    /// rhs ← m (x − x̂) + s² (∇P + ∇P_n) on the unknowns, from the tets' gradients in the buffer and the active pairs.
    pub(super) fn gather_gradient(&mut self, x: &[f64]) -> Result<(), SolveError> {
        let s2 = self.stage.length * self.stage.length;
        let dissipates = self.dissipates();
        if dissipates {
            self.set_velocity(x);
        }
        let world = &mut *self.world;
        let Buffers { gradients, rhs, offset, full, velocity, .. } = &mut world.buffers;
        rhs.fill(0.0);
        world.scatter.add_gradient(gradients, rhs).map_err(linear_error(&world.free_nodes))?;
        rhs.iter_mut().for_each(|g| *g *= s2);
        vector::set_sum(offset, x, -1.0, self.stage.predictor);
        let gravity = s2 * world.bodies.gravity;
        world.bodies.mass.apply(offset, full);
        for (rhs, &node) in rhs.chunks_exact_mut(3).zip(&world.free_nodes) {
            let node = node as usize;
            let mass = world.bodies.node_mass[node];
            (0..3).for_each(|c| rhs[c] += full[3 * node + c] - mass * gravity[c]);
        }
        full.fill(0.0);
        if let Some(pull) = self.pin_pull {
            full.copy_from_slice(pull);
        }
        if let Some(contact) = &mut world.contact {
            contact.add_gradient(full);
            if dissipates {
                contact.add_friction(velocity, 1.0, full);
            }
        }
        if dissipates && world.damping.is_active() {
            world.damping.add_gradient(&world.bodies, velocity, 1.0, full);
        }
        world.gather_unknowns(s2);
        Ok(())
    }

    fn dot_with_rhs(&self, d: &[f64]) -> f64 {
        let rows = self.world.buffers.rhs.chunks_exact(3).zip(&self.world.free_nodes);
        rows.map(|(g, &node)| (0..3).map(|c| g[c] * d[3 * node as usize + c]).sum::<f64>()).sum()
    }
}

/// Names the node in the numbering of the user.
pub(super) fn linear_error(free_nodes: &[u32]) -> impl Fn(LinearError) -> SolveError + Copy + '_ {
    let coordinate = |node: usize| 3 * free_nodes.get(node).map_or(0, |&n| n as usize);
    move |error| match error {
        LinearError::NotFinite { .. } => SolveError::NotFinite { what: "the forces" },
        LinearError::NotPositiveDefinite { node } => SolveError::NotPositiveDefinite { coordinate: coordinate(node) },
        other => SolveError::Linear(other),
    }
}

/// The longest displacement of a node [m].
pub(super) fn longest_step(d: &[f64]) -> f64 {
    d.chunks_exact(3).map(|d| d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).fold(0.0, f64::max).sqrt()
}

impl Objective for StageObjective<'_> {
    fn value(&mut self, x: &[f64]) -> Result<(f64, f64), SolveError> {
        let clock = Instant::now();
        let s2 = self.stage.length * self.stage.length;
        let energies = self.world.evaluate(x);
        let mut dissipation = 0.0;
        if self.dissipates() {
            self.set_velocity(x);
            let world = &mut *self.world;
            let velocity = &world.buffers.velocity;
            if world.damping.is_active() {
                dissipation += world.damping.value(&world.bodies, velocity);
            }
            if let Some(contact) = &mut world.contact {
                dissipation += contact.dissipation(velocity);
            }
            dissipation *= self.stage.velocity_length;
        }
        let offset = &mut self.world.buffers.offset;
        vector::set_sum(offset, x, -1.0, self.stage.predictor);
        let inertia = self.world.bodies.mass.kinetic_energy(offset);
        let value = inertia + s2 * (energies.total() + dissipation);
        self.world.times.line_search += clock.elapsed();
        if value.is_nan() {
            return Err(SolveError::NotFinite { what: "the energy" });
        }
        Ok((value, inertia + s2 * (energies.magnitude() + dissipation.abs())))
    }

    fn direction(&mut self, x: &[f64], d: &mut [f64]) -> Result<f64, SolveError> {
        let unknowns = self.world.free_nodes.len();
        let modelled = self.world.contact.as_mut().is_some_and(|contact| {
            contact.forget_anticipated();
            contact.update(x);
            contact.outweighs(unknowns)
        });
        self.falls_short = false;
        let solved = if modelled && self.pin_pull.is_none() {
            let arrived = self.solve_model(x, d)?;
            self.falls_short = !arrived;
            arrived
        } else {
            self.assemble(x, true)?;
            self.solve_newton(x, d)?
        };
        let s2 = self.stage.length * self.stage.length;
        self.world.buffers.rhs.iter_mut().for_each(|force| *force *= -s2);
        // A step that was solved for loosely settles nothing: its residual would be lost momentum.
        if solved && self.pin_pull.is_none() {
            let dissipates = self.dissipates();
            let world = &mut *self.world;
            let velocity = world.buffers.velocity.as_slice();
            let sliding = dissipates.then_some((velocity, 1.0 / self.stage.velocity_length));
            let changes = world.contact.as_mut().map_or(Vec::new(), |c| c.changes_by_surface(d, sliding, SLIP_SHARE));
            let group = world.touching_groups();
            world.settle(&mut self.settled, &group, x, d, &changes);
        } else {
            self.settled = Settled::default();
        }
        Ok(self.dot_with_rhs(d))
    }

    fn slope(&mut self, x: &[f64], d: &[f64]) -> f64 {
        let clock = Instant::now();
        self.world.evaluated.forget();
        elastic::gradients(&self.world.bodies, x, &mut self.world.buffers.gradients);
        if let Some(contact) = &mut self.world.contact {
            contact.update(x);
        }
        let slope = match self.gather_gradient(x) {
            Ok(()) => self.dot_with_rhs(d),
            // A gradient that cannot be had decides against the step.
            Err(_) => f64::NAN,
        };
        self.world.times.line_search += clock.elapsed();
        slope
    }

    fn largest_step(&mut self, x: &[f64], d: &[f64]) -> f64 {
        let clock = Instant::now();
        let step = self.world.largest_step(x, d);
        self.world.times.line_search += clock.elapsed();
        step
    }

    fn bend(&mut self, x: &[f64], d: &[f64], step: &mut f64, way: &mut Vec<f64>) -> bool {
        let clock = Instant::now();
        let bent = self.world.bend(x, d, step, way);
        self.world.times.line_search += clock.elapsed();
        bent
    }

    fn change(&mut self, x: &[f64], d: &[f64]) -> (f64, RelativeChange) {
        if self.falls_short {
            return (longest_step(d), RelativeChange { gap: f64::INFINITY, stretch: 0.0 });
        }
        let dissipates = self.dissipates();
        if dissipates {
            self.set_velocity(x);
        }
        let velocity = &self.world.buffers.velocity;
        let gap = self.world.contact.as_mut().map_or(0.0, |contact| {
            contact.update(x);
            let gap = contact.relative_gap_change(d);
            if !dissipates {
                return gap;
            }
            let rate = 1.0 / self.stage.velocity_length;
            gap.max(SLIP_SHARE * contact.relative_slip_change(velocity, d, rate))
        });
        (longest_step(d), RelativeChange { gap, stretch: 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::solid::Solid;
    use crate::mesh::{TriMesh, generate};
    use crate::model::bodies::{Model, flatten};
    use crate::model::motion::Motion;
    use crate::model::{BodyInput, Coefficients, ContactSettings, Matter, ModelInput, ObstacleInput, Rayleigh};
    use crate::solve::linear::Choice;
    use crate::solve::{NewtonSettings, SolverSettings};
    use nalgebra::Vector3;
    use std::sync::Arc;

    /// Two cubes one upon the other on a floor, all gaps active, with friction and damping.
    fn stack() -> (BodiesWorld, Vec<f64>) {
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
        (BodiesWorld::new(Arc::new(bodies), settings).unwrap(), x)
    }

    #[test]
    fn the_whole_stage_with_contact_and_friction_matches_finite_differences() {
        let (mut world, x0) = stack();
        world.begin_step(&x0);
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
            start: &x0,
            predictor: &predictor,
            length: h,
            velocity_origin: &x0,
            velocity_length: h,
            t: 0.0,
            dissipative: true,
        };
        let mut objective = StageObjective::new(&mut world, &stage, None);
        let moved = |s: f64, d: &[f64]| -> Vec<f64> { x.iter().zip(d).map(|(x, d)| x + s * d).collect() };
        for phase in [0.0, 0.5, 1.1] {
            let d = field(1.0, phase);
            let step = 1e-7;
            let slope = objective.slope(&x, &d);
            let value = |objective: &mut StageObjective<'_>, s: f64| objective.value(&moved(s, &d)).unwrap().0;
            let measured = (value(&mut objective, step) - value(&mut objective, -step)) / (2.0 * step);
            assert!((slope - measured).abs() < 1e-5 * slope.abs().max(1e-6), "{slope} {measured}");
        }
        assert!(objective.world.contact.as_ref().unwrap().active_pairs() > 20);
        // Along Newton's direction the matrix's curvature is minus the slope: true curvature, or more where projected.
        let mut d = vec![0.0; n];
        let slope = objective.direction(&x, &mut d).unwrap();
        let step = 1e-4;
        let (up, down) = (objective.slope(&moved(step, &d), &d), objective.slope(&moved(-step, &d), &d));
        let curvature = (up - down) / (2.0 * step);
        assert!(curvature > 0.0 && curvature < -slope * (1.0 + 1e-3), "{curvature} {slope}");
        assert!(curvature > -0.8 * slope, "the projection is mild here: {curvature} {slope}");
    }
}
