//! Bodies in space behind the one verb: parallel evaluation, block-sparse Newton.

use super::elastic::{self, BLOCKS};
use super::linear::{BlockMatrix, BlockPattern, Choice, LinearError, LinearMemory, LinearSolver, PINNED, Scatter};
use super::newton::{Newton, NewtonSettings, Objective};
use super::rayleigh::RayleighDamping;
use super::stage::{DissipativeForces, SolveError, SolveReport, Stage, World, inadmissible_term};
use crate::math::vector;
use crate::system::bodies::{Bodies, node_of};
use crate::system::{Energies, Mass, RelativeChange};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SolverSettings {
    pub newton: NewtonSettings,
    pub linear: Choice,
    /// Relative residual at which conjugate gradients stop
    pub linear_tolerance: f64,
}

/// Where the time goes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PhaseTimes {
    /// Element gradients and Hessians
    pub evaluate: Duration,
    /// Gathering them into the matrix and the right-hand side
    pub assemble: Duration,
    /// Factoring or iterating
    pub linear: Duration,
    /// Step bounds and energies of trial steps
    pub line_search: Duration,
}

#[derive(Debug)]
pub struct BodiesWorld {
    bodies: Arc<Bodies>,
    settings: SolverSettings,
    /// Nodes that are unknowns, in their order
    free_nodes: Vec<u32>,
    scatter: Scatter,
    matrix: BlockMatrix,
    linear: LinearSolver,
    newton: Newton,
    damping: RayleighDamping,
    buffers: Buffers,
    energies: Energies,
    linear_iterations: usize,
    times: PhaseTimes,
}

#[derive(Debug, Default)]
struct Buffers {
    gradients: Vec<[f64; 3]>,
    hessians: Vec<[f64; 9]>,
    /// Of the unknowns
    rhs: Vec<f64>,
    solution: Vec<f64>,
    diagonal: Vec<f64>,
    /// Of all nodes
    node_diagonal: Vec<f64>,
    full: Vec<f64>,
    velocity: Vec<f64>,
    offset: Vec<f64>,
}

const TERMS: [&str; 2] = ["elastic", "gravity"];

impl BodiesWorld {
    pub fn new(bodies: Arc<Bodies>, settings: SolverSettings) -> Result<Self, LinearError> {
        let n = bodies.node_count();
        let mut unknown = vec![PINNED; n];
        let free_nodes: Vec<u32> = (0..n as u32).filter(|&node| !bodies.mass.is_pinned(node as usize)).collect();
        for (index, &node) in free_nodes.iter().enumerate() {
            unknown[node as usize] = index as u32;
        }
        let stencils: Vec<[u32; 4]> = bodies.tets.iter().map(|tet| tet.map(|node| unknown[node as usize])).collect();
        let slices = || stencils.iter().map(|s| s.as_slice());
        let pattern = Arc::new(BlockPattern::from_stencils(free_nodes.len(), slices())?);
        let buffers = Buffers {
            gradients: vec![[0.0; 3]; 4 * bodies.tets.len()],
            hessians: vec![[0.0; 9]; BLOCKS * bodies.tets.len()],
            rhs: vec![0.0; 3 * free_nodes.len()],
            solution: vec![0.0; 3 * free_nodes.len()],
            diagonal: vec![0.0; free_nodes.len()],
            node_diagonal: vec![0.0; n],
            full: vec![0.0; 3 * n],
            velocity: vec![0.0; 3 * n],
            offset: vec![0.0; 3 * n],
        };
        Ok(Self {
            scatter: Scatter::new(&pattern, slices())?,
            matrix: BlockMatrix::zeros(pattern),
            linear: LinearSolver::new(settings.linear),
            newton: Newton::default(),
            damping: RayleighDamping::new(&bodies),
            buffers,
            energies: Energies::default(),
            linear_iterations: 0,
            times: PhaseTimes::default(),
            bodies,
            settings,
            free_nodes,
        })
    }

    /// Of the last position evaluated.
    pub fn last_energies(&self) -> Energies {
        self.energies
    }

    pub fn times(&self) -> PhaseTimes {
        self.times
    }

    /// What later solves depend on beside the state.
    pub fn memory(&self) -> LinearMemory {
        self.linear.memory()
    }

