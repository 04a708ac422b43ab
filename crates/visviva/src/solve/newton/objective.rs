//! The stage as Newton sees it: ½‖x − x̂‖²_m + s² (P(x) + P_n(x)), P_n(x) = L R((x − origin)/L).

use super::foresight::Foresight;
use super::settling::Settling;
use super::{Change, Direction, Leads, Objective, Value, turning};
use crate::contact::Point;
use crate::model::RelativeChange;
use crate::solve::assembly::{Assembly, Terms, elastic};
use crate::solve::contact::{Nearby, Sliding, largest_change};
use crate::solve::evaluation::Evaluation;
use crate::solve::linear::LinearSolver;
use crate::solve::settings::SolverSettings;
use crate::solve::stage::SolveError;
use crate::solve::times::PhaseTimes;
use std::time::Instant;

/// One stage, and everything that solving it needs.
pub struct StageObjective<'a> {
    /// What does not change meanwhile
    pub terms: Terms<'a>,
    pub settings: &'a SolverSettings,
    pub nearby: &'a mut Nearby,
    pub assembly: &'a mut Assembly,
    pub linear: &'a mut LinearSolver,
    pub times: &'a mut PhaseTimes,
    pub foresight: Foresight,
    pub settling: Settling,
    /// Of conjugate gradients
    pub linear_iterations: usize,
}

impl StageObjective<'_> {
    /// The largest part of the step dx from x, at most 1, that inverts no element and lets no surfaces touch.
    pub fn largest_step_from(&mut self, x: &[f64], dx: &[f64]) -> f64 {
        let most = elastic::largest_step(self.terms.model, x, dx);
        let Some(surfaces) = self.terms.surfaces else { return most };
        if most == 1.0 {
            return self.nearby.largest_step(surfaces, x, dx);
        }
        // Elements first: the shorter the step, the fewer surfaces meet.
        let shortened: Vec<f64> = dx.iter().map(|d| most * d).collect();
        most * self.nearby.largest_step(surfaces, x, &shortened)
    }

    /// Friction at the velocity that the assembly holds
    pub fn sliding(&self) -> Option<Sliding<'_>> {
        let (velocity, rate) = (self.assembly.vertex_velocity(), 1.0 / self.terms.stage.velocity_length);
        self.terms.frozen.map(|frozen| Sliding { friction: &frozen.friction, velocity, rate })
    }
}

/// The longest displacement of a node [m].
pub fn longest_step(d: &[f64]) -> f64 {
    d.chunks_exact(3).map(|d| d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).fold(0.0, f64::max).sqrt()
}

impl Objective for StageObjective<'_> {
    fn evaluate(&mut self, at: &mut Evaluation) {
        let clock = Instant::now();
        at.renew(self.terms.model, self.terms.surfaces.map(|surfaces| (surfaces, &mut *self.nearby)));
        self.times.line_search += clock.elapsed();
    }

    fn value(&mut self, at: &Evaluation) -> Result<Value, SolveError> {
        let clock = Instant::now();
        let s2 = self.terms.squared_length();
        let dissipation = self.assembly.dissipation(self.terms, &at.x);
        let inertia = self.assembly.inertia(self.terms, &at.x);
        let value = inertia + s2 * (at.energies.total() + dissipation);
        self.times.line_search += clock.elapsed();
        if value.is_nan() {
            return Err(SolveError::NotFinite { what: "the energy" });
        }
        Ok(Value { value, magnitude: inertia + s2 * (at.energies.magnitude() + dissipation.abs()) })
    }

    fn direction(&mut self, at: &Evaluation, d: &mut [f64]) -> Result<Direction, SolveError> {
        let leads = self.find_direction(at, d)?;
        // A step that was solved for loosely settles nothing: its residual would be lost momentum.
        match leads {
            Leads::There => self.settle(at, d),
            Leads::Near | Leads::PartOfTheWay => self.settling = Settling::default(),
        }
        Ok(Direction { slope: self.assembly.slope(self.terms, d), leads })
    }

    fn slope(&mut self, at: &Evaluation, d: &[f64]) -> f64 {
        let clock = Instant::now();
        // A gradient that cannot be had decides against the step.
        let slope = self.assembly.slope_at(self.terms, at, d).unwrap_or(f64::NAN);
        self.times.line_search += clock.elapsed();
        slope
    }

    fn largest_step(&mut self, at: &Evaluation, d: &[f64]) -> f64 {
        let clock = Instant::now();
        let step = self.largest_step_from(&at.x, d);
        self.times.line_search += clock.elapsed();
        step
    }

    fn turn(&mut self, at: &Evaluation, d: &[f64], step: &mut f64, chord: &mut Vec<f64>) -> bool {
        let clock = Instant::now();
        let model = self.terms.model;
        let turns = turning::safe_chord(model, &at.x, d, step, chord, |chord| self.largest_step_from(&at.x, chord));
        self.times.line_search += clock.elapsed();
        turns
    }

    fn change(&mut self, at: &Evaluation, d: &[f64]) -> Change {
        let mut gap = 0.0;
        if let Some(surfaces) = self.terms.surfaces {
            if self.terms.frozen.is_some() {
                self.assembly.set_velocity(self.terms, &at.x);
            }
            let mut step: Vec<Point> = Vec::new();
            surfaces.gather(d, &mut step);
            gap = largest_change(surfaces, &at.touch, &step, self.sliding());
        }
        Change { displacement: longest_step(d), relative: RelativeChange { gap, stretch: 0.0 } }
    }

    fn moved(&mut self, from: &Evaluation, d: &[f64], to: &Evaluation) {
        self.settling.moved(self.terms.model, &from.x, d, &to.x);
        self.assembly.moved(self.terms.model, &from.x, &to.x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::solid::Solid;
    use crate::mesh::{TriMesh, generate};
    use crate::model::bodies::{BodyInput, Matter, ObstacleInput, Rayleigh, flatten};
    use crate::model::motion::Motion;
    use crate::model::{Coefficients, ContactSettings, bodies::Model};
    use crate::solve::linear::Choice;
    use crate::solve::{NewtonSettings, SolverSettings};
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
        let inputs =
            vec![body("lower", Vector3::new(0.0, 0.0, 0.0505)), body("upper", Vector3::new(0.013, 0.021, 0.1511))];
        let corners = [[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0]].map(Vector3::from).to_vec();
        let surface = TriMesh { positions: corners, triangles: vec![[0, 1, 2]] };
        let floor = ObstacleInput { name: "floor".into(), surface, wires: vec![], motion: Motion::FIXED };
        let contact = ContactSettings { friction: Coefficients::Uniform(0.4), ..ContactSettings::default() };
        let gravity = Vector3::new(0.0, 0.0, -9.8);
        let bodies = Model::with_contact(inputs, vec![floor], vec![], vec![], gravity, Some(contact)).unwrap();
        let x = flatten(&bodies.rest);
        let settings = SolverSettings { newton: NewtonSettings::TIGHT, linear: Choice::Direct, linear_tolerance: 1e-8 };
        (BodiesSolver::new(Arc::new(bodies), settings).unwrap(), x)
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
