//! The backend of a world with few coordinates, solved by Newton with a band Cholesky factorisation: a particle, a bar.

use super::backend::{Backend, inadmissible_term};
use super::dissipation::{DissipativeForces, Motion};
use super::evaluation::Evaluation;
use super::newton::{Change, Direction, Leads, Newton, Objective, Value};
use super::settings::NewtonSettings;
use super::stage::{Frozen, SolveError, SolveReport, Stage};
use crate::math::band::BandMatrix;
use crate::math::vector;
use crate::model::{Cause, Dissipation, Mass, Path, Potential, RelativeChange};

#[derive(Debug)]
pub struct BandedSolver {
    mass: Mass,
    potentials: Vec<Box<dyn Potential>>,
    terms: Vec<&'static str>,
    dissipations: Vec<Box<dyn Dissipation>>,
    /// (node, path) of coordinates that move by themselves; nodes have one coordinate here
    pins: Vec<(usize, Path)>,
    settings: NewtonSettings,
    hessian: BandMatrix,
    newton: Newton,
    /// Scratch: a gradient, a velocity, a product
    g: Vec<f64>,
    v: Vec<f64>,
    y: Vec<f64>,
}

impl BandedSolver {
    /// `mass` must have the nodes of `pins` pinned and one coordinate a node.
    pub fn new(
        mass: Mass,
        potentials: Vec<Box<dyn Potential>>,
        dissipations: Vec<Box<dyn Dissipation>>,
        pins: Vec<(usize, Path)>,
        settings: NewtonSettings,
    ) -> Self {
        let n = mass.coordinate_count();
        assert_eq!(mass.dimension(), 1, "a banded world has one coordinate a node");
        assert!(mass.blocks().is_empty(), "a banded world lumps its mass");
        let bands = potentials.iter().map(|p| p.bandwidth()).chain(dissipations.iter().map(|d| d.bandwidth()));
        let bandwidth = bands.max().unwrap_or(0).min(n.saturating_sub(1));
        Self {
            hessian: BandMatrix::new(n, bandwidth),
            terms: potentials.iter().map(|p| p.term()).collect(),
            newton: Newton::default(),
            g: vec![0.0; n],
            v: vec![0.0; n],
            y: vec![0.0; n],
            mass,
            potentials,
            dissipations,
            pins,
            settings,
        }
    }
}

/// The coefficients of each dissipation.
type Coefficients = Vec<Vec<f64>>;

impl Backend for BandedSolver {
    fn mass(&self) -> &Mass {
        &self.mass
    }

    fn terms(&self) -> &[&'static str] {
        &self.terms
    }

    fn has_dissipation(&self) -> bool {
        !self.dissipations.is_empty()
    }

    fn prescribe(&self, t: f64, x: &mut [f64]) {
        for (node, path) in &self.pins {
            x[*node] = path.at(t);
        }
    }

    fn evaluate(&mut self, at: &mut Evaluation) {
        at.energies = self.potentials.iter().map(|p| p.value(&at.x)).collect();
    }

    fn gradient(&mut self, at: &Evaluation, g: &mut [f64]) {
        g.fill(0.0);
        self.potentials.iter().for_each(|p| p.add_gradient(&at.x, g));
    }

    fn stiffness_product(&mut self, at: &Evaluation, d: &[f64], out: &mut [f64]) {
        self.hessian.clear();
        self.potentials.iter().for_each(|p| p.add_hessian(&at.x, &mut self.hessian));
        out.fill(0.0);
        self.hessian.add_product(d, out);
    }

    fn freeze(&mut self, at: &Evaluation, _v: &[f64], frozen: &mut Frozen) {
        let frozen = frozen.content_mut::<Coefficients>();
        frozen.resize(self.dissipations.len(), Vec::new());
        for (dissipation, frozen) in self.dissipations.iter().zip(frozen) {
            dissipation.freeze(&at.x, frozen);
        }
    }

    fn add_dissipation(&mut self, frozen: &Frozen, motion: Motion<'_>, weight: f64, forces: &mut DissipativeForces) {
        for (dissipation, frozen) in self.dissipations.iter().zip(coefficients(Some(frozen))) {
            self.g.fill(0.0);
            dissipation.add_gradient(frozen, motion.v, &mut self.g);
            let force = match dissipation.cause() {
                Cause::Friction => &mut forces.friction,
                Cause::Damping => &mut forces.damping,
            };
            vector::add_scaled(force, weight, &self.g);
        }
    }

    fn boundary_work(&mut self, from: &Evaluation, to: &Evaluation) -> f64 {
        if self.pins.iter().all(|&(node, _)| from.x[node] == to.x[node]) {
            return 0.0;
        }
        // Trapezoidal: the mean of the reactions at both ends over the way between them.
        let mut work = 0.0;
        for x in [&from.x, &to.x] {
            self.g.fill(0.0);
            self.potentials.iter().for_each(|p| p.add_gradient(x, &mut self.g));
            work += self.pins.iter().map(|&(node, _)| 0.5 * self.g[node] * (to.x[node] - from.x[node])).sum::<f64>();
        }
        work
    }

