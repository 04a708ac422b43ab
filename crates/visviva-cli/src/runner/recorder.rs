//! Writes what each step did into the run folder.

use super::summary::{Ending, Summary};
use super::term;
use std::time::Duration;
use visviva::integrate::StepReport;
use visviva::model::bodies::{BodyKind, flatten};
use visviva::run::checkpoint::{self, RunCheckpoint};
use visviva::run::{Body, RunFolder, RunMesh, Stats, StatsRow, StatsWriter};
use visviva::scene::{Built, MaterialChoice, Scene};
use visviva::simulation::Simulation;
use visviva::solve::{Backend, BodiesSolver, PhaseTimes};

pub struct Recorder {
    folder: RunFolder,
    stats: StatsWriter,
    bodies: std::sync::Arc<visviva::model::bodies::Model>,
    frame_rate: f64,
    next_frame: u64,
    h: f64,
    contacts: bool,
    /// Where the step began, for the slips of friction; only with contacts
    step_start: Vec<f64>,
}

impl Recorder {
    /// Begins with the start state as row 0 and frame 0.
    pub fn start(
        folder: RunFolder,
        scene: &Scene,
        built: &Built,
        simulation: &mut Simulation<BodiesSolver>,
    ) -> anyhow::Result<Self> {
        let stats = StatsWriter::create(&folder.stats_path())?;
        let mut recorder = Self::new(folder, scene, built, stats, 0);
        let row = recorder.start_row(simulation);
        recorder.stats.write(&row)?;
        recorder.write_frame(simulation)?;
        Ok(recorder)
    }

    /// Goes on after a step; what was written beyond it is removed.
    pub fn resume(folder: RunFolder, scene: &Scene, built: &Built, steps: u64) -> anyhow::Result<Self> {
        let stats = StatsWriter::resume(&folder.stats_path(), steps)?;
        let next_frame = folder.rewind(steps)?;
        Ok(Self::new(folder, scene, built, stats, next_frame))
    }

    fn new(folder: RunFolder, scene: &Scene, built: &Built, stats: StatsWriter, next_frame: u64) -> Self {
        let (bodies, frame_rate) = (built.model.clone(), scene.run.frame_rate);
        let contacts = scene.run.contacts && bodies.contact.is_some();
        Self { folder, stats, bodies, frame_rate, next_frame, h: built.h, contacts, step_start: Vec::new() }
    }

    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    pub fn frame_count(&self) -> u64 {
        self.next_frame
    }

    fn start_row(&self, simulation: &Simulation<BodiesSolver>) -> StatsRow {
        let energy = simulation.energy();
        StatsRow { total: energy.total, target: Some(energy.level), converged: true, ..self.momentum_row(simulation) }
    }

    fn momentum_row(&self, simulation: &Simulation<BodiesSolver>) -> StatsRow {
        let state = &simulation.state;
        let (p, l) = self.bodies.momenta(&state.x, &state.v);
        let here = simulation.evaluation();
        let energies = here.energies;
        let contact = self.bodies.contact.as_ref().map(|_| here.contact_state());
        let energy = |name| term(&simulation.backend, energies.as_slice(), name);
        StatsRow {
            step: simulation.clock().steps,
            t: state.t,
            h: self.h,
            kinetic: simulation.backend.mass().kinetic_energy(&state.v),
            elastic: energy("elastic"),
            gravity: energy("gravity"),
            barrier: energy("barrier"),
            px: p.x,
            py: p.y,
            pz: p.z,
            lx: l.x,
            ly: l.y,
            lz: l.z,
            active_pairs: contact.map(|c| c.active_pairs as u64),
            min_distance: contact.and_then(|c| c.min_distance),
            ..StatsRow::default()
        }
    }

    /// Called before each step.
    pub fn begin(&mut self, simulation: &Simulation<BodiesSolver>) {
        if self.contacts {
            self.step_start.clone_from(&simulation.state.x);
        }
    }

    pub fn record(
        &mut self,
        simulation: &mut Simulation<BodiesSolver>,
        report: &StepReport,
        wall: Duration,
    ) -> anyhow::Result<()> {
        let ledger = &report.ledger;
        let energies = report.solve.energies;
        let energy = |name| term(&simulation.backend, energies.as_slice(), name);
        self.stats.write(&StatsRow {
            kinetic: ledger.kinetic,
            elastic: energy("elastic"),
            gravity: energy("gravity"),
            barrier: energy("barrier"),
            total: ledger.total,
            target: Some(report.target),
            alpha: report.alpha.map(|a| a.value),
            alpha_outcome: report.alpha.map(|a| a.outcome),
            friction_loss: ledger.friction_loss,
            damping_loss: ledger.damping_loss,
            work: ledger.work,
            integrator_gain: ledger.integrator,
            alpha_energy: report.alpha.map(|_| ledger.correction),
            ledger_residual: ledger.residual,
            newton: report.solve.newton_iterations as u64,
            linear_iterations: report.solve.linear_iterations as u64,
            halvings: report.solve.halvings as u64,
            converged: report.solve.converged,
            wall_s: wall.as_secs_f64(),
            ..self.momentum_row(simulation)
        })?;
        // The first step at or past a frame's time carries it; a step longer than a frame carries one.
        let due = (simulation.state.t * self.frame_rate * (1.0 + 1e-12) + 1e-9).floor() as u64;
        if due >= self.next_frame || self.h * self.frame_rate >= 1.0 - 1e-9 {
            self.write_frame(simulation)?;
        }
        Ok(())
    }

