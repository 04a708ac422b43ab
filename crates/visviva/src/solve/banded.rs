//! A world with few coordinates, solved by Newton with a band Cholesky factorisation: a particle, a bar.

use super::newton::{Newton, NewtonSettings, Objective};
use super::stage::{DissipativeForces, SolveError, SolveReport, Stage, World, inadmissible_term};
use crate::math::band::BandMatrix;
use crate::math::vector;
use crate::model::{Cause, Dissipation, Energies, Mass, Path, Potential, RelativeChange};

#[derive(Debug)]
pub struct BandedWorld {
    mass: Mass,
    potentials: Vec<Box<dyn Potential>>,
    terms: Vec<&'static str>,
    dissipations: Vec<Box<dyn Dissipation>>,
    frozen: Vec<Vec<f64>>,
    /// (node, path) of coordinates that move by themselves; nodes have one coordinate here
    pins: Vec<(usize, Path)>,
    settings: NewtonSettings,
    hessian: BandMatrix,
    newton: Newton,
    /// Scratch: a gradient, a velocity, a product
    g: Vec<f64>,
    v: Vec<f64>,
    y: Vec<f64>,
    /// Energies of the last evaluation
    energies: Energies,
}

impl BandedWorld {
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
            frozen: vec![Vec::new(); dissipations.len()],
            newton: Newton::default(),
            g: vec![0.0; n],
            v: vec![0.0; n],
            y: vec![0.0; n],
            energies: Energies::default(),
            mass,
            potentials,
            dissipations,
            pins,
            settings,
        }
    }

    fn add_potential_gradient(&self, x: &[f64], g: &mut [f64]) {
        self.potentials.iter().for_each(|p| p.add_gradient(x, g));
    }
}

impl World for BandedWorld {
    fn mass(&self) -> &Mass {
        &self.mass
    }

    fn terms(&self) -> &[&'static str] {
        &self.terms
    }

    fn begin_step(&mut self, x0: &[f64]) {
        for (dissipation, frozen) in self.dissipations.iter().zip(&mut self.frozen) {
            dissipation.freeze(x0, frozen);
        }
    }

    fn has_dissipation(&self) -> bool {
        !self.dissipations.is_empty()
    }

    fn prescribe(&self, t: f64, x: &mut [f64]) {
        for (node, path) in &self.pins {
            x[*node] = path.at(t);
        }
    }

    fn energies(&mut self, x: &[f64]) -> Energies {
        self.energies = self.potentials.iter().map(|p| p.value(x)).collect();
        self.energies
    }

    fn gradient(&mut self, x: &[f64], g: &mut [f64]) {
        g.fill(0.0);
        self.add_potential_gradient(x, g);
    }

    fn add_dissipation(&mut self, v: &[f64], weight: f64, forces: &mut DissipativeForces) {
        for (dissipation, frozen) in self.dissipations.iter().zip(&self.frozen) {
            self.g.fill(0.0);
            dissipation.add_gradient(frozen, v, &mut self.g);
            let force = match dissipation.cause() {
                Cause::Friction => &mut forces.friction,
                Cause::Damping => &mut forces.damping,
            };
            vector::add_scaled(force, weight, &self.g);
        }
    }

    fn boundary_work(&mut self, x0: &[f64], x1: &[f64]) -> f64 {
        if self.pins.iter().all(|&(node, _)| x0[node] == x1[node]) {
            return 0.0;
        }
        // Trapezoidal: the mean of the reactions at both ends over the way between them.
        let mut work = 0.0;
        for x in [x0, x1] {
            self.g.fill(0.0);
            self.potentials.iter().for_each(|p| p.add_gradient(x, &mut self.g));
            work += self.pins.iter().map(|&(node, _)| 0.5 * self.g[node] * (x1[node] - x0[node])).sum::<f64>();
        }
        work
    }

    fn stiffness_product(&mut self, x: &[f64], d: &[f64], out: &mut [f64]) {
        self.hessian.clear();
        self.potentials.iter().for_each(|p| p.add_hessian(x, &mut self.hessian));
        out.fill(0.0);
        self.hessian.add_product(d, out);
    }

