//! Elastic bodies in space against what is known of them without this code: patch tests, closed forms of motion, beam theory,
//! conserved quantities, repeatable bits.

mod cantilever;
mod derivatives;
mod free_fall;
mod inversion;
mod momenta;
mod patch;
mod pins;
mod repeatable;
mod rotating_cube;
mod vibration;

#[path = "../../../src/math/splitmix.rs"]
#[allow(dead_code)]
mod splitmix;

use nalgebra::Vector3;
use std::sync::Arc;
use visviva::energy::EnergyPlan;
use visviva::integrate::IntegratorSpec;
use visviva::laws::solid::Solid;
use visviva::mesh::{TetMesh, generate};
use visviva::model::bodies::{Model, flatten};
use visviva::model::motion::Motion;
use visviva::model::{BodyInput, Damping, Matter, ModelInput, PinInput, PinnedNode, State};
use visviva::simulation::Simulation;
use visviva::solve::linear::Choice;
use visviva::solve::{Backend, BodiesSolver, NewtonSettings, SolverSettings};

/// `[kg/m³]`
const DENSITY: f64 = 1000.0;

/// Reproducible noise, uniform in [−1, 1).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        splitmix::signed(&mut self.0)
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.next())
    }

    fn flat(&mut self, count: usize, scale: f64) -> Vec<f64> {
        (0..count).map(|_| scale * self.next()).collect()
    }
}

/// A box `[m]` with its low corner at the origin.
fn cuboid(size: [f64; 3], cells: [usize; 3]) -> TetMesh {
    let size = Vector3::from(size);
    let mut mesh = generate::cuboid(size, cells).unwrap();
    mesh.translate(0.5 * size).unwrap();
    mesh
}

/// The nodes on the surface of a box with its low corner at the origin.
fn is_on_surface(p: &Vector3<f64>, size: [f64; 3]) -> bool {
    (0..3).any(|c| p[c].abs() < 1e-9 || (p[c] - size[c]).abs() < 1e-9)
}

fn solid(name: &str, youngs_modulus: f64, poisson_ratio: f64) -> Solid {
    Solid::from_name(name, youngs_modulus, poisson_ratio).unwrap()
}

/// Everything about a single body that a test may want to set.
struct Setup {
    mesh: TetMesh,
    solid: Solid,
    damping: Damping,
    pins: Vec<PinInput>,
    gravity: Vector3<f64>,
    linear: Choice,
    linear_tolerance: f64,
    /// Longest last Newton step `[m]`
    displacement: f64,
}

impl Setup {
    /// A free, undamped, weightless body, solved directly as far as rounding lets it.
    fn new(mesh: TetMesh, solid: Solid) -> Self {
        Self {
            mesh,
            solid,
            damping: Damping::default(),
            pins: Vec::new(),
            gravity: Vector3::zeros(),
            linear: Choice::Direct,
            linear_tolerance: 1e-12,
            displacement: 1e-12,
        }
    }

    /// Pins the nodes that a rule picks, where they are at rest.
    fn pinned_where(mut self, rule: impl Fn(&Vector3<f64>) -> bool) -> Self {
        let picked = self.mesh.positions.iter().enumerate().filter(|(_, p)| rule(p));
        let nodes = picked.map(|(node, &start)| PinnedNode { body: 0, node, start }).collect();
        self.pins.push(PinInput { nodes, motion: Motion::FIXED });
        self
    }

    fn rest(&self) -> Vec<f64> {
        flatten(&self.mesh.positions)
    }

    fn build(self) -> (Arc<Model>, BodiesSolver) {
        let body = BodyInput {
            name: "block".into(),
            matter: Matter::Solid { mesh: self.mesh, solid: self.solid, density: DENSITY },
            damping: self.damping,
        };
        let input = ModelInput { bodies: vec![body], pins: self.pins, gravity: self.gravity, ..ModelInput::default() };
        let bodies = Arc::new(Model::new(input).unwrap());
        let newton = NewtonSettings { displacement: self.displacement, gap: 1e-3, stretch: 1.0, max_iterations: 500 };
        let settings = SolverSettings { newton, linear: self.linear, linear_tolerance: self.linear_tolerance };
        (Arc::clone(&bodies), BodiesSolver::new(bodies, settings).unwrap())
    }
}

fn simulate<'a, W: Backend>(world: &'a mut W, state: State, integrator: &str, h: f64) -> Simulation<&'a mut W> {
    let integrator = integrator.parse::<IntegratorSpec>().unwrap().build();
    Simulation::new(world, state, integrator, &EnergyPlan::default(), h).unwrap()
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most, value| f64::max(most, value.abs()))
}
