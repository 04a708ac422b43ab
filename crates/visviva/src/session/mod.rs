//! A scene that is going on: bodies, state, method and the energy wanted, step after step, and whoever looks on.
//!
//! A session owns all it needs. What is changed under way is written down with its step, so that a run can be repeated.

mod alpha_meter;
mod attempt;
mod bodies;
mod branching;
mod changes;
mod checkpoint;
mod error;
mod frame_clock;
mod freeze;
mod hand;
mod lag;
mod live_export;
mod model_hash;
mod new_settings;
mod observer;
mod recorder;
mod resumption;
mod row;
mod squash;
mod steering;
mod step_control;
mod stepping;
mod summary;
mod unconverged;
mod whereabouts;

pub use crate::solve::{PinMotion, PinTurn};
pub use alpha_meter::{AlphaMeter, OffTarget, Place, Reading};
pub use branching::{Branch, BranchError, Branched};
pub use checkpoint::Checkpoint;
pub use error::SessionError;
pub use lag::{Lag, Stretch};
pub use live_export::LiveExport;
pub use observer::{Observer, ObserverError, SeenFrame};
pub use recorder::RecordOptions;
pub use row::EnergyNow;
pub use squash::Squash;
pub use step_control::StepLengths;
pub use stepping::Halt;
pub use summary::{Ending, Phases, Summary, Tally};
pub use unconverged::{Held, HeldSteps, what_held};
pub use whereabouts::Whereabouts;

pub use crate::scene::{Change, Grab, TimedChange};

use crate::energy::EnergyPlan;
use crate::integrate::IntegratorSpec;
use crate::mesh::Skin;
use crate::model::Part;
use crate::model::bodies::Model;
use crate::run::{RunMesh, StatsRow};
use crate::scene::{Built, Ground, Scene};
use crate::simulation::{Clock, Simulation};
use crate::solve::ContactForce;
use bodies::Bodies;
use frame_clock::FrameClock;
use freeze::Freeze;
use nalgebra::Vector3;
use std::ops::ControlFlow;
use std::time::Instant;
use steering::Steering;
use step_control::StepControl;
use unconverged::Unconverged;

/// A scene and how far it has come.
///
/// ```
/// use visviva::scene::{Body, Material, Scene};
/// use visviva::session::Session;
///
/// let bar = Body::cuboid([0.2, 0.05, 0.05], [4, 1, 1]).material(Material::new(1e5));
/// let mut session = Session::new(Scene::new("A bar falls").body(bar).step("1/60"))?;
/// let start = session.checkpoint();
/// session.run_until(0.1)?;
/// assert!(session.vertices().iter().all(|place| place.z < 0.0));
/// session.restore(start)?;
/// assert_eq!(session.time(), 0.0);
/// # Ok::<(), visviva::session::SessionError>(())
/// ```
pub struct Session {
    scene: Scene,
    /// Which of the scene's bodies each of the model's belongs to
    settings_of: Vec<usize>,
    /// What is shown of each of them in place of its surface
    skins: Vec<Option<Skin>>,
    simulation: Simulation<Bodies>,
    integrator: IntegratorSpec,
    /// The scene's own, before any change
    first_plan: EnergyPlan,
    /// Of the model as the scene gives it
    model_hash: u64,
    /// Those made and, after them, those to come
    changes: Vec<TimedChange>,
    made: usize,
    /// Whether the scene lists these as they are; a file may say the same in other words
    written_down: bool,
    frames: FrameClock,
    row: StatsRow,
    tally: Tally,
    unconverged: Unconverged,
    alpha: AlphaMeter,
    /// Where steps are adaptive
    control: Option<StepControl>,
    freeze: Freeze,
    /// What a program does in the next step
    steering: Steering,
    /// What a hand holds, by a change
    hand: Option<Grab>,
    phases: Phases,
    /// What the world's clocks showed where `phases` began to count
    phases_before: Phases,
    started: Instant,
    warnings: Vec<String>,
    observers: Vec<Box<dyn Observer>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (scene, steps) = (&self.scene.title, self.steps());
        f.debug_struct("Session").field("scene", scene).field("steps", &steps).finish_non_exhaustive()
    }
}

impl Session {
    /// Builds the scene, and finds the energy of its bodies at rest where it asks for that.
    pub fn new(scene: Scene) -> Result<Self, SessionError> {
        let built = scene.build()?;
        Self::from_built(scene, built)
    }