    pub fn restore(&mut self, memory: LinearMemory) {
        self.linear = LinearSolver::restored(self.settings.linear, memory);
    }

    fn gravity_energy(&self, x: &[f64]) -> f64 {
        let g = self.bodies.gravity;
        let masses = self.bodies.node_mass.iter().enumerate();
        -masses.map(|(node, m)| m * g.dot(&node_of(x, node))).sum::<f64>()
    }

    /// Adds the unknowns' part of a gradient on all nodes.
    fn gather_unknowns(&mut self, scale: f64) {
        let Buffers { rhs, full, .. } = &mut self.buffers;
        for (rhs, &node) in rhs.chunks_exact_mut(3).zip(&self.free_nodes) {
            (0..3).for_each(|c| rhs[c] += scale * full[3 * node as usize + c]);
        }
    }

    /// Moves the pins to where they are at time t as far as elements allow, and says whether they arrived.
    fn move_pins(&mut self, t: f64, x: &mut [f64]) -> bool {
        let mut target = x.to_vec();
        self.prescribe(t, &mut target);
        let way: Vec<f64> = target.iter().zip(&*x).map(|(target, x)| target - x).collect();
        if way.iter().all(|&d| d == 0.0) {
            return true;
        }
        let step = elastic::largest_step(&self.bodies, x, &way);
        if step == 1.0 {
            x.copy_from_slice(&target);
            return true;
        }
        vector::add_scaled(x, step, &way);
        false
    }
}

impl World for BodiesWorld {
    fn mass(&self) -> &Mass {
        &self.bodies.mass
    }

    fn terms(&self) -> &[&'static str] {
        &TERMS
    }

    fn begin_step(&mut self, x0: &[f64]) {
        if self.damping.is_active() {
            self.damping.freeze(&self.bodies, x0);
        }
    }

    fn has_dissipation(&self) -> bool {
        self.damping.is_active()
    }

    fn prescribe(&self, t: f64, x: &mut [f64]) {
        for pin in &self.bodies.pins {
            let place = self.bodies.motions[pin.motion].at(pin.start, t);
            x[3 * pin.node..3 * pin.node + 3].copy_from_slice(place.as_slice());
        }
    }

    fn energies(&mut self, x: &[f64]) -> Energies {
        self.energies = [elastic::energy(&self.bodies, x), self.gravity_energy(x)].into_iter().collect();
        self.energies
    }

    fn gradient(&mut self, x: &[f64], g: &mut [f64]) {
        elastic::gradients(&self.bodies, x, &mut self.buffers.gradients);
        g.fill(0.0);
        for (entry, node) in self.buffers.gradients.iter().zip(self.bodies.tets.iter().flatten()) {
            (0..3).for_each(|c| g[3 * *node as usize + c] += entry[c]);
        }
        for (node, mass) in self.bodies.node_mass.iter().enumerate() {
            (0..3).for_each(|c| g[3 * node + c] -= mass * self.bodies.gravity[c]);
        }
    }

    fn add_dissipation(&mut self, v: &[f64], weight: f64, forces: &mut DissipativeForces) {
        if self.damping.is_active() {
            self.damping.add_gradient(&self.bodies, v, weight, &mut forces.damping);
        }
    }

    fn boundary_work(&mut self, x0: &[f64], x1: &[f64]) -> f64 {
        let way = |pin: usize| node_of(x1, pin) - node_of(x0, pin);
        if self.bodies.pins.iter().all(|pin| way(pin.node) == Vector3::zeros()) {
            return 0.0;
        }
        // Trapezoidal: the mean of the reactions at both ends over the way between them.
        let mut work = 0.0;
        let mut g = std::mem::take(&mut self.buffers.full);
        for x in [x0, x1] {
            self.gradient(x, &mut g);
            work += self.bodies.pins.iter().map(|pin| 0.5 * node_of(&g, pin.node).dot(&way(pin.node))).sum::<f64>();
        }
        self.buffers.full = g;
        work
    }

