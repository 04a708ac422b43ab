//! A body over a plane, and what is measured of it.

use anyhow::{Context, Result};
use nalgebra::Vector3;
use visviva::model::State;
use visviva::model::bodies::node_of;
use visviva::scene::{Built, SceneSource};
use visviva::simulation::Simulation;
use visviva::solve::BodiesSolver;

pub const GRAVITY: f64 = 9.8;

/// A scene with the one body that it names.
pub struct World {
    pub built: Built,
    pub simulation: Simulation<BodiesSolver>,
    pub unconverged: u32,
    /// `[J]`
    pub friction_loss: f64,
}

/// Lines of TOML for a scene: gravity, the body's shape and where its centre is, what changes.
pub struct Setting<'a> {
    pub gravity: [f64; 3],
    pub kind: &'a str,
    pub modulus: f64,
    pub shape: &'a str,
    pub height: f64,
    pub contact: String,
}

impl Setting<'_> {
    fn text(&self) -> String {
        let Self { gravity, kind, modulus, shape, height, contact } = self;
        format!(
            "title = \"trial\"\ngravity = {gravity:?}\nrun = {{ h = \"1/120\", duration = 1 }}\n\
             [solver]\ntolerance = 1e-5\ngap_tolerance = 1e-4\n[contact]\n{contact}\n\
             [[body]]\nname = \"body\"\nkind = \"{kind}\"\nmaterial = {{ youngs_modulus = {modulus:?} }}\n\
             {shape}\ntranslate = [0, 0, {height:?}]\n\
             [[obstacle]]\nname = \"plane\"\nplane = {{ size = 20 }}\n"
        )
    }

    pub fn world(&self, method: &str, h: u32) -> Result<World> {
        let source = SceneSource { name: "trial".into(), text: self.text(), folder: std::env::temp_dir() };
        let changes = [format!("run.integrator={method}"), format!("run.h=1/{h}")];
        World::new(source.parse(&changes)?.build()?)
    }
}

impl World {
    fn new(built: Built) -> Result<Self> {
        let world = BodiesSolver::new(built.model.clone(), built.solver)?;
        let simulation = Simulation::new(world, built.start.clone(), built.integrator.build(), &built.plan, built.h)?;
        Ok(Self { built, simulation, unconverged: 0, friction_loss: 0.0 })
    }

    /// The same from another state, at time 0.
    pub fn started_from(mut self, state: State) -> Result<Self> {
        self.built.start = State { t: 0.0, ..state };
        Self::new(self.built)
    }

    pub fn step(&mut self) -> Result<()> {
        let report = self.simulation.step().context("a step failed")?;
        self.unconverged += u32::from(!report.solve.converged);
        self.friction_loss += report.ledger.friction_loss;
        Ok(())
    }

    pub fn run(&mut self, steps: u32) -> Result<()> {
        (0..steps).try_for_each(|_| self.step())
    }

    fn mean(&self, field: &[f64]) -> Vector3<f64> {
        let model = &self.built.model;
        let nodes = model.bodies[0].nodes.clone();
        let mass: f64 = model.node_mass[nodes.clone()].iter().sum();
        nodes.map(|node| model.node_mass[node] * node_of(field, node)).sum::<Vector3<f64>>() / mass
    }

    pub fn centre(&self) -> Vector3<f64> {
        self.mean(&self.simulation.state.x)
    }

    pub fn velocity(&self) -> Vector3<f64> {
        self.mean(&self.simulation.state.v)
    }

    /// Moment of inertia about y through the centre, by the mass and the square of the largest distance from there
    pub fn roundness(&self) -> f64 {
        let model = &self.built.model;
        let body = &model.bodies[0];
        let x = &self.built.start.x;
        let mut weighed = vec![0.0; x.len()];
        model.mass.apply(x, &mut weighed);
        let (centre, mass) = (self.centre(), model.node_mass[body.nodes.clone()].iter().sum::<f64>());
        let across = |node: usize| {
            let (weighed, at) = (node_of(&weighed, node), node_of(x, node) - centre);
            weighed.x * at.x + weighed.z * at.z
        };
        let moment: f64 = body.nodes.clone().map(across).sum();
        let radius = |vertex: usize| {
            let at = model.vertices[vertex].of(x) - centre;
            at.x.hypot(at.z)
        };
        let radius = body.vertices.clone().map(radius).fold(0.0, f64::max);
        moment / (mass * radius * radius)
    }
}