    fn write_frame(&mut self, simulation: &mut Simulation<BodiesSolver>) -> anyhow::Result<()> {
        let state = &simulation.state;
        if self.contacts {
            // The mean velocity of the step: what friction was solved with.
            let way = state.x.iter().zip(&self.step_start);
            let mean: Vec<f64> = way.map(|(x1, x0)| (x1 - x0) / self.h).collect();
            let sliding = (!self.step_start.is_empty()).then_some((simulation.frozen(), mean.as_slice()));
            let forces = simulation.backend.contact_forces(simulation.evaluation(), sliding);
            self.folder.write_contacts(self.next_frame, &forces)?;
        }
        self.folder.write_frame(self.next_frame, simulation.clock().steps, state.t, &state.x, &state.v)?;
        self.next_frame += 1;
        Ok(())
    }

    pub fn checkpoint(&self, simulation: &Simulation<BodiesSolver>) -> anyhow::Result<()> {
        let saved = RunCheckpoint { simulation: simulation.checkpoint(), solver: simulation.backend.memory() };
        Ok(checkpoint::write(&self.folder.checkpoint_path(), &saved)?)
    }

    /// Over the whole run, what was done before a resumption included.
    pub fn summarise(
        &self,
        scene: &Scene,
        built: &Built,
        simulation: &Simulation<BodiesSolver>,
        ending: Ending,
        wall: Duration,
        times: PhaseTimes,
    ) -> Summary {
        // Statistics that cannot be read back leave a summary of what is known.
        let stats = Stats::read(&self.folder.stats_path()).unwrap_or_default();
        Summary::new(scene, built, simulation.energy(), &stats, self.next_frame, ending, wall, times)
    }
}

/// Meshes of all bodies as a run folder keeps them.
pub fn run_mesh(scene: &Scene, built: &Built) -> RunMesh {
    let bodies = &built.model;
    let rest = bodies.at_vertices(&flatten(&bodies.rest));
    let mut mesh = RunMesh { rest: rest.iter().map(|p| [p.x, p.y, p.z]).collect(), ..RunMesh::default() };
    if bodies.bodies.iter().any(|body| body.kind == BodyKind::Affine) {
        mesh.attachments = bodies.vertices.clone();
    }
    for (body, &settings) in bodies.bodies.iter().zip(&built.settings_of) {
        let (first, first_tet) = (mesh.triangles.len(), mesh.tets.len());
        mesh.triangles.extend_from_slice(&body.triangles);
        if body.kind == BodyKind::Solid {
            // Its nodes are its vertices, in the same order.
            let vertex = |node: u32| node - body.nodes.start as u32 + body.vertices.start as u32;
            mesh.tets.extend(bodies.tets.nodes[body.tets.clone()].iter().map(|tet| tet.map(vertex)));
        }
        mesh.bodies.push(Body {
            name: body.name.clone(),
            vertices: [body.vertices.start, body.vertices.end],
            tets: [first_tet, mesh.tets.len()],
            triangles: [first, mesh.triangles.len()],
            wires: [0; 2],
            kind: body.kind.name().to_owned(),
            material: match &scene.bodies[settings].material {
                MaterialChoice::Named(name) => name.clone(),
                MaterialChoice::Inline(material) => material.law.clone(),
            },
        });
    }
    for obstacle in &bodies.obstacles {
        let (first, first_wire) = (mesh.triangles.len(), mesh.wires.len());
        mesh.triangles.extend_from_slice(&obstacle.triangles);
        mesh.wires.extend_from_slice(&obstacle.wires);
        mesh.bodies.push(Body {
            name: obstacle.name.clone(),
            vertices: [obstacle.vertices.start, obstacle.vertices.end],
            tets: [mesh.tets.len(); 2],
            triangles: [first, mesh.triangles.len()],
            wires: [first_wire, mesh.wires.len()],
            kind: "obstacle".to_owned(),
            material: String::new(),
        });
    }
    mesh
}