    fn minimise(&mut self, stage: &Stage<'_>, end: &mut Evaluation) -> Result<SolveReport, SolveError> {
        end.set_position(&stage.start.x);
        self.prescribe(stage.t, &mut end.x);
        self.evaluate(end);
        if let Some(term) = inadmissible_term(&end.energies, &self.terms) {
            return Err(SolveError::InadmissibleStart { term });
        }
        let mut newton = std::mem::take(&mut self.newton);
        let settings = self.settings;
        let mut objective = StageObjective { frozen: coefficients(stage.frozen), world: self, stage };
        let iterations = newton.minimise(&mut objective, &settings, end);
        self.newton = newton;
        let iterations = iterations?;
        Ok(SolveReport {
            shortest_step: None,
            stuck: None,
            newton_iterations: iterations.count,
            linear_iterations: 0,
            halvings: iterations.halvings,
            converged: iterations.converged,
            energies: end.energies,
        })
    }
}

/// None where nothing dissipates
fn coefficients(frozen: Option<&Frozen>) -> &[Vec<f64>] {
    frozen.and_then(|frozen| frozen.content::<Coefficients>()).map_or(&[], Vec::as_slice)
}

/// ½‖x − x̂‖²_m + s² (P(x) + P_n(x)), P_n(x) = L R((x − origin)/L).
struct StageObjective<'a> {
    world: &'a mut BandedSolver,
    stage: &'a Stage<'a>,
    /// Of each dissipation; none where nothing dissipates in this stage
    frozen: &'a [Vec<f64>],
}

impl StageObjective<'_> {
    /// Of the stage at x
    fn set_velocity(&mut self, x: &[f64]) {
        vector::set_quotient(&mut self.world.v, x, self.stage.velocity_origin, self.stage.velocity_length);
    }

    /// world.g ← m (x − x̂) + s² (∇P + ∇P_n), zero on pinned nodes; leaves the stage's velocity in world.v.
    fn set_gradient(&mut self, x: &[f64]) {
        self.set_velocity(x);
        let world = &mut *self.world;
        world.g.fill(0.0);
        for p in &world.potentials {
            p.add_gradient(x, &mut world.g);
        }
        for (dissipation, frozen) in world.dissipations.iter().zip(self.frozen) {
            dissipation.add_gradient(frozen, &world.v, &mut world.g);
        }
        let s2 = self.stage.length * self.stage.length;
        for (i, mass) in world.mass.lumped_masses().iter().enumerate() {
            world.g[i] = mass * (x[i] - self.stage.predictor[i]) + s2 * world.g[i];
        }
        for &(node, _) in &world.pins {
            world.g[node] = 0.0;
        }
    }
}

impl Objective for StageObjective<'_> {
    fn evaluate(&mut self, at: &mut Evaluation) {
        self.world.evaluate(at);
    }

    fn value(&mut self, at: &Evaluation) -> Result<Value, SolveError> {
        let s2 = self.stage.length * self.stage.length;
        self.set_velocity(&at.x);
        let mut dissipation = 0.0;
        for (law, frozen) in self.world.dissipations.iter().zip(self.frozen) {
            dissipation += self.stage.velocity_length * law.value(frozen, &self.world.v);
        }
        vector::set_sum(&mut self.world.y, &at.x, -1.0, self.stage.predictor);
        let inertia = self.world.mass.kinetic_energy(&self.world.y);
        let value = inertia + s2 * (at.energies.total() + dissipation);
        if value.is_nan() {
            return Err(SolveError::NotFinite { what: "the energy" });
        }
        Ok(Value { value, magnitude: inertia + s2 * (at.energies.magnitude() + dissipation.abs()) })
    }

    fn direction(&mut self, at: &Evaluation, d: &mut [f64]) -> Result<Direction, SolveError> {
        self.set_gradient(&at.x);
        let s2 = self.stage.length * self.stage.length;
        let world = &mut *self.world;
        world.hessian.clear();
        for p in &world.potentials {
            p.add_hessian(&at.x, &mut world.hessian);
        }
        for (law, frozen) in world.dissipations.iter().zip(self.frozen) {
            law.add_hessian(frozen, &world.v, 1.0 / self.stage.velocity_length, &mut world.hessian);
        }
        world.hessian.scale(s2);
        for (i, mass) in world.mass.lumped_masses().iter().enumerate() {
            world.hessian.add(i, i, *mass);
        }
        for &(node, _) in &world.pins {
            world.hessian.fix(node);
        }
        if !vector::all_finite(&world.g) {
            return Err(SolveError::NotFinite { what: "the forces" });
        }
        world.hessian.factor().map_err(|e| SolveError::NotPositiveDefinite { coordinate: e.row })?;
        for (d, g) in d.iter_mut().zip(&world.g) {
            *d = -g;
        }
        world.hessian.solve(d);
        Ok(Direction { slope: vector::dot(&world.g, d), leads: Leads::There })
    }

    fn slope(&mut self, at: &Evaluation, d: &[f64]) -> f64 {
        self.set_gradient(&at.x);
        vector::dot(&self.world.g, d)
    }

    fn largest_step(&mut self, at: &Evaluation, d: &[f64]) -> f64 {
        self.world.potentials.iter().fold(1.0, |step, p| p.largest_step(&at.x, d).min(step))
    }

    fn change(&mut self, at: &Evaluation, d: &[f64]) -> Change {
        let relative = self.world.potentials.iter().map(|p| p.relative_change(&at.x, d));
        let relative = relative.fold(RelativeChange::default(), RelativeChange::max);
        Change { displacement: vector::max_abs(d), relative }
    }
}