    /// With what the scene has been built into already.
    pub fn from_built(mut scene: Scene, mut built: Built) -> Result<Self, SessionError> {
        // That of each body has no place in a scene: it is found again where the run is taken up.
        let found = built.find_ground(&mut |_| ControlFlow::Continue(()))?;
        if let Some(found) = found.filter(|_| built.plan.bodies.is_empty()) {
            scene.energy.ground = Ground::Joules(found.energy);
        }
        scene.take_in_curve_files()?;
        let model_hash = model_hash::model_hash(&built.model);
        hand::check_all(&built.model, &built.changes)?;
        if built.plan.bodies.is_empty() {
            built.changes.iter().try_for_each(|timed| timed.change.check_under_one_target())?;
        }
        let world = Bodies::new(built.model, built.solver)?;
        let method = built.integrator.build();
        let simulation = Simulation::new(world, built.start, method, &built.plan, built.h)?;
        let row = row::at_start(&simulation);
        Ok(Self {
            control: scene.run.step_bounds().map(|bounds| StepControl::new(bounds, &row)),
            frames: FrameClock::new(&scene.run),
            scene,
            settings_of: built.settings_of,
            skins: built.skins,
            simulation,
            integrator: built.integrator,
            first_plan: built.plan,
            model_hash,
            changes: built.changes,
            made: 0,
            written_down: false,
            tally: Tally::new(&row),
            row,
            unconverged: Unconverged::default(),
            alpha: AlphaMeter::default(),
            freeze: Freeze::default(),
            steering: Steering::default(),
            hand: None,
            phases: Phases::default(),
            phases_before: Phases::default(),
            started: Instant::now(),
            warnings: built.warnings,
            observers: Vec::new(),
        })
    }

    /// As it is run: with the ground energy found and the changes made.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub fn model(&self) -> &Model {
        self.simulation.backend.model()
    }

    /// Shapes at rest and which body owns what, as run folders and exporters know them.
    pub fn mesh(&self) -> RunMesh {
        RunMesh::of(&self.scene, self.model(), &self.settings_of, &self.skins)
    }

    /// `[s]`
    pub fn time(&self) -> f64 {
        self.simulation.state.t
    }

    pub fn clock(&self) -> Clock {
        self.simulation.clock()
    }

    /// Done so far.
    pub fn steps(&self) -> u64 {
        self.clock().steps
    }

    /// Whether it has come to the scene's end.
    pub fn is_over(&self) -> bool {
        self.part_done() >= 1.0
    }

    /// Of the scene's duration; beyond 1 where it was run for longer.
    pub fn part_done(&self) -> f64 {
        match self.control {
            // What is left is no step, but rounding.
            Some(_) => (self.time() + 1e-9 * self.clock().h) / self.scene.run.duration.value,
            None => self.steps() as f64 / self.scene.run.step_count() as f64,
        }
    }

    /// Shown so far, the start included.
    pub fn frames(&self) -> u64 {
        self.frames.shown(self.steps(), self.time())
    }

    /// Of the nodes, flat `[m]`.
    pub fn positions(&self) -> &[f64] {
        &self.simulation.state.x
    }

    /// Of the nodes, flat `[m/s]`.
    pub fn velocities(&self) -> &[f64] {
        &self.simulation.state.v
    }

    /// Where what is seen is `[m]`.
    pub fn vertices(&self) -> Vec<Vector3<f64>> {
        self.model().at_vertices(self.positions())
    }

    /// Where surfaces press on each other, friction as it was in the last step.
    pub fn contacts(&self) -> Vec<ContactForce> {
        bodies::contact_forces(&self.simulation)
    }

    pub fn energies(&self) -> EnergyNow {
        EnergyNow::new(&self.row, self.simulation.energy())
    }

    /// ∇²P at the present position as the solver projects it `[N/m]`: blocks by columns for pairs of nodes, to be added where a
    /// pair comes again.
    pub fn stiffness(&mut self) -> Vec<([u32; 2], [f64; 9])> {
        bodies::stiffness(&mut self.simulation)
    }

    /// Energies and momenta of each body, and what the last step took and gave; [`Part::grouped`] adds them by group.
    pub fn parts(&self) -> Vec<Part> {
        self.simulation.parts()
    }

    /// What the last step did, as statistics have it; at first the start.
    pub fn row(&self) -> &StatsRow {
        &self.row
    }

    /// Where the time of all steps so far went, by the clock.
    pub fn phases(&self) -> Phases {
        self.phases
    }

    /// The method in use.
    pub fn integrator(&self) -> &IntegratorSpec {
        &self.integrator
    }

    /// Those made so far.
    pub fn changes(&self) -> &[TimedChange] {
        &self.changes[..self.made]
    }

    /// What is doubtful about the scene or the folder it was taken from.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