    fn stiffness_product(&mut self, x: &[f64], d: &[f64], out: &mut [f64]) {
        let Buffers { gradients, hessians, .. } = &mut self.buffers;
        elastic::gradients_and_hessians(&self.bodies, x, gradients, hessians);
        out.fill(0.0);
        for (tet, nodes) in self.bodies.tets.iter().enumerate() {
            for (block, &(a, b)) in hessians[BLOCKS * tet..].iter().zip(&crate::laws::tetrahedron::BLOCKS) {
                let k = nalgebra::Matrix3::from_column_slice(block);
                let (i, j) = (nodes[a] as usize, nodes[b] as usize);
                let forward = k * node_of(d, j);
                (0..3).for_each(|c| out[3 * i + c] += forward[c]);
                if a != b {
                    let backward = k.transpose() * node_of(d, i);
                    (0..3).for_each(|c| out[3 * j + c] += backward[c]);
                }
            }
        }
    }

    fn largest_step(&mut self, x: &[f64], dx: &[f64]) -> f64 {
        elastic::largest_step(&self.bodies, x, dx)
    }

    fn minimise(&mut self, stage: &Stage<'_>, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        /// Rounds of moving pins part of their way; more means that elements cannot follow.
        const MAX_PIN_ROUNDS: usize = 50;
        x.copy_from_slice(stage.start);
        let mut arrived = self.move_pins(stage.t, x);
        let start = self.energies(x);
        if let Some(term) = inadmissible_term(&start, &TERMS) {
            return Err(SolveError::InadmissibleStart { term });
        }
        self.linear_iterations = 0;
        let mut newton = std::mem::take(&mut self.newton);
        let settings = self.settings.newton;
        let (mut count, mut halvings, mut converged) = (0, 0, true);
        let mut solved = Ok(());
        for round in 0..=MAX_PIN_ROUNDS {
            match newton.minimise(&mut StageObjective { world: self, stage, near: false }, &settings, x) {
                Ok(iterations) => {
                    count += iterations.count;
                    halvings += iterations.halvings;
                    converged = iterations.converged && arrived;
                }
                Err(error) => {
                    solved = Err(error);
                    break;
                }
            }
            if arrived || round == MAX_PIN_ROUNDS {
                break;
            }
            arrived = self.move_pins(stage.t, x);
        }
        self.newton = newton;
        solved?;
        Ok(SolveReport {
            newton_iterations: count,
            linear_iterations: self.linear_iterations,
            halvings,
            converged,
            energies: self.energies,
        })
    }
}

/// ½‖x − x̂‖²_m + s² (P(x) + P_n(x)), P_n(x) = L R((x − origin)/L).
struct StageObjective<'a> {
    world: &'a mut BodiesWorld,
    stage: &'a Stage<'a>,
    /// Whether the last Newton step was near the one that ends the iteration
    near: bool,
}

/// Relative residual of conjugate gradients while Newton is far from its end: tighter saves no Newton iteration and costs a
/// quarter of the linear ones (measured on the rotating cube and the twisted bar).
const FAR_TOLERANCE: f64 = 1e-2;
/// Newton is near its end once its steps are below so many tolerances.
const NEAR: f64 = 30.0;

impl StageObjective<'_> {
    fn dissipates(&self) -> bool {
        self.stage.dissipative && self.world.damping.is_active()
    }

    fn set_velocity(&mut self, x: &[f64]) {
        let velocity = &mut self.world.buffers.velocity;
        vector::set_quotient(velocity, x, self.stage.velocity_origin, self.stage.velocity_length);
    }

    /// rhs ← m (x − x̂) + s² (∇P + ∇P_n) on the unknowns, from the tets' gradients in the buffer.
    fn gather_gradient(&mut self, x: &[f64]) -> Result<(), SolveError> {
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
        for (rhs, &node) in rhs.chunks_exact_mut(3).zip(&world.free_nodes) {
            let node = node as usize;
            let mass = world.bodies.node_mass[node];
            (0..3).for_each(|c| rhs[c] += mass * (offset[3 * node + c] - gravity[c]));
        }
        if dissipates {
            full.fill(0.0);
            world.damping.add_gradient(&world.bodies, velocity, 1.0, full);
            world.gather_unknowns(s2);
        }
        Ok(())
    }

    fn dot_with_rhs(&self, d: &[f64]) -> f64 {
        let rows = self.world.buffers.rhs.chunks_exact(3).zip(&self.world.free_nodes);
        rows.map(|(g, &node)| (0..3).map(|c| g[c] * d[3 * node as usize + c]).sum::<f64>()).sum()
    }
}