    fn largest_step(&mut self, x: &[f64], dx: &[f64]) -> f64 {
        self.potentials.iter().fold(1.0, |step, p| p.largest_step(x, dx).min(step))
    }

    fn minimise(&mut self, stage: &Stage<'_>, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        x.copy_from_slice(stage.start);
        self.prescribe(stage.t, x);
        let start = self.energies(x);
        if let Some(term) = inadmissible_term(&start, &self.terms) {
            return Err(SolveError::InadmissibleStart { term });
        }
        let mut newton = std::mem::take(&mut self.newton);
        let settings = self.settings;
        let iterations = newton.minimise(&mut StageObjective { world: self, stage }, &settings, x);
        self.newton = newton;
        let iterations = iterations?;
        Ok(SolveReport {
            newton_iterations: iterations.count,
            linear_iterations: 0,
            halvings: iterations.halvings,
            converged: iterations.converged,
            energies: self.energies,
        })
    }
}

/// ½‖x − x̂‖²_m + s² (P(x) + P_n(x)), P_n(x) = L R((x − origin)/L).
struct StageObjective<'a> {
    world: &'a mut BandedWorld,
    stage: &'a Stage<'a>,
}

impl StageObjective<'_> {
    fn set_velocity(&mut self, x: &[f64]) {
        vector::set_quotient(&mut self.world.v, x, self.stage.velocity_origin, self.stage.velocity_length);
    }

    fn dissipates(&self) -> bool {
        self.stage.dissipative && !self.world.dissipations.is_empty()
    }

    /// world.g ← m (x − x̂) + s² (∇P + ∇P_n), zero on pinned nodes; leaves the stage's velocity in world.v.
    fn set_gradient(&mut self, x: &[f64]) {
        let dissipates = self.dissipates();
        if dissipates {
            self.set_velocity(x);
        }
        let world = &mut *self.world;
        world.g.fill(0.0);
        for p in &world.potentials {
            p.add_gradient(x, &mut world.g);
        }
        if dissipates {
            for (dissipation, frozen) in world.dissipations.iter().zip(&world.frozen) {
                dissipation.add_gradient(frozen, &world.v, &mut world.g);
            }
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
    fn value(&mut self, x: &[f64]) -> Result<(f64, f64), SolveError> {
        let s2 = self.stage.length * self.stage.length;
        let energies = self.world.energies(x);
        let mut dissipation = 0.0;
        if self.dissipates() {
            self.set_velocity(x);
            for (law, frozen) in self.world.dissipations.iter().zip(&self.world.frozen) {
                dissipation += self.stage.velocity_length * law.value(frozen, &self.world.v);
            }
        }
        vector::set_sum(&mut self.world.y, x, -1.0, self.stage.predictor);
        let inertia = self.world.mass.kinetic_energy(&self.world.y);
        let value = inertia + s2 * (energies.total() + dissipation);
        if value.is_nan() {
            return Err(SolveError::NotFinite { what: "the energy" });
        }
        Ok((value, inertia + s2 * (energies.magnitude() + dissipation.abs())))
    }

    fn direction(&mut self, x: &[f64], d: &mut [f64]) -> Result<f64, SolveError> {
        self.set_gradient(x);
        let dissipates = self.dissipates();
        let s2 = self.stage.length * self.stage.length;
        let world = &mut *self.world;
        world.hessian.clear();
        for p in &world.potentials {
            p.add_hessian(x, &mut world.hessian);
        }
        if dissipates {
            for (law, frozen) in world.dissipations.iter().zip(&world.frozen) {
                law.add_hessian(frozen, &world.v, 1.0 / self.stage.velocity_length, &mut world.hessian);
            }
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
        Ok(vector::dot(&world.g, d))
    }

    fn slope(&mut self, x: &[f64], d: &[f64]) -> f64 {
        self.set_gradient(x);
        vector::dot(&self.world.g, d)
    }

    fn largest_step(&mut self, x: &[f64], d: &[f64]) -> f64 {
        self.world.largest_step(x, d)
    }

    fn change(&mut self, x: &[f64], d: &[f64]) -> (f64, RelativeChange) {
        let relative = self.world.potentials.iter().map(|p| p.relative_change(x, d));
        (vector::max_abs(d), relative.fold(RelativeChange::default(), RelativeChange::max))
    }
}