/// Names the node in the numbering of the user.
fn linear_error(free_nodes: &[u32]) -> impl Fn(LinearError) -> SolveError + '_ {
    let coordinate = |node: usize| 3 * free_nodes.get(node).map_or(0, |&n| n as usize);
    move |error| match error {
        LinearError::NotFinite { .. } => SolveError::NotFinite { what: "the forces" },
        LinearError::NotPositiveDefinite { node } => SolveError::NotPositiveDefinite { coordinate: coordinate(node) },
        other => SolveError::Linear(other),
    }
}

impl Objective for StageObjective<'_> {
    fn value(&mut self, x: &[f64]) -> Result<(f64, f64), SolveError> {
        let clock = Instant::now();
        let s2 = self.stage.length * self.stage.length;
        let energies = self.world.energies(x);
        let mut dissipation = 0.0;
        if self.dissipates() {
            self.set_velocity(x);
            let (world, length) = (&*self.world, self.stage.velocity_length);
            dissipation = length * world.damping.value(&world.bodies, &world.buffers.velocity);
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
        let clock = Instant::now();
        let s2 = self.stage.length * self.stage.length;
        let dissipates = self.dissipates();
        let Buffers { gradients, hessians, node_diagonal, .. } = &mut self.world.buffers;
        elastic::gradients_and_hessians(&self.world.bodies, x, gradients, hessians);
        node_diagonal.iter_mut().zip(&self.world.bodies.node_mass).for_each(|(d, m)| *d = m / s2);
        if dissipates {
            self.world.damping.add_hessian(1.0 / self.stage.velocity_length, hessians, node_diagonal);
        }
        let evaluated = Instant::now();
        self.gather_gradient(x)?;
        let world = &mut *self.world;
        let Buffers { hessians, rhs, solution, diagonal, node_diagonal, .. } = &mut world.buffers;
        let fail = linear_error(&world.free_nodes);
        // The system is divided by s²: blocks go in as they are.
        let pattern = Arc::clone(world.matrix.pattern());
        world.matrix.reset(&pattern);
        world.scatter.add_blocks(hessians, &mut world.matrix).map_err(&fail)?;
        for (diagonal, &node) in diagonal.iter_mut().zip(&world.free_nodes) {
            *diagonal = node_diagonal[node as usize];
        }
        world.matrix.add_diagonal(diagonal).map_err(&fail)?;
        let assembled = Instant::now();
        rhs.iter_mut().for_each(|g| *g = -*g / s2);
        let tolerance = world.settings.linear_tolerance;
        let tolerance = if self.near { tolerance } else { tolerance.max(FAR_TOLERANCE) };
        let report = world.linear.solve(&world.matrix, rhs, solution, tolerance).map_err(fail)?;
        rhs.iter_mut().for_each(|g| *g = -*g * s2);
        world.linear_iterations += report.iterations;
        d.fill(0.0);
        for (solution, &node) in solution.chunks_exact(3).zip(&world.free_nodes) {
            d[3 * node as usize..3 * node as usize + 3].copy_from_slice(solution);
        }
        world.times.evaluate += evaluated - clock;
        world.times.assemble += assembled - evaluated;
        world.times.linear += assembled.elapsed();
        Ok(self.dot_with_rhs(d))
    }

    fn slope(&mut self, x: &[f64], d: &[f64]) -> f64 {
        let clock = Instant::now();
        elastic::gradients(&self.world.bodies, x, &mut self.world.buffers.gradients);
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

    fn change(&mut self, _x: &[f64], d: &[f64]) -> (f64, RelativeChange) {
        let longest = d.chunks_exact(3).map(|d| d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).fold(0.0, f64::max);
        let limit = self.world.settings.newton.displacement;
        let solved_loosely = !self.near;
        self.near = longest.sqrt() < NEAR * limit;
        // The step that ends the iteration is one that was solved for in earnest.
        let longest = if solved_loosely { longest.sqrt().max(limit) } else { longest.sqrt() };
        (longest, RelativeChange::default())
    }
}
